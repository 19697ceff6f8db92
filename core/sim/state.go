package sim

import "github.com/burstscope/burstscope/core/tape"

// Placed is a component and its engine.
type Placed struct {
	Engine *Engine
	ID     ID
}

// State lists the changing state of engines that have come to the same cycle; the places name their components. It lists
// the same for one engine as for several that share its components. The cycles of the next ticks are a hint:
// more ticks change nothing.
func State(t *tape.Tape, engines []*Engine, places []Placed) {
	first := engines[0]
	tape.Value(t, &first.now)
	t.Hint(func() {
		due, ticked, ticks := make([]Cycle, len(places)), make([]Cycle, len(places)), uint64(0)
		for i, p := range places {
			due[i], ticked[i] = p.Engine.due[p.ID], p.Engine.ticked[p.ID]
		}
		for _, e := range engines {
			ticks += e.ticks
		}
		tape.Values(t, due)
		tape.Values(t, ticked)
		tape.Value(t, &ticks)
		if !t.Loading() {
			return
		}
		for i, p := range places {
			p.Engine.due[p.ID], p.Engine.ticked[p.ID] = due[i], ticked[i]
		}
		for _, e := range engines {
			e.now, e.ticks = first.now, 0
			e.refile()
		}
		first.ticks = ticks
	})
}

// State lists the changing state of an engine alone.
func (e *Engine) State(t *tape.Tape) {
	var places []Placed
	for id := range e.comp {
		places = append(places, Placed{e, ID(id)})
	}
	State(t, []*Engine{e}, places)
}

// refile makes anew what follows from the cycles in which components are due.
func (e *Engine) refile() {
	for w := range e.slot {
		e.slot[w], e.run[w], e.soon[w] = [horizon]uint64{}, 0, 0
	}
	e.occ, e.far = [horizon / 64]uint64{}, [horizon / 64]uint64{}
	for id, at := range e.due {
		if at >= e.now && at != Never {
			e.park(ID(id), at)
		}
	}
}

// State lists the items in a link and, for each free slot, only the cycle from which it
// may be used again.
func (l *Link[T]) State(t *tape.Tape) {
	tape.Value(t, &l.head)
	tape.Value(t, &l.tail)
	tape.Value(t, &l.stalled)
	t.Hint(func() {
		size := len(l.place)
		if tape.Value(t, &size); size != len(l.place) {
			l.place = make([]place[T], size)
			l.remember()
		}
	})
	mask := uint32(len(l.place) - 1)
	for i := l.head; i != l.tail; i++ {
		tape.Value(t, &l.place[i&mask].item)
		tape.Value(t, &l.place[i&mask].ready)
	}
	t.Hint(func() {
		tape.Value(t, &l.freed)
		for i := range l.place {
			tape.Value(t, &l.place[i].freed)
		}
	})
	if t.Loading() {
		l.first = l.ReadyAt(0)
		l.past = l.head - min(l.head, mask)
		l.mark()
	}
}
