package execute

import (
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/tape"
)

// warpGroup is where the four warps of a warp group meet at wgmma.mma_async. The last one to come multiplies for all,
// so that no warp can overwrite a tile that another has not read.
type warpGroup struct {
	members [ptx.GroupWarps]*Warp // those that wait
	arrived int
}

// groupCounts number the groups of wgmma.mma_async of a warp.
type groupCounts struct {
	committed, finished uint32
	at                  int32 // instruction at which the warp waits for its warp group
	begun               bool  // an operation has not been committed
}

// groupHold says which group uses a register, and by which instruction.
type groupHold struct {
	group uint32
	at    int32
}

// groupArrive is wgmma.mma_async.
func (w *Warp) groupArrive(in *ptx.Instr) Effect {
	g := w.groupOf()
	if g == nil || !w.sameInLanes(in) {
		return EffectFault
	}
	at := w.PC
	g.members[w.Index%ptx.GroupWarps] = w
	g.arrived++
	if g.arrived == ptx.GroupWarps {
		for _, m := range g.members {
			if m != w && (m.groups.at != at || !w.sameAs(m, in)) {
				if w.fault == nil {
					w.faultAt(at, 0, "warp %d executes wgmma.mma_async in line %d: "+
						"the four warps of a warp group execute the same one",
						m.Index, m.kernel.Code[m.groups.at].Line)
				}
				return EffectFault
			}
		}
		if !w.groupMultiply(&g.members, in) {
			return EffectFault
		}
		for _, m := range g.members {
			m.inGroup = false
		}
		*g = warpGroup{}
	} else {
		w.inGroup, w.groups.at = true, at
	}
	w.holdRegisters(in, at)
	w.advance()
	return EffectGroup
}

const groupEnded = "warp %d of the warp group has ended: all four must execute wgmma.mma_async"

// groupOf returns the warp group of a warp; nil after a fault, if it has less than four warps.
func (w *Warp) groupOf() *warpGroup {
	c := w.CTA
	i := w.Index / ptx.GroupWarps
	if warps := w.launch.WarpsPerCTA(); (i+1)*ptx.GroupWarps > warps {
		w.faultAt(w.PC, 0, "warp %d is in no whole warp group: wgmma needs four warps from a multiple of four on, "+
			"and the CTA has %d", w.Index, warps)
		return nil
	}
	if gone := c.ended >> (i * ptx.GroupWarps) & (1<<ptx.GroupWarps - 1); gone != 0 {
		w.faultAt(w.PC, 0, groupEnded, i*ptx.GroupWarps+bits.TrailingZeros32(gone))
		return nil
	}
	if c.groups == nil {
		c.groups = make([]warpGroup, w.launch.WarpsPerCTA()/ptx.GroupWarps)
	}
	return &c.groups[i]
}

// leavesGroup makes it a fault that a warp ends while others of its warp group wait for it.
func (w *Warp) leavesGroup() bool {
	if w.CTA.groups == nil || w.Index/ptx.GroupWarps >= len(w.CTA.groups) {
		return false
	}
	for _, m := range w.CTA.groups[w.Index/ptx.GroupWarps].members {
		if m != nil {
			m.faultAt(m.groups.at, 0, groupEnded, w.Index)
			w.fault, m.fault = m.fault, nil
			return true
		}
	}
	return false
}

// groupOperand names an operand of wgmma.mma_async that is the same in all threads of a warp group.
type groupOperand struct {
	name   string
	offset uint32
}

// sharedOperands returns the descriptors, and how many there are.
func sharedOperands(in *ptx.Instr) (list [2]groupOperand, n int) {
	if in.Vector.Group.InRegisters {
		return [2]groupOperand{{"B", in.B}}, 1
	}
	return [2]groupOperand{{"B", in.B}, {"A", in.A}}, 2
}

const allAlike = "all threads of a warp group have the same"

// sameInLanes wants the descriptors and scale-d to be the same in all lanes.
func (w *Warp) sameInLanes(in *ptx.Instr) bool {
	list, n := sharedOperands(in)
	for _, o := range list[:n] {
		d := w.u64(o.offset)
		for i, v := range d {
			if v != d[0] {
				w.faultAt(w.PC, i, "the descriptor of %s is %#x, but %#x in lane 0: "+allAlike, o.name, v, d[0])
				return false
			}
		}
	}
	if p := *w.predicate(in.C); p != 0 && p != ptx.FullMask {
		w.faultAt(w.PC, bits.TrailingZeros32(p), "scale-d differs between the lanes")
		return false
	}
	return true
}

// sameAs wants another warp of the group to have the operands of w.
func (w *Warp) sameAs(m *Warp, in *ptx.Instr) bool {
	if m.groups.at != w.PC {
		return false
	}
	list, n := sharedOperands(in)
	for _, o := range list[:n] {
		if v, own := m.u64(o.offset)[0], w.u64(o.offset)[0]; v != own {
			w.faultAt(w.PC, 0, "the descriptor of %s is %#x, but %#x in warp %d: "+allAlike, o.name, own, v, m.Index)
			return false
		}
	}
	return true
}

// holdRegisters marks the registers of an operation as in use.
func (w *Warp) holdRegisters(in *ptx.Instr, at int32) {
	if w.held == nil {
		w.held = make([]groupHold, w.kernel.ScoreIDs)
	}
	h := groupHold{w.groups.committed + 1, at}
	for _, id := range in.Writes {
		w.held[id] = h
	}
	for _, id := range in.Vector.Held {
		w.held[id] = h
	}
	w.groups.begun, w.groupsOpen = true, true
}

func (w *Warp) commitGroup() {
	w.groups.committed++
	w.groups.begun = false
}

// HasGroupsOpen reports whether registers are in use by wgmma.mma_async: then any instruction may be a fault.
func (w *Warp) HasGroupsOpen() bool { return w.groupsOpen }

// GroupsCommitted returns how many wgmma.commit_group the warp has executed.
func (w *Warp) GroupsCommitted() uint32 { return w.groups.committed }

// waitGroups is wgmma.wait_group.
func (w *Warp) waitGroups(open uint32) {
	g := &w.groups
	if g.committed > open {
		g.finished = max(g.finished, g.committed-open)
	}
	w.groupsOpen = w.groupsOpen && (g.begun || g.finished < g.committed || w.checks != nil)
	if w.checks != nil {
		w.checks.finished = g.finished
	}
}

// mayExecute looks at an instruction while registers are in use by wgmma.mma_async, or with a sanitizer.
func (w *Warp) mayExecute(in *ptx.Instr, mask uint32) bool {
	return w.mayUse(in) && (w.checks == nil || w.checks.before(w, in, mask))
}

// mayUse reports whether no operand of an instruction is in use by wgmma.mma_async. Accumulators may belong to
// several operations. A copy of a register in use is in use too: compilers make such copies between operations, and the
// assembler removes them.
func (w *Warp) mayUse(in *ptx.Instr) bool {
	if in.Family == ptx.FamilyControl && (in.Op == ptx.ControlCall || in.Op == ptx.ControlReturn) {
		return true
	}
	if in.Family == ptx.FamilyWord && in.Op == ptx.WordMove && w.copiesHeld(in) {
		return true
	}
	for _, id := range in.Deps {
		h := w.held[id]
		if h.group <= w.groups.finished {
			continue
		}
		operation := w.kernel.Code[h.at].Vector
		isOperand := slices.Contains(operation.Held, id)
		isWritten := slices.Contains(in.Writes, id)
		if in.Family == ptx.FamilyMatrix && in.Op == ptx.MatrixGroup {
			if isOperand && !isWritten || !isOperand && isWritten && !slices.Contains(in.Vector.Held, id) {
				continue
			}
		}
		what := "an accumulator"
		if isOperand {
			what = "a part of A"
		}
		w.faultAt(w.PC, 0, "a register is %s of wgmma.mma_async in line %d, which may not have ended: "+
			"wait for it with wgmma.wait_group",
			what, w.kernel.Code[h.at].Line)
		return false
	}
	return true
}

// copiesHeld reports whether a move copies a register in use; then the copy is in use too.
func (w *Warp) copiesHeld(in *ptx.Instr) bool {
	for _, id := range in.Deps {
		if h := w.held[id]; h.group > w.groups.finished && !slices.Contains(in.Writes, id) {
			for _, to := range in.Writes {
				w.held[to] = h
			}
			return true
		}
	}
	return false
}

// groupState lists what wgmma leaves in a warp, whose warpState has been loaded.
func (w *Warp) groupState(t *tape.Tape) {
	if t.Loading() {
		clear(w.held)
		if w.lanes == 0 {
			w.CTA.ended |= 1 << w.Index
		}
		if w.inGroup {
			if g := w.groupOf(); g != nil {
				g.members[w.Index%ptx.GroupWarps] = w
				g.arrived++
			}
		}
	}
	if w.groupsOpen {
		if w.held == nil {
			w.held = make([]groupHold, w.kernel.ScoreIDs)
		}
		tape.Values(t, w.held)
	}
}
