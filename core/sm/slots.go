package sm

import (
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// reason says what a scheduler did in a cycle: issue, or why not. If several warps
// wait, the one closest to issuing counts: the smallest reason.
type reason uint8

const (
	reasonIssued   reason = iota
	reasonUnit            // a warp has its operands; its unit takes no other instruction yet
	reasonQueue           // a warp has its operands; the load/store unit's queue is full
	reasonShort           // operands come from the pipeline, shared memory or L1 at a known cycle
	reasonFetch           // the instruction is not in the warp's buffer
	reasonConstant        // operands come from the constant cache's miss
	reasonLong            // operands come from L2 or DRAM, or a fence waits for stores
	reasonBarrier         // at a barrier
	reasonExited          // all warps have exited; their stores or their CTAs have not ended
	reasonIdle            // no warp
	numReasons

	maxReasons  = 16             // a power of two that is greater
	noScheduler = maxReasons - 1 // nothing reads what this counts
)

// reasonCounters are the counters of the reasons.
var reasonCounters = [numReasons]stat.Counter{
	reasonIssued: stat.SlotIssued, reasonUnit: stat.SlotUnit, reasonQueue: stat.SlotQueue, reasonShort: stat.SlotShort, reasonFetch: stat.SlotFetch,
	reasonConstant: stat.SlotConstant, reasonLong: stat.SlotLong, reasonBarrier: stat.SlotBarrier, reasonExited: stat.SlotExited, reasonIdle: stat.SlotIdle,
}

// countSlots charges the cycles since the last tick. The tick that follows an
// issue is in the next cycle, so an issue is one cycle.
func (m *SM) countSlots(elapsed uint64) {
	slots, doing := &m.account.slots, &m.schedulers.doing
	slots[doing[0]&(maxReasons-1)] += elapsed
	slots[doing[1]&(maxReasons-1)] += elapsed
	slots[doing[2]&(maxReasons-1)] += elapsed
	slots[doing[3]&(maxReasons-1)] += elapsed
}

var _ = [1]struct{}{}[MaxSchedulers-4] // countSlots and occupy write all schedulers out

// StatsUntil returns the counters at cycle end: the counts of the last tick and what the next one would
// charge for the cycles since then.
func (m *SM) StatsUntil(end sim.Cycle) stat.Set {
	t := m.Stats
	for r := range numReasons {
		t[reasonCounters[r]] = m.account.slots[r]
	}
	elapsed := uint64(end - m.account.accounted) // wraps round if the last tick came after end: then it subtracts idle cycles
	for s := range m.config.Schedulers {
		t[reasonCounters[m.schedulers.doing[s]]] += elapsed
	}
	t[stat.SchedulerCycles] = uint64(end) * uint64(m.config.Schedulers)
	if m.fault != nil || end <= m.account.accounted {
		return t
	}
	t[stat.L1OutstandingCycles] += elapsed * uint64(m.lsu.l1.Outstanding())
	if m.lsu.refused {
		t[stat.L1Blocked] += m.lsu.refusedSince(end)
	}
	if m.live > 0 {
		t[stat.SMActiveCycles] += elapsed
		why, cycles := m.account.stalledFor(elapsed)
		t[why] += cycles
	}
	return t
}

// CountsUntil adds the counts of a launch's kernel at cycle end, over all its launches so far, to a
// list with an element for each instruction.
func (m *SM) CountsUntil(end sim.Cycle, launch int, list []Count) {
	c := &m.account
	for pc := range c.kernels[c.kernelOf[launch]] {
		list[pc].Add(&c.kernels[c.kernelOf[launch]][pc])
	}
	if m.live > 0 && m.fault == nil && end > c.accounted && c.kernelOf[m.launch] == c.kernelOf[launch] {
		_, cycles := c.stalledFor(uint64(end - c.accounted))
		list[c.blamed].StallCycles += cycles
	}
}

// stalledFor returns how the cycles since the last tick are charged, of which there is at least one.
func (c *account) stalledFor(elapsed uint64) (why stat.Counter, cycles uint64) {
	if c.busy {
		return c.stalled, elapsed
	}
	// The tick itself issued; cycles slept since were operand latency.
	return stat.StallPipelineCycles, elapsed - 1
}
