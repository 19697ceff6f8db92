package machine

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// front is the dispatcher, the SMs and the crossbar of requests, if they have an engine of their own.
//
// Between a packet's start in that crossbar and its arrival at L2 lie a hundred cycles or more. So the rest of the
// machine can do the work of that many cycles before the front does any of it: whatever the front sends in
// them arrives later. Then the front does its work, and all that arrives at it in these cycles is in its links. The host works
// longer on the same parts of the machine, with the same code, which is what its caches are for. The results are the same:
// TestApartIsTogether.
//
// The engines are together where somebody sees the order of events or reads both sides in one cycle: with a tap, a
// sampler of symbols, memory behind a link, and what looks into an L1.
type front struct {
	engine     sim.Engine
	components int
	apart      bool
	window     sim.Cycle // cycles that the rest may be ahead
	refused    bool      // an SM's link was full, and may be still
	replies    []*sim.Link[mem.Packet]
}

// longestWindow bounds how far the rest is ahead; longer windows are no faster.
const longestWindow = 128

// split decides whether the front gets an engine, and returns the front's.
func (m *Machine) split() *sim.Engine {
	j := &m.job
	m.front.apart = !j.together && j.Tap == nil && j.Sampler == nil && j.Backing == nil && m.stores == nil && j.Loads == nil
	m.front.window = max(1, min(longestWindow, sim.Cycle(m.spec.RequestLatencyCycles-2+m.spec.L2LatencyCycles)))
	return m.frontEngine()
}

func (m *Machine) frontEngine() *sim.Engine {
	if m.front.apart {
		return &m.front.engine
	}
	return &m.engine
}

// advance does the work of all cycles before until.
func (m *Machine) advance(until sim.Cycle) {
	f := &m.front
	if !f.apart {
		m.engine.Advance(until)
		return
	}
	for m.engine.Now() < until {
		window := f.window
		if f.refused {
			// The link has to wake the crossbar in the cycle after the SM takes a packet.
			window, f.refused = 1, f.full()
		}
		m.engine.Advance(min(until, m.engine.Now()+window))
		f.refused = f.refused || m.engine.Ended()
		f.engine.Advance(m.engine.Now())
	}
}

func (f *front) full() bool {
	for _, l := range f.replies {
		if l.Refused() {
			return true
		}
	}
	return false
}

// idle reports whether no component will ever tick again by itself.
func (m *Machine) idle() bool { return m.engine.Idle() && (!m.front.apart || m.front.engine.Idle()) }
