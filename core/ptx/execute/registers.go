package execute

import (
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// registerPool is what setmaxnreg moves between the warps of a CTA (PTX ISA, setmaxnreg: the per-CTA maximum register
// pool). Registers are virtual here, so a warp that has too few computes as before; but it waits as on a GPU.
type registerPool struct {
	begun bool
	free  int32 // registers of a thread, for each warp
	// By warp: what it has, what it waits for, and how often it has executed setmaxnreg.
	has, wants [ptx.MaxWarpsPerCTA]int32
	times      [ptx.MaxWarpsPerCTA]uint32
}

// begin gives each warp its registers.
func (p *registerPool) begin(l *ptx.Launch) {
	start, pool := l.RegistersAtStart()
	n := l.WarpsPerCTA()
	for i := range n {
		p.has[i] = int32(start)
	}
	p.begun, p.free = true, int32(pool-n*start)
}

// setRegisters is setmaxnreg.
func (w *Warp) setRegisters(in *ptx.Instr, mask uint32) Effect {
	if w.runsApart() {
		var ok bool
		if mask, ok = w.meet(waitMembers, ptx.FullMask, w.lanes, mask); !ok {
			return w.faulted()
		}
	}
	fault := func(format string, args ...any) Effect {
		w.faultAt(w.PC, bits.TrailingZeros32(mask), format, args...)
		return EffectFault
	}
	if mask != ptx.FullMask {
		return fault("%d threads of the warp execute setmaxnreg, but all 32 must", bits.OnesCount32(mask))
	}
	p, i, n := &w.CTA.pool, w.Index, int32(in.Imm)
	if !p.begun {
		p.begin(w.launch)
	}
	first := i / ptx.GroupWarps * ptx.GroupWarps
	for k := first; k < min(first+ptx.GroupWarps, w.launch.WarpsPerCTA()); k++ {
		if p.times[k] < p.times[i] || p.wants[k] != 0 && p.times[k] == p.times[i] {
			return fault("warp %d of the warp group has not executed the setmaxnreg before this one: all four execute "+
				"each, and meet at a barrier in between", k)
		}
		got := p.has[k]
		if p.wants[k] != 0 {
			got = p.wants[k]
		}
		if p.times[k] > p.times[i] && got != n {
			return fault("setmaxnreg to %d registers, but warp %d of the warp group executes it with %d: all four execute "+
				"the same", n, k, got)
		}
	}
	known := w.kernel.MaxRegisters > 0 || p.times[i] > 0
	switch more := in.Target == ptx.BarrierRegistersMore; {
	case more && known && n < p.has[i]:
		return fault("setmaxnreg.inc to %d registers, but a thread has %d already", n, p.has[i])
	case !more && known && n > p.has[i]:
		return fault("setmaxnreg.dec to %d registers, but a thread has only %d", n, p.has[i])
	}
	p.times[i]++
	w.barrierKind, w.barrierPC, w.barrierLanes, w.barrier = in.Target, w.PC, mask, 0
	if p.wants[i] = n; n == p.has[i] {
		p.wants[i] = 0
	}
	w.advance()
	return EffectBarrier
}

// grant takes back the registers that warps give up, and gives others to the warps that wait for them, in their order.
// It reports whether one got its own.
func (p *registerPool) grant() (some bool) {
	for _, gives := range [...]bool{true, false} {
		for i := range p.wants {
			if n := p.wants[i]; n != 0 && n < p.has[i] == gives && n-p.has[i] <= p.free {
				p.free -= n - p.has[i]
				p.has[i], p.wants[i] = n, 0
				some = true
			}
		}
	}
	return some
}

// MovesRegisters reports whether the barrier at which the warp arrived last is setmaxnreg.
func (w *Warp) MovesRegisters() bool { return w.barrierKind <= ptx.BarrierRegistersMore }

// registersText says what a warp waits for.
func (w *Warp) registersText() string {
	p := &w.CTA.pool
	return fmt.Sprintf("setmaxnreg for %d registers a thread: it has %d, and the CTA has %d left",
		p.wants[w.Index], p.has[w.Index], p.free)
}

// leavesRegisters makes it a fault that a warp group ends of which not all warps have executed the same setmaxnreg.
func (w *Warp) leavesRegisters() bool {
	p, i := &w.CTA.pool, w.Index
	if !p.begun {
		return true
	}
	first := i / ptx.GroupWarps * ptx.GroupWarps
	for k := first; k < min(first+ptx.GroupWarps, w.launch.WarpsPerCTA()); k++ {
		if w.CTA.ended>>k&1 != 0 && p.times[k] != p.times[i] {
			w.faultAt(w.PC, 0, "the warp has executed setmaxnreg %d times, and warp %d of its warp group %d times: all four "+
				"execute each", p.times[i], k, p.times[k])
			return false
		}
	}
	return true
}
