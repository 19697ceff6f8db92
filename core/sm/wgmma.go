package sm

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// Times of wgmma.mma_async, of an H100 (FlashGPU-Sim, configs/SM90_H100, CUDA 12.8, clocks
// of the SM; confirmed for m64n256 by Luo et al., arXiv 2402.13499: 128 cycles on f16, 8-bit floats and integers, A
// in registers or not):
//
//   - The tensor cores of an SM do 4096 floating-point operations of f16 a cycle, half as many of tf32 and twice as
//     many of 8 bits, so one operation takes N/2 cycles whatever its type. The time of a sparse one is the same.
//   - They read their operands from shared memory at 128 bytes a cycle, which bounds operations of less than 64 columns
//     and sparse ones with A in shared memory: 144 cycles for m64n256 (Luo et al., arXiv 2501.12084).
//   - A warp group issues one every 16 cycles at best. One operation alone takes 17 + N/2 + 65 until wgmma.wait_group
//     frees the warps. The last 65 overlap with the next operation.
//   - Eight operations of a warp group may be under way; the issue of a ninth takes until the first has ended.
//
// Of bits no time has been published: they take N/2 too [ours]. mma.sync does not compete with wgmma here [ours].
const (
	groupIssueCycles   = 16
	groupStartCycles   = 17
	groupTailCycles    = 65
	groupBytesCycle    = 128
	groupOperationsMax = 8
	groupColumnsCycle  = 2
	groupsRemembered   = 16 // of a warp group: more than ptx.MaxGroupWait and one that is not committed
)

// tensorUnit is when operations of wgmma end. An SM has none until it issues one.
type tensorUnit struct {
	free   sim.Cycle              // from when on the tensor cores can begin another
	groups [MaxWarps]groupHistory // by the slot of the first warp of a warp group
}

// groupHistory is the history of a warp group.
type groupHistory struct {
	cta     uint32 // its CTA; others have had the slot before
	count   uint32 // operations
	ends    [groupOperationsMax]sim.Cycle
	commits [groupsRemembered]groupEnd
}

// groupEnd is when the last operation of a group between two commits ends.
type groupEnd struct {
	group uint32
	end   sim.Cycle
}

// historyOf returns the history of a warp's warp group.
func (m *SM) historyOf(slot int) *groupHistory {
	if m.tensor == nil {
		m.tensor = &tensorUnit{}
	}
	h := &m.tensor.groups[slot-m.warps[slot].warp.Index%ptx.GroupWarps]
	if cta := m.schedulers.slot[slot].cta; h.cta != cta {
		*h = groupHistory{cta: cta}
	}
	return h
}

// meet is for a warp that may have to wait for others.
func (m *SM) meet(now sim.Cycle, slot int, pc int32, effect execute.Effect) {
	if effect == execute.EffectBarrier {
		m.barrier(now, slot)
	} else {
		m.multiplyGroup(now, slot, pc)
	}
}

// behind returns when the instruction after wgmma.wait_group or after a branch may issue.
func (m *SM) behind(now sim.Cycle, slot int, pc int32, effect execute.Effect) sim.Cycle {
	if effect == execute.EffectGroupWait {
		return max(now+1, m.groupsEnd(slot, m.lsu.warpInstr(pc).Imm))
	}
	return now + sim.Cycle(m.config.Timing[ptx.ClassBranch].LatencyCycles)
}

// multiplyGroup times wgmma.mma_async of a warp: the last warp of a group starts the operation, and all issue
// again.
func (m *SM) multiplyGroup(now sim.Cycle, slot int, pc int32) {
	w := &m.warps[slot]
	if w.warp.AtBarrier() {
		w.atBarrier = true
		m.schedulers.hold(slot, reasonBarrier)
		m.tellGroup(now, slot, 0)
		return
	}
	floor := m.startGroup(now, slot, m.lsu.warpInstr(pc).Vector.Group)
	m.plan(slot, floor)
	first := slot - w.warp.Index%ptx.GroupWarps
	for i := first; i < first+ptx.GroupWarps; i++ {
		if other := &m.warps[i]; i != slot && other.atBarrier {
			other.atBarrier = false
			m.plan(i, floor)
			m.tellGroup(now, i, 1)
		}
	}
}

// tellGroup emits that a warp begins or ends to wait for its warp group.
func (m *SM) tellGroup(now sim.Cycle, slot int, ends uint32) {
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(slot) << 16, B: ends, Unit: m.port.sm,
			Kind: probe.KindBarrier})
	}
}

// startGroup gives the tensor cores an operation and returns from when on its warps issue again.
func (m *SM) startGroup(now sim.Cycle, slot int, o *ptx.GroupOp) sim.Cycle {
	h := m.historyOf(slot)
	busy := sim.Cycle(max(o.N/groupColumnsCycle, o.SharedBytes()/groupBytesCycle))
	start := max(now+groupStartCycles, m.tensor.free)
	m.tensor.free = start + busy
	end := start + busy + groupTailCycles
	oldest := &h.ends[h.count%groupOperationsMax]
	floor := max(now+groupIssueCycles, *oldest)
	*oldest = end
	h.count++
	group := m.warps[slot].warp.GroupsCommitted() + 1
	h.commits[group%groupsRemembered] = groupEnd{group, end}
	return floor
}

// groupsEnd returns when a warp's groups of wgmma have ended but for the last ones.
func (m *SM) groupsEnd(slot int, open uint64) (at sim.Cycle) {
	committed := uint64(m.warps[slot].warp.GroupsCommitted())
	if m.tensor == nil || committed <= open {
		return 0
	}
	for _, c := range m.historyOf(slot).commits {
		if uint64(c.group) <= committed-open {
			at = max(at, c.end)
		}
	}
	return at
}

// tensorState lists when operations of wgmma end.
func (m *SM) tensorState(t *tape.Tape) {
	has := m.tensor != nil
	tape.Value(t, &has)
	if t.Loading() {
		m.tensor = nil
		if has {
			m.tensor = &tensorUnit{}
		}
	}
	if has {
		tape.Value(t, m.tensor)
	}
}
