package mem

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of a pool. It includes the free values, because their
// order decides the next handle. Sums see only how many values are in use: their handles, and
// what a value holds beside the bytes that a message marks, depend on who worked ahead.
func (p *Pool[T]) State(t *tape.Tape) {
	t.Hint(func() {
		for i := range p.rooms {
			p.rooms[i].state(t, p.shift)
		}
		tape.List(t, &p.free)
	})
	tape.Value(t, &p.live)
}

func (r *room[T]) state(t *tape.Tape, shift uint8) {
	used := r.used
	if tape.Value(t, &used); t.Loading() {
		r.reach(shift, used)
	}
	for k, left := 0, int(used); left > 0; k++ {
		piece := r.pieces[k]
		piece = piece[:min(left, len(piece))]
		tape.Values(t, piece)
		left -= len(piece)
	}
}
