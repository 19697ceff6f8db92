package experiment

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/probe"
)

// storedCases are runs whose states differ in kind: code tables of every origin, both L1s,
// a plan of modes, predictors, and memory behind a link.
var storedCases = []struct {
	name, program string
	size          int
	preset, codec string
	set           []string
}{
	{"none", "transpose", 64, "gtx580b", "none", nil},
	{"offline", "dct", 64, "gtx580b", "e2mc16", []string{"memory.approximation=tslc-opt"}},
	{"online", "dct", 128, "gtx480", "e2mc16", []string{"memory.probabilities=online"}},
	{"typed", "bfs1", 512, "mini", "hycomp", nil},
	{"L1", "bfs1", 2048, "gtx480v3", "none", []string{"l1.store=latte"}},
	{"plan", "bfs1", 512, "gtx480v3", "none", []string{"l1.store=kernel-opt"}},
	{"prediction", "fwt", 4096, "gtx480v3", "none", []string{"loads.policy=rfvp", "loads.which=marked", "loads.drop=500"}},
	{"link", "bfs1", 1024, "p100", "bpc", []string{"backing.kind=buddy"}},
}

// stored writes a run's state, some cycles later if it cannot now.
func stored(t *testing.T, r *Run, build string) []byte {
	t.Helper()
	for {
		var b bytes.Buffer
		err := r.WriteState(&b, build)
		if err == nil {
			return b.Bytes()
		}
		if !errors.Is(err, machine.ErrNotNow) && !errors.Is(err, ErrNothingToStore) {
			t.Fatal(err)
		}
		if done, err := r.Step(1); done {
			t.Fatalf("the run ended before its state could be stored (%v)", err)
		}
	}
}

func storedPlan(t *testing.T, k int) *Plan {
	t.Helper()
	c := storedCases[k]
	p, err := PlanOf(smallScenario(t, c.program, c.size, c.preset, c.codec, c.set...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func resumed(t *testing.T, p *Plan, state []byte) *Run {
	t.Helper()
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	r, err := study.Resume(p, Options{}, "this", bytes.NewReader(state))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStoredRunsGoOn stores each run in every phase and at several cycles. In a new study,
// as in a new process, each state has the machine's digest, and its run ends in the same
// result.
func TestStoredRunsGoOn(t *testing.T) {
	for k, c := range storedCases {
		if testing.Short() && c.name != "offline" && c.name != "L1" {
			continue // WebAssembly stores no runs
		}
		t.Run(c.name, func(t *testing.T) {
			_, want := finish(t, storedPlan(t, k))
			r, err := New(storedPlan(t, k), Options{})
			if err != nil {
				t.Fatal(err)
			}
			every := want.Cycles/3 + 1
			phases := map[Phase]int{}
			for {
				state := stored(t, r, "this")
				again := resumed(t, storedPlan(t, k), state)
				phases[r.Phase()]++
				if phase, cycle := again.Reached(); phase != r.Phase() {
					t.Errorf("stored in phase %v, resumed in %v at cycle %d", r.Phase(), phase, cycle)
				}
				of := func(r *Run) *machine.Machine {
					if r.Phase() == PhaseProfile {
						return r.Profiler()
					}
					return r.Machine()
				}
				if got, want := of(again).Digest(), of(r).Digest(); got != want {
					t.Errorf("phase %v, cycle %d: the resumed machine has another state", r.Phase(), of(r).Now())
				}
				got, err := again.Finish()
				if err != nil {
					t.Fatal(err)
				}
				if got.ResultHash != want.ResultHash || !reflect.DeepEqual(got.Stats, want.Stats) || !reflect.DeepEqual(got.Metrics, want.Metrics) ||
					!reflect.DeepEqual(got.LoadsReport, want.LoadsReport) || !reflect.DeepEqual(got.BackingReport, want.BackingReport) || !reflect.DeepEqual(got.Source, want.Source) ||
					!reflect.DeepEqual(got.PerLaunch(), want.PerLaunch()) {
					t.Errorf("stored in phase %v: another result: %s instead of %s", r.Phase(), got.ResultHash, want.ResultHash)
				}
				done, err := r.Step(every)
				if err != nil {
					t.Fatal(err)
				}
				if done {
					break
				}
			}
			if phases[PhaseSimulate] == 0 || c.name == "offline" && phases[PhaseProfile] == 0 {
				t.Errorf("stored in these phases only: %v", phases)
			}
		})
	}
}

// TestForeignStates: a state of another scenario, build or kind is refused, and so is one that
// is cut anywhere. A watched run is not stored.
func TestForeignStates(t *testing.T) {
	p := storedPlan(t, 1)
	r, err := New(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.WriteState(io.Discard, "this"); !errors.Is(err, ErrNothingToStore) {
		t.Errorf("before the first step: %v", err)
	}
	state := stored(t, r, "this")
	study, err := NewStudy(p)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what, want string, p *Plan, build string, b []byte) {
		t.Helper()
		if _, err := study.Resume(p, Options{}, build, bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	other := p.With(p.Scheme)
	other.ScenarioHash = strings.Repeat("0", 64)
	refused("another scenario", "belongs to the scenario", other, "this", state)
	refused("another build", "another build", p, "that", state)
	refused("text", "not the state of a run", p, "this", []byte("cycles: 12\nand more than a magic"))
	for n := 0; n < len(state); n = n*3/2 + 1 {
		if _, err := study.Resume(p, Options{}, "this", bytes.NewReader(state[:n])); err == nil {
			t.Errorf("%d of %d bytes were taken for a state", n, len(state))
		}
	}
	watched, err := New(p, Options{Tap: probe.NewTap(1 << 16)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := watched.Step(stepCycles); err != nil {
		t.Fatal(err)
	}
	if err := watched.WriteState(io.Discard, "this"); err == nil || !strings.Contains(err.Error(), "--trace") {
		t.Errorf("a watched run: %v", err)
	}
}
