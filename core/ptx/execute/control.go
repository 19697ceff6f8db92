package execute

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

func (w *Warp) control(e *Env, in *ptx.Instr, mask uint32) Effect {
	switch in.Op {
	case ptx.ControlBranch:
		w.branch(in, mask)
		return EffectNone
	case ptx.ControlNothing, ptx.ControlBulkGroup:
		w.advance()
		return EffectNone
	case ptx.ControlTensorPick:
		return w.tensorPick(in)
	}
	if mask == 0 {
		w.advance()
		return EffectNone
	}
	if in.Flags&ptx.FlagMeets != 0 || in.Op == ptx.ControlBarrier && w.runsApart() {
		return w.controlTogether(e, in, mask)
	}
	switch in.Op {
	case ptx.ControlBranchIndexed:
		if !w.branchIndexed(in, mask) {
			return EffectFault
		}
	case ptx.ControlCall:
		return w.callLanes(in, mask)
	case ptx.ControlReturn:
		w.ret(mask)
	case ptx.ControlExit:
		w.exit(mask)
		if w.lanes == 0 && w.leavesRegisters() && !w.leavesGroup() {
			return EffectExit
		}
		if w.fault != nil {
			return EffectFault
		}
	case ptx.ControlRegisters:
		return w.setRegisters(in, mask)
	case ptx.ControlClusterArrive:
		return w.clusterArrive(mask)
	case ptx.ControlTrap:
		w.trap(in, bits.TrailingZeros32(mask)&31)
		return EffectFault
	case ptx.ControlPrint:
		if e.print != nil && !e.print(w, in, mask) {
			return EffectFault
		}
		w.advance()
	case ptx.ControlBarrier:
		return w.arrive(in, mask)
	case ptx.ControlFence:
		w.advance()
		return EffectFence
	}
	return EffectNone
}

// controlTogether executes bar.warp.sync, or a barrier while the warp runs apart, when the lanes have come that it
// waits for.
func (w *Warp) controlTogether(e *Env, in *ptx.Instr, mask uint32) Effect {
	var ok bool
	if in.Op == ptx.ControlBarrier {
		mask, ok = w.meetAtBarrier(in, mask)
	} else {
		mask, ok = w.meets(in, mask)
	}
	e.Lanes = bits.OnesCount32(mask)
	switch {
	case w.fault != nil:
		return EffectFault
	case !ok:
		return EffectNone
	case in.Op == ptx.ControlBarrier:
		return w.arrive(in, mask)
	}
	w.advance()
	return EffectNone
}

// callLanes calls a function, for one target at a time if the pointer differs.
func (w *Warp) callLanes(in *ptx.Instr, mask uint32) Effect {
	f := in.Call.Function
	if f < 0 {
		first := bits.TrailingZeros32(mask) & 31
		wide := in.Flags&ptx.FlagWideA != 0
		pointer := w.lane(in.A, wide, first)
		same := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if w.lane(in.A, wide, i) == pointer {
				same |= 1 << i
			}
		}
		if f = w.functionAt(in, pointer); f < 0 {
			w.faultAt(w.PC, first, "call through %#x, which is not the address of a function with these parameters",
				pointer)
			return EffectFault
		}
		if same != mask {
			// The others execute this call again; all meet after it.
			next := w.PC + 1
			if next != w.join {
				w.stack = append(w.stack, stackEntry{next, w.join, w.active})
			}
			w.stack = append(w.stack, stackEntry{w.PC, next, mask &^ same})
			w.active, w.join = same, next
			mask = same
		}
	}
	if !w.enter(in, f, mask) {
		return EffectFault
	}
	return EffectNone
}

// functionAt returns the function at a pointer, or -1 if its parameters are not
// those of the call.
func (w *Warp) functionAt(in *ptx.Instr, pointer uint64) int32 {
	for i := range w.kernel.Functions {
		f := &w.kernel.Functions[i]
		if f.Address == pointer && i > 0 && matches(in.Call.Args, f.Params) && matches(in.Call.Results, f.Results) {
			return int32(i)
		}
	}
	return -1
}

func matches(a, b []ptx.Transfer) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Words != b[i].Words || a[i].Predicate != b[i].Predicate {
			return false
		}
	}
	return true
}

// arrive notes the barrier instruction for CTA.Arrive.
func (w *Warp) arrive(in *ptx.Instr, mask uint32) Effect {
	first := bits.TrailingZeros32(mask) & 31
	id := w.u32(in.A)[first]
	if uint64(id) >= in.Imm {
		w.faultAt(w.PC, first, "barrier %d does not exist: a CTA has barriers 0 to %d", id, ptx.MaxBarriersPerCTA-1)
		return EffectFault
	}
	w.barrier, w.barrierKind, w.barrierPC = uint8(id), in.Target, w.PC
	w.barrierCount = 0
	if in.Flags&ptx.FlagHasE != 0 {
		n := w.u32(in.B)[first]
		if n == 0 || n%ptx.MaxLanes != 0 || n > ptx.MaxThreadsPerCTA {
			w.faultAt(w.PC, first, "a barrier cannot wait for %d threads: give a multiple of %d up to %d",
				n, ptx.MaxLanes, ptx.MaxThreadsPerCTA)
			return EffectFault
		}
		w.barrierCount = int(n / ptx.MaxLanes)
	}
	w.barrierLanes, w.barrierTrue = mask, 0
	if in.Target == ptx.BarrierClusterWait && !w.clusterWait(mask) {
		return EffectFault
	}
	if in.Target >= ptx.BarrierPopc {
		p := *w.predicate(in.C)
		if in.Flags&ptx.FlagNegateC != 0 {
			p = ^p
		}
		w.barrierTrue = p & mask
	}
	w.advance()
	return EffectBarrier
}

// faulted returns the effect of an instruction that has not been executed.
func (w *Warp) faulted() Effect {
	if w.fault != nil {
		return EffectFault
	}
	return EffectNone
}

// faultAt records a fault of one lane.
func (w *Warp) faultAt(pc int32, lane int, format string, args ...any) {
	w.fault = w.faultOf(pc, lane, fmt.Sprintf(format, args...))
}

func (w *Warp) faultOf(pc int32, lane int, message string) *Fault {
	in := &w.kernel.Code[pc]
	if in.Family == ptx.FamilyMemory && in.Op != ptx.MemoryAccess { // the lanes that move a block are not those of threads
		lane = int(w.bulkLane)
	}
	return &Fault{
		Kernel: w.kernel.Name, CTA: w.CTA.ID, Thread: w.launch.Thread(w.Index*ptx.MaxLanes + lane), Warp: w.Index,
		PC: pc, Line: int(in.Line), Column: int(in.Column), Message: message,
	}
}
