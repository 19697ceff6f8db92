package noc

import "github.com/burstscope/burstscope/core/tape"

// State lists what changes in a crossbar between two ticks. What filed holds follows from it.
func (x *Crossbar) State(t *tape.Tape) {
	tape.Values(t, x.inFree)
	tape.Values(t, x.outFree)
	tape.Values(t, x.lastFrom)
	if x.virtual != nil {
		tape.Values(t, x.virtual.lastTo)
	}
	tape.Value(t, &x.Stats)
	if t.Loading() {
		x.refile()
	}
}
