package sm

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// unitFree returns the first cycle at which scheduler s may use a unit; Never
// for a full load/store queue, whose progress wakes the SM anyway.
func (m *SM) unitFree(now sim.Cycle, s int, u Unit) sim.Cycle {
	switch u {
	case UnitALU:
		return m.aluFree[s]
	case UnitMemory:
		if m.lsuFull() {
			return never
		}
		return m.free[u]
	default:
		return m.free[u]
	}
}

func (m *SM) occupy(s int, u Unit, until sim.Cycle) {
	if u == UnitALU {
		m.aluFree[s] = until
	} else {
		m.free[u] = until
	}
}

// issue executes the next instruction of a warp.
func (m *SM) issue(now sim.Cycle, s, slot int) {
	w := &m.warps[slot]
	in := w.warp.Next()
	t := &m.config.Timing[in.Class]
	latency, initiation := t.of(in)
	m.occupy(s, m.unit[slot], now+initiation)
	m.exec.Clock = uint64(now)
	m.exec.WarpSlot = uint32(slot)
	effect := w.warp.Execute(&m.exec)
	m.Stats[stat.WarpInstructions]++
	m.Stats[stat.ThreadInstructions] += uint64(m.exec.Lanes)
	pc := m.at[slot]
	c := &m.counts[pc]
	c.Executions++
	c.Lanes += uint64(m.exec.Lanes)
	if w.instructions++; w.instructions > m.config.WarpInstructionLimit {
		m.stop(w.warp.RunawayFault(w.instructions - 1))
		return
	}
	fetches := m.config.Fetch.Width > 0
	if fetches && effect != ptx.EffectExit && effect != ptx.EffectFault {
		if m.buffered[slot] > 1 && w.warp.PC == pc+1 {
			m.buffered[slot]--
		} else {
			m.consumed(now, slot, pc)
		}
	}
	switch effect {
	case ptx.EffectNone:
		if in.IsConstant && m.config.Constant.LatencyCycles > 0 {
			m.accessConstant(slot, pc, in.Writes)
			break
		}
		at := now + latency + sim.Cycle(m.config.PipelineCycles)
		for _, id := range in.Writes {
			w.ready[id] = at
		}
	case ptx.EffectMemory:
		m.access(now, slot, in)
	case ptx.EffectBarrier:
		m.barrier(now, slot)
		return
	case ptx.EffectFence:
		if w.stores > 0 {
			w.atFence = true
			m.hold(slot, reasonLong)
			return
		}
	case ptx.EffectExit:
		m.exit(now, slot)
		return
	case ptx.EffectFault:
		m.stop(w.warp.Fault())
		return
	}
	floor := now + 1
	if in.Class == ptx.ClassBranch && !fetches {
		floor = now + sim.Cycle(t.LatencyCycles)
	}
	m.plan(slot, floor)
}

// plan works out when the next instruction of a warp has its operands and is in
// its buffer.
func (m *SM) plan(slot int, floor sim.Cycle) {
	w := &m.warps[slot]
	in := w.warp.Next()
	at := sim.Cycle(0)
	for _, id := range in.Deps {
		if r := w.ready[id]; r > at {
			at = r
		}
	}
	why := reasonShort
	if at == never {
		why = reasonLong
		if w.loads == w.constants {
			why = reasonConstant
		}
	}
	if f := m.fetchedAt[slot]; f > at {
		at, why = f, reasonFetch
	}
	m.changed[m.schedulerOf[slot]&(MaxSchedulers-1)] = true
	m.together[slot] = at < floor
	m.holds[slot] = why
	m.at[slot] = w.warp.PC
	u := m.config.Timing[in.Class].Unit
	if in.IsConstant && m.config.Constant.LatencyCycles > 0 {
		u = UnitMemory
	}
	m.setReady(slot, max(at, floor), u)
}

// hold keeps a warp from issuing until something calls plan for it.
func (m *SM) hold(slot int, why reason) {
	m.setReady(slot, never, m.unit[slot])
	m.holds[slot] = why
	m.changed[m.schedulerOf[slot]&(MaxSchedulers-1)] = true
}

// resume plans a warp again after something it may have waited for happened.
func (m *SM) resume(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	if w.exited || w.atBarrier || w.atFence {
		return
	}
	m.plan(slot, now+1)
}

func (m *SM) barrier(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.atBarrier = true
	m.hold(slot, reasonBarrier)
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(slot) << 16, Unit: uint16(m.id), Kind: probe.KindBarrier})
	}
	c := &m.ctas[w.cta]
	if c.cta.Arrive(w.warp) {
		m.release(now, c)
	} else if !w.warp.AtBarrier() { // bar.arrive does not wait
		w.atBarrier = false
		m.plan(slot, now+1)
	}
}

// release lets the warps go on that a completed barrier held.
func (m *SM) release(now sim.Cycle, c *ctaSlot) {
	m.Stats[stat.Barriers]++
	floor := now + sim.Cycle(m.config.Timing[ptx.ClassBarrier].LatencyCycles)
	for i := int(c.first); i < int(c.first+c.warps); i++ {
		w := &m.warps[i]
		if w.atBarrier && !w.warp.AtBarrier() {
			w.atBarrier = false
			m.plan(i, floor)
			if m.env.Tap.On() {
				m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(i) << 16, B: 1, Unit: uint16(m.id), Kind: probe.KindBarrier})
			}
		}
	}
}

func (m *SM) exit(now sim.Cycle, slot int) {
	w := &m.warps[slot]
	w.exited = true
	m.hold(slot, reasonExited)
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(slot) << 16, Unit: uint16(m.id), Kind: probe.KindExit})
	}
	c := &m.ctas[w.cta]
	c.running--
	if c.cta.WarpExited(w.warp) {
		m.release(now, c)
	}
	m.retire(now, c)
}

func (m *SM) stop(f *ptx.Fault) {
	if m.fault == nil {
		m.fault = f
	}
}

// outOfBounds stops the run if a lane's access leaves its allocation. Some read less
// than their size.
func (m *SM) outOfBounds(slot int, a *ptx.Access, lane int) bool {
	f := ptx.OutOfBounds(m.warps[slot].warp, a, lane, m.env.Image)
	if f == nil {
		return false
	}
	m.stop(f)
	return true
}

// inside reports whether [a, a+n) lies in one allocation.
func (m *SM) inside(a mem.Addr, n int) bool {
	l := &m.lastAlloc
	if a >= l.Base && a+uint64(n) <= l.End() {
		return true
	}
	i := m.env.Image.Find(a)
	if i < 0 {
		return false
	}
	m.lastAlloc = m.env.Image.Allocations()[i]
	return a+uint64(n) <= m.lastAlloc.End()
}
