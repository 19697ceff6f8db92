package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
)

// readySets sorts the warps of a scheduler by the cycle at which their next instructions
// have their operands, so that PolicyGreedy and PolicyRoundRobin need not look at every warp. It holds the
// same information as readyAt. Under PolicyGreedy sets have a bit for each place in the scheduler's order;
// the oldest warp is the lowest bit. Under PolicyRoundRobin they have one for each slot.
type readySets struct {
	// What every tick looks at lies together.
	ready uint64 // warps with readyAt up to reached
	// busy has a bit for each set of soon that is not empty.
	busy    uint64
	far     uint64 // warps that become ready later than the warps of soon
	reached sim.Cycle
	// timed holds, under every policy, the warps with a known readyAt, by place.
	timed   uint64
	exited  uint64 // the warps that have exited, by place
	resides int    // warps in order
	greedy  int16  // slot issued last, -1 if none

	ofUnit [numUnits]uint64 // by the unit of the next instruction
	// residents and active are sets of slots: the scheduler's warps, and those it
	// chooses among under PolicyTwoLevel.
	residents, active uint64
	order             [MaxWarps]uint8 // slots, the oldest first
	ring              [MaxWarps]uint8 // the slots of the scheduler, by rank
	// soon holds the warps that become ready in the 64 cycles after reached, by cycle
	// modulo 64.
	soon [64]uint64
}

// setReady notes the cycle and the unit of a warp's next instruction.
func (q *schedulers) setReady(slot int, at sim.Cycle, u Unit) {
	x := &q.slot[slot]
	before, unit := x.readyAt, x.unit
	x.readyAt, x.unit = at, u
	r := &q.sets[x.scheduler&(MaxSchedulers-1)]
	bit := uint64(1) << (x.place & 63)
	if at != never {
		r.timed |= bit
	} else {
		r.timed &^= bit
	}
	if q.policy != PolicyGreedy {
		if q.policy == PolicyTwoLevel {
			return
		}
		bit = 1 << (x.rank & 63)
	}
	if before != never {
		r.remove(before, bit)
	}
	r.ofUnit[unit&3] &^= bit
	r.ofUnit[u&3] |= bit
	switch {
	case at == never:
	case at-r.reached <= 64:
		r.soon[at&63] |= bit
		r.busy |= 1 << (at & 63)
	default:
		r.far |= bit
	}
}

// running returns the warps that have not exited, by place.
func (r *readySets) running() uint64 { return (uint64(1)<<r.resides - 1) &^ r.exited }

// remove takes a warp, which was ready at a cycle, out of the sets.
func (r *readySets) remove(at sim.Cycle, bit uint64) {
	switch {
	case r.ready&bit != 0:
		r.ready &^= bit
	case r.far&bit != 0:
		r.far &^= bit
	default:
		if r.soon[at&63] &^= bit; r.soon[at&63] == 0 {
			r.busy &^= 1 << (at & 63)
		}
	}
}

// reach moves the warps of a scheduler that are ready at cycle now, which lies after reached, into
// ready.
func (q *schedulers) reach(now sim.Cycle, r *readySets) {
	elapsed := now - r.reached
	if r.busy != 0 {
		first := int(r.reached+1) & 63
		due := bits.RotateLeft64(r.busy, -first)
		if elapsed < 64 {
			due &= 1<<elapsed - 1
		}
		for ; due != 0; due &= due - 1 {
			i := (first + bits.TrailingZeros64(due)) & 63
			r.ready |= r.soon[i]
			r.soon[i] = 0
			r.busy &^= 1 << i
		}
	}
	r.reached = now
	slots := q.slots(r)
	for x := r.far; x != 0; x &= x - 1 {
		slot := slots[bits.TrailingZeros64(x)]
		if at := q.slot[slot].readyAt; at <= now {
			r.far &^= x & -x
			r.ready |= x & -x
		} else if at-now <= 64 {
			r.far &^= x & -x
			r.soon[at&63] |= x & -x
			r.busy |= 1 << (at & 63)
		}
	}
}

// slots returns the slots of a scheduler's warps, by their bits in its sets.
func (q *schedulers) slots(r *readySets) *[MaxWarps]uint8 {
	if q.policy == PolicyRoundRobin {
		return &r.ring
	}
	return &r.order
}

// nearest returns the cycle at which the next warp becomes ready, and the bit of the first warp of
// that cycle, the oldest or the next in turn; never if no warp waits for a known cycle.
func (q *schedulers) nearest(r *readySets) (at sim.Cycle, first int) {
	if r.busy != 0 {
		n := bits.TrailingZeros64(bits.RotateLeft64(r.busy, -int((r.reached+1)&63)))
		at = r.reached + 1 + sim.Cycle(n)
		set := r.soon[at&63]
		if q.policy == PolicyRoundRobin {
			if x := set & q.behind(r); x != 0 {
				set = x
			}
		}
		return at, bits.TrailingZeros64(set)
	}
	at = never
	if r.far == 0 {
		return at, 0
	}
	slots, parts := q.slots(r), [2]uint64{r.far}
	if q.policy == PolicyRoundRobin {
		behind := q.behind(r)
		parts = [2]uint64{r.far & behind, r.far &^ behind}
	}
	for _, part := range parts {
		for x := part; x != 0; x &= x - 1 {
			k := bits.TrailingZeros64(x)
			if t := q.slot[slots[k]].readyAt; t < at {
				at, first = t, k
			}
		}
	}
	return at, first
}

// drop closes the gap of n places whose warps have left. Warps that leave are not
// ready. Sets by rank have no gap.
func (r *readySets) drop(place int, n uint, ranked bool) {
	shut(&r.timed, place, n)
	shut(&r.exited, place, n)
	if ranked {
		return
	}
	for x := r.busy; x != 0; x &= x - 1 {
		shut(&r.soon[bits.TrailingZeros64(x)], place, n)
	}
	for u := range r.ofUnit {
		shut(&r.ofUnit[u], place, n)
	}
	shut(&r.ready, place, n)
	shut(&r.far, place, n)
}

// shut takes n bits out of a set; those above them move down.
func shut(set *uint64, bit int, n uint) {
	below := uint64(1)<<bit - 1
	*set = *set&below | *set>>n&^below
}
