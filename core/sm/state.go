package sm

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// State lists the changing state of an SM, in sections for the SM, its load/store unit and
// each warp.
func (m *SM) State(t *tape.Tape) {
	launch := m.launch
	tape.Value(t, &launch)
	if t.Loading() {
		m.fault = nil
		m.ahead.done = 0
		m.env.Clusters.forget(m)
		m.equip(launch)
	}
	m.port.state(t)
	m.frontend.state(t)
	tape.Value(t, &m.schedulers.scheduling)
	tape.Value(t, &m.residency)
	m.account.state(t, launch)
	m.meter.state(t)
	m.tensorState(t)
	tape.Value(t, &m.Stats)
	for i := range m.ctas {
		c := &m.ctas[i]
		tape.Value(t, &c.ctaState)
		if c.live {
			c.fill(m.env.Launches[launch])
			m.fillWarps(int(c.first), int(c.warps), m.env.Launches[launch].Kernel)
			c.cta.State(t)
			if t.Loading() {
				m.env.Clusters.join(m, i, true)
			}
		}
	}
	t.Section()
	m.lsu.state(t)
	if m.texture != nil {
		t.Section()
		m.texture.state(t)
	}
	m.copyState(t)
	for i := range m.warps[:m.config.Warps] {
		t.Section()
		w := &m.warps[i]
		tape.Value(t, &w.warpState)
		if w.live {
			w.warp.State(t, m.env.Launches[launch], m.ctas[w.cta].cta)
			tape.Values(t, w.ready)
		}
	}
}

// State lists the changing state of the dispatcher.
func (d *Dispatcher) State(t *tape.Tape) {
	tape.Value(t, &d.launch)
	tape.Value(t, &d.next)
	tape.Value(t, &d.total)
	tape.Values(t, d.running)
	tape.Value(t, &d.live)
	tape.Value(t, &d.first)
	tape.Value(t, &d.begins)
	tape.Value(t, &d.free)
	tape.Values(t, d.started)
	tape.Values(t, d.ended)
	tape.Value(t, &d.waits)
	tape.Value(t, &d.last)
	tape.Value(t, &d.linkFree)
	d.streams.state(t)
}

// Opening appends the present state of SM number unit as events: each warp takes its slot,
// and waits at a barrier if it waits now.
func (m *SM) Opening(list []probe.Event, now sim.Cycle, unit uint16) []probe.Event {
	for i := range m.warps[:m.config.Warps] {
		w := &m.warps[i]
		if !w.live || w.exited {
			continue
		}
		e := probe.Event{Cycle: now, A: uint32(i) << 16, B: m.ctas[w.cta].number, Unit: unit, Kind: probe.KindWarp}
		list = append(list, e)
		if w.atBarrier {
			e.Kind, e.B = probe.KindBarrier, 0
			list = append(list, e)
		}
	}
	return list
}
