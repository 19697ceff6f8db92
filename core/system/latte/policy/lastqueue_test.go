package policy

import "testing"

// Every mode has as many dedicated sets as before, the last set has none, and a stride of as many lines as the sets of
// a mode are apart visits the sets of several modes.
func TestSkewedSetsServeEveryStride(t *testing.T) {
	for _, sets := range []int{32, 64} {
		for _, dedicated := range []int{1, 4, 8} {
			p := Params{Sets: sets, DedicatedSets: dedicated, PeriodPhases: 10}
			s := latteSkewed(p).(*sampled)
			var count [NumModes + 1]int
			seen := map[Mode]bool{}
			for set := range sets {
				count[s.owner(set)]++
				if set%s.stride == 0 {
					seen[s.owner(set)] = true
				}
			}
			for m := range NumModes {
				if count[m] != dedicated {
					t.Errorf("%d of %d sets: mode %d has %d", dedicated, sets, m, count[m])
				}
			}
			if s.owner(sets-1) != NumModes || dedicated > 1 && len(seen) < 2 {
				t.Errorf("%d of %d sets: the last is of %d, a stride sees %v", dedicated, sets, s.owner(sets-1), seen)
			}
		}
	}
}

// A mode that no hit used keeps the queue that it had: SC does not look idle because it was left.
func TestLastQueueIsKept(t *testing.T) {
	p := Params{Sets: 32, DedicatedSets: 4, PeriodPhases: 10, HitCycles: 3, Decompress: [NumModes]int{High: 14}}
	q := latteLastQueue(p)
	e := Phase{Passed: [NumModes]bool{High: true}, Positions: [NumModes]float64{High: 80}}
	q.End(&e)
	for range 3 {
		e = Phase{}
		if q.End(&e); e.Positions[High] != 80 || e.Positions[Low] != 0 {
			t.Errorf("positions %v, want 80 of SC", e.Positions)
		}
	}
	e = Phase{Passed: [NumModes]bool{High: true}}
	if q.End(&e); e.Positions[High] != 0 {
		t.Errorf("an empty queue that was measured counts as %g", e.Positions[High])
	}
}
