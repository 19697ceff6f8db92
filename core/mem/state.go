package mem

import "github.com/burstscope/burstscope/core/tape"

// State lists what changes in a pool. Values that nobody owns are listed too: which
// handle comes next is part of the state.
func (p *Pool[T]) State(t *tape.Tape) {
	tape.List(t, &p.items)
	tape.List(t, &p.free)
	tape.Value(t, &p.live)
}
