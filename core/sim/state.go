package sim

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of the engine. The cycles of the next ticks are a hint:
// more ticks change nothing.
func (e *Engine) State(t *tape.Tape) {
	tape.Value(t, &e.now)
	t.Hint(func() {
		tape.Values(t, e.due)
		tape.Values(t, e.slot)
		tape.Values(t, e.run)
		tape.Values(t, e.soon)
		tape.Value(t, &e.occ)
		tape.Value(t, &e.far)
		tape.Value(t, &e.ticks)
	})
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
		l.mark()
	}
}
