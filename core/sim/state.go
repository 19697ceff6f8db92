package sim

import "github.com/burstscope/burstscope/core/tape"

// State lists what changes in the engine. When components look at their work is a
// hint: looking more often changes nothing.
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

// State lists what changes in a link: what is in it. Of places that are free only
// when they may be used again counts.
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
