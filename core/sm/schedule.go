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
	policy Policy // of config, as number is
	number int    // of schedulers
	issued bool   // an instruction was issued in this tick
	scheduling
}

// scheduling is the state that the schedulers read in each cycle, separate from the large
// states of the warps.
type scheduling struct {
	// A scheduler whose warps all wait looks again in cycle sleeps. It is 0 when one of them or
	// the load/store unit has changed.
	sleeps   [MaxSchedulers]sim.Cycle
	doing    [MaxSchedulers]reason // since the last tick
	looked   bool                  // a scheduler looked at its warps in this tick
	draining uint64                // exited warps whose memory operations have not ended
	// free is the first cycle at which each scheduler may use a unit. All have the same units, except the ALU.
	free  [numUnits][MaxSchedulers]sim.Cycle
	holds [MaxWarps]reason // why a warp does not issue, if readyAt does not tell
	slot  [MaxWarps]slotState
	sets  [MaxSchedulers]readySets
}

// slotState is what schedulers and fetch know of a warp. Two of them fill a line of the host's caches.
type slotState struct {
	// readyAt is the first cycle at which a warp's next instruction has its
	// operands; Never while it waits for memory, a barrier or a fence.
	readyAt sim.Cycle
	// fetchedAt is the cycle at which a warp's next instruction is in its buffer, Never
	// while its line is outstanding.
	fetchedAt sim.Cycle
	// at is the position of a warp: its next instruction, or the barrier, fence or
	// exit that holds it.
	at        int32
	cta       uint32 // number of the warp's CTA
	unit      Unit   // of the next instruction
	scheduler uint8
	place     uint8 // in the scheduler's order
	rank      uint8 // among all slots of the scheduler
	buffered  uint8 // instructions in the warp's buffer
	// together says that a warp's next instruction may issue in the same cycle as the
	// previous one.
	together bool
	// early is how many instructions a warp has executed before they were issued: the next ones. All of their
	// lanes execute each.
	early, lanes uint8
}

func (q *schedulers) init(c *Config) {
	q.config, q.policy, q.number = c, c.Policy, c.Schedulers
	for i := range q.slot {
		q.slot[i] = slotState{readyAt: never, scheduler: uint8(i % c.Schedulers), rank: uint8(i / c.Schedulers)}
	}
	for i := range q.sets {
		q.sets[i].greedy = -1
		for k := range q.sets[i].ring {
			q.sets[i].ring[k] = uint8((k*c.Schedulers + i) & (MaxWarps - 1))
		}
		q.doing[i] = reasonIdle
		if i >= c.Schedulers {
			q.doing[i] = noScheduler
		}
	}
}

// unitFree returns the first cycle at which scheduler s may use a unit; Never
// for a full load/store queue, whose progress wakes the SM anyway.
func (q *schedulers) unitFree(s int, u Unit, queueFull bool) sim.Cycle {
	if u == UnitMemory && queueFull {
		return never
	}
	return q.free[u&(numUnits-1)][s&(MaxSchedulers-1)]
}

func (q *schedulers) occupy(s int, u Unit, until sim.Cycle) {
	free := &q.free[u&(numUnits-1)]
	if u == UnitALU {
		free[s&(MaxSchedulers-1)] = until
		return
	}
	*free = [MaxSchedulers]sim.Cycle{until, until, until, until}
}

// change makes a warp's scheduler look at its warps again.
func (q *schedulers) change(slot int) {
	q.sleeps[q.slot[slot].scheduler&(MaxSchedulers-1)] = 0
}

// changeAll makes every scheduler look again: the load/store unit has room.
func (q *schedulers) changeAll() {
	q.sleeps = [MaxSchedulers]sim.Cycle{}
}

// of returns the sets of a warp's scheduler.
func (q *schedulers) of(slot int) *readySets {
	return &q.sets[q.slot[slot].scheduler&(MaxSchedulers-1)]
}

// hold keeps a warp from issuing until setReady gives it a cycle.
func (q *schedulers) hold(slot int, why reason) {
	q.setReady(slot, never, q.slot[slot].unit)
	slot &= MaxWarps - 1
	q.holds[slot] = why
	if why == reasonExited {
		q.of(slot).exited |= 1 << (q.slot[slot].place & 63)
	}
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
	at := q.unitFree(s, q.slot[slot].unit, c.queueFull)
	if at <= now {
		q.sets[s].greedy = int16(slot)
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

// schedule lets a scheduler of PolicyTwoLevel that is not asleep choose a warp and issue. It returns
// the cycle at which the scheduler can issue next without an event.
func (m *SM) schedule(now sim.Cycle, s int) sim.Cycle {
	q := &m.schedulers
	q.looked = true
	q.sleeps[s] = 0
	c := candidate{at: never, why: reasonIdle, queueFull: m.full()}
	if slot := q.roundRobin(now, s, q.activate(s), &c); slot != noWarp {
		q.doing[s], q.issued = reasonIssued, true
		m.issueAll(now, s, slot)
		return now + 1
	}
	q.rest(s, c.at, c.why)
	return c.at
}

// rest notes why a scheduler issues nothing, and until when.
func (q *schedulers) rest(s int, at sim.Cycle, why reason) {
	if why >= reasonQueue {
		// No warp has its operands, or the queue is full. Nothing changes before the
		// first warp is ready, or an event changes a warp or the queue.
		q.sleeps[s] = at
		if at == never && why == reasonIdle {
			why = q.waitingReason(&q.sets[s])
		}
	}
	q.doing[s] = why
}

// scheduleSets is schedule for PolicyGreedy and PolicyRoundRobin, which take a ready warp of those
// that they prefer, and otherwise the first one. Most of an SM's cycles are spent here, so it calls
// little.
func (m *SM) scheduleSets(now sim.Cycle, s int, r *readySets) sim.Cycle {
	q := &m.schedulers
	q.looked = true
	q.sleeps[s&(MaxSchedulers-1)] = 0
	if now == r.reached+1 && r.far == 0 {
		r.reached = now
		if i := now & 63; r.busy>>i&1 != 0 {
			r.ready |= r.soon[i]
			r.soon[i] = 0
			r.busy &^= 1 << i
		}
	} else if now != r.reached {
		q.reach(now, r)
	}
	at, why := never, reasonIdle
	slots := q.slots(r)
	if ready := r.ready; ready != 0 {
		preferred := q.preferred(r)
		for {
			set := ready & preferred
			if set == 0 {
				set = ready
			}
			slot := int(slots[bits.TrailingZeros64(set)&(MaxWarps-1)])
			u := q.slot[slot&(MaxWarps-1)].unit & (numUnits - 1)
			switch free := q.free[u][s&(MaxSchedulers-1)]; {
			case u == UnitMemory && m.full():
				why = min(why, reasonQueue)
			case free <= now:
				r.greedy, q.doing[s&(MaxSchedulers-1)], q.issued = int16(slot), reasonIssued, true
				if m.config.IssueWidth > 1 {
					m.issueAll(now, s, slot)
				} else {
					m.issue(now, s, slot)
				}
				return now + 1
			default:
				why, at = reasonUnit, min(at, free)
			}
			// The other warps that need its unit cannot issue either.
			if ready &^= r.ofUnit[u]; ready == 0 {
				break
			}
		}
	}
	if near, first := q.nearest(r); near < at {
		at = near
		if why > reasonQueue {
			why = q.holds[slots[first]&(MaxWarps-1)]
		}
	}
	q.rest(s&(MaxSchedulers-1), at, why)
	return at
}

// preferred returns the bits of the warps that a scheduler takes before others.
func (q *schedulers) preferred(r *readySets) uint64 {
	g := int(r.greedy)
	switch {
	case q.policy == PolicyRoundRobin:
		return q.behind(r)
	case g >= 0:
		return 1 << (q.slot[g&(MaxWarps-1)].place & 63)
	}
	return 0
}

// behind returns the bits of the slots after the one that a scheduler issued last.
func (q *schedulers) behind(r *readySets) uint64 {
	if r.greedy < 0 {
		return ^uint64(0)
	}
	return ^(uint64(2)<<(q.slot[r.greedy&(MaxWarps-1)].rank&63) - 1)
}

// roundRobin goes through the warps of a set, starting after the last issued one.
func (q *schedulers) roundRobin(now sim.Cycle, s int, warps uint64, c *candidate) int {
	behind := ^(uint64(1)<<(q.sets[s].greedy+1) - 1) // all slots if none was issued yet
	for _, part := range [2]uint64{warps & behind, warps &^ behind} {
		for x := part; x != 0; x &= x - 1 {
			slot := uint8(bits.TrailingZeros64(x))
			at := q.slot[slot].readyAt
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
	r := &q.sets[s]
	set := r.active & r.residents
	for x := set; x != 0; x &= x - 1 {
		if slot := bits.TrailingZeros64(x); q.slot[slot].readyAt == never {
			set &^= 1 << slot
		}
	}
	room := q.config.ActiveWarps - bits.OnesCount64(set)
	for _, slot := range r.order[:r.resides] {
		if room <= 0 {
			break
		}
		if set>>slot&1 == 0 && q.slot[slot].readyAt != never {
			set |= 1 << slot
			room--
		}
	}
	r.active = set
	return set
}

// join gives a new warp of a CTA its place: the last of the scheduler.
func (q *schedulers) join(slot int, cta uint32) {
	q.slot[slot].cta = cta
	r := q.of(slot)
	r.order[r.resides] = uint8(slot)
	q.slot[slot].place = uint8(r.resides)
	r.resides++
	r.residents |= 1 << slot
}

// leave takes the warps of a CTA out of the orders of their schedulers. They have joined one after the other, so in
// each order they follow one another.
func (q *schedulers) leave(first, warps int) {
	for slot := first; slot < first+min(warps, q.number); slot++ {
		r := q.of(slot)
		o := r.order[:r.resides]
		k, n := int(q.slot[slot].place), (first+warps-slot+q.number-1)/q.number
		for _, x := range o[k : k+n] {
			r.residents &^= 1 << x
			if int(r.greedy) == int(x) && q.policy == PolicyGreedy {
				r.greedy = -1
			}
		}
		copy(o[k:], o[k+n:])
		for _, x := range o[k : len(o)-n] {
			q.slot[x&(MaxWarps-1)].place -= uint8(n)
		}
		r.drop(k, uint(n), q.policy == PolicyRoundRobin)
		r.resides -= n
		q.change(slot)
	}
}

// waitingReason returns the reason why a scheduler does not issue if all its warps wait for
// events at unknown cycles.
func (q *schedulers) waitingReason(r *readySets) reason {
	why := reasonIdle
	if r.exited != 0 {
		why = reasonExited // others have more to say
	}
	for x := r.running(); x != 0; x &= x - 1 {
		why = min(why, q.holds[r.order[bits.TrailingZeros64(x)&(MaxWarps-1)]&(MaxWarps-1)])
	}
	return why
}
