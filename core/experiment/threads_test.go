package experiment

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
)

// threadCounts are the numbers of threads that tests compare with one.
var threadCounts = []int{2, 3, 7}

// onThreads runs a plan of a study to its end.
func onThreads(t *testing.T, study *Study, p *Plan, threads int) (*Run, *Result) {
	t.Helper()
	plan := *p
	plan.Threads, plan.Alone = threads, threads%3*100 // 2 and 7 start on the way
	r := study.Run(&plan, Options{})
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return r, res
}

// sameOnThreads fails if a plan has another result, other counters or another state at its end with several
// threads than with one. It returns why the plan has one thread only.
func sameOnThreads(t *testing.T, p *Plan, what string, counts []int) (why string) {
	t.Helper()
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	one, want := onThreads(t, study, p, 1)
	for _, n := range counts {
		r, got := onThreads(t, study, p, n)
		if why = got.OneThread; why == "" {
			if had, _ := r.Machine().Threads(); had != n {
				t.Errorf("%s: %d threads instead of %d", what, had, n)
			}
		}
		if got.ResultHash != want.ResultHash || r.Machine().Digest() != one.Machine().Digest() ||
			!reflect.DeepEqual(got.Stats, want.Stats) || !reflect.DeepEqual(got.Source, want.Source) ||
			!reflect.DeepEqual(got.PerLaunch(), want.PerLaunch()) || !reflect.DeepEqual(got.Energy, want.Energy) ||
			!reflect.DeepEqual(got.Elements, want.Elements) || !reflect.DeepEqual(got.Loss, want.Loss) ||
			!reflect.DeepEqual(got.Finding, want.Finding) || got.Error != want.Error || got.MRE != want.MRE {
			t.Errorf("%s: %d threads: %s, one thread: %s", what, n, got.ResultHash, want.ResultHash)
		}
	}
	return why
}

// TestThreadsChangeNothing: presets under memory schemes have the same result, counters, figures of
// launches and instructions, and state on any number of threads.
func TestThreadsChangeNothing(t *testing.T) {
	t.Parallel()
	alone := 0
	for i, name := range preset.Names() {
		s := scenario.Default("transpose")
		s.Workload.Size, s.Machine.Preset = 64, name
		plan := mustPlan(t, s)
		for k, m := range matrixSchemes() {
			if (i+k)%3 != 0 || testing.Short() && (name != "gtx480v3" && name != "v100" || k%6 != 0) {
				continue // every scheme on a third of the presets, in turn
			}
			what := fmt.Sprintf("%s %s %s %s", name, m.Codec(), m.Approximation(), m.Probabilities())
			why := sameOnThreads(t, plan.With(scheme.Scheme{Memory: m}), what, threadCounts[k%3:][:1])
			if why != "" {
				alone++
				if name != "mini" && runtime.GOARCH != "wasm" {
					t.Errorf("%s has one thread: %s", what, why)
				}
			}
		}
	}
	if !testing.Short() && alone == 0 {
		t.Error("no machine is too small")
	}
}

// smallTLB misses in programs of the tests.
var smallTLB = []string{
	"machine.overrides.tlb.on=on", "machine.overrides.tlb.l1.pageBytes=4096", "machine.overrides.tlb.l1.entries=2",
	"machine.overrides.tlb.l2.pageBytes=8192", "machine.overrides.tlb.l2.entries=8", "machine.overrides.tlb.l2.ways=4",
	"machine.overrides.tlb.walkers=3",
}

// threadedCases are programs whose SMs do all that SMs do, in memory systems of all kinds, and those that keep to
// one thread.
var threadedCases = []struct {
	name, program string
	size          int
	preset        string
	set           []string
	alone         string // part of the reason; empty if it runs on several threads
}{
	{"barriers and shared memory", "matmul", 64, "rtx3070", nil, ""},
	{"launches that follow each other", "fwt", 4096, "gtx580b", nil, ""},
	{"lines of L1 that stay between launches", "floydwarshall", 32, "gtx480v321", nil, ""},
	{"checks of the host", "bfs1", 2048, "v100", []string{"memory.codec=bdi"}, ""},
	{"atomics", "pageviewcount", 512, "a100", nil, ""},
	{"stores that L1 keeps", "dct", 64, "h200", []string{"memory.codec=e2mc16", "memory.approximation=tslc-opt"},
		""},
	{"two parts of L2", "pageviewcount", 512, "h200", []string{"machine.overrides.l2.farCycles=156"}, ""},
	{"divergence", "spmv", 512, "gtx480", nil, ""},
	{"instruction cache, other clocks", "similarity", 64, "gtx480v3", nil, ""},
	{"online", "dct", 128, "gtx480", []string{"memory.codec=e2mc16", "memory.probabilities=online"}, ""},
	{"link", "bfs1", 1024, "p100", []string{"memory.codec=bpc", "backing.kind=buddy"}, ""},
	{"L1", "bfs1", 2048, "gtx480v3", []string{"l1.store=latte"}, "scheme of the L1"},
	{"predicted loads", "fwt", 4096, "gtx480v3",
		[]string{"loads.policy=rfvp", "loads.which=marked", "loads.drop=500"}, "policy for loads"},
	{"TLBs", "spmv", 512, "v100", smallTLB, ""},
	{"TLBs and a link", "bfs1", 1024, "p100",
		append([]string{"memory.codec=bpc", "backing.kind=buddy", "machine.overrides.tlb.arithmeticCycles=9"},
			smallTLB...), ""},
	{"four SMs", "vecadd", 4096, "mini", nil, "few SMs"},
}

func threadedPlan(t *testing.T, k int) *Plan {
	t.Helper()
	c := &threadedCases[k]
	set := append([]string{"machine.preset=" + c.preset, fmt.Sprintf("workload.size=%d", c.size),
		"memory.approximation=none", "memory.codec=none"}, c.set...)
	return mustPlan(t, scenarioOf(t, c.program, set...))
}

// TestThreadsOfPrograms: the same for programs of several kinds.
func TestThreadsOfPrograms(t *testing.T) {
	for k, c := range threadedCases {
		if testing.Short() && k%3 != 1 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			why := sameOnThreads(t, threadedPlan(t, k), c.name, threadCounts)
			if runtime.GOARCH != "wasm" && ((why == "") != (c.alone == "") || !strings.Contains(why, c.alone)) {
				t.Errorf("one thread because %q, want %q", why, c.alone)
			}
		})
	}
}

// TestThreadsInSteps: the states at any cycle and the events are the same too, and a run that was stored on some
// threads goes on with others.
func TestThreadsInSteps(t *testing.T) {
	t.Parallel()
	for k, c := range threadedCases {
		if testing.Short() && c.name != "divergence" || c.alone != "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			type look struct {
				digests []string
				events  []probe.Event
				states  [][]byte
				hash    string
			}
			play := func(threads int, tapped bool) (l look) {
				p := threadedPlan(t, k)
				p.Threads = threads
				var o Options
				if tapped {
					o.Tap = probe.NewTap(1 << 22)
				}
				r, err := New(p, o)
				for done, steps := false, 0; !done && err == nil; {
					done, err = r.Step(3067)
					if r.Phase() == PhaseSimulate && r.Machine() != nil && !done {
						if steps++; tapped {
							l.digests = append(l.digests, r.Machine().Digest())
						} else if steps%3 == 1 && len(l.states) < 2 {
							l.states = append(l.states, stored(t, r, "this"))
						}
					}
					if tapped {
						o.Tap.Take(func(e []probe.Event) { l.events = append(l.events, e...) })
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				l.hash = r.Result().ResultHash
				return l
			}
			want, tapped := play(1, false), play(1, true)
			for _, n := range threadCounts[k%3:][:1] {
				got := play(n, true)
				if !slices.Equal(got.digests, tapped.digests) || got.hash != want.hash {
					t.Errorf("%d threads: another state on the way", n)
				}
				if !slices.Equal(got.events, tapped.events) {
					t.Errorf("%d threads: other events: %d instead of %d", n, len(got.events), len(tapped.events))
				}
			}
			for from, l := range map[int]look{1: want, 3: play(3, false)} {
				for i, state := range l.states {
					p := threadedPlan(t, k)
					p.Threads = 8 - from
					study, err := NewStudy(p)
					if err != nil {
						t.Fatal(err)
					}
					r, err := study.Resume(p, Options{}, "this", bytes.NewReader(state))
					if err != nil {
						t.Fatal(err)
					}
					res, err := r.Finish()
					if err != nil {
						t.Fatal(err)
					}
					if res.ResultHash != want.hash {
						t.Errorf("state %d, stored on %d threads, ends on %d with another result", i, from, p.Threads)
					}
				}
			}
		})
	}
}

// TestReadersWaitForTheReference: while the exact output is still computed beside a run, the run can be stored, and
// another run of the study begins without a second one.
func TestReadersWaitForTheReference(t *testing.T) {
	if sim.MostThreads < 2 {
		t.Skip("one thread here")
	}
	p := threadedPlan(t, 0)
	p.Threads = 2
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	late := func() { // the exact output is known, but only a moment later
		if err := study.settle(); err != nil {
			t.Fatal(err)
		}
		study.known = false
		study.aside = sim.Begin(func() error {
			time.Sleep(20 * time.Millisecond)
			study.known = true
			return nil
		})
	}
	first := study.Run(p, Options{})
	for first.Phase() != PhaseSimulate {
		if _, err := first.Step(1); err != nil {
			t.Fatal(err)
		}
	}
	late()
	if err := first.WriteState(io.Discard, "this"); err != nil {
		t.Errorf("the run is not stored: %v", err)
	}
	late()
	second := study.Run(p, Options{})
	if second.startsAside() {
		t.Error("the exact output is computed twice")
	}
	want, err := second.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := first.Finish(); err != nil || got.ResultHash != want.ResultHash {
		t.Errorf("another result, %v", err)
	}
}
