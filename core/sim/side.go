package sim

import "math/bits"

// Side is a row of components that an engine may tick side by side: in a cycle, none of them looks at what another
// does in it, and the components before them have ticked.
type Side struct {
	Crew        *Crew
	First, Last ID
	// Tick is the tick of a component by a thread of the crew. It changes only what belongs to the component, the ends
	// of its links, and what belongs to the thread.
	Tick func(thread int, id ID, now Cycle) Cycle
	// Begin and End enclose the ticks of a cycle.
	Begin, End func()
	// Others are the engines whose components the ends of the links wake, beside the engine itself.
	Others []*Engine
}

// side is what an engine needs for a Side. A component that is woken by several of the row gets the earliest of
// their wakes when all have ticked. It would have got the same if they had ticked one after the other.
type side struct {
	Side
	inbox *inbox
	due   []ID    // of the row, in this cycle
	next  []Cycle // for each of due
	job   func(thread, i int)
}

// leastBeside is how many components must be due to tick side by side [ours].
const leastBeside = 2

// Spread makes the engine tick a row of components side by side. It is called after Seal.
func (e *Engine) Spread(s Side) {
	if e.few {
		return
	}
	e.side = &side{Side: s, inbox: newInbox(len(e.comp))}
	e.side.job = func(thread, i int) { e.side.next[i] = s.Tick(thread, e.side.due[i], e.now) }
	for _, o := range s.Others {
		o.side = &side{inbox: newInbox(len(o.comp))}
	}
}

// beside reports whether components of a row tick side by side, so that they must change nothing in the engine.
func (e *Engine) beside() bool { return spreads && e.row }

// tickBeside ticks the components of the row that are due, and those before it. What is left in e.run has its turn
// then.
func (e *Engine) tickBeside() {
	s := e.side
	if s.Crew == nil {
		return
	}
	s.due = s.due[:0]
	for w, x := range e.run {
		for ; x != 0; x &= x - 1 {
			if id := ID(w<<6 | bits.TrailingZeros64(x)); id >= s.First && id <= s.Last {
				s.due = append(s.due, id)
			}
		}
	}
	if len(s.due) < leastBeside || !s.Crew.Pays(len(s.due)) {
		return
	}
	for id := range s.First {
		if bit := uint64(1) << (id & 63); e.run[id>>6]&bit != 0 {
			e.run[id>>6] &^= bit
			e.tick(id)
		}
	}
	for _, id := range s.due {
		e.run[id>>6] &^= 1 << (id & 63)
		e.ticked[id] = e.now
	}
	for len(s.next) < len(s.due) {
		s.next = append(s.next, 0)
	}
	e.doBeside(len(s.due), s.job)
	e.ticks += uint64(len(s.due)) + s.inbox.counted()
	for i, id := range s.due {
		e.file(id, min(s.next[i], s.inbox.taken(id)))
	}
	e.wakeAsked()
	for _, o := range s.Others {
		o.wakeAsked()
	}
}

// Reaches says which other engines have components that the row of the engine's Side wakes from now on.
func (e *Engine) Reaches(others ...*Engine) { e.side.Others = others }

// Beside does jobs side by side between two calls of Advance. They may wake components of the engine and of the
// others of its Side, and change the ends of their links, as the ticks of the Side do.
func (e *Engine) Beside(n int, job func(thread, i int)) {
	e.doBeside(n, job)
	e.wakeAsked()
	for _, o := range e.side.Others {
		o.wakeAsked()
	}
}

func (e *Engine) doBeside(n int, job func(thread, i int)) {
	e.side.Begin()
	e.turn(true)
	e.side.Crew.Do(n, job)
	e.turn(false)
	e.side.End()
}

func (e *Engine) turn(on bool) {
	e.row = on
	for _, o := range e.side.Others {
		o.row = on
	}
}

// wakeAsked wakes the components for which the ticks of a row have asked.
func (e *Engine) wakeAsked() {
	for id := range e.comp {
		if at := e.side.inbox.taken(ID(id)); at != Never {
			e.Wake(ID(id), at)
		}
	}
}
