package machine

import "github.com/burstscope/burstscope/core/sim"

// behind lets the front work on the cycles of one window while the parts and the crossbar of replies work on those of
// the next:
//
//	parts and replies   | window 1 | window 2 | window 3 |
//	front                          | window 1 | window 2 | window 3 |
//
// A window is at most half as long as a request is under way, so what the front sends in one arrives after the next.
// What the parts can do side by side they have done before, on all threads (partsBeside). The rest of their work, with
// full queues and the crossbar, is a job for one thread, which does not hold up the SMs.
//
// Both sides keep what they send to the other one until both have ended (sim.Stage). The thread that works on memory
// has tools of its own for it.
type behind struct {
	bench
	window sim.Cycle // 0: the front does not work like this
	end    sim.Cycle // of the parts' present window
	job    func(thread, i int)
}

// leastBehind is how many cycles must be left to both sides for a turn side by side [ours].
const leastBehind = 8

// trail readies the machine for a front that is behind.
func (m *Machine) trail() {
	b := &m.beside.behind
	if b.window = memoryLag(m.spec) / 2; b.window < leastBehind {
		b.window = 0
		return
	}
	b.bench = m.benchOf(m.beside.crew.Threads(), 1)
	b.job = func(int, int) { m.catchUp(b.end) }
}

// on reports whether the next cycles may be done with the front behind.
func (b *behind) on(m *Machine) bool {
	return sim.MostThreads > 1 && b.window != 0 && m.beside.parts && m.beside.crew.Pays(0) && !m.recorded
}

// advanceBehind does the work of all cycles before end, at which nobody has to read several parts before.
func (m *Machine) advanceBehind(end sim.Cycle) {
	a, b := &m.apart, &m.beside.behind
	for {
		now := m.engine.Now()
		if end = min(end, m.memoryEnds()); now >= end {
			break
		}
		next := min(end, now+b.window)
		beside := a.front.Now() < now && !a.full
		if beside {
			next = min(next, now+m.replies.FreeFor(now))
			beside = next-now >= leastBehind
		}
		switch {
		case beside:
			m.partsBeside(next)
			m.sideBySide(now, next)
		case a.front.Now() < now:
			a.front.Advance(now)
		default:
			m.partsBeside(next)
			m.catchUp(next)
		}
	}
	a.front.Advance(end)
}

// sideBySide advances the front to cycle now, and memory from there to cycle next.
func (m *Machine) sideBySide(now, next sim.Cycle) {
	a, b := &m.apart, &m.beside.behind
	m.requests.Stage()
	m.replies.Stage()
	b.lend(m)
	own := m.sms[0].Tools()
	m.equipAll(&b.tools[0])
	a.front.Reaches()
	b.end = next
	m.beside.crew.Post(b.job)
	a.front.Advance(now)
	m.beside.crew.Collect()
	a.front.Reaches(a.engines[:1]...)
	m.equipAll(&own)
	b.takeBack(m)
	m.requests.Unstage()
	m.replies.Unstage()
}
