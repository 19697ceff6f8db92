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
		tape.Value(t, &e.occ)
		tape.Value(t, &e.ticks)
	})
}

// State lists the items in a link and, for each free slot, only the cycle from which it
// may be used again.
func (l *Link[T]) State(t *tape.Tape) {
	tape.Value(t, &l.head)
	tape.Value(t, &l.tail)
	tape.Value(t, &l.stalled)
	mask := uint32(len(l.item) - 1)
	for i := l.head; i != l.tail; i++ {
		tape.Value(t, &l.item[i&mask])
		tape.Value(t, &l.ready[i&mask])
	}
	t.Hint(func() { tape.Values(t, l.freed) })
}
