package sm

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// State lists what changes in an SM, in sections for itself, for its load/store
// unit and for each warp.
func (m *SM) State(t *tape.Tape) {
	launch := m.launch
	tape.Value(t, &launch)
	if t.Loading() {
		m.fault = nil
		m.equip(launch)
	}
	m.l1.State(t)
	m.icache.State(t)
	m.constants.State(t)
	tape.Value(t, &m.schedule)
	tape.Value(t, &m.frontend)
	tape.Value(t, &m.slots)
	tape.Value(t, &m.residency)
	m.counting.state(t, launch)
	tape.Value(t, &m.Stats)
	for i := range m.ctas {
		c := &m.ctas[i]
		tape.Value(t, &c.ctaState)
		if c.live {
			c.cta.State(t)
		}
	}
	t.Section()
	m.lsu.state(t)
	for i := range m.warps {
		t.Section()
		w := &m.warps[i]
		tape.Value(t, &w.warpState)
		if w.live {
			w.warp.State(t, m.env.Launches[launch], m.ctas[w.cta].cta)
			tape.Values(t, w.ready)
		}
	}
}

// state of the queue. What spare ops held is of no use to those that come.
func (u *lsu) state(t *tape.Tape) {
	tape.List(t, &u.spare)
	tape.Values(t, u.queue)
	tape.Value(t, &u.head)
	tape.Value(t, &u.length)
	tape.Value(t, &u.lsuFree)
	tape.Value(t, &u.l1Full)
	n := len(u.ops)
	tape.Value(t, &n)
	for len(u.ops) < n {
		u.ops = append(u.ops, op{})
	}
	u.ops = u.ops[:n]
	spare := make([]bool, n)
	for _, i := range u.spare {
		spare[i] = true
	}
	for i := range u.ops {
		if spare[i] {
			continue
		}
		if t.Summing() {
			u.ops[i].sum(t)
		} else {
			tape.Value(t, &u.ops[i])
		}
	}
}

// sum lists what of an op is in use: its arrays keep what other ops left there.
func (o *op) sum(t *tape.Tape) {
	tape.Value(t, &o.kind)
	tape.Value(t, &o.slot)
	tape.Value(t, &o.pc)
	tape.Value(t, &o.left)
	tape.Value(t, &o.leader)
	if o.kind == opShared || o.kind == opConstant {
		return
	}
	tape.Value(t, &o.next)
	tape.Value(t, &o.doneAt)
	tape.Value(t, &o.cause)
	for k := range o.n {
		tape.Value(t, &o.addr[k])
		tape.Value(t, &o.lanes[k])
	}
}

// state of the counts, of which those of the open launch are written.
func (c *counting) state(t *tape.Tape, launch int32) {
	for i := range c.kernels {
		tape.List(t, &c.kernels[i])
		if len(c.kernels[i]) == 0 {
			c.kernels[i] = nil
		}
	}
	if t.Loading() && launch >= 0 {
		c.counts = c.kernels[c.kernelOf[launch]]
	}
	tape.Value(t, &c.blamed)
}

// State lists what changes in the dispatcher.
func (d *Dispatcher) State(t *tape.Tape) {
	tape.Value(t, &d.launch)
	tape.Value(t, &d.next)
	tape.Value(t, &d.total)
	tape.Values(t, d.running)
	tape.Value(t, &d.live)
	tape.Value(t, &d.first)
	tape.Value(t, &d.begins)
	tape.Values(t, d.started)
	tape.Values(t, d.ended)
}

// Opening appends the present of the SM, the unit-th, as events: each warp takes its
// slot, and waits at a barrier if it does.
func (m *SM) Opening(list []probe.Event, now sim.Cycle, unit uint16) []probe.Event {
	for i := range m.warps {
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
