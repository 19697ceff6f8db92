package machine

import (
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// overlapped turns the launches of a job into those of a program with streams: after names the launches that each waits
// for.
func overlapped(t *testing.T, name, body string, after [][]int32, change func(*Job)) *Machine {
	t.Helper()
	spec := built(name)
	j := jobOf(t, spec, body, 1<<22, 1, 64)
	first := j.Launches[0]
	j.Launches = nil
	for i := range after {
		l := *first
		l.Grid = [3]uint32{uint32(1 + i%3*spec.SMs), 1, 1}
		l.Streamed, l.After = true, after[i]
		j.Launches = append(j.Launches, &l)
	}
	if change != nil {
		change(&j)
	}
	m, err := New(spec, j)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const busy = "{\n.reg .pred %w;\nmov.u32 %r, 0;\nL:\nadd.u32 %r, %r, 1;\nsetp.lt.u32 %w, %r, 2000;\n@%w bra L;\n}\n"

// TestOneStreamIsASequence: launches of one stream take the cycles of launches that follow each other, and leave the
// same counters.
func TestOneStreamIsASequence(t *testing.T) {
	for what, body := range launchBodies {
		plain, _ := launched(t, "gtx480", body, 4)
		one := overlapped(t, "gtx480", body, [][]int32{nil, {0}, {1}, {2}}, nil)
		for _, m := range []*Machine{plain, one} {
			if err := m.Run(); err != nil {
				t.Fatal(err)
			}
		}
		if plain.Cycles() != one.Cycles() || plain.Stats() != one.Stats() {
			t.Errorf("%s: %d cycles in a sequence, %d in a stream", what, plain.Cycles(), one.Cycles())
		}
		checkSums(t, what, one)
	}
}

// TestStreamsOverlap: small launches of different streams run at once on different SMs, one that waits for an event
// begins after it, and the figures of launches add up to those of the run, also in the middle of it.
func TestStreamsOverlap(t *testing.T) {
	for what, body := range launchBodies {
		for _, name := range []string{"gtx480", "v100"} {
			m := overlapped(t, name, body+busy, [][]int32{nil, nil, nil, {0, 1}}, func(j *Job) {
				for _, l := range j.Launches {
					l.Grid = [3]uint32{4, 1, 1}
				}
			})
			for at := sim.Cycle(500); ; at += 500 {
				done, err := m.Advance(at)
				if err != nil {
					t.Fatal(err)
				}
				checkSums(t, fmt.Sprintf("%s, %s, cycle %d", what, name, at), m)
				if done {
					break
				}
			}
			begin := func(i int) sim.Cycle { b, _ := m.LaunchSpan(i); return b }
			end := func(i int) sim.Cycle { _, e := m.LaunchSpan(i); return e }
			if begin(1) >= end(0) || begin(2) >= end(0) || begin(3) < max(end(0), end(1)) {
				t.Errorf("%s, %s: launches take %d-%d, %d-%d, %d-%d, %d-%d", what, name,
					begin(0), end(0), begin(1), end(1), begin(2), end(2), begin(3), end(3))
			}
			list, _ := m.LaunchFigures()
			for i := range list {
				if n := list[i].Counters[stat.CTAs]; n != 4 || list[i].Launches != 1 {
					t.Errorf("%s, %s: launch %d has %d CTAs", what, name, i, n)
				}
			}
		}
	}
}

// TestCTAsOfStreamsWaitInTurn: the CTAs of a launch are handed out when all of the one before have been.
func TestCTAsOfStreamsWaitInTurn(t *testing.T) {
	m := overlapped(t, "gtx480", busy, [][]int32{nil, nil}, func(j *Job) {
		j.Launches[0].Grid = [3]uint32{15 * 8 * 3, 1, 1} // three times what fits
		j.Launches[1].Grid = [3]uint32{1, 1, 1}
	})
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	_, first := m.LaunchSpan(0)
	_, second := m.LaunchSpan(1)
	list, _ := m.LaunchFigures()
	if second < first/3*2 {
		t.Errorf("a launch of one CTA behind one of three waves ends in cycle %d, the other one in %d", second, first)
	}
	if list[0].Counters[stat.CTAs] != 360 || list[1].Counters[stat.CTAs] != 1 {
		t.Errorf("%d and %d CTAs", list[0].Counters[stat.CTAs], list[1].Counters[stat.CTAs])
	}
}

// TestStreamsAreSaved: a saved run with streams goes on as one that was not saved.
func TestStreamsAreSaved(t *testing.T) {
	after := [][]int32{nil, nil, {0}, {1}}
	whole := overlapped(t, "gtx480", busy, after, nil)
	if err := whole.Run(); err != nil {
		t.Fatal(err)
	}
	for _, at := range []sim.Cycle{1, 700, 9000, 15000} {
		m := overlapped(t, "gtx480", busy, after, nil)
		if _, err := m.Advance(at); err != nil {
			t.Fatal(err)
		}
		again := overlapped(t, "gtx480", busy, after, nil)
		again.Load(m.Save(nil))
		if err := again.Run(); err != nil {
			t.Fatal(err)
		}
		if again.Cycles() != whole.Cycles() || again.Stats() != whole.Stats() {
			t.Errorf("saved in cycle %d: %d cycles, %d without", at, again.Cycles(), whole.Cycles())
		}
		checkSums(t, fmt.Sprint("saved in cycle ", at), again)
	}
}
