package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// stackEntry is a set of waiting lanes. They continue at pc and meet the others at
// join.
type stackEntry struct {
	pc, join int32
	mask     uint32
}

// callFrame is a call in progress. Its return entry is the stack entry below
// depth.
type callFrame struct {
	function  int32
	callPC    int32
	mask      uint32
	depth     int
	savedAt   int // of the registers of the outer activation; -1 without
	localBase uint32
}

// maxCallDepth bounds nested calls [ours]. On hardware the memory of the stack is the
// limit.
const maxCallDepth = 1024

// advance goes to the next instruction.
func (w *Warp) advance() {
	w.PC++
	if w.PC == w.join {
		w.pop()
	}
}

// Join is where the active lanes meet others, NoJoin if nowhere.
func (w *Warp) Join() int32 { return w.join }

// jump sends all active lanes to pc.
func (w *Warp) jump(pc int32) {
	w.PC = pc
	if pc == w.join {
		w.pop()
	}
}

// pop continues with the lanes that wait on top of the stack.
func (w *Warp) pop() {
	for {
		if n := len(w.frames); n > 0 && len(w.stack) == w.frames[n-1].depth {
			w.leaveFunction()
		}
		n := len(w.stack) - 1
		if n < 0 {
			w.pathEnds() // all its lanes have exited
			return
		}
		top := w.stack[n]
		w.stack = w.stack[:n]
		w.PC, w.join, w.active = top.pc, top.join, top.mask
		if w.apart != nil && n < len(w.apart.joins) && w.arriveAt(n) {
			return
		}
		if w.active != 0 && w.PC != w.join {
			return
		}
	}
}

// branch sends the lanes of taken to target and the other active ones on.
func (w *Warp) branch(in *ptx.Instr, taken uint32) {
	stay := w.active &^ taken
	switch {
	case stay == 0:
		if in.Flags&ptx.FlagTurns == 0 || w.active == w.lanes || !w.spins(in) {
			w.jump(in.Target)
			return
		}
		if w.jump(in.Target); w.active == taken {
			w.yield()
		}
		return
	case taken == 0:
		w.advance()
		return
	}
	next := w.PC + 1
	w.diverge(in.Join)
	switch {
	case in.Target == in.Join: // the lanes taken are there already
		w.active, w.PC = stay, next
	case next == in.Join:
		w.active, w.PC = taken, in.Target
	default:
		w.stack = append(w.stack, stackEntry{in.Target, in.Join, taken})
		w.active, w.PC = stay, next
	}
}

// diverge leaves an entry in which the active lanes meet again at join.
func (w *Warp) diverge(join int32) {
	if join != ptx.NoJoin && join != w.join {
		w.stack = append(w.stack, stackEntry{join, w.join, w.active})
	}
	w.join = join
}

// branchIndexed is brx.idx: lanes are grouped by target.
func (w *Warp) branchIndexed(in *ptx.Instr, mask uint32) bool {
	index := w.u32(in.A)
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		if k := index[i&31]; k >= uint32(len(in.Targets)) {
			w.faultAt(w.PC, i, "brx.idx: index %d of %d targets", k, len(in.Targets))
			return false
		}
	}
	groups := uint32(0)
	next := w.PC + 1
	all := w.active
	for left := mask; left != 0; {
		target := in.Targets[index[bits.TrailingZeros32(left)&31]]
		same := uint32(0)
		for m := left; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if in.Targets[index[i]] == target {
				same |= 1 << i
			}
		}
		left &^= same
		if same == all {
			spins := in.Flags&ptx.FlagTurns != 0 && target <= w.PC && all != w.lanes && w.spins(in)
			if w.jump(target); spins && w.active == all {
				w.yield()
			}
			return true
		}
		if groups == 0 {
			w.diverge(in.Join)
		}
		groups++
		if target != in.Join {
			w.stack = append(w.stack, stackEntry{target, in.Join, same})
		}
	}
	w.active, w.PC = all&^mask, next
	if w.active == 0 || w.PC == w.join {
		w.pop()
	}
	return true
}

// exit removes lanes from everything.
func (w *Warp) exit(mask uint32) {
	w.CTA.Cluster.exited(w, mask&w.lanes)
	w.lanes &^= mask
	w.active &^= mask
	for i := range w.stack {
		w.stack[i].mask &^= mask
	}
	if w.runsApart() {
		w.lanesLeft()
	}
	if w.active == 0 {
		w.pop()
	} else {
		w.advance()
	}
}

// ret ends the current function for the lanes of mask.
func (w *Warp) ret(mask uint32) {
	w.active &^= mask
	for i := w.frames[len(w.frames)-1].depth; i < len(w.stack); i++ {
		w.stack[i].mask &^= mask
	}
	if w.active == 0 {
		w.pop()
	} else {
		w.advance()
	}
}

// enter calls function f of the kernel for the lanes of mask.
func (w *Warp) enter(in *ptx.Instr, f int32, mask uint32) bool {
	k := w.kernel
	fn := &k.Functions[f]
	if len(w.frames) >= maxCallDepth {
		w.faultAt(w.PC, bits.TrailingZeros32(mask), "calls are nested more than %d deep", maxCallDepth)
		return false
	}
	frame := callFrame{function: f, callPC: w.PC, mask: mask, savedAt: -1, localBase: w.localBase}
	w.settleAll()
	w.gather(in.Call.Args, mask)
	if fn.Recursive {
		if w.localNext+k.FrameBytes > k.StackBytes {
			w.faultAt(w.PC, bits.TrailingZeros32(mask), "recursion needs more than %d bytes of local memory", k.StackBytes)
			return false
		}
		w.localBase = w.localNext
		w.localNext += k.FrameBytes
		for i := range w.frames {
			if w.frames[i].function == f {
				frame.savedAt = len(w.saved)
				w.save(fn)
				break
			}
		}
	}
	w.scatter(fn.Params, mask)
	w.stack = append(w.stack, stackEntry{w.PC + 1, w.join, w.active})
	frame.depth = len(w.stack)
	w.frames = append(w.frames, frame)
	w.active, w.join, w.PC = mask, ptx.NoJoin, fn.Entry
	return true
}

// leaveFunction ends the innermost call: results go to the caller.
func (w *Warp) leaveFunction() {
	n := len(w.frames) - 1
	frame := w.frames[n]
	w.frames = w.frames[:n]
	fn := &w.kernel.Functions[frame.function]
	mask := frame.mask & w.lanes
	w.settleAll()
	w.gather(fn.Results, mask)
	if fn.Recursive {
		w.localNext = w.localBase
		w.localBase = frame.localBase
	}
	if frame.savedAt >= 0 {
		w.restore(fn, frame.savedAt, mask)
		w.saved = w.saved[:frame.savedAt]
	}
	w.scatter(w.kernel.Code[frame.callPC].Call.Results, mask)
}

// save appends the registers of a function to the saved ones.
func (w *Warp) save(fn *ptx.Callee) {
	from := fn.Slot * ptx.MaxLanes
	w.saved = append(w.saved, w.words()[from:from+fn.Slots*ptx.MaxLanes]...)
	w.saved = append(w.saved, w.predicateFile()[fn.Predicate:fn.Predicate+fn.Predicates]...)
}

// restore brings them back for the lanes of mask.
func (w *Warp) restore(fn *ptx.Callee, at int, mask uint32) {
	saved := w.saved[at:]
	slot := fn.Slot
	words := w.words()
	// A pair of slots holds 64-bit lanes; which slots are pairs does not show
	// here, so lanes are restored by what they are: the compiler puts pairs first.
	for s := 0; s < fn.Slots; {
		row := saved[s*ptx.MaxLanes:]
		at := (slot + s) * ptx.MaxLanes
		if s < fn.LongSlots {
			for m := mask; m != 0; m &= m - 1 {
				i := bits.TrailingZeros32(m)
				words[at+2*i], words[at+2*i+1] = row[2*i], row[2*i+1]
			}
			s += 2
			continue
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m)
			words[at+i] = row[i]
		}
		s++
	}
	for p, v := range saved[fn.Slots*ptx.MaxLanes : fn.Slots*ptx.MaxLanes+fn.Predicates] {
		x := w.predicate(uint32(fn.Predicate + p))
		*x = *x&^mask | v&mask
	}
}

// gather collects arguments or results as rows of words, before any is written.
func (w *Warp) gather(list []ptx.Transfer, mask uint32) {
	w.rows = w.rows[:0]
	for _, t := range list {
		n := len(w.rows)
		for range t.Words {
			w.rows = append(w.rows, [ptx.MaxLanes]uint32{})
		}
		for k := range t.Words {
			row := &w.rows[n+k]
			if t.Predicate {
				for i := range row {
					row[i] = *w.predicate(t.Offset) >> i & 1
				}
				continue
			}
			if t.Long {
				q := w.u64(t.Offset)
				for m := mask; m != 0; m &= m - 1 {
					i := bits.TrailingZeros32(m) & 31
					row[i] = uint32(q[i] >> (32 * k))
				}
				continue
			}
			blend(row, w.u32(t.Offset+uint32(k)*ptx.SlotBytes), mask)
		}
	}
}

// scatter writes the rows to where the other side keeps them.
func (w *Warp) scatter(list []ptx.Transfer, mask uint32) {
	n := 0
	for _, t := range list {
		if n+t.Words > len(w.rows) {
			return
		}
		rows := w.rows[n : n+t.Words]
		n += t.Words
		if t.Predicate {
			p := w.predicate(t.Offset)
			for m := mask; m != 0; m &= m - 1 {
				i := bits.TrailingZeros32(m) & 31
				*p = *p&^(1<<i) | rows[0][i]<<i
			}
			continue
		}
		if !t.Long {
			for k := range rows {
				blend(w.u32(t.Offset+uint32(k)*ptx.SlotBytes), &rows[k], mask)
			}
			continue
		}
		q := w.u64(t.Offset)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			q[i] = uint64(rows[0][i]) | uint64(rows[1][i])<<32
		}
	}
}
