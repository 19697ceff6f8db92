package ptx

import (
	"fmt"
	"math/bits"
)

// Operations that steer the warp.
const (
	controlBranch op = iota
	controlBranchIndexed
	controlCall
	controlReturn
	controlExit
	controlTrap
	controlBarrier
	controlFence
	controlNothing
)

func (w *Warp) control(e *Env, in *Instr, mask uint32) Effect {
	switch in.op {
	case controlBranch:
		w.branch(in, mask)
		return EffectNone
	case controlNothing:
		w.advance()
		return EffectNone
	}
	if mask == 0 {
		w.advance()
		return EffectNone
	}
	switch in.op {
	case controlBranchIndexed:
		if !w.branchIndexed(in, mask) {
			return EffectFault
		}
	case controlCall:
		return w.callLanes(in, mask)
	case controlReturn:
		w.ret(mask)
	case controlExit:
		w.exit(mask)
		if w.lanes == 0 {
			return EffectExit
		}
	case controlTrap:
		message := "trap"
		if in.imm != 0 {
			message = "assertion failed"
		}
		w.faultAt(w.PC, bits.TrailingZeros32(mask), "%s", message)
		return EffectFault
	case controlBarrier:
		return w.arrive(in, mask)
	case controlFence:
		w.advance()
		return EffectFence
	}
	return EffectNone
}

// callLanes calls a function, for one target at a time if the pointer differs.
func (w *Warp) callLanes(in *Instr, mask uint32) Effect {
	f := in.call.function
	if f < 0 {
		first := bits.TrailingZeros32(mask) & 31
		wide := in.flags&flagWideA != 0
		pointer := w.lane(in.a, wide, first)
		same := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if w.lane(in.a, wide, i) == pointer {
				same |= 1 << i
			}
		}
		if f = w.functionAt(in, pointer); f < 0 {
			w.faultAt(w.PC, first, "call through %#x, which is no function with these parameters", pointer)
			return EffectFault
		}
		if same != mask {
			// The others execute this call again; all meet behind it.
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

// functionAt finds the function a pointer means; -1 if there is none that takes
// what the call passes.
func (w *Warp) functionAt(in *Instr, pointer uint64) int32 {
	for i := range w.kernel.functions {
		f := &w.kernel.functions[i]
		if f.address == pointer && i > 0 && matches(in.call.args, f.params) && matches(in.call.results, f.results) {
			return int32(i)
		}
	}
	return -1
}

func matches(a, b []transfer) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].words != b[i].words {
			return false
		}
	}
	return true
}

// arrive notes what the CTA has to know about a barrier instruction.
func (w *Warp) arrive(in *Instr, mask uint32) Effect {
	first := bits.TrailingZeros32(mask) & 31
	id := w.u32(in.a)[first]
	if uint64(id) >= in.imm {
		w.faultAt(w.PC, first, "barrier %d does not exist; a CTA has %d", id, MaxBarriersPerCTA)
		return EffectFault
	}
	w.barrier, w.barrierKind, w.barrierPC = uint8(id), in.target, w.PC
	w.barrierCount = 0
	if in.flags&flagHasE != 0 {
		n := w.u32(in.b)[first]
		if n == 0 || n%MaxLanes != 0 || n > MaxThreadsPerCTA {
			w.faultAt(w.PC, first, "barrier for %d threads: want a multiple of %d up to %d", n, MaxLanes, MaxThreadsPerCTA)
			return EffectFault
		}
		w.barrierCount = int(n / MaxLanes)
	}
	w.barrierLanes, w.barrierTrue = mask, 0
	if in.target >= barrierPopc {
		p := w.predicates[in.c]
		if in.flags&flagNegateC != 0 {
			p = ^p
		}
		w.barrierTrue = p & mask
	}
	w.advance()
	return EffectBarrier
}

// faultAt records a fault of one lane.
func (w *Warp) faultAt(pc int32, lane int, format string, args ...any) {
	w.fault = w.faultOf(pc, lane, fmt.Sprintf(format, args...))
}

func (w *Warp) faultOf(pc int32, lane int, message string) *Fault {
	in := &w.kernel.Code[pc]
	return &Fault{
		Kernel: w.kernel.Name, CTA: w.CTA.ID, Thread: w.launch.thread(w.Index*MaxLanes + lane), Warp: w.Index,
		PC: pc, Line: int(in.Line), Column: int(in.Column), Message: message,
	}
}
