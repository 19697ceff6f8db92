package sm

import "github.com/burstscope/burstscope/core/sim"

// ahead lets an SM do the work of several cycles in one tick, so that its state stays in the
// host's caches and the engine is asked less often. An SM reaches the rest of the machine only
// through links with a latency, so nothing sent from now on arrives before that latency has
// passed: until then its own state and its links hold all it needs. The SM stops where that ends,
// and where it cannot know yet whether the crossbar takes a packet. It does the same work in the
// same cycles as an SM that never works ahead.
type ahead struct {
	sm         int
	engine     *sim.Engine
	dispatcher *Dispatcher
	allowed    func() bool
	// Packets that the SM may send in one cycle: the packets of the load/store unit, if it has work, and the requests of
	// the instruction cache.
	lines, fetches uint32
	ended          bool // a CTA has ended, so that a grant may follow
	// arrives is the first cycle in which something arrives of what the links hold, 0 if the SM
	// has not looked in this tick.
	arrives sim.Cycle
	// The work of the cycles before done has been done; next is the cycle of the next work.
	done, next sim.Cycle
}

// WorkAhead lets the SM work ahead in ticks for which allowed says that nothing reads its counters
// within a call of Advance. The SM must be attached.
func (m *SM) WorkAhead(e *sim.Engine, d *Dispatcher, allowed func() bool) {
	m.ahead = ahead{sm: int(m.port.sm), engine: e, dispatcher: d, allowed: allowed}
	m.ahead.lines = 1
	if m.lsu.l1.Keeps() {
		m.ahead.lines = 2 // one line and the one that it pushes out of L1
	}
	if c := &m.config.Fetch; c.Width > 0 && c.Cache.Sets > 0 {
		// The first instructions of a new CTA, and a fetch for each issued instruction.
		m.ahead.fetches = uint32(1 + m.config.Schedulers*max(1, m.config.IssueWidth))
	}
}

// Tick does the work of cycle now, and of the cycles after it that depend on nothing unknown.
func (m *SM) Tick(now sim.Cycle) sim.Cycle {
	a := &m.ahead
	if now < a.done {
		// A link has asked for this tick before the SM worked ahead of it. The wake of a packet sent
		// since then is lost to it.
		a.engine.Count(-1)
		return min(a.next, max(a.done, sim.Min(m.in.NextReady(), m.grants.NextReady())))
	}
	a.ended, a.arrives = false, 0
	next := m.cycle(now)
	if a.engine == nil {
		return next
	}
	unknown := m.in.Unknown(now)
	if next >= unknown || !a.allowed() {
		return next
	}
	end := min(unknown, a.engine.Until(), a.dispatcher.unknown(a.sm, now))
	ticks := 0
	for next < end && m.sendsFreely() && !a.ended {
		a.done = next + 1
		next = m.cycle(next)
		ticks++
	}
	a.next = next
	a.engine.Count(ticks)
	return next
}

// sendsFreely reports whether the crossbar certainly takes all packets of a cycle. What is issued in it
// sends nothing before the next one.
func (m *SM) sendsFreely() bool {
	if m.port.misses.n != 0 || m.frontend.starved != 0 {
		return false
	}
	packets := m.ahead.fetches
	if m.lsu.pending() {
		packets += m.ahead.lines
	}
	if m.texture != nil && m.texture.pending() {
		packets++
	}
	return packets == 0 || m.port.out.Room(packets)
}
