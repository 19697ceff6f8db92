package sim

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of the engine. The cycles of the next ticks are a hint:
// more ticks change nothing.
func (e *Engine) State(t *tape.Tape) { StateApart(t, e, e, 0) }

// StateApart lists the state of two engines that have come to the same cycle, the first with so many components. What
// it lists is the state of one engine, to which the components were added in this order.
func StateApart(t *tape.Tape, front, rest *Engine, components int) {
	tape.Value(t, &rest.now)
	t.Hint(func() {
		lists := [4][]Cycle{front.due, rest.due, front.ticked, rest.ticked}
		if front == rest {
			lists = [4][]Cycle{rest.due[:components], rest.due[components:], rest.ticked[:components], rest.ticked[components:]}
		}
		for _, list := range lists {
			tape.Values(t, list)
		}
		ticks := rest.ticks
		if front != rest {
			ticks += front.ticks
		}
		tape.Value(t, &ticks)
		if t.Loading() {
			front.now, front.ticks, rest.ticks = rest.now, 0, ticks
		}
	})
	if t.Loading() {
		front.refile()
		rest.refile()
	}
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
