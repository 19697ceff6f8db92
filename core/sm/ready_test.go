package sm

import (
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// TestReadySetsSayWhatReadyAtSays drives the sets of a scheduler with warps that
// come, wait, issue and leave at random, and compares them with a look at all warps.
func TestReadySetsSayWhatReadyAtSays(t *testing.T) {
	const warps = 24
	r := sim.NewRand(1, 0)
	q := new(schedulers)
	q.init(&Config{Policy: PolicyGreedy, Schedulers: 1})
	resident := map[int]bool{}
	now := sim.Cycle(0)
	for range 100_000 {
		// Sometimes the scheduler does not look for a long time.
		now += 1 + sim.Cycle(r.Intn(3))
		if r.Intn(50) == 0 {
			now += sim.Cycle(r.Intn(300))
		}
		for range r.Intn(4) {
			slot := r.Intn(warps)
			switch {
			case !resident[slot]:
				q.join(slot, 0)
				resident[slot] = true
			case r.Intn(20) == 0:
				q.setReady(slot, never, q.unit[slot])
				q.leave(slot)
				resident[slot] = false
				continue
			}
			at := now + 1 + sim.Cycle(r.Intn(40))
			switch r.Intn(8) {
			case 0:
				at = never
			case 1:
				at += sim.Cycle(r.Intn(500))
			}
			q.setReady(slot, at, Unit(r.Intn(int(numUnits))))
		}
		if r.Intn(3) == 0 {
			continue
		}
		sets := &q.sets[0]
		if now != sets.reached {
			q.reach(now, sets)
		}
		at, place := q.nearest(sets)
		first, oldest := never, 0
		for k, slot := range q.sets[0].order[:q.sets[0].resides] {
			if isReady := q.readyAt[slot] <= now; isReady != (sets.ready>>k&1 != 0) {
				t.Fatalf("cycle %d, place %d: ready at %d, ready: %v", now, k, q.readyAt[slot], !isReady)
			}
			if q.readyAt[slot] > now && q.readyAt[slot] < first {
				first, oldest = q.readyAt[slot], k
			}
			if sets.ofUnit[q.unit[slot]]>>k&1 == 0 {
				t.Fatalf("cycle %d, place %d: not among the warps of unit %d", now, k, q.unit[slot])
			}
		}
		if at != first || at != never && place != oldest {
			t.Fatalf("cycle %d: next is place %d at %d, want %d at %d", now, place, at, oldest, first)
		}
	}
}
