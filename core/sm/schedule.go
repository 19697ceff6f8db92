package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/sim"
)

// Policy is how a scheduler chooses among warps that can issue.
type Policy uint8

const (
	// PolicyGreedy: the warp it issued last, otherwise the oldest (greedy then
	// oldest: Rogers et al., MICRO 2012).
	PolicyGreedy Policy = iota
	// PolicyRoundRobin: the next warp after the one it issued last that can issue
	// (loose round robin).
	PolicyRoundRobin
	// PolicyTwoLevel: round robin among a few active warps. A warp that waits for
	// memory or a barrier is replaced by one that does not wait (Narasiman et al.,
	// MICRO 2011).
	PolicyTwoLevel
	NumPolicies
)

// PolicyNames are the names of the policies, in their order.
var PolicyNames = [NumPolicies]string{"gto", "lrr", "two-level"}

// schedulers choose the warps that issue, each among its own.
type schedulers struct {
	config *Config
	scheduling
}

// scheduling is the state that the schedulers read in each cycle, separate from the large
// states of the warps.
type scheduling struct {
	// readyAt is the first cycle at which a warp's next instruction has its
	// operands; Never while it waits for memory, a barrier or a fence.
	readyAt [MaxWarps]sim.Cycle
	unit    [MaxWarps]Unit // of the next instruction
	// at is the position of a warp: its next instruction, or the barrier, fence or
	// exit that holds it.
	at          [MaxWarps]int32
	schedulerOf [MaxWarps]uint8 // of each slot
	order       [MaxSchedulers][MaxWarps]uint8
	resides     [MaxSchedulers]int   // warps in order
	greedy      [MaxSchedulers]int16 // slot issued last, -1 if none
	// residents and active are sets of slots: the scheduler's warps, and those it
	// chooses among under PolicyTwoLevel.
	residents, active [MaxSchedulers]uint64
	// A scheduler whose warps all wait looks again in cycle sleeps, or when one of
	// them or the load/store unit has changed.
	sleeps  [MaxSchedulers]sim.Cycle
	changed [MaxSchedulers]bool
	looked  bool // a scheduler looked at its warps in this tick
	// together says that a warp's next instruction may issue in the same cycle as the
	// previous one.
	together [MaxWarps]bool
	aluFree  [MaxSchedulers]sim.Cycle
	free     [numUnits]sim.Cycle   // of the shared units
	doing    [MaxSchedulers]reason // since the last tick
	holds    [MaxWarps]reason      // why a warp does not issue, if readyAt does not tell
	readiness
}

func (q *schedulers) init(c *Config) {
	q.config = c
	for i := range q.readyAt {
		q.readyAt[i] = never
		q.schedulerOf[i] = uint8(i % c.Schedulers)
	}
	for i := range q.greedy {
		q.greedy[i] = -1
		q.doing[i] = reasonIdle
	}
}

// unitFree returns the first cycle at which scheduler s may use a unit; Never
// for a full load/store queue, whose progress wakes the SM anyway.
func (q *schedulers) unitFree(s int, u Unit, queueFull bool) sim.Cycle {
	switch u {
	case UnitALU:
		return q.aluFree[s]
	case UnitMemory:
		if queueFull {
			return never
		}
		return q.free[u]
	default:
		return q.free[u]
	}
}

func (q *schedulers) occupy(s int, u Unit, until sim.Cycle) {
	if u == UnitALU {
		q.aluFree[s] = until
	} else {
		q.free[u] = until
	}
}

// change makes a warp's scheduler look at its warps again.
func (q *schedulers) change(slot int) {
	q.changed[q.schedulerOf[slot]&(MaxSchedulers-1)] = true
}

// changeAll makes every scheduler look again: the load/store unit has room.
func (q *schedulers) changeAll() { q.changed = [MaxSchedulers]bool{true, true, true, true} }

// hold keeps a warp from issuing until setReady gives it a cycle.
func (q *schedulers) hold(slot int, why reason) {
	q.setReady(slot, never, q.unit[slot])
	q.holds[slot] = why
	q.change(slot)
}

// candidate collects, over a scheduler's warps, the first cycle at which one can issue,
// and the reason why not earlier.
type candidate struct {
	at        sim.Cycle
	why       reason
	queueFull bool // of the load/store unit
}

// noWarp is the choice of a scheduler that finds no warp to issue.
const noWarp = -1

// consider looks at one warp whose next instruction has its operands. It reports
// whether the warp can issue.
func (q *schedulers) consider(now sim.Cycle, s int, slot uint8, c *candidate) bool {
	at := q.unitFree(s, q.unit[slot], c.queueFull)
	if at <= now {
		q.greedy[s] = int16(slot)
		return true
	}
	why := reasonUnit
	if at == never {
		why = reasonQueue
	}
	c.why = min(c.why, why)
	c.at = sim.Min(c.at, at)
	return false
}

// later notes a warp that cannot issue before cycle at.
func (q *schedulers) later(slot uint8, at sim.Cycle, c *candidate) {
	c.at = at
	if c.why > reasonQueue {
		c.why = q.holds[slot]
	}
}

// asleep reports whether scheduler s has no warp to choose before cycle sleeps.
func (q *schedulers) asleep(now sim.Cycle, s int) bool {
	return now < q.sleeps[s] && !q.changed[s]
}

// pick lets a scheduler that is not asleep choose the warp that issues now. If it returns
// noWarp, next is the cycle at which the scheduler can issue without an event.
func (q *schedulers) pick(now sim.Cycle, s int, queueFull bool) (slot int, next sim.Cycle) {
	c := candidate{at: never, why: reasonIdle, queueFull: queueFull}
	switch q.config.Policy {
	case PolicyGreedy:
		slot = q.greedyThenOldest(now, s, &c)
	case PolicyRoundRobin:
		slot = q.roundRobin(now, s, q.residents[s], &c)
	default:
		slot = q.roundRobin(now, s, q.activate(s), &c)
	}
	q.looked = true
	q.changed[s] = true
	if slot != noWarp {
		q.doing[s] = reasonIssued
		return slot, now + 1
	}
	if c.why >= reasonQueue {
		// No warp has its operands, or the queue is full. Nothing changes before the
		// first warp is ready, or an event changes a warp or the queue.
		q.sleeps[s], q.changed[s] = c.at, false
	}
	if c.at == never && c.why == reasonIdle {
		c.why = q.waitingReason(s)
	}
	q.doing[s] = c.why
	return noWarp, c.at
}

func (q *schedulers) greedyThenOldest(now sim.Cycle, s int, c *candidate) int {
	r := q.reach(now, s)
	ready := r.ready
	if ready != 0 {
		if g := q.greedy[s]; g >= 0 && ready>>q.place[g]&1 != 0 && q.consider(now, s, uint8(g), c) {
			return int(g)
		}
	}
	for ready != 0 {
		slot := q.order[s][bits.TrailingZeros64(ready)]
		if q.consider(now, s, slot, c) {
			return int(slot)
		}
		// The other warps that need its unit cannot issue either.
		ready &^= r.ofUnit[q.unit[slot]]
	}
	if at, place := q.nearest(s, r); at < c.at {
		q.later(q.order[s][place], at, c)
	}
	return noWarp
}

// roundRobin goes through the warps of a set, starting after the last issued one.
func (q *schedulers) roundRobin(now sim.Cycle, s int, warps uint64, c *candidate) int {
	behind := ^(uint64(1)<<(q.greedy[s]+1) - 1) // all slots if none was issued yet
	for _, part := range [2]uint64{warps & behind, warps &^ behind} {
		for x := part; x != 0; x &= x - 1 {
			slot := uint8(bits.TrailingZeros64(x))
			at := q.readyAt[slot]
			switch {
			case at >= c.at:
			case at > now:
				q.later(slot, at, c)
			case q.consider(now, s, slot, c):
				return int(slot)
			}
		}
	}
	return noWarp
}

// activate takes warps that wait for an event out of a scheduler's active set and
// fills it with warps that do not wait, oldest first.
func (q *schedulers) activate(s int) uint64 {
	set := q.active[s] & q.residents[s]
	for x := set; x != 0; x &= x - 1 {
		if slot := bits.TrailingZeros64(x); q.readyAt[slot] == never {
			set &^= 1 << slot
		}
	}
	room := q.config.ActiveWarps - bits.OnesCount64(set)
	for _, slot := range q.order[s][:q.resides[s]] {
		if room <= 0 {
			break
		}
		if set>>slot&1 == 0 && q.readyAt[slot] != never {
			set |= 1 << slot
			room--
		}
	}
	q.active[s] = set
	return set
}

// join gives a new warp its place: behind the scheduler's others.
func (q *schedulers) join(slot int) {
	s := q.schedulerOf[slot] & (MaxSchedulers - 1)
	q.order[s][q.resides[s]] = uint8(slot)
	q.place[slot] = uint8(q.resides[s])
	q.resides[s]++
	q.residents[s] |= 1 << slot
}

// leave takes a warp out of its scheduler's order.
func (q *schedulers) leave(slot int) {
	s := q.schedulerOf[slot] & (MaxSchedulers - 1)
	o := q.order[s][:q.resides[s]]
	k := int(q.place[slot])
	copy(o[k:], o[k+1:])
	for _, x := range o[k : len(o)-1] {
		q.place[x]--
	}
	q.sets[s].drop(k)
	q.resides[s]--
	q.residents[s] &^= 1 << slot
	q.changed[s] = true
	if int(q.greedy[s]) == slot && q.config.Policy == PolicyGreedy {
		q.greedy[s] = -1
	}
}

// waitingReason returns the reason why scheduler s does not issue if all its warps wait for
// events at unknown cycles.
func (q *schedulers) waitingReason(s int) reason {
	r := reasonIdle
	for _, slot := range q.order[s][:q.resides[s]] {
		r = min(r, q.holds[slot])
	}
	return r
}
