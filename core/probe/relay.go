package probe

import (
	"slices"

	"github.com/burstscope/burstscope/core/sim"
)

// relayCycles bounds how far ahead of the engine a component may emit.
const relayCycles = 1024

// Relay passes the events of components that work ahead of the engine to a tap in the order in
// which the engine would have ticked the components in each cycle. It is a component itself: it
// ticks after those whose events it passes, which Unit numbers in their order, and before all
// others that emit in the same cycle after them.
type Relay struct {
	tap    *Tap
	engine *sim.Engine
	id     sim.ID
	// waiting holds the events of cycles that the engine has not reached, by cycle.
	waiting [][]Event
	cycles  int       // with events that wait
	spare   [][]Event // lists that are not in use
}

// NewRelay returns a relay to a tap, which may be nil.
func NewRelay(t *Tap, e *sim.Engine) *Relay { return &Relay{tap: t, engine: e} }

// Join adds the relay to its engine.
func (r *Relay) Join() sim.ID {
	r.id = r.engine.Add(r)
	return r.id
}

// On reports whether events are collected.
func (r *Relay) On() bool { return r != nil && r.tap.On() }

// Emit records e, an event of the component that is working in e.Cycle.
func (r *Relay) Emit(e Event) {
	if !r.On() {
		return
	}
	if r.waiting == nil {
		r.waiting = make([][]Event, relayCycles)
	}
	list := &r.waiting[e.Cycle%relayCycles]
	if len(*list) == 0 {
		if e.Cycle == r.engine.Now() {
			r.tap.Emit(e) // nobody has worked ahead of this cycle
			return
		}
		r.cycles++
		if n := len(r.spare); n > 0 {
			*list, r.spare = r.spare[n-1], r.spare[:n-1]
		}
		r.engine.Wake(r.id, e.Cycle)
	}
	*list = append(*list, e)
}

// Tick passes on the events of cycle now.
func (r *Relay) Tick(now sim.Cycle) sim.Cycle {
	r.engine.Count(-1) // passing on events does not count as a tick of the machine
	if r.cycles == 0 {
		return sim.Never
	}
	if list := &r.waiting[now%relayCycles]; len(*list) > 0 {
		slices.SortStableFunc(*list, func(a, b Event) int { return int(a.Unit) - int(b.Unit) })
		for _, e := range *list {
			r.tap.Emit(e)
		}
		r.spare, *list = append(r.spare, (*list)[:0]), nil
		r.cycles--
	}
	if r.cycles == 0 {
		return sim.Never
	}
	return now + 1
}
