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

	maxReasons = 16 // a power of two that is not less
)

// reasonCounters begins with SlotIssued and follows the order of the reasons.
const reasonCounters = stat.SlotIssued

// countSlots charges the cycles since the last tick. The tick that follows an
// issue is in the next cycle, so an issue is one cycle.
func (m *SM) countSlots(elapsed uint64) {
	sets := m.schedulers.sets[:m.config.Schedulers]
	for s := range sets {
		m.account.slots[sets[s].doing&(maxReasons-1)] += elapsed
	}
}

// SlotsUntil returns the counters at cycle end. It adds the cycles that the SM has slept
// since its last tick or, if the last tick came after end, subtracts the idle cycles
// after end.
func (m *SM) SlotsUntil(end sim.Cycle) stat.Set {
	t := m.Stats
	for r := range numReasons {
		t[reasonCounters+stat.Counter(r)] = m.account.slots[r]
	}
	elapsed := uint64(end - m.account.accounted) // may wrap round: then it subtracts
	for s := range m.config.Schedulers {
		t[reasonCounters+stat.Counter(m.schedulers.sets[s].doing)] += elapsed
	}
	t[stat.SchedulerCycles] = uint64(end) * uint64(m.config.Schedulers)
	return t
}
