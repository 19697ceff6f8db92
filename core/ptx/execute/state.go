package execute

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/tape"
)

// State lists what changes in a warp of the launch, which belongs to c. Registers
// that are constants or whose value is in their shape are left out.
func (w *Warp) State(t *tape.Tape, l *ptx.Launch, c *CTA) {
	if t.Loading() {
		w.CTA, w.launch, w.fault = c, l, nil
	}
	tape.Value(t, &w.warpState)
	tape.Values(t, w.shapeFile)
	words := w.words()
	for i := w.kernel.FirstVariable; i < len(w.shapeFile); i++ {
		if w.shapeFile[i].form <= formBoth {
			tape.Values(t, words[i*ptx.MaxLanes:(i+1)*ptx.MaxLanes])
		}
	}
	tape.Values(t, w.predicates)
	tape.List(t, &w.stack)
	tape.List(t, &w.frames)
	tape.List(t, &w.saved)
}

// State lists what changes in a CTA.
func (c *CTA) State(t *tape.Tape) {
	tape.List(t, &c.Shared)
	tape.Value(t, &c.ID)
	tape.Value(t, &c.live)
	tape.Value(t, &c.barriers)
}
