package mem

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of a pool. It includes the free values, because their
// order decides the next handle.
func (p *Pool[T]) State(t *tape.Tape) {
	tape.List(t, &p.items)
	tape.List(t, &p.free)
	tape.Value(t, &p.live)
}
