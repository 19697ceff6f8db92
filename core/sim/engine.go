package sim

import "math/bits"

// ID names a component inside one engine.
type ID uint32

// Clocked is a component that the engine ticks. Tick does the component's work
// of cycle now and returns the cycle of its next work (Never to sleep until woken). A wake is only
// a hint: Tick must find its work from its own state, and must change nothing if there
// is none.
type Clocked interface {
	Tick(now Cycle) (next Cycle)
}

// horizon is the number of slots of the wheel. Later wakes wait in the last slot and are
// filed again when it comes round. The occupancy of 1024 slots is 16 words, so finding
// the next busy cycle takes a few shifts.
const horizon = 1024

// Engine runs components in (cycle, ID) order. Components talk through links
// with a latency of at least one cycle, so the order in which components were added
// does not change results.
//
// The zero value is ready for Add.
type Engine struct {
	comp  []Clocked
	until Cycle // bound of the present Advance
	runs  bool  // in an Advance
	ended bool  // before its bound
	few   bool  // components: it looks at all of them, and has no wheel
	next  Cycle // without a wheel, when a component is due after the present cycle

	side *side // nil: all components tick one after the other
	row  bool  // a row ticks side by side

	// ticked is the cycle of each component's last tick, for links from an engine that is behind.
	ticked []Cycle
	state
}

type state struct {
	now   Cycle
	due   []Cycle              // per component: when it is due; in the past if it is asleep
	slot  [][horizon]uint64    // for each 64 components: bitmaps of those that are due
	far   [horizon / 64]uint64 // slots that also have components which are due later, or were
	run   []uint64             // components due in the current cycle
	soon  []uint64             // components that have asked for the next one, and are not in slot for it
	occ   [horizon / 64]uint64
	ticks uint64 // component ticks executed, for benchmarks
}

// Add registers a component and returns its ID. All components are added before
// Seal.
func (e *Engine) Add(c Clocked) ID {
	e.comp = append(e.comp, c)
	e.due = append(e.due, Never)
	e.ticked = append(e.ticked, 0)
	return ID(len(e.comp) - 1)
}

// fewComponents are found faster one by one than in a wheel [ours].
const fewComponents = 8

// Seal allocates the wheel. Every component gets a first tick at cycle 0.
func (e *Engine) Seal() {
	if e.few = len(e.comp) <= fewComponents; e.few {
		clear(e.due)
		return
	}
	words := (len(e.comp) + 63) / 64
	e.slot = make([][horizon]uint64, words)
	e.run = make([]uint64, words)
	e.soon = make([]uint64, words)
	for i := range e.comp {
		e.due[i] = 0
		e.mark(ID(i), 0)
	}
}

// Now returns the current cycle.
func (e *Engine) Now() Cycle { return e.now }

// Until returns the bound of the present Advance: no work of that cycle or a later one may be
// done yet.
func (e *Engine) Until() Cycle { return e.until }

// Ticks returns how many component ticks have run.
func (e *Engine) Ticks() uint64 { return e.ticks }

// Count counts ticks that a component has run by itself, ahead of the engine. It takes back those
// in which there was nothing to do.
func (e *Engine) Count(ticks int) {
	if e.beside() {
		e.side.inbox.count(ticks)
		return
	}
	e.ticks += uint64(ticks)
}

func (e *Engine) mark(id ID, at Cycle) {
	s := at % horizon
	e.slot[id>>6][s] |= 1 << (id & 63)
	e.occ[s>>6] |= 1 << (s & 63)
}

// Wake asks for a tick of component id at cycle at, which lies in the future; between two calls of Advance it
// may be the present one, whose work has not begun. A wake that was asked for at an earlier cycle stays.
func (e *Engine) Wake(id ID, at Cycle) {
	if e.beside() {
		e.side.inbox.ask(id, at)
		return
	}
	if at < e.now || at == e.now && e.runs {
		panic("sim: wake in the past")
	}
	if d := e.due[id]; d > e.now || d == e.now && !e.runs {
		if at >= d {
			return
		}
		e.unmark(id, d)
	}
	e.due[id] = at
	e.park(id, at)
}

// wakes reports whether Wake would change something.
func (e *Engine) wakes(id ID, at Cycle) bool {
	d := e.due[id]
	return at < d || d <= e.now
}

func (e *Engine) park(id ID, at Cycle) {
	if e.few {
		e.next = min(e.next, at)
		return
	}
	if at-e.now >= horizon {
		at = e.now + horizon - 1
		s := at % horizon
		e.far[s>>6] |= 1 << (s & 63)
	}
	e.mark(id, at)
}

// unmark takes a component out of the slot of a cycle that was to come. It stays in one in which it was parked.
func (e *Engine) unmark(id ID, at Cycle) {
	if !e.few && at-e.now < horizon {
		e.slot[id>>6][at%horizon] &^= 1 << (id & 63)
	}
}

// Advance runs every tick strictly before until. It may be called with any
// sequence of rising bounds; the slicing of a run does not change its results.
func (e *Engine) Advance(until Cycle) {
	e.until, e.runs, e.ended = until, true, false
	if e.few {
		e.advanceFew()
	}
	for e.now < e.until {
		e.collect()
		if spreads && e.side != nil {
			e.tickBeside()
		}
		e.tickDue()
		e.now = min(e.nextOccupied(), e.until)
	}
	e.runs = false
}

// tickDue ticks the components of e.run.
func (e *Engine) tickDue() {
	for w, x := range e.run {
		for ; x != 0; x &= x - 1 {
			e.tick(ID(w<<6 | bits.TrailingZeros64(x)))
		}
	}
}

func (e *Engine) tick(id ID) {
	e.ticks++
	e.ticked[id] = e.now
	e.file(id, e.comp[id].Tick(e.now))
}

// file notes when a component that has ticked is due again by itself.
func (e *Engine) file(id ID, at Cycle) {
	if d := e.due[id]; d > e.now {
		if at >= d {
			return
		}
		e.unmark(id, d)
	} else if at == Never {
		return
	}
	e.due[id] = at
	switch {
	case at == e.now+1:
		e.soon[id>>6] |= 1 << (id & 63)
	case at > e.now:
		e.park(id, at)
	default:
		panic("sim: wake in the past")
	}
}

// advanceFew is Advance without a wheel. The components that tick in a cycle are known before any of them ticks.
func (e *Engine) advanceFew() {
	n := len(e.comp)
	comp, due, ticked := e.comp, e.due[:n], e.ticked[:n]
	for e.now < e.until {
		now, run, next := e.now, uint32(0), Never
		for id, d := range due {
			if d == now {
				run |= 1 << id
			} else if d > now {
				next = min(next, d)
			}
		}
		e.next = next
		for ; run != 0; run &= run - 1 {
			id := bits.TrailingZeros32(run)
			e.ticks++
			ticked[id] = now
			t := comp[id].Tick(now)
			switch d := due[id]; {
			case d > now && t >= d, t == Never:
			case t > now:
				due[id] = t
				e.next = min(e.next, t)
			default:
				panic("sim: wake in the past")
			}
		}
		e.now = min(e.next, e.until)
	}
}

// end ends the present Advance with the present cycle.
func (e *Engine) end() { e.until, e.ended = e.now+1, true }

// Bound ends the present Advance before a cycle that is to come, if it would continue. No component may have worked
// beyond it.
func (e *Engine) Bound(at Cycle) { e.until = min(e.until, at) }

// Running reports whether the engine is in an Advance.
func (e *Engine) Running() bool { return e.runs }

// Ended reports whether the last Advance ended before its bound because an item was refused by a link
// whose consumer is behind.
func (e *Engine) Ended() bool { return e.ended }

// Idle reports whether no component will ever tick again by itself.
func (e *Engine) Idle() bool { return e.nextDue() == Never }

func (e *Engine) nextDue() Cycle {
	m := Never
	for _, d := range e.due {
		if d >= e.now {
			m = min(m, d)
		}
	}
	return m
}

// collect gathers the components that tick now before any of them ticks. Otherwise a wake
// asked for in this cycle would be lost if its target had not ticked yet.
func (e *Engine) collect() {
	s := e.now % horizon
	e.occ[s>>6] &^= 1 << (s & 63)
	if e.far[s>>6]>>(s&63)&1 != 0 {
		e.far[s>>6] &^= 1 << (s & 63)
		e.sift(s)
	}
	for w := range e.slot {
		e.run[w] = e.slot[w][s] | e.soon[w]
		e.slot[w][s], e.soon[w] = 0, 0
	}
}

// sift takes the components that are not due now out of the present slot, and files those that will be.
func (e *Engine) sift(s Cycle) {
	for w := range e.slot {
		for x := e.slot[w][s]; x != 0; x &= x - 1 {
			id := ID(w<<6 | bits.TrailingZeros64(x))
			d := e.due[id]
			if d != e.now {
				e.slot[w][s] &^= x & -x
			}
			if d > e.now {
				e.park(id, d)
			}
		}
	}
}

// nextOccupied returns the first cycle after now in which a component may be due, Never if there is none.
func (e *Engine) nextOccupied() Cycle {
	for _, x := range e.soon {
		if x != 0 {
			return e.now + 1
		}
	}
	s := (e.now + 1) % horizon
	w := s >> 6
	x := e.occ[w] &^ (1<<(s&63) - 1)
	for k := 0; x == 0; k++ {
		if k > len(e.occ) {
			return Never
		}
		w = (w + 1) % Cycle(len(e.occ))
		x = e.occ[w]
	}
	n := w<<6 | Cycle(bits.TrailingZeros64(x))
	return e.now + 1 + (n-s+horizon)%horizon
}
