package machine

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
)

// beside lets SMs that are due in a cycle tick side by side, each with all that it does ahead. In a tick an SM sees
// nothing of another: it changes its own state and its ends of links, and executes instructions on its own registers
// and its own shared memory. Global memory it reaches only by packets. So it makes no difference which thread ticks it,
// or when within the cycle. What SMs share otherwise are tools: places for lines in flight, and room to execute an
// instruction. Each thread has its own.
type beside struct {
	crew    *sim.Crew // nil: one thread
	why     string    // why not more, if more were asked for
	tools   []sm.Tools
	lines   []*mem.Pool[mem.Line]
	batches []*mem.Pool[arith.AtomicBatch]
}

// spread gives the machine its threads. It is called when all parts are wired.
func (m *Machine) spread(first sim.ID) {
	b := &m.beside
	if m.job.Threads < 2 {
		return
	}
	switch {
	case sim.MostThreads < 2:
		b.why = "a program in WebAssembly has one thread"
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
	b.crew = sim.NewCrew(min(m.job.Threads, sim.MostThreads, len(m.sms)))
	exec := m.sms[0].Tools().Exec
	for i := 1; i < b.crew.Threads(); i++ {
		own := new(execute.Env)
		*own = *exec
		t := sm.Tools{Exec: own, Arena: m.arena.Share(i), Atomics: m.atomics.Share(i)}
		b.tools, b.lines, b.batches = append(b.tools, t), append(b.lines, &t.Arena.Pool), append(b.batches, t.Atomics)
	}
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
			m.arena.Lend(b.lines)
			m.atomics.Lend(b.batches)
		},
		End: func() {
			m.arena.TakeBack(b.lines)
			m.atomics.TakeBack(b.batches)
		},
	}
	if m.apart.on {
		side.Others = append(side.Others, &m.engine)
	}
	m.apart.front.Spread(side)
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
