package sm

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// prepare makes room for the warps of a launch. It allocates when the kernel
// changes, and empties the caches; L1 may keep lines.
func (m *SM) prepare(launch int32) {
	if launch == m.launch || launch < 0 {
		return
	}
	m.equip(launch)
	if m.env.L1Stays {
		m.lsu.l1.Begin(int(launch))
	} else {
		m.lsu.l1.Invalidate(int(launch))
	}
	m.lsu.constants.Invalidate()
	m.lsu.begun = false
	if m.texture != nil {
		m.texture.cache.Invalidate(int(launch))
	}
}

// equip sets the SM up for a launch. A slot gets its memory when a warp or CTA first uses
// it.
func (m *SM) equip(launch int32) {
	if launch == m.launch || launch < 0 {
		return
	}
	l := m.env.Launches[launch]
	if m.launch < 0 || m.env.Launches[m.launch].Kernel != l.Kernel || m.env.Launches[m.launch].SharedBytes() != l.SharedBytes() {
		for i := range m.warps {
			m.warps[i].warp, m.warps[i].ready = nil, nil
		}
		for i := range m.ctas {
			m.ctas[i].cta = nil
		}
	}
	m.launch = launch
	m.steps, m.lsu.code = m.env.Steps[launch], l.Kernel.Code
	if len(m.env.Parameters) > 0 {
		m.lsu.parameters = m.env.Parameters[launch]
	}
	m.copies.maps = m.copies.maps[:0] // the launch has other parameters, and another one may have changed maps
	m.equipCopies()
	m.account.open(launch, l.Kernel)
	if len(m.env.Code) > 0 {
		m.frontend.code = m.env.Code[launch]
	}
}

// fillWarps gives the slots of a CTA's warps their memory, if they have none.
func (m *SM) fillWarps(first, n int, k *ptx.Kernel) {
	slots := m.warps[first : first+n]
	i := 0
	for i < n && slots[i].warp != nil {
		i++
	}
	if i == n {
		return
	}
	warps, ready := execute.NewWarps(k, n), make([]sim.Cycle, n*k.ScoreIDs)
	for i := range slots {
		if slots[i].warp == nil {
			slots[i].warp, slots[i].ready = &warps[i], ready[i*k.ScoreIDs:(i+1)*k.ScoreIDs:(i+1)*k.ScoreIDs]
		}
	}
}

// fill gives a CTA's slot its memory, if it has none.
func (c *ctaSlot) fill(l *ptx.Launch) {
	if c.cta == nil {
		c.cta = execute.NewCTA(l)
	}
}

// start gives a CTA its warps. The dispatcher has checked that they fit.
func (m *SM) start(now sim.Cycle, g Grant) {
	m.prepare(g.Launch)
	l := m.env.Launches[g.Launch]
	n := l.WarpsPerCTA()
	i := 0
	for m.ctas[i].live {
		i++
	}
	c := &m.ctas[i]
	c.fill(l)
	c.ctaState = ctaState{number: g.CTA, first: int16(i * n), warps: int16(n), running: int16(n), live: true}
	x, y := l.Grid[0], l.Grid[1]
	c.cta.Reset(l, [3]uint32{g.CTA % x, g.CTA / x % y, g.CTA / x / y})
	m.env.Clusters.join(m, i, false)
	m.fillWarps(i*n, n, l.Kernel)
	for k := 0; k < n; k++ {
		slot := i*n + k
		w := &m.warps[slot]
		w.warp.Reset(l, c.cta, k)
		w.warpState = warpState{cta: int16(i), live: true}
		m.copies.closed[slot] = 0
		clear(w.ready)
		m.schedulers.join(slot, g.CTA)
		first := w.warp.PC
		if m.fetches {
			m.frontend.fetch(now, slot, first, now)
		}
		m.executeEarly(slot, w)
		m.planAt(slot, w, first, now+1)
	}
	m.live += n
	m.emitCTA(now, g.CTA, 1)
	m.emitWarps(now, c)
}

// retire ends a CTA whose warps have exited and whose memory operations have all
// been performed.
func (m *SM) retire(now sim.Cycle, c *ctaSlot) {
	if c.running > 0 || m.copies.ofCTA[c.first/c.warps] > 0 || m.schedulers.draining>>c.first&(1<<c.warps-1) != 0 {
		return
	}
	for i := int(c.first); i < int(c.first+c.warps); i++ {
		m.warps[i].live = false
	}
	m.schedulers.leave(int(c.first), int(c.warps))
	c.live = false
	m.env.Clusters.leave(m, int(c.first)/int(c.warps))
	m.live -= int(c.warps)
	m.ahead.ended = true
	m.Stats[stat.CTAs]++
	m.emitCTA(now, c.number, 0)
	if !m.done.Send(now, Done{SM: m.port.sm}) {
		panic("sm: no room for the end of a CTA")
	}
}

func (m *SM) emitCTA(now sim.Cycle, number, begins uint32) {
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: number, B: begins, Unit: m.port.sm, Kind: probe.KindCTA})
	}
}

// emitWarps emits the slots of the warps of a starting CTA.
func (m *SM) emitWarps(now sim.Cycle, c *ctaSlot) {
	if !m.env.Tap.On() {
		return
	}
	for i := c.first; i < c.first+c.warps; i++ {
		m.env.Tap.Emit(probe.Event{Cycle: now, A: uint32(i) << 16, B: c.number, Unit: m.port.sm, Kind: probe.KindWarp})
	}
}

// Rest gives back the memory that only warps and their requests need. The program has ended, and
// the SM cannot run on.
func (m *SM) Rest() {
	for i := range m.warps {
		if w := &m.warps[i]; !w.live {
			w.warp, w.ready = nil, nil
		}
	}
	for i := range m.ctas {
		if c := &m.ctas[i]; !c.live {
			c.cta = nil
		}
	}
	if u := &m.lsu.opQueue; len(u.spare) == len(u.ops) {
		u.ops, u.spare, u.queued = nil, nil, nil
	}
	m.lsu.l1.Rest()
}
