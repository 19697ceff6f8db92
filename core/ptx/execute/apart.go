package execute

import (
	"slices"

	"github.com/burstscope/burstscope/core/tape"
)

// The lanes of a warp run in step: a stack says which wait, and for whom. From sm_70 on they must also make progress
// one by one (PTX ISA, "Independent Thread Scheduling"). A stack alone cannot do that: lanes that spin on its top
// wait for ever if what they wait for is written by lanes below them. A warp that spins so is taken apart: its stack
// becomes paths that run in turn, each with a stack of its own for its own lanes. Joins stay where they were: the
// lanes of a path that comes to one wait for the others that are still to come, and all go on as one path. A warp
// with one path left is in step again.

// apart is the state of a warp whose lanes do not run in step. The path that runs is in the warp itself.
type apart struct {
	paths []path // the others; the first of them that can run has the next turn
	// joins are the names of the joins that the running path shares with others: of its lowest stack entries.
	joins []uint32
	apartState
}

type apartState struct {
	names   uint32 // given to joins so far
	granted bool   // the running path may execute its .sync instruction or barrier
	// quiet is how many turns of paths have ended since lanes last came to a join, left a loop or exited.
	quiet int32
}

// path is a set of lanes that run on their own.
type path struct {
	pathState
	stack  []stackEntry
	frames []callFrame
	saved  []uint32
	joins  []uint32
}

type pathState struct {
	pc, join             int32
	active               uint32
	localBase, localNext uint32
	wait                 wait
	granted              bool
	behind               bool   // its instruction has been executed: the path continues after it
	what                 uint32 // the name of a join, a member mask, or a barrier
}

// wait is what a path waits for.
type wait uint8

const (
	waitNone    wait = iota
	waitJoin         // for the others of a join
	waitMembers      // at a .sync instruction
	waitBarrier      // for the other lanes of the warp, to arrive at a barrier together
)

// runsApart reports whether the warp has paths besides the running one.
func (w *Warp) runsApart() bool { return w.apart != nil && len(w.apart.paths) > 0 }

// takeApart makes paths of all that waits on the stack of the running path, which keeps the joins of its own lanes.
func (w *Warp) takeApart() *apart {
	if w.apart == nil {
		w.apart = &apart{}
	}
	a := w.apart
	for len(a.joins) < len(w.stack) {
		a.names++
		a.joins = append(a.joins, a.names)
	}
	if len(w.frames) > 0 {
		w.settleAll() // for leaveLanes
	}
	seen, frames := w.active, len(w.frames)
	localBase, localNext := w.localBase, w.localNext
	for i := len(w.stack) - 1; i >= 0; i-- {
		e := w.stack[i]
		own := e.mask &^ seen
		for frames > 0 && w.frames[frames-1].depth > i {
			frames--
			frame := &w.frames[frames]
			w.leaveLanes(frame, own&frame.mask)
			frame.mask &^= own
			if w.kernel.Functions[frame.function].Recursive {
				localNext, localBase = localBase, frame.localBase
			}
		}
		if own != 0 {
			p := w.pathOf(own, i, frames)
			p.pc, p.join, p.localBase, p.localNext = e.pc, e.join, localBase, localNext
			if e.mask&seen != 0 {
				p.wait, p.what = waitJoin, a.joins[i]
			}
			a.paths = append(a.paths, p)
		}
		seen |= e.mask
	}
	w.take(w.pathOf(w.active, len(w.stack), len(w.frames)))
	return a
}

// pathOf returns a path of some lanes of the running one: the joins of these lanes among the lowest entries of its
// stack, and its outer calls.
func (w *Warp) pathOf(lanes uint32, entries, frames int) path {
	p := path{saved: slices.Clone(w.saved)}
	p.pc, p.join, p.active, p.localBase, p.localNext = w.PC, w.join, lanes, w.localBase, w.localNext
	k := 0
	for i, e := range w.stack[:entries] {
		for ; k < frames && w.frames[k].depth <= i; k++ {
			p.enclose(w.frames[k], lanes)
		}
		if e.mask &= lanes; e.mask != 0 {
			p.stack = append(p.stack, e)
			p.joins = append(p.joins, w.apart.joins[i])
		}
	}
	for ; k < frames; k++ {
		p.enclose(w.frames[k], lanes)
	}
	return p
}

// enclose adds a call whose return entry is the last of the path's stack.
func (p *path) enclose(f callFrame, lanes uint32) {
	f.depth = len(p.stack)
	f.mask &= lanes
	p.frames = append(p.frames, f)
}

// take makes a path the running one.
func (w *Warp) take(p path) {
	w.PC, w.join, w.active, w.localBase, w.localNext = p.pc, p.join, p.active, p.localBase, p.localNext
	w.stack, w.frames, w.saved, w.apart.joins = p.stack, p.frames, p.saved, p.joins
	w.apart.granted = p.granted
	w.turns = 0
}

// goOn is take for a path that has waited: the path continues after its instruction or join.
func (w *Warp) goOn(p path) {
	w.take(p)
	switch {
	case p.behind:
		w.advance()
	case w.PC == w.join:
		w.pop()
	}
}

// park lets the running path wait after the others.
func (w *Warp) park(why wait, what uint32) {
	a := w.apart
	p := path{stack: w.stack, frames: w.frames, saved: w.saved, joins: a.joins}
	p.pc, p.join, p.active, p.localBase, p.localNext = w.PC, w.join, w.active, w.localBase, w.localNext
	p.wait, p.what = why, what
	a.paths = append(a.paths, p)
}

// remove takes path i out of the list.
func (a *apart) remove(i int) path {
	p := a.paths[i]
	a.paths = slices.Delete(a.paths, i, i+1)
	return p
}

// first returns the first path that waits so, -1 if there is none.
func (a *apart) first(why wait) int {
	return slices.IndexFunc(a.paths, func(p path) bool { return p.wait == why })
}

// absorb takes the lanes of a path that is at the same place into the running one.
func (w *Warp) absorb(p *path) {
	w.active |= p.active
	for i := range p.stack {
		w.stack[i].mask |= p.stack[i].mask
	}
	for i := range p.frames {
		w.frames[i].mask |= p.frames[i].mask
	}
	w.inStep()
}

// inStep notes that no joins are shared any more if the running path is the only one.
func (w *Warp) inStep() {
	if a := w.apart; len(a.paths) == 0 {
		a.joins, a.granted, a.quiet = a.joins[:0], false, 0
	}
}

// absorbWaiting takes in the lanes that wait at a join to which the running path has come.
func (w *Warp) absorbWaiting(join uint32) {
	a := w.apart
	for i := 0; i < len(a.paths); {
		if p := &a.paths[i]; p.wait != waitJoin || p.what != join {
			i++
			continue
		}
		p := a.remove(i)
		w.absorb(&p)
	}
}

// arriveAt is called when the running path has popped stack entry n, one that it shares. It reports whether the path
// waits for others, so that another one runs.
func (w *Warp) arriveAt(n int) bool {
	a := w.apart
	join := a.joins[n]
	a.joins, a.quiet = a.joins[:n], 0
	if slices.ContainsFunc(a.paths, func(p path) bool { return slices.Contains(p.joins, join) }) {
		if w.active == 0 {
			return false
		}
		w.park(waitJoin, join)
		w.nextPath()
		return true
	}
	w.absorbWaiting(join)
	return false
}

// nextPath runs the next path that can run. If none can, the first lanes that wait at a join go on without the others.
func (w *Warp) nextPath() {
	a := w.apart
	if i := a.first(waitNone); i >= 0 {
		p := a.remove(i)
		w.goOn(p)
		w.inStep()
		return
	}
	if i := a.first(waitJoin); i >= 0 {
		w.release(i)
		return
	}
	// Lanes of one warp at different barriers arrive one after the other, as the arms of a branch do in step.
	if i := a.first(waitBarrier); i >= 0 {
		p := a.remove(i)
		p.granted = true
		w.goOn(p)
		w.inStep()
		return
	}
	w.fault = w.membersMissing()
}

// release lets the lanes that wait at the join of path i go on without the others, which will not wait for them.
func (w *Warp) release(i int) {
	a := w.apart
	p := a.remove(i)
	a.quiet = 0
	w.take(p)
	w.absorbWaiting(p.what)
	w.inStep()
	if w.PC == w.join {
		w.pop()
	}
}

// yield ends the turn of the running path, which spins. Once all paths have had a turn in which nothing happened,
// lanes that wait at a join go on.
func (w *Warp) yield() {
	a := w.takeApart()
	if len(a.paths) == 0 {
		a.joins = a.joins[:0]
		return
	}
	w.turns = 0
	if a.quiet < 33 { // 32 lanes are 32 paths at most; so the state of a deadlock repeats
		a.quiet++
	}
	able := int32(0)
	for i := range a.paths {
		if a.paths[i].wait == waitNone {
			able++
		}
	}
	i := a.first(waitJoin)
	switch {
	case i >= 0 && a.quiet > able:
		w.park(waitNone, 0)
		w.release(i)
	case able > 0:
		w.park(waitNone, 0)
		w.nextPath()
	}
}

// pathEnds is called when all lanes of the running path have exited.
func (w *Warp) pathEnds() {
	if w.runsApart() {
		w.apart.quiet = 0
		w.nextPath()
	}
}

// state lists what changes while a warp runs apart.
func (a *apart) state(t *tape.Tape) {
	tape.Value(t, &a.apartState)
	tape.List(t, &a.joins)
	n := len(a.paths)
	tape.Value(t, &n)
	if t.Loading() {
		a.paths = make([]path, n)
	}
	for i := range a.paths {
		p := &a.paths[i]
		tape.Value(t, &p.pathState)
		tape.List(t, &p.stack)
		tape.List(t, &p.frames)
		tape.List(t, &p.saved)
		tape.List(t, &p.joins)
	}
}

// leaveLanes gives the results of a call to some of its lanes, which have returned before the others.
func (w *Warp) leaveLanes(frame *callFrame, lanes uint32) {
	if lanes == 0 {
		return
	}
	fn := &w.kernel.Functions[frame.function]
	w.gather(fn.Results, lanes)
	if frame.savedAt >= 0 {
		w.restore(fn, frame.savedAt, lanes)
	}
	w.scatter(w.kernel.Code[frame.callPC].Call.Results, lanes)
}
