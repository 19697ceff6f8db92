package machine

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// apart says which engine has which part of the machine. There are three kinds: the front is the dispatcher, the SMs and
// the crossbar of requests; each controller with its slices of L2 is a part; and the machine's own engine has the
// crossbar of replies.
//
// Between a packet's start in the crossbar of requests and its arrival at L2 lie a hundred cycles or more. So the parts can do
// the work of that many cycles before the front does any of it: whatever the front sends in them arrives later. They do it
// one after the other, since they have nothing to say to each other. Then the crossbar of replies does its work,
// with all that the parts have sent in the links, and then the front. The host works longer on the same parts of the
// machine, with the same code, which is what its caches are for. The results are the same: TestApartIsTogether.
//
// A queue that fills up binds two engines: the one that sends must know whether the other has taken something.
// Then the one behind catches up, and the two continue by single packets while the queue is full.
//
// A tap gets what each engine emits when all have come to the same cycle, in the order that one engine has.
//
// All have one engine where somebody minds the order of blocks or reads several parts in one cycle: with most
// observers, a sampler of symbols, memory behind a link, what looks into an L1, and L1s that stay between launches.
type apart struct {
	on         bool
	front      *sim.Engine
	parts      []part        // of the controllers, nil if not on
	engines    []*sim.Engine // all, the machine's own first
	components []sim.Placed  // in the order that one engine has

	window  sim.Cycle // cycles that the parts may be ahead of the front
	taps    taps
	replies []*sim.Link[mem.Packet] // to the SMs
	full    bool                    // one of these links was full, and may be still
}

// part is a controller with its slices of L2.
type part struct {
	engine *sim.Engine
	slice  int                     // the first one
	out    []*sim.Link[mem.Packet] // of the slices
	sends  int                     // most packets that a slice sends in a cycle
	full   bool                    // one of these links was full, and may be still
}

// taps collect the events of the components.
type taps struct {
	dispatcher, requests, replies *probe.Tap
	sms                           []*probe.Tap
	slices, controllers           []*probe.Tap // by controller
}

const (
	// longestWindow bounds how far the parts are ahead; longer windows are no faster.
	longestWindow = 128
	// A window ends at each multiple of windowBlock. So the order in which a recorder sees the blocks of several controllers
	// is the same for all slices of a run that end there, too.
	windowBlock = 256
)

// split chooses the engines.
func (m *Machine) split() {
	j, a := &m.job, &m.apart
	system := j.Sampler != nil || j.Backing != nil || j.L1 != nil || j.Loads != nil
	a.on = !system && !m.l1Stays() && (j.Observer == nil || j.Unordered)
	a.front, a.engines = &m.engine, []*sim.Engine{&m.engine}
	defer m.tap()
	if !a.on {
		return
	}
	longest := memoryLag(m.spec)
	windows := (windowBlock + longest - 1) / longest // of a block
	a.window = (windowBlock + windows - 1) / windows
	a.front = new(sim.Engine)
	a.engines = append(a.engines, a.front)
	for i := range m.spec.Controllers {
		e := new(sim.Engine)
		clock := m.spec.L2Clock()
		sends := int((clock.Num+clock.Den-1)/clock.Den) * cache.MostReplies
		a.parts = append(a.parts, part{engine: e, slice: i * m.spec.Channels, sends: sends})
		a.engines = append(a.engines, e)
	}
}

// tap gives the components their strands of the tap, in the order in which one engine has the components.
func (m *Machine) tap() {
	t, a := m.job.Tap, &m.apart
	t.Unstrand()
	a.taps.dispatcher = t.Strand(a.front)
	for range m.spec.SMs {
		a.taps.sms = append(a.taps.sms, t.Strand(nil)) // an SM emits in the cycle that it is working on
	}
	a.taps.requests, a.taps.replies = t.Strand(a.front), t.Strand(&m.engine)
	for i := range m.spec.Controllers {
		a.taps.slices = append(a.taps.slices, t.Strand(a.of(i)))
	}
	for i := range m.spec.Controllers {
		a.taps.controllers = append(a.taps.controllers, t.Strand(a.of(i)))
	}
}

// of returns the engine of a controller.
func (a *apart) of(controller int) *sim.Engine {
	if !a.on {
		return a.engines[0]
	}
	return a.parts[controller].engine
}

// advance does the work of all cycles before until.
func (m *Machine) advance(until sim.Cycle) {
	a := &m.apart
	for now := m.engine.Now(); now < until; now = m.engine.Now() {
		end := until
		if m.period != nil {
			if now%TrainerPeriodCycles == 0 {
				m.period()
			}
			end = min(end, now+TrainerPeriodCycles-now%TrainerPeriodCycles)
		}
		end = min(end, m.memoryEnds())
		if m.beside.behind.on(m) {
			m.advanceBehind(end)
		} else if a.on {
			of := now % windowBlock
			end = min(end, now-of+min(windowBlock, (of/a.window+1)*a.window))
			m.partsBeside(end)
			m.catchUp(end)
			a.front.Advance(end)
		} else {
			m.engine.Advance(end)
		}
		m.job.Tap.Gather()
		m.cutMemory()
	}
}

// SetRecorder shows every block that moves to or from memory to r, which minds no order among controllers; nil ends it.
// period is called in each cycle that is a multiple of TrainerPeriodCycles, when all work before that cycle has been done.
func (m *Machine) SetRecorder(r memctrl.Recorder, period func()) {
	m.period, m.recorded = period, r != nil
	for _, c := range m.memory {
		c.SetRecorder(r)
	}
}

// catchUp does the work of the crossbar of replies before cycle end, and what it needs. A slice that is at work
// in that cycle calls it when its queue is full.
func (m *Machine) catchUp(end sim.Cycle) {
	a := &m.apart
	for m.engine.Now() < end {
		limit := end
		if a.full = a.full && anyFull(a.replies); a.full {
			limit = m.engine.Now() + 1
		}
		next := limit
		for i := range a.parts {
			if p := &a.parts[i]; p.engine.Now() < limit {
				next = min(next, m.advancePart(p, limit))
			}
		}
		m.engine.Advance(next)
		if a.full = a.full || m.engine.Ended(); a.full {
			a.front.Advance(m.engine.Now()) // an SM has to say in the next cycle that there is room
		}
	}
}

// advancePart does the work of a part before cycle end, or less if a queue is full, and returns how far it came.
func (m *Machine) advancePart(p *part, end sim.Cycle) sim.Cycle {
	if p.engine.Running() {
		return end
	}
	if p.full {
		p.full = false
		for i, l := range p.out {
			if l.Refused() {
				// The crossbar takes a packet in its present cycle at the earliest, or when it has sent the one before. It
				// has to say in the next cycle that there is room.
				p.full, end = true, min(end, max(m.engine.Now(), m.replies.FreeAt(p.slice+i))+1)
			}
		}
	}
	p.engine.Advance(end)
	p.full = p.full || p.engine.Ended()
	return p.engine.Now()
}

func anyFull(links []*sim.Link[mem.Packet]) bool {
	for _, l := range links {
		if l.Refused() {
			return true
		}
	}
	return false
}

// reset makes the engines look at every queue, after a state was loaded.
func (a *apart) reset() {
	a.full = true
	for i := range a.parts {
		a.parts[i].full = true
	}
}

// idle reports whether no component will ever tick again by itself.
func (m *Machine) idle() bool {
	for _, e := range m.apart.engines {
		if !e.Idle() {
			return false
		}
	}
	return true
}
