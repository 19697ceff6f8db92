package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/stat"
)

// TestL1StaysBetweenLaunches: with lines kept, Floyd's launches find some of what the launch before has left, and
// its output is exact although each launch changes what other SMs hold.
func TestL1StaysBetweenLaunches(t *testing.T) {
	hits := func(launches string) (n, cycles uint64) {
		s := smallScenario(t, "floydwarshall", 64, "gtx480v321", "none", "machine.overrides.sm.l1.launches="+launches)
		p, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		r, _ := finish(t, p)
		if e := r.Result().Error; e != 0 {
			t.Errorf("%s: an error of %v", launches, e)
		}
		counters := r.Machine().Stats()
		return counters[stat.L1Hits], uint64(r.Machine().Cycles())
	}
	kept, fast := hits("keep")
	forgotten, slow := hits("forget")
	if kept <= forgotten || fast >= slow {
		t.Errorf("kept: %d hits, %d cycles; forgotten: %d hits, %d cycles", kept, fast, forgotten, slow)
	}
}
