package claim

import (
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
)

// paretoResults: RFVP halves the time and loses 5 %, TSLC saves a little of both and loses 1 %; E2MC
// costs time and energy, and LATTE-CC does nothing.
type paretoResults struct{}

func (paretoResults) Run(j *Job) *experiment.Result {
	r := &experiment.Result{Seconds: 100, Energy: &energy.Account{Joules: 100}}
	loss := 0.0
	switch m := j.Scenario.Memory; {
	case m.Approximation() != "none":
		r.Seconds, r.Energy.Joules, loss = 95, 99, 0.01
	case m.Codec() != "none":
		r.Seconds, r.Energy.Joules = 101, 101
	}
	if len(j.Scenario.Loads) > 0 {
		r.Seconds /= 2
		loss += 0.05
	}
	r.Loss = &loss
	return r
}

func (paretoResults) Traffic(*Job) *experiment.Traffic { return nil }

func TestParetoFront(t *testing.T) {
	combinations := shipped("RFVP").lists[0].values
	if len(combinations) != 12 {
		t.Errorf("%d combinations: %v", len(combinations), combinations)
	}
	for system, want := range map[string]float64{
		"NONE": 1, "E2MC16": 0, "TSLC-OPT": 1, "RFVP": 1, "RFVP+E2MC16": 0, "RFVP+TSLC-OPT": 1, "LATTE": 1, "RFVP+E2MC16+LATTE": 0,
	} {
		got, s := rfvpValue(t, paretoResults{}, "front('"+system+"', 'GS')")
		if len(s.missing) > 0 || got != want {
			t.Errorf("%s: %v, missing %q, want %v", system, got, s.missing, want)
		}
	}
	s := &session{Ledger: Reading{}.Ledger(nil), paper: "RFVP"}
	if _, err := s.evaluate("test", "front('RFVP', 'GS')"); err != nil || s.lacking != len(combinations) {
		t.Errorf("without results %d runs are missing, %v", s.lacking, err)
	}
	if _, err := s.evaluate("test", "front('BDI', 'GS')"); err == nil {
		t.Error("a system of no combination has a place on the front")
	}
}
