package mem

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of a pool. It includes the free values, because their
// order decides the next handle. Sums see only how many values are in use: their handles, and
// what a value holds beside the bytes that a message marks, depend on who worked ahead.
func (p *Pool[T]) State(t *tape.Tape) {
	t.Hint(func() {
		tape.List(t, &p.items)
		tape.List(t, &p.free)
	})
	tape.Value(t, &p.live)
}
