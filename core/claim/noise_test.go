package claim

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/experiment"
)

// noisyResults are runs whose time moves with seed and placement, by as many per cent; a codec makes them 10 per cent
// shorter, null as many longer as it is told.
type noisyResults struct {
	null    float64
	lacking bool // runs of the last placement
}

func (r noisyResults) Run(j *Job) *experiment.Result {
	s := j.Scenario
	placement, _ := s.Machine.Overrides["placement"].(int64)
	if r.lacking && placement == experiment.NoisePlacements-1 {
		return nil
	}
	seconds := 1.0
	switch s.Memory.Codec() {
	case "none":
	case codecs.Null:
		seconds += r.null * float64(placement)
	default:
		seconds -= 0.1 - 0.001*float64(s.Seed-1) - 0.002*float64(placement)
	}
	return &experiment.Result{Seconds: seconds, Cycles: uint64(1e6 * seconds)}
}

func (noisyResults) Traffic(*Job) *experiment.Traffic { return nil }

var noisyClaim = Claim{ID: "E2MC-99", Paper: "E2MC", Tier: "T2", Statement: "BDI is faster", Metric: "speedup",
	Unit: "% faster", PaperValue: "10", Check: "v('speedup', 'BDI', 'TP', over='NONE') > 1"}

// The interval of a number encloses it over all draws, and the difference is called one only outside that of null.
func TestNoiseSaysWhatIsDistinguishable(t *testing.T) {
	for _, c := range []struct {
		null float64
		want bool
	}{{0, true}, {0.001, true}, {-0.05, false}} {
		l := NewLedger(noisyResults{null: c.null}, Suite)
		n, err := l.Noise(noisyClaim)
		if err != nil || n == nil {
			t.Fatal(n, err)
		}
		last := float64(experiment.NoisePlacements - 1)
		low, high := 100/(0.9+0.002*last)-100, 100/0.9-100
		if math.Abs(n.Own.Low-low) > 1e-9 || math.Abs(n.Own.High-high) > 1e-9 {
			t.Errorf("null %g: %v, want %g to %g", c.null, n.Own, low, high)
		}
		end := 100/(1+c.null*last) - 100
		if math.Abs(n.Null.Low-min(0, end)) > 1e-9 || math.Abs(n.Null.High-max(0, end)) > 1e-9 {
			t.Errorf("null %g: %v, want it to end at %g", c.null, n.Null, end)
		}
		if n.Distinguishable != c.want {
			t.Errorf("null %g: distinguishable %v: %s", c.null, n.Distinguishable, &n.Noise)
		}
		if want := 3 * len(experiment.Draws()); len(n.Runs) != want || len(l.NoiseJobs(noisyClaim)) != want {
			t.Errorf("%d runs and %d jobs, want %d", len(n.Runs), len(l.NoiseJobs(noisyClaim)), want)
		}
	}
}

func TestNoiseIsNotMadeUp(t *testing.T) {
	if n, err := NewLedger(noisyResults{lacking: true}, Suite).Noise(noisyClaim); n != nil || err != nil {
		t.Errorf("an interval without all of its runs: %v, %v", n, err)
	}
	other := noisyClaim
	other.Check = "v('cr_raw', 'BDI', 'TP') > 1"
	l := NewLedger(noisyResults{}, Suite)
	if n, err := l.Noise(other); n != nil || err != nil || len(l.NoiseJobs(other)) > 0 {
		t.Errorf("a ratio of compression has an interval: %v, %v", n, err)
	}
}

// A row about the machine is compared with the same machine: what the machine is worth is no noise.
func TestNullOfAMachineIsTheMachineOfTheBase(t *testing.T) {
	wide := noisyClaim
	wide.Check = "v('speedup', 'NONE', 'TP', over='NONE', bw=8) > 1"
	l := NewLedger(none{}, Suite)
	for _, j := range l.NoiseJobs(wide)[len(experiment.Draws())*2:] {
		if _, wider := j.Scenario.Machine.Overrides["dramMHz"]; wider {
			t.Errorf("%s: null has another machine", j)
		}
	}
	for _, id := range Further() {
		c, ok := find(id)
		l := Reading{}.Of(c.Paper).Ledger(nil)
		own := len(l.drawnJobs(c))
		if all := joined(l.drawnJobs(c), l.FurtherJobs(&Outcome{Claim: c})); !ok || len(all) == own {
			t.Errorf("%s has no interval and no other reading to measure", id)
		}
	}
}

// drawnJobs are the runs of the row itself.
func (l *Ledger) drawnJobs(c Claim) []*Job {
	_, s, _ := l.drawn(c, draw{})
	return s.jobs
}

func find(id string) (Claim, bool) {
	for _, c := range All() {
		if c.ID == id {
			return c, true
		}
	}
	return Claim{}, false
}
