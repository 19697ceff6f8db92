package machine

import (
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// launchBodies are kernels that leave something for after their end: a load that nobody waits for, dirty lines, and
// nothing at all.
var launchBodies = map[string]string{
	"a load that nobody waits for": "mul.lo.u32 %r, %t, 4224;\n" + toAddress + "ld.global.u32 %r, [%a];",
	"stores":                       "mul.lo.u32 %r, %t, 132;\n" + toAddress + "st.global.u32 [%a], %t;",
	"nothing":                      "",
}

const toAddress = "and.b32 %r, %r, 2097024;\ncvt.u64.u32 %a, %r;\nadd.u64 %a, %a, %p;\n"

// launched returns a job with launches of several sizes, one after the other.
func launched(t *testing.T, name, body string, launches int) (*Machine, func(Job) *Machine) {
	spec := built(name)
	make := func(j Job) *Machine {
		j.Image = new(mem.Image)
		job := jobOf(t, spec, body, 1<<22, 1, 64)
		j.Image, j.Scheme = job.Image, job.Scheme
		for i := range launches {
			l := *job.Launches[0]
			l.Grid = [3]uint32{uint32(1 + i%3*spec.SMs), 1, 1}
			j.Launches = append(j.Launches, &l)
		}
		m, err := New(spec, j)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	return make(Job{}), make
}

// checkSums compares the sums over launches with the counters of the run.
func checkSums(t *testing.T, what string, m *Machine) {
	t.Helper()
	var all Figures
	list, merged := m.LaunchFigures()
	for i := range list {
		all.Follow(&list[i])
	}
	for i := range merged {
		all.Follow(&merged[i].Figures)
	}
	counters := m.Stats()
	for _, c := range stat.List() {
		if stat.Adds(c) == stat.Sum && all.Counters[c] != counters[c] {
			name := stat.Describe(c).Name
			t.Errorf("%s: %s is %d over launches, %d of the run", what, name, all.Counters[c], counters[c])
		}
	}
	last, level := list[len(list)-1].Counters, stat.BusPendingCycles
	if len(merged) == 0 && last[level] != counters[level] {
		t.Errorf("%s: the last launch ends with %d cycles pending, the run with %d", what, last[level], counters[level])
	}
	classes, operands := m.Classes()
	sum, cycles := all.Work.RegisterOperands, uint64(m.Cycles())
	if !slices.Equal(all.Work.Classes(), classes) || sum != operands || all.Cycles != cycles {
		t.Errorf("%s: %d operands in %d cycles over launches, %d in %d of the run", what, sum, all.Cycles, operands, cycles)
	}
}

// slowFigures is the slow twin: it looks at a machine of one engine in every cycle.
func slowFigures(t *testing.T, m *Machine) (counters []stat.Set) {
	t.Helper()
	type at struct{ front, memory stat.Set }
	var seen []at
	var ends []int
	for done := false; !done; {
		seen = append(seen, at{m.frontStats(m.Cycles()), m.memoryStats()})
		before, _ := m.dispatcher.Launch()
		var err error
		if done, err = m.Advance(m.Now() + 1); err != nil {
			t.Fatal(err)
		}
		if now, _ := m.dispatcher.Launch(); now != before && !m.dispatcher.Finished() {
			ends = append(ends, len(seen)-1)
		}
	}
	end := at{m.frontStats(m.Cycles()), m.memoryStats()}
	var was at
	for _, e := range ends {
		memory := end.memory
		if k := e + int(memoryLag(m.spec)); k < len(seen) {
			memory = seen[k].memory
		}
		one, other := seen[e].front.Since(&was.front), memory.Since(&was.memory)
		one.Follow(&other)
		counters = append(counters, one)
		was = at{seen[e].front, memory}
	}
	one, other := end.front.Since(&was.front), end.memory.Since(&was.memory)
	one.Follow(&other)
	return append(counters, one)
}

// checkFigures compares the figures of launches with their counters.
func checkFigures(t *testing.T, what string, m *Machine, want []stat.Set) {
	t.Helper()
	checkSums(t, what, m)
	list, merged := m.LaunchFigures()
	if len(list) != len(want) || len(merged) != 0 {
		t.Fatalf("%s: figures of %d launches, want %d", what, len(list), len(want))
	}
	for i := range list {
		got := &list[i]
		for _, c := range stat.List() {
			if got.Counters[c] != want[i][c] {
				t.Errorf("%s: launch %d has %d %s, want %d", what, i, got.Counters[c], stat.Describe(c).Name, want[i][c])
			}
		}
		begin, end := m.LaunchSpan(i)
		if ctas := got.Counters[stat.CTAs]; got.Cycles != uint64(end-begin) || ctas != uint64(m.job.Launches[i].Grid[0]) {
			t.Errorf("%s: launch %d: %d cycles, %d CTAs", what, i, got.Cycles, ctas)
		}
	}
}

// TestLaunchFigures: the figures of launches are those that one sees when looking at a machine of one engine in every
// cycle, however a run is sliced and however its parts work ahead of each other, and they add up to those of the run,
// also while it runs.
func TestLaunchFigures(t *testing.T) {
	for _, name := range []string{"mini", "gtx580b", "v100"} {
		if testing.Short() && name != "mini" {
			continue
		}
		for body, text := range launchBodies {
			m, build := launched(t, name, text, 5)
			want := slowFigures(t, build(Job{Observer: observer{}}))
			check := func(what string, m *Machine) {
				t.Helper()
				checkFigures(t, name+", "+body+", "+what, m, want)
			}
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
			check("at once", m)
			for _, slice := range []sim.Cycle{1, 37, 256} {
				if slice == 1 && name != "mini" {
					continue // for the time
				}
				m := build(Job{Tap: probe.NewTap(1 << 20)})
				var saved *Saved
				for done := false; !done; {
					var err error
					if done, err = m.Advance(m.Now() + slice); err != nil {
						t.Fatal(err)
					}
					if m.Now()%7 == 0 {
						checkSums(t, "while it runs", m)
					}
					if list, _ := m.LaunchFigures(); saved == nil && len(list) >= 3 {
						saved = m.Save(nil)
					}
				}
				check("in slices", m)
				m.Load(saved)
				if err := m.Run(); err != nil {
					t.Fatal(err)
				}
				check("once more", m)
			}
			twin := build(Job{Observer: observer{}})
			if err := twin.Run(); err != nil {
				t.Fatal(err)
			}
			check("with one engine", twin)
		}
	}
}

// TestManyLaunches: launches after the first MostLaunches are merged by kernel, and everything still adds up. The
// memory for figures does not grow with the launches.
func TestManyLaunches(t *testing.T) {
	_, build := launched(t, "mini", launchBodies["stores"], 3*MostLaunches)
	m := build(Job{})
	other := *m.job.Launches[0]
	kernel := *other.Kernel
	other.Kernel = &kernel
	m.job.Launches[MostLaunches+1] = &other
	m.job.Launches[2*MostLaunches] = &other
	m = func() *Machine { // the kernels are known from the start
		again, err := New(m.spec, m.job)
		if err != nil {
			t.Fatal(err)
		}
		return again
	}()
	room := cap(m.figures.rows) + cap(m.figures.merged)
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	checkSums(t, "many launches", m)
	list, merged := m.LaunchFigures()
	if len(list) != MostLaunches || len(merged) != 2 ||
		merged[0].First != MostLaunches || merged[1].First != MostLaunches+1 ||
		merged[0].Launches != 2*MostLaunches-2 || merged[1].Launches != 2 {
		t.Errorf("%d launches, merged %+v", len(list), merged)
	}
	if n := cap(m.figures.rows) + cap(m.figures.merged); n != room || n != MostLaunches+2 {
		t.Errorf("room for figures of %d launches, %d at the start", n, room)
	}
}

// TestOnlyLevelsFall: every counter that is added over time grows in every part of a run.
func TestOnlyLevelsFall(t *testing.T) {
	for name, body := range bodiesAhead {
		spec := built("mini")
		job := jobOf(t, spec, body, 1<<22, spec.SMs*2+3, 192)
		job.Launches = []*ptx.Launch{job.Launches[0], job.Launches[0]}
		m, err := New(spec, job)
		if err != nil {
			t.Fatal(err)
		}
		var before stat.Set
		fell := false
		for done := false; !done; {
			if done, err = m.Advance(m.Now() + 50); err != nil {
				t.Fatal(err)
			}
			now := m.Stats()
			for _, c := range stat.List() {
				if now[c] < before[c] {
					if fell = true; stat.Adds(c) == stat.Sum {
						t.Fatalf("%s: %s falls from %d to %d", name, stat.Describe(c).Name, before[c], now[c])
					}
				}
			}
			before = now
		}
		if !fell {
			t.Errorf("%s: no level falls", name)
		}
	}
}

// TestParametersOfALaunch: in each launch the first warp of an SM that reads parameters waits for them, and no other
// read does.
func TestParametersOfALaunch(t *testing.T) {
	const body = "ld.param.u64 %p, [p];\nld.param.u64 %p, [p];\nst.global.u32 [%p], %t;"
	cycles := func(launchCycles, launches int) uint64 {
		spec := built("h200")
		spec.SM.Constant.LaunchCycles = launchCycles
		m, _ := runJob(t, spec, body, func(j *Job) {
			for len(j.Launches) < launches {
				j.Launches = append(j.Launches, j.Launches[0])
			}
		})
		return uint64(m.Cycles())
	}
	for launches := 1; launches <= 3; launches++ {
		if none, some := cycles(0, launches), cycles(123, launches); some != none+123*uint64(launches) {
			t.Errorf("%d launches take %d cycles, without waiting for parameters %d", launches, some, none)
		}
	}
}
