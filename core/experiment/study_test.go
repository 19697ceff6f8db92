package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// A result depends only on its scenario, not on earlier runs of the study: the page runs
// two schemes in one study, the command line runs one.
func TestResultsDoNotDependOnTheStudy(t *testing.T) {
	plan := func(mag int) *Plan {
		s := scenario.Default("transpose")
		s.Machine.Preset, s.Workload.Size = "mini", 256
		s.Memory.Put("codec", "e2mc16", "mag", mag, "threshold", 8)
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	study, err := NewStudy(plan(64))
	if err != nil {
		t.Fatal(err)
	}
	for _, mag := range []int{64, 16, 32} {
		shared, err := study.Run(plan(mag), Options{}).Finish()
		if err != nil {
			t.Fatal(err)
		}
		_, own := finish(t, plan(mag))
		if shared.ResultHash != own.ResultHash {
			t.Errorf("MAG %d after others: %d cycles, alone: %d", mag, shared.Cycles, own.Cycles)
		}
	}
}
