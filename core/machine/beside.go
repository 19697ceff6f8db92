package machine

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
)

// beside lets SMs that are due in a cycle tick side by side, each with all that it does ahead. In a tick an SM sees
// nothing of another: it changes its own state and its ends of links, and executes instructions on its own registers
// and its own shared memory. Global memory it reaches only by packets. So it makes no difference which thread ticks it,
// or when within the cycle. What SMs share otherwise are tools: places for lines in flight, and room to execute an
// instruction. Each thread has its own.
type beside struct {
	crew *sim.Crew // nil: one thread
	why  string    // why not more, if more were asked for
	bench
	// parts says that the parts of the machine work side by side too (see apart), and those is which do.
	parts  bool
	those  []*part
	before sim.Cycle // they work before this cycle
	job    func(thread, i int)
	behind behind
}

// spread gives the machine its threads. It is called when all parts are wired.
func (m *Machine) spread(first sim.ID) {
	b := &m.beside
	if m.job.Threads < 2 {
		return
	}
	if sim.MostThreads < 2 { // so the page's engine is without what follows
		b.why = "a program in WebAssembly has one thread"
		return
	}
	switch {
	case m.job.L1 != nil:
		b.why = "the SMs share what the scheme of the L1 knows"
	case m.job.Loads != nil:
		b.why = "the policy for loads looks at memory"
	case sm.Clustered(m.job.Launches):
		b.why = "CTAs of a cluster reach each other's shared memory at once"
	case len(m.sms) < leastSMs:
		b.why = "the GPU has few SMs"
	}
	if b.why != "" {
		return
	}
	b.crew = sim.NewCrew(min(m.job.Threads, sim.MostThreads, len(m.sms)), m.job.Alone)
	b.bench = m.benchOf(1, b.crew.Threads()-1)
	side := sim.Side{
		Crew: b.crew, First: first, Last: first + sim.ID(len(m.sms)-1),
		Tick: func(thread int, id sim.ID, now sim.Cycle) sim.Cycle {
			s := m.sms[id-first]
			if thread == 0 {
				return s.Tick(now)
			}
			return s.TickWith(&b.tools[thread-1], now)
		},
		Begin: func() {
			b.lend(m)
		},
		End: func() {
			b.takeBack(m)
		},
	}
	if m.apart.on {
		side.Others = m.apart.engines[:1]
	}
	m.apart.front.Spread(side)
	// A part changes lines of its own in the image, bytes beside the lines of others, if no page has to be made.
	b.parts = m.apart.on && m.job.Observer == nil && !keepsState(m.job.Scheme)
	b.job = func(thread, i int) { m.advanceFreely(thread, b.those[i]) }
	if b.parts && m.job.Tap == nil {
		m.trail()
	}
}

// bench is tools of several threads.
type bench struct {
	tools   []sm.Tools
	lines   []*mem.Pool[mem.Line]
	batches []*mem.Pool[arith.AtomicBatch]
}

// benchOf returns n tools with shares of the pools from number first on.
func (m *Machine) benchOf(first, n int) (b bench) {
	for i := range n {
		exec := *m.sms[0].Tools().Exec
		t := sm.Tools{Exec: &exec, Arena: m.arena.Share(first + i), Atomics: m.atomics.Share(first + i)}
		b.tools, b.lines, b.batches = append(b.tools, t), append(b.lines, &t.Arena.Pool), append(b.batches, t.Atomics)
	}
	return b
}

func (b *bench) lend(m *Machine) {
	m.arena.Lend(b.lines)
	m.atomics.Lend(b.batches)
}

func (b *bench) takeBack(m *Machine) {
	m.arena.TakeBack(b.lines)
	m.atomics.TakeBack(b.batches)
}

// start readies the threads for a call of Advance.
func (b *beside) start(image *mem.Image) {
	if sim.MostThreads > 1 && b.crew != nil {
		b.crew.Start()
		b.parts = b.parts && image.Own(func(n int, job func(i int)) { sim.Each(b.crew.Threads(), n, job) })
	}
}

// stop ends them.
func (b *beside) stop() {
	if sim.MostThreads > 1 && b.crew != nil {
		b.crew.Stop()
	}
}

// partsBeside lets the parts work before cycle end side by side, as far as it is certain that their queues have room.
// With one that is full, two engines continue by single packets (catchUp), which is left to one thread.
func (m *Machine) partsBeside(end sim.Cycle) {
	b, a := &m.beside, &m.apart
	if sim.MostThreads < 2 || !b.parts || a.full || m.recorded {
		return
	}
	b.those, b.before = b.those[:0], end
	for i := range a.parts {
		if p := &a.parts[i]; !p.full && p.engine.Now() < end {
			b.those = append(b.those, p)
		}
	}
	if len(b.those) > 1 && b.crew.Pays(len(b.those)) {
		a.front.Beside(len(b.those), b.job)
	}
}

// advanceFreely lets a part work on a thread. Its slices send no more packets than there is room for.
func (m *Machine) advanceFreely(thread int, p *part) {
	own := m.sms[0].Tools()
	if thread > 0 {
		m.equip(p, &m.beside.tools[thread-1])
		defer m.equip(p, &own)
	}
	for now := p.engine.Now(); now < m.beside.before; now = p.engine.Now() {
		room := linkDepth
		for _, l := range p.out {
			room = min(room, l.Free()-1) // a slice asks for the next place too
		}
		if room < p.sends {
			return
		}
		p.engine.Advance(min(m.beside.before, now+sim.Cycle(room/p.sends)))
	}
}

// keepsState reports whether a scheme is not the immutable one that it should be: a module of the user's has memory.
func keepsState(s codec.Scheme) bool {
	var of any = s
	if l, ok := s.(codec.Lossless); ok {
		of = l.Codec()
	}
	_, fails := of.(interface{ Err() error })
	return fails
}

// equip gives a part the tools of a thread.
func (m *Machine) equip(p *part, t *sm.Tools) {
	for i := range p.out {
		m.slices[p.slice+i].Use(t.Arena, t.Atomics)
	}
	m.memory[p.slice/m.spec.Channels].Use(t.Arena)
}

// leastSMs is from how many SMs on threads are worth their cost [ours, measured: core/BENCHMARKS.md].
const leastSMs = 8

// Threads returns on how many threads the machine runs, and why on no more if more were asked for.
func (m *Machine) Threads() (n int, why string) {
	if m.beside.crew == nil {
		return 1, m.beside.why
	}
	return m.beside.crew.Threads(), ""
}

// equipAll gives all parts the tools of a thread.
func (m *Machine) equipAll(t *sm.Tools) {
	for i := range m.apart.parts {
		m.equip(&m.apart.parts[i], t)
	}
}
