package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// Past keeps states of a run. To return to a past cycle, it replays from the nearest state
// before that cycle, and the run is not affected. The amount of work decides when states
// are kept, so they are the same every time.
type Past struct {
	run          *Run
	limitBytes   int
	every        uint64 // work between two states
	bytesPerWork uint64
	next         uint64 // work at which the next state is due
	states       []past
	bytes        int

	again   Run // the run, replayed on a second machine
	tap     *probe.Tap
	watched sim.Cycle // since when it is watched without a break; Never if it is not watched
}

type past struct {
	state *machine.Saved
	bytes int // beyond those shared with the state before
}

// firstEvery is the work between two states as long as there is room: 60 thousand
// warp instructions and as many ticks take 60 to 70 ms in WebAssembly on two cores
// of a server (TestReachesAnyCycle in site/e2e reports the rate), so that both sides
// answer within 200 ms.
const firstEvery = 120_000

// bytesPerWork bounds the cost of keeping states. Keeping a byte takes a nanosecond, a
// zero byte a quarter of that, and a unit of work 250 nanoseconds natively, so the states
// of a large machine take a tenth of the time of its run [ours].
const bytesPerWork = 24

// NewPast keeps the past of a run that is about to simulate, in about limitBytes of
// memory. A replay reports at most tapEvents events at a time.
func NewPast(r *Run, limitBytes, tapEvents int) *Past {
	return &Past{run: r, limitBytes: limitBytes, every: firstEvery, bytesPerWork: bytesPerWork, tap: probe.NewTap(tapEvents), watched: sim.Never}
}

// Note keeps the current state of the run if one is due. Call it after every step of the
// run.
func (p *Past) Note() {
	m := p.run.machine
	if m == nil || m.Work() < p.next {
		return
	}
	var before *machine.Saved
	if n := len(p.states); n > 0 {
		before = p.states[n-1].state
	}
	s := m.Save(before)
	p.states = append(p.states, past{s, s.NewBytes(before)})
	p.bytes += p.states[len(p.states)-1].bytes
	all, used := s.Bytes()
	p.every = max(p.every, uint64(all/4+used)/p.bytesPerWork)
	p.next = m.Work() + p.every
	if p.bytes > p.limitBytes {
		p.thin()
		p.next = m.Work() + p.every
	}
}

// thin drops every second state, so that the rest are as far apart as future states. The
// last state stays, because the next state shares pages with it.
func (p *Past) thin() {
	if len(p.states) < 4 {
		return // the machine is so large that only the first states are kept
	}
	p.every *= 2
	last := len(p.states) - 1
	kept := p.states[:0]
	p.bytes = 0
	for i, s := range p.states {
		if i%2 != 0 && i != last {
			continue
		}
		var before *machine.Saved
		if n := len(kept); n > 0 {
			before = kept[n-1].state
		}
		s.bytes = s.state.NewBytes(before)
		p.bytes += s.bytes
		kept = append(kept, s)
	}
	clear(p.states[len(kept):])
	p.states = kept
}

// Limit gives the states another bound of memory. Those that do not fit are dropped.
func (p *Past) Limit(bytes int) {
	p.limitBytes = bytes
	for p.bytes > bytes && len(p.states) >= 4 {
		p.thin()
	}
}

// States and Bytes return the number of kept states and their approximate memory.
func (p *Past) States() int { return len(p.states) }
func (p *Past) Bytes() int  { return p.bytes }

// Every is the work between two states.
func (p *Past) Every() uint64 { return p.every }

// Reached returns the last cycle that can be sought: the current cycle of the run.
func (p *Past) Reached() sim.Cycle {
	if p.run.machine == nil {
		return 0
	}
	return p.run.machine.Now()
}

// Machine returns the machine of the replay, at the cycle sought last, or nil before the
// first seek. It is not the machine of the run.
func (p *Past) Machine() *machine.Machine { return p.again.machine }

// Result returns the result of the run up to the cycle sought last, as if the run had
// been cancelled there.
func (p *Past) Result() *Result { return p.again.Result() }

// Seek is a replay to a cycle, in progress.
type Seek struct {
	past     *Past
	from, to sim.Cycle
	opened   bool

	// Opening is the number of first events that describe the state.
	Opening int
	// Loaded is the cycle at which the replay began, and Work the work done since.
	Loaded sim.Cycle
	Work   uint64
	begun  uint64
}

// lead is the number of cycles that a replay is watched before its first event counts. An
// unwatched machine decides DRAM commands ahead of time, by fewer cycles than this [ours].
const lead = 2048

// Seek prepares to go to a past cycle of the run, with the events since the cycle from.
// Events that describe the state at from replace the earlier ones. fresh replays from the
// beginning of the run and ignores kept states. A new Seek ends an earlier one.
func (p *Past) Seek(from, to sim.Cycle, fresh bool) (*Seek, error) {
	if len(p.states) == 0 || to > p.Reached() {
		return nil, fmt.Errorf("cycle %d has not been reached yet", to)
	}
	from = min(from, to)
	s := &Seek{past: p, from: from, to: to}
	if p.again.machine == nil {
		twin, err := p.run.machine.Twin(p.tap)
		if err != nil {
			return nil, err
		}
		p.again = *p.run
		p.again.machine, p.again.cancelled, p.again.legality = twin, true, nil
		twin.Load(p.states[0].state)
	}
	m := p.again.machine
	start := from - min(from, lead)
	nearest := p.states[0].state
	for _, x := range p.states {
		if x.state.Cycle <= start && !fresh {
			nearest = x.state
		}
	}
	goesOn := m.Now() <= start || m.Now() <= from && p.watched <= start
	if fresh || !goesOn || m.Now() < nearest.Cycle {
		m.Load(nearest)
		p.watch(false)
	}
	s.Loaded, s.begun = m.Now(), m.Work()
	p.drop()
	return s, nil
}

func (p *Past) watch(on bool) {
	p.tap.Pause(!on)
	if !on {
		p.watched = sim.Never
	} else if p.watched == sim.Never {
		p.watched = p.again.machine.Now()
	}
}

func (p *Past) drop() { p.tap.Take(func([]probe.Event) {}) }

// Step replays about the given number of cycles and reports whether the cycle is reached.
// events, which may be nil, receives the events in the order of their reports.
func (s *Seek) Step(cycles uint64, events func([]probe.Event)) (done bool, err error) {
	p := s.past
	m := p.again.machine
	until := m.Now() + sim.Cycle(cycles)
	if start := s.from - min(s.from, lead); m.Now() < start {
		p.watch(false)
		until = min(until, start)
	} else {
		p.watch(true)
		if m.Now() < s.from {
			until = min(until, s.from)
		} else if !s.opened {
			s.opened = true
			m.Settle()
			p.drop()
			if events != nil {
				opening := m.Opening()
				s.Opening = len(opening)
				events(opening)
			}
		}
	}
	if err = m.Reach(min(until, s.to)); m.Now() == s.to {
		m.Settle() // report everything that belongs to cycles before to
	}
	if s.opened && events != nil {
		p.tap.Take(events)
	} else {
		p.drop()
	}
	s.Work = m.Work() - s.begun
	return err == nil && s.opened && m.Now() == s.to, err
}
