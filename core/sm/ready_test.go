package sm

import (
	"math/bits"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// TestReadySetsSayWhatReadyAtSays drives the sets of a scheduler with warps that
// come, wait, issue and leave at random, and compares them with a look at all warps.
func TestReadySetsSayWhatReadyAtSays(t *testing.T) {
	for _, policy := range []Policy{PolicyGreedy, PolicyRoundRobin} {
		t.Run(PolicyNames[policy], func(t *testing.T) { driveSets(t, policy) })
	}
}

func driveSets(t *testing.T, policy Policy) {
	const warps, count, mine = 48, 2, 1 // the slots of one of two schedulers
	r := sim.NewRand(1, 0)
	q := new(schedulers)
	q.init(&Config{Policy: policy, Schedulers: count})
	sets := &q.sets[mine]
	resident := map[int]bool{}
	now := sim.Cycle(0)
	for range 100_000 {
		// Sometimes the scheduler does not look for a long time.
		now += 1 + sim.Cycle(r.Intn(3))
		if r.Intn(50) == 0 {
			now += sim.Cycle(r.Intn(300))
		}
		for range r.Intn(4) {
			slot := r.Intn(warps/count)*count + mine
			switch {
			case !resident[slot]:
				q.join(slot, 0)
				resident[slot] = true
			case r.Intn(20) == 0:
				q.setReady(slot, never, q.slot[slot].unit)
				q.leave(slot, 1)
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
			if r.Intn(4) == 0 {
				sets.greedy = int16(slot) // it has issued
			}
		}
		if r.Intn(3) == 0 {
			continue
		}
		if now != sets.reached {
			q.reach(now, sets)
		}
		order := inTurn(q, sets, policy)
		first, next, chosen := never, -1, -1
		for _, slot := range order {
			bit := q.slot[slot].place
			if policy == PolicyRoundRobin {
				bit = uint8(slot / count)
			}
			isReady := q.slot[slot].readyAt <= now
			if isReady != (sets.ready>>bit&1 != 0) {
				t.Fatalf("cycle %d, slot %d: ready at %d, ready: %v", now, slot, q.slot[slot].readyAt, !isReady)
			}
			if isReady && (chosen < 0 || policy == PolicyGreedy && slot == int(sets.greedy)) {
				chosen = slot
			}
			if q.slot[slot].readyAt > now && q.slot[slot].readyAt < first {
				first, next = q.slot[slot].readyAt, slot
			}
			if sets.ofUnit[q.slot[slot].unit]>>bit&1 == 0 {
				t.Fatalf("cycle %d, slot %d: not among the warps of unit %d", now, slot, q.slot[slot].unit)
			}
		}
		slots := q.slots(sets)
		if at, bit := q.nearest(sets); at != first || at != never && int(slots[bit]) != next {
			t.Fatalf("cycle %d: next is slot %d at %d, want %d at %d", now, slots[bit], at, next, first)
		}
		if sets.ready != 0 {
			set := sets.ready & q.preferred(sets)
			if set == 0 {
				set = sets.ready
			}
			if got := int(slots[bits.TrailingZeros64(set)]); got != chosen {
				t.Fatalf("cycle %d: slot %d issues, want %d (last %d)", now, got, chosen, sets.greedy)
			}
		} else if chosen >= 0 {
			t.Fatalf("cycle %d: nothing issues, want slot %d", now, chosen)
		}
	}
}

// inTurn lists the resident warps of a scheduler: the oldest first, or round robin after the one that issued last.
func inTurn(q *schedulers, r *readySets, policy Policy) []int {
	var list []int
	if policy == PolicyGreedy {
		for _, slot := range r.order[:r.resides] {
			list = append(list, int(slot))
		}
		return list
	}
	for i := range MaxWarps {
		slot := (int(r.greedy) + 1 + i) % MaxWarps
		if r.residents>>slot&1 != 0 {
			list = append(list, slot)
		}
	}
	return list
}
