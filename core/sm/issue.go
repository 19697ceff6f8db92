package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// issueAll issues the next instruction of a warp. If the SM issues several instructions of
// one warp, it also issues the following ones that are ready in the same cycle. They must
// use different units (GPGPU-Sim's dual_issue_diff_exec_units).
func (m *SM) issueAll(now sim.Cycle, s, slot int) {
	q := &m.schedulers
	used := q.slot[slot].unit
	m.issue(now, s, slot)
	for n := 1; n < m.config.IssueWidth; n++ {
		if q.slot[slot].readyAt != now+1 || !q.slot[slot].together || q.slot[slot].unit == used || q.unitFree(s, q.slot[slot].unit, m.full()) > now {
			return
		}
		used = q.slot[slot].unit
		m.issue(now, s, slot)
	}
}

// issue executes the next instruction of a warp.
func (m *SM) issue(now sim.Cycle, s, slot int) {
	q := &m.schedulers
	w := &m.warps[slot]
	x := &q.slot[slot&(MaxWarps-1)]
	pc := x.at
	t := &m.steps[pc]
	q.occupy(s, x.unit, now+sim.Cycle(t.initiation))
	effect, lanes, next := execute.EffectNone, uint64(x.lanes), pc+1
	early := x.early
	if early > 0 {
		x.early--
	} else if t.kind&stepCopy != 0 {
		lanes = m.copy(now, slot, pc)
		next = w.warp.PC
	} else {
		m.exec.Clock, m.exec.SMID, m.exec.WarpSlot = uint64(now), uint32(m.port.sm), uint32(slot)
		effect = w.warp.Execute(m.exec)
		lanes, next = uint64(m.exec.Lanes), w.warp.PC
	}
	m.Stats[stat.WarpInstructions]++
	m.Stats[stat.ThreadInstructions] += lanes
	c := &m.account.counts[pc]
	c.Executions++
	c.Lanes += lanes
	if w.instructions++; w.instructions > m.limit {
		m.stop(w.warp.RunawayFault(next, w.instructions-1, m.env.Image, m.alive))
		return
	}
	if m.fetches && effect != execute.EffectExit && effect != execute.EffectFault {
		if x.buffered > 1 && next == pc+1 {
			x.buffered--
		} else {
			m.frontend.consumed(now, slot, pc, next)
		}
	}
	switch effect {
	case execute.EffectNone:
		if t.kind&stepConstant != 0 {
			m.lsu.accessConstant(w, slot, pc, m.writesOf(t, pc))
			break
		}
		m.writes(now, w, t, pc)
	case execute.EffectMemory:
		if fault := m.lsu.access(now, slot, m.lsu.warpInstr(pc), &m.exec.Access); fault != nil {
			m.stop(fault)
		}
	case execute.EffectTexture:
		m.texture.accept(now, slot, m.lsu.warpInstr(pc), m.exec.Fetch)
	case execute.EffectBarrier, execute.EffectGroup:
		m.meet(now, slot, pc, effect)
		return
	case execute.EffectFence:
		if w.fence = m.fenceOf(pc); m.fenced(slot, w) {
			q.hold(slot, reasonLong)
			return
		}
	case execute.EffectExit:
		m.exit(now, slot)
		return
	case execute.EffectFault:
		m.stop(w.warp.Fault())
		return
	}
	floor := now + 1
	if t.kind&(stepCopyGroup|stepBranch) != 0 || effect == execute.EffectGroupWait {
		if t.kind&stepCopyGroup != 0 && m.copyGroup(slot, m.lsu.warpInstr(pc)) {
			return
		}
		if effect == execute.EffectGroupWait || t.kind&stepBranch != 0 && !m.fetches {
			floor = m.behind(now, slot, pc, effect)
		}
	}
	if early == 0 {
		m.executeEarly(slot, w)
	}
	m.planAt(slot, w, next, floor)
}

// writes says when the results of an instruction may be used.
func (m *SM) writes(now sim.Cycle, w *warpSlot, t *step, pc int32) {
	at, ready := now+sim.Cycle(t.latency), w.ready
	for _, id := range m.writesOf(t, pc) {
		ready[id] = at
	}
}

// executeEarly executes the next instructions of a warp before they are issued, as long as they depend on
// the warp alone (execute.OnWarpAlone), and no load is to write their registers. A large GPU has so many warps that the registers of one
// have often left the host's caches when it issues again, and what issue needs to know of an instruction that has been
// executed is little. Counters, faults and events come when an instruction is issued.
func (m *SM) executeEarly(slot int, w *warpSlot) {
	warp := w.warp
	first, join := warp.PC, warp.Join()
	if warp.HasGroupsOpen() {
		return
	}
	hasAll := w.loads == w.constants
	steps := m.steps[first:min(int(first)+maxEarly, len(m.steps))]
	if join > first && int(join-1-first) < len(steps) {
		steps = steps[:join-1-first] // after the join, other lanes are active
	}
	n := 0
	for ; n < len(steps); n++ {
		t := &steps[n]
		if t.kind&stepEarly == 0 || !hasAll && m.awaits(w, m.depsOf(t, first+int32(n))) {
			break
		}
		warp.Execute(m.exec)
	}
	if n > 0 {
		x := &m.schedulers.slot[slot&(MaxWarps-1)]
		x.early, x.lanes = uint8(n), uint8(bits.OnesCount32(warp.ActiveMask()))
	}
}

// awaits reports whether a warp waits for one of the values.
func (m *SM) awaits(w *warpSlot, ids []uint16) bool {
	for _, id := range ids {
		if w.ready[id] == never {
			return true
		}
	}
	return false
}

// maxEarly bounds how many instructions a warp executes at once before they are issued [ours].
const maxEarly = 64

// pcOf returns the position of a warp's next instruction.
func (m *SM) pcOf(slot int) int32 {
	if x := &m.schedulers.slot[slot]; x.early > 0 {
		return x.at
	}
	return m.warps[slot].warp.PC
}

// plan computes the cycle at which the next instruction of a warp is in its buffer and
// has its operands.
func (m *SM) plan(slot int, floor sim.Cycle) { m.planAt(slot, &m.warps[slot], m.pcOf(slot), floor) }

// planAt is plan for a warp whose next instruction is at pc.
// It is not inlined, so that issue is (core/BENCHMARKS.md).
//
//go:noinline
func (m *SM) planAt(slot int, w *warpSlot, pc int32, floor sim.Cycle) {
	t := &m.steps[pc]
	if t.kind&stepCopy != 0 && m.copyWaits(slot) {
		return
	}
	at := sim.Cycle(0)
	ready := w.ready
	for _, id := range m.depsOf(t, pc) {
		at = max(at, ready[id])
	}
	why := reasonShort
	if at == never {
		why = reasonLong
		if w.loads == w.constants {
			why = reasonConstant
		}
	}
	q := &m.schedulers
	slot &= MaxWarps - 1
	x := &q.slot[slot]
	if f := x.fetchedAt; f > at {
		at, why = f, reasonFetch
	}
	q.sleeps[x.scheduler&(MaxSchedulers-1)] = 0
	q.holds[slot] = why
	x.together, x.at = at < floor, pc
	q.setReady(slot, max(at, floor), t.unit)
}

// resume plans a warp again after an event that it may have waited for.
func (m *SM) resume(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	if w.exited || w.atBarrier || m.copyHolds(slot) {
		return
	}
	if w.fence != 0 {
		m.passFence(now, slot)
		return
	}
	m.plan(slot, now+1)
}

func (m *SM) barrier(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.atBarrier = true
	m.schedulers.hold(slot, reasonBarrier)
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(slot) << 16, Unit: m.port.sm, Kind: probe.KindBarrier})
	}
	c := &m.ctas[w.cta]
	if released := c.cta.Arrive(w.warp); released && w.warp.MovesRegisters() {
		m.letOn(now, c)
	} else if released {
		m.release(now, c)
		m.env.Clusters.releaseOthers(now, m, int(w.cta))
	} else if !w.warp.AtBarrier() { // bar.arrive does not wait
		w.atBarrier = false
		m.plan(slot, now+1)
	}
}

// release lets the warps of a completed barrier continue.
func (m *SM) release(now sim.Cycle, c *ctaSlot) {
	m.Stats[stat.Barriers]++
	m.letOn(now, c)
}

// letOn lets warps issue again that have waited long enough. No source says how long
// setmaxnreg takes: here as long as a barrier [ours].
func (m *SM) letOn(now sim.Cycle, c *ctaSlot) {
	floor := now + sim.Cycle(m.config.Timing[ptx.ClassBarrier].LatencyCycles)
	for i := int(c.first); i < int(c.first+c.warps); i++ {
		w := &m.warps[i]
		if w.atBarrier && !w.warp.AtBarrier() {
			w.atBarrier = false
			m.plan(i, floor)
			if m.env.Tap.On() {
				m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(i) << 16, B: 1, Unit: m.port.sm, Kind: probe.KindBarrier})
			}
		}
	}
}

func (m *SM) exit(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.exited = true
	m.schedulers.hold(slot, reasonExited)
	m.drain(slot)
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(slot) << 16, Unit: m.port.sm, Kind: probe.KindExit})
	}
	c := &m.ctas[w.cta]
	c.running--
	if c.cta.WarpExited(w.warp) {
		m.release(now, c)
		m.env.Clusters.releaseOthers(now, m, int(w.cta))
	}
	m.retire(now, c)
}

func (m *SM) stop(f *execute.Fault) {
	if m.fault == nil {
		m.fault = f
	}
}

// loaded notes that a memory operation of a warp has its values.
func (m *SM) loaded(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	if slot >= m.config.Warps {
		m.planCopy(now, slot)
		return
	}
	if w.exited {
		m.drain(slot)
		m.retire(now, &m.ctas[w.cta])
		return
	}
	if m.schedulers.slot[slot].readyAt == never {
		m.resume(now, slot)
	}
}

// stored counts the acknowledgement of a store or reduction of a warp.
func (m *SM) stored(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.stores--
	if slot >= m.config.Warps {
		m.planCopy(now, slot)
		return
	}
	if w.stores > 0 {
		return
	}
	m.passFence(now, slot)
	if w.exited {
		m.drain(slot)
		m.retire(now, &m.ctas[w.cta])
	}
}

// drain notes whether memory operations of a warp that has exited have not ended.
func (m *SM) drain(slot int) {
	m.schedulers.draining &^= 1 << slot
	if w := &m.warps[slot]; w.loads > 0 || w.stores > 0 {
		m.schedulers.draining |= 1 << slot
	} else {
		m.account.blames = false
	}
}
