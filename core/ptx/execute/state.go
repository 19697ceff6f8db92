package execute

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/tape"
)

// State lists what changes in a warp of the launch, which belongs to c and has been
// loaded after it. The lanes of registers that never change, or whose value is in their
// shape, are left out.
func (w *Warp) State(t *tape.Tape, l *ptx.Launch, c *CTA) {
	if t.Loading() {
		w.CTA, w.launch, w.fault = c, l, nil
	}
	tape.Value(t, &w.warpState)
	tape.Values(t, w.shapeFile)
	if t.Loading() {
		w.restoreFixed()
	}
	words := w.words()
	for i := w.kernel.FirstVariable; i < len(w.shapeFile); i++ {
		switch w.shapeFile[i].form() {
		case formLanes, formBoth:
			tape.Values(t, words[i*ptx.MaxLanes:(i+1)*ptx.MaxLanes])
		case formLong:
			i++ // the second slot of the same register
		}
	}
	tape.Values(t, w.predicateFile())
	tape.List(t, &w.stack)
	tape.List(t, &w.frames)
	tape.List(t, &w.saved)
	var extra [2]bool
	extra[0], extra[1] = w.runsApart(), w.look != nil && w.turns >= firstLook
	tape.Value(t, &extra)
	if t.Loading() {
		w.apart, w.look, w.work = nil, nil, nil
	}
	if extra[0] {
		if t.Loading() {
			w.apart = &apart{}
		}
		w.apart.state(t)
	}
	w.groupState(t)
	if extra[1] {
		if t.Loading() {
			w.look = &look{}
		}
		w.look.state(t)
	}
}

// restoreFixed writes the lanes of the special registers that never change their
// values, where the shapes just loaded say that they have lanes.
func (w *Warp) restoreFixed() {
	forms := make([]form, len(w.kernel.Fixed))
	for i, f := range w.kernel.Fixed {
		forms[i] = w.shape(f.Offset).form()
	}
	w.fixedRegisters(w.Index * ptx.MaxLanes)
	for i, f := range w.kernel.Fixed {
		if s := w.shape(f.Offset); forms[i] <= formBoth && s.form() == formWord {
			w.expand(f.Offset, s)
			s.setForm(forms[i])
		}
	}
}

// State lists what changes in a CTA.
func (c *CTA) State(t *tape.Tape) {
	tape.List(t, &c.Shared)
	tape.Value(t, &c.ID)
	tape.Value(t, &c.live)
	tape.Value(t, &c.barriers)
	tape.Value(t, &c.pool)
	own := c.solo.clusterBarrier
	if !t.Loading() {
		own = c.Cluster.clusterBarrier
	}
	tape.Value(t, &own)
	if t.Loading() {
		c.solo.clusterBarrier = own
		c.Cluster, c.Rank, c.clustered = &c.solo, 0, false // until Rejoin
	}
	if t.Loading() {
		c.used, c.met, c.ended, c.groups = 0, 0, 0, nil
		for i := range c.barriers {
			if c.barriers[i] != (barrierState{}) {
				c.used |= 1 << i
			}
			if c.barriers[i].arrived > 0 {
				c.met |= 1 << i
			}
		}
	}
}
