package execute

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
)

// From sm_70 on, a .sync instruction waits until all lanes of its member mask that have not exited execute one with
// the same mask (PTX ISA, "bar.warp.sync", "shfl.sync", "vote.sync" ...). Lanes at the same instruction execute it
// together. While a warp runs apart, a barrier of the CTA likewise waits for all lanes of the warp, because warps are
// counted.

// members returns the member mask of a .sync instruction.
func (w *Warp) members(in *ptx.Instr, mask uint32) uint32 {
	return w.u32(memberMask(in))[bits.TrailingZeros32(mask)&31]
}

// memberMask returns where the member mask of a .sync instruction stands.
func memberMask(in *ptx.Instr) uint32 {
	switch {
	case in.Family == ptx.FamilyControl:
		return in.A
	case in.Op <= ptx.WarpShuffleIndex:
		return in.Vector.Regs[0]
	}
	return in.B
}

// meets reports whether a .sync instruction can be executed, and by which lanes. If not, its lanes wait, and another
// path runs.
func (w *Warp) meets(in *ptx.Instr, mask uint32) (together uint32, ok bool) {
	members := w.members(in, mask)
	if members&w.lanes&^mask == 0 && !(w.runsApart() && w.apart.granted) {
		return mask, true
	}
	return w.meet(waitMembers, members, members, mask)
}

// meet lets lanes wait for all of members at instructions of the same kind and operand.
func (w *Warp) meet(why wait, what, members, mask uint32) (together uint32, ok bool) {
	if !w.runsApart() || !w.apart.granted {
		if w.apart == nil || !w.apart.complete(why, what, members&w.lanes&^mask) {
			w.hold(why, what, mask)
			return 0, false
		}
		w.apart.grant(why, what)
	}
	a := w.apart
	a.granted = false
	for i := 0; i < len(a.paths); i++ {
		p := &a.paths[i]
		if !p.granted || p.pc != w.PC || p.what != what {
			continue
		}
		mask |= p.active
		p.granted = false
		if w.sameContext(p) {
			p := a.remove(i)
			i--
			w.absorb(&p)
		} else {
			p.behind = true
		}
	}
	return mask, true
}

// complete reports whether the paths that wait so have all of the lanes.
func (a *apart) complete(why wait, what, lanes uint32) bool {
	for i := range a.paths {
		if p := &a.paths[i]; p.wait == why && p.what == what {
			lanes &^= p.active
		}
	}
	return lanes == 0
}

// grant lets the paths that wait so go on.
func (a *apart) grant(why wait, what uint32) {
	a.quiet = 0
	for i := range a.paths {
		if p := &a.paths[i]; p.wait == why && p.what == what {
			p.wait, p.granted = waitNone, true
		}
	}
}

// hold lets lanes of the running path wait at its instruction. The others, whose guard is false, go on.
func (w *Warp) hold(why wait, what, mask uint32) {
	a := w.takeApart()
	rest := w.active &^ mask
	if rest == 0 {
		w.park(why, what)
		w.nextPath()
		return
	}
	p := w.pathOf(mask, len(w.stack), len(w.frames))
	p.wait, p.what = why, what
	a.paths = append(a.paths, p)
	w.take(w.pathOf(rest, len(w.stack), len(w.frames)))
	w.advance()
}

// sameContext reports whether the lanes of a path are where those of the running one are, in the same calls and with
// the same joins ahead.
func (w *Warp) sameContext(p *path) bool {
	return p.join == w.join && len(w.stack) == len(w.apart.joins) && slices.Equal(p.joins, w.apart.joins)
}

// lanesLeft lets paths go on that have waited for lanes that have exited now.
func (w *Warp) lanesLeft() {
	a := w.apart
	a.quiet = 0
	for i := range a.paths {
		p := &a.paths[i]
		members := w.lanes
		switch p.wait {
		case waitMembers:
			members &= p.what
		case waitBarrier:
		default:
			continue
		}
		if a.complete(p.wait, p.what, members) {
			a.grant(p.wait, p.what)
		}
	}
}

// meetAtBarrier is meet for a barrier of the CTA: one warp arrives once, for all of its lanes.
func (w *Warp) meetAtBarrier(in *ptx.Instr, mask uint32) (together uint32, ok bool) {
	number := w.u32(in.A)[bits.TrailingZeros32(mask)&31]
	together, ok = w.meet(waitBarrier, number, w.lanes, mask)
	if ok && in.Target <= ptx.BarrierArrive {
		a := w.apart
		for i := range a.paths { // those at other instructions have arrived too
			if p := &a.paths[i]; p.granted && p.what == number && w.kernel.Code[p.pc].IsBarrier {
				p.granted, p.behind = false, true
			}
		}
	}
	return together, ok
}

// membersMissing is the fault of a warp whose paths all wait for each other at .sync instructions.
func (w *Warp) membersMissing() *Fault {
	var first *Fault
	text := ""
	for i := range w.apart.paths {
		p := &w.apart.paths[i]
		f := w.faultOf(p.pc, bits.TrailingZeros32(p.active)&31, "")
		missing := lanesText(p.what&w.lanes&^p.active, "")
		text += fmt.Sprintf("; %s at line %d for %s", lanesText(p.active, "wait"), f.Line, missing)
		if first == nil {
			first = f
		}
	}
	first.Message = fmt.Sprintf("deadlock: the lanes of warp %d wait for each other%s", w.Index, text)
	return first
}

// lanesText names lanes: "lane 3 waits", "lanes 0-3, 8 wait".
func lanesText(lanes uint32, verb string) string {
	text := "lanes "
	if bits.OnesCount32(lanes) == 1 {
		text = "lane "
		if verb != "" {
			verb += "s"
		}
	}
	for m, comma := lanes, ""; m != 0; comma = ", " {
		from := bits.TrailingZeros32(m)
		n := bits.TrailingZeros32(^(m >> from))
		text += fmt.Sprintf("%s%d", comma, from)
		if n > 1 {
			text += fmt.Sprintf("-%d", from+n-1)
		}
		m &^= uint32(1<<n-1) << from
	}
	if verb != "" {
		text += " " + verb
	}
	return text
}
