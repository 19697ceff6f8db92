package experiment

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// played is a record of a run from its beginning: its state at some cycles and all
// events.
type played struct {
	result  *Result
	cycles  []sim.Cycle
	digests []string
	partial []*Result
	events  []probe.Event
	until   []int // events reported before each of the cycles
}

// play runs a plan and records the given number of cycles. The caller decides whether
// the run is watched: the state does not depend on it.
func play(t *testing.T, p *Plan, looks uint64, watched bool) *played {
	t.Helper()
	o := Options{}
	if watched {
		o.Tap = probe.NewTap(1 << 22)
	}
	_, short := finish(t, p)
	every := sim.Cycle(short.Cycles/looks + 1)
	r := simulating(t, p, o)
	out := &played{}
	for at := every; !r.machine.Done(); at += every {
		if err := r.machine.Reach(at); err != nil {
			t.Fatal(err)
		}
		r.machine.Settle()
		if watched {
			o.Tap.Take(func(e []probe.Event) { out.events = append(out.events, e...) })
		}
		out.cycles = append(out.cycles, at)
		out.digests = append(out.digests, r.machine.Digest())
		out.until = append(out.until, len(out.events))
		stopped := *r
		stopped.cancelled = true
		out.partial = append(out.partial, stopped.Result())
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	out.result = res
	return out
}

func simulating(t *testing.T, p *Plan, o Options) *Run {
	t.Helper()
	r, err := New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	for r.Phase() != PhaseSimulate {
		if _, err := r.Step(1 << 30); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// recorded runs a plan in steps of the given size and keeps its past.
func recorded(t *testing.T, p *Plan, limitBytes int, every uint64) (*Past, *Result) {
	t.Helper()
	r := simulating(t, p, Options{Tap: probe.NewTap(0)})
	past := NewPast(r, limitBytes, 1<<20)
	past.every, past.bytesPerWork = every, 1<<40
	for done := false; !done; {
		past.Note()
		r.machine.Stats() // as the page does to show progress
		var err error
		if done, err = r.Step(256); err != nil {
			t.Fatal(err)
		}
	}
	past.Note()
	return past, r.Result()
}

// seek goes to a cycle and returns the events since an earlier cycle.
func seek(t *testing.T, p *Past, from, to sim.Cycle, fresh bool) (opening, list []probe.Event) {
	t.Helper()
	s, err := p.Seek(from, to, fresh)
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = s.Step(700, func(e []probe.Event) { list = append(list, e...) }); err != nil {
			t.Fatal(err)
		}
	}
	return list[:s.Opening], list[s.Opening:]
}

type pastCase struct {
	workload, preset string
	memory           func(*scheme.Memory)
	overrides        scenario.Overrides
}

func (c pastCase) plan(t *testing.T) *Plan {
	t.Helper()
	sc := scenario.Default(c.workload)
	sc.Machine.Preset, sc.Machine.Overrides = c.preset, c.overrides
	info, err := programs.Describe(c.workload)
	if err != nil {
		t.Fatal(err)
	}
	sc.Workload.Size = info.Sizes[0]
	c.memory(&sc.Memory)
	p, err := PlanOf(sc)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var pastCases = []pastCase{
	{"matmul", "gtx580v4", func(m *scheme.Memory) { m.Put("codec", "none") }, nil},
	{"dct", "mini", func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-opt") }, nil},
	// With slow memory most warps wait for the lanes of a register.
	{"dct", "mini", func(m *scheme.Memory) { m.Put("codec", "none") }, scenario.Overrides{"dramMHz": 60}},
	{"bfs", "mini", func(m *scheme.Memory) { m.Put("codec", "e2mc16", "probabilities", "online") }, nil},
	{"nn", "gtx480", func(m *scheme.Memory) {
		m.Put("codec", "e2mc16", "approximation", "tslc-pred", "probabilities", "online")
	}, nil},
	{"transpose", "v100", func(m *scheme.Memory) { m.Put("codec", "bdi") }, nil},
	{"blackscholes", "a100", func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-simp") }, nil},
}

// Seeking any cycle, from any other cycle and with any kept states, gives the same
// machine, counters and events as playing from the beginning.
func TestSeekingIsPlaying(t *testing.T) {
	t.Parallel()
	cases, seeks := pastCases, 24
	if testing.Short() {
		cases, seeks = cases[:3], 6
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s-%s", c.workload, c.preset), func(t *testing.T) {
			p := c.plan(t)
			whole := play(t, p, 19, true)
			alone := play(t, p, 19, false)
			if !reflect.DeepEqual(whole.digests, alone.digests) {
				t.Error("the state depends on whether somebody watches")
			}
			past, result := recorded(t, p, 64<<20, 20_000)
			if result.ResultHash != whole.result.ResultHash {
				t.Error("keeping the past changes the result")
			}
			n := len(whole.cycles) - 1 // the last cycle is beyond the end
			if n < 2 || past.States() < 2 {
				t.Fatalf("%d cycles, %d states: too few to try", n, past.States())
			}
			// Forward, back, far and near: multiples of a number prime to n.
			step := 1
			for _, candidate := range []int{7, 5, 3, 11, 13} {
				if n%candidate != 0 {
					step = candidate
					break
				}
			}
			for k := range min(n, seeks) {
				i := (k*step + n - 1) % n
				to := whole.cycles[i]
				from, before := to, whole.until[i]
				if i > 0 && k%2 == 0 {
					from, before = whole.cycles[i-1], whole.until[i-1]
				}
				opening, events := seek(t, past, from, to, k%5 == 4)
				if past.Machine().Digest() != whole.digests[i] {
					t.Fatalf("cycle %d: another state than playing comes to", to)
				}
				got, want := past.Result(), whole.partial[i]
				if !reflect.DeepEqual(got, want) {
					t.Errorf("cycle %d: another result so far", to)
				}
				if want := whole.events[before:whole.until[i]]; !slices.Equal(events, want) {
					t.Errorf("cycles %d to %d: %d events, playing has %d", from, to, len(events), len(want))
				}
				for _, e := range opening {
					if e.Cycle != from {
						t.Fatalf("an event of cycle %d opens a window that begins at %d", e.Cycle, from)
					}
				}
			}
			if past.run.machine.Now() != past.Reached() || past.run.Result().ResultHash != whole.result.ResultHash {
				t.Error("seeking has changed the run")
			}
		})
	}
}

// A window that begins where the last one ended needs no state.
func TestSeekGoesOn(t *testing.T) {
	past, _ := recorded(t, pastCases[1].plan(t), 64<<20, 200_000)
	_, first := seek(t, past, 10_000, 12_000, false)
	s, err := past.Seek(12_000, 14_000, false)
	if err != nil || s.Loaded != 12_000 {
		t.Fatalf("replay from %d (%v), want 12000", s.Loaded, err)
	}
	_, second := seek(t, past, 12_000, 14_000, false)
	_, both := seek(t, past, 10_000, 14_000, false)
	if len(first) == 0 || len(second) == 0 || !slices.Equal(append(first, second...), both) {
		t.Error("two adjacent windows differ from one window over both")
	}
}

// A machine that has given back its warps' memory still shows its result, and its past can be
// sought as before.
func TestPastOfARestingMachine(t *testing.T) {
	past, want := recorded(t, pastCases[1].plan(t), 64<<20, 200_000)
	middle := past.Reached() / 2
	seek(t, past, middle, middle+100, false)
	digest := past.Machine().Digest()
	again, _ := recorded(t, pastCases[1].plan(t), 64<<20, 200_000)
	again.run.machine.Rest()
	if got := again.run.Result().ResultHash; got != want.ResultHash {
		t.Errorf("the result is %s, want %s", got, want.ResultHash)
	}
	seek(t, again, middle, middle+100, false)
	if got := again.Machine().Digest(); got != digest {
		t.Errorf("the state at cycle %d is %s, want %s", middle, got, digest)
	}
}

// Memory is bounded: the distance of states grows, and every cycle is still reached with
// at most twice the work between two states.
func TestPastIsBounded(t *testing.T) {
	p := pastCases[1].plan(t)
	const limit = 6 << 20
	past, _ := recorded(t, p, limit, 10_000)
	if past.Bytes() > limit || past.States() < 4 || past.Every() == 10_000 {
		t.Fatalf("%d states in %d bytes, %d apart", past.States(), past.Bytes(), past.Every())
	}
	again, _ := recorded(t, p, limit, 10_000)
	if again.States() != past.States() || again.states[2].state.Cycle != past.states[2].state.Cycle {
		t.Error("other states are kept the second time")
	}
	end := past.Reached()
	for _, share := range []sim.Cycle{9, 3, 7, 1, 5, 8, 2} {
		s, err := past.Seek(end*share/10, end*share/10, false)
		if err != nil {
			t.Fatal(err)
		}
		for done := false; !done; {
			if done, err = s.Step(1<<20, nil); err != nil {
				t.Fatal(err)
			}
		}
		if s.Work > 2*past.Every() {
			t.Errorf("cycle %d takes %d of work, the states are %d apart", s.to, s.Work, past.Every())
		}
	}
	past.Limit(limit / 2)
	if past.Bytes() > limit/2 || past.States() == 0 {
		t.Errorf("after a lower limit %d states in %d bytes", past.States(), past.Bytes())
	}
	seek(t, past, past.Reached()/2, past.Reached()/2+100, false)
}

func TestSeekBeyondThePresent(t *testing.T) {
	r := simulating(t, pastCases[1].plan(t), Options{})
	past := NewPast(r, 1<<20, 1)
	if _, err := past.Seek(0, 0, false); err == nil {
		t.Error("sought in a past without states")
	}
	past.Note()
	if _, err := past.Seek(0, 1, false); err == nil {
		t.Error("sought a cycle that is still to come")
	}
}
