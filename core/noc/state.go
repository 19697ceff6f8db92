package noc

import "github.com/burstscope/burstscope/core/tape"

// State lists what changes in a crossbar between two ticks. What refile makes follows from it.
func (x *Crossbar) State(t *tape.Tape) {
	for i := range x.in {
		tape.Value(t, &x.in[i].free)
	}
	for o := range x.out {
		tape.Value(t, &x.out[o].free)
		tape.Value(t, &x.out[o].lastFrom)
	}
	if q := x.queues; q != nil && q.depth > 1 {
		tape.Values(t, q.lastTo)
	}
	tape.Value(t, &x.Stats)
	if t.Loading() {
		x.refile()
	}
}
