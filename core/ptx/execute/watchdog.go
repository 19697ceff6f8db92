package execute

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// newFault returns a fault of the first active lane, at pc.
func (w *Warp) newFault(pc int32, message string) *Fault {
	return w.faultOf(pc, bits.TrailingZeros32(w.active)&31, message)
}

// RunawayFault is the fault of a warp that would go on at pc, but has executed more instructions than it may. If it
// waits for something, the fault says for what, and which other lanes wait: those of its warp, or of the first of the
// given warps that has such lanes.
func (w *Warp) RunawayFault(pc int32, executed uint64, image *mem.Image, warps iter.Seq[*Warp]) *Fault {
	return w.endless(w.newFault(pc, runaway(executed)), pc, image, warps, nil)
}

// endlessText begins the message of a wait that is shown to have no end.
const endlessText = "the loop here does not end: every warp waits, and nothing changes any more"

// EndlessFault is the fault of a warp that certainly waits for ever. The function reads memory behind L1.
func (w *Warp) EndlessFault(image *mem.Image, warps iter.Seq[*Warp], read func(a mem.Addr, dst []byte)) *Fault {
	return w.endless(w.newFault(w.PC, endlessText), w.PC, image, warps, read)
}

// endless adds to the fault of a warp that would go on at pc for what it waits, and which other lanes wait.
func (w *Warp) endless(
	f *Fault, pc int32, image *mem.Image, warps iter.Seq[*Warp], read func(a mem.Addr, dst []byte),
) *Fault {
	spinning := w.spinning(pc, w.active, image)
	if spinning == "" {
		return f
	}
	why := "no thread that runs has written what it waits for"
	if held := w.heldElse(pc, image, read); held != "" {
		why = "memory holds " + held + " there, but the L1 of its SM has an older line, which loads without " +
			".volatile, .relaxed or .acquire may read for ever"
	}
	f.Message += fmt.Sprintf("; deadlock: lane %d of warp %d %s again and again: %s",
		bits.TrailingZeros32(w.active)&31, w.Index, spinning, why)
	others := w.others(image)
	if others != "" {
		others = "in its warp " + others
	} else {
		for x := range warps {
			if others = x.others(image); others == "" && x != w {
				others = x.waitsElsewhere(spinning, image)
			}
			if others != "" {
				id := x.CTA.ID
				others = fmt.Sprintf("in warp %d of CTA (%d,%d,%d) %s", x.Index, id[0], id[1], id[2], others)
				break
			}
		}
	}
	if others != "" {
		f.Message += "; " + others
	}
	if !w.kernel.LanesRunApart {
		f.Message += "; before sm_70 the lanes of a warp run in step, so none can wait for another: " +
			".target sm_70 and later let them run one by one"
	}
	return f
}

func runaway(executed uint64) string {
	return fmt.Sprintf("the warp has executed %d instructions: the loop here does not end, or the limit of "+
		"instructions per warp is too low for this kernel", executed)
}

// othersMost is how many sets of lanes a fault lists [ours].
const othersMost = 4

// others says what the lanes do that do not run now.
func (w *Warp) others(image *mem.Image) string {
	text, n := "", 0
	add := func(lanes uint32, pc int32, waits bool) {
		if n++; n > othersMost {
			return
		}
		if text != "" {
			text += ", "
		}
		line := w.kernel.Code[pc].Line
		if spinning := w.spinning(pc, lanes, image); spinning != "" && !waits {
			text += fmt.Sprintf("%s at line %d (the first %s)", lanesText(lanes, "spin"), line, spinning)
			return
		}
		text += fmt.Sprintf("%s at line %d", lanesText(lanes, "wait"), line)
	}
	seen := w.active
	for i := len(w.stack) - 1; i >= 0; i-- {
		if own := w.stack[i].mask &^ seen; own != 0 && i >= w.sharedJoins() {
			add(own, w.stack[i].pc, true)
		}
		seen |= w.stack[i].mask
	}
	if w.apart != nil {
		for i := range w.apart.paths {
			p := &w.apart.paths[i]
			add(p.active, p.pc, p.wait != waitNone)
		}
	}
	if n > othersMost {
		text += " ..."
	}
	return text
}

// waitsElsewhere says where the running lanes spin, if not for the same as others do.
func (w *Warp) waitsElsewhere(same string, image *mem.Image) string {
	if w.AtBarrier() {
		return ""
	}
	spinning := w.spinning(w.PC, w.active, image)
	if spinning == "" || spinning == same {
		return ""
	}
	return fmt.Sprintf("%s at line %d (the first %s)", lanesText(w.active, "spin"), w.kernel.Code[w.PC].Line, spinning)
}

// sharedJoins returns how many stack entries of the running path are joins that it shares with others.
func (w *Warp) sharedJoins() int {
	if w.apart == nil {
		return 0
	}
	return len(w.apart.joins)
}

// Waits reports whether the warp is at a barrier, or in a loop that reads a place that does not change.
func (w *Warp) Waits() bool {
	if w.AtBarrier() {
		return true
	}
	in, _ := w.spinsAt(w.PC, w.active)
	return in != nil
}

// spinsAt returns what the first of some lanes reads in the loop around pc, or in one around a call under way, and
// where; nil if the loop reads nothing, or from changing places.
func (w *Warp) spinsAt(pc int32, lanes uint32) (in *ptx.Instr, at mem.Addr) {
	reads, first, last := w.loopReads(pc)
	for n := len(w.frames) - 1; n >= 0 && len(reads) == 0; n-- {
		reads, first, last = w.loopReads(w.frames[n].callPC)
	}
	if len(reads) == 0 {
		return nil, 0
	}
	in = &w.kernel.Code[reads[len(reads)-1]]
	if in.A != ptx.ZeroSlot*ptx.SlotBytes && w.writesBetween(in.A, first, last) {
		return nil, 0
	}
	at = w.value(in.A, in.Flags&ptx.FlagAddress64 != 0, bits.TrailingZeros32(lanes)&31) + in.Imm
	if w.narrow(in) {
		at = uint64(uint32(at))
	}
	return in, at
}

// readValue returns what an instruction has read last in the first of some lanes.
func (w *Warp) readValue(in *ptx.Instr, lanes uint32) uint64 {
	v := w.value(in.Mem.Regs[0], in.Mem.Wide[0], bits.TrailingZeros32(lanes)&31)
	if n := in.Mem.Bytes; n < 8 {
		v &= 1<<(8*n) - 1
	}
	return v
}

// spinning says what the first of some lanes waits for; "" if it does not spin.
func (w *Warp) spinning(pc int32, lanes uint32, image *mem.Image) string {
	in, at := w.spinsAt(pc, lanes)
	if in == nil {
		return ""
	}
	value := ""
	if !in.Mem.Absent[0] {
		v := w.readValue(in, lanes)
		if value = fmt.Sprintf(" %#x", v); in.Atomic.Code.IsMbarrier() {
			value = fmt.Sprintf(" the mbarrier (%s)", arith.MbarrierText(v))
		}
	}
	return fmt.Sprintf("reads%s at %#x%s", value, at, placeText(in.Mem.Space, at, image))
}

// heldElse returns the value in memory that a spinning warp loads again and again, if it loads another one.
func (w *Warp) heldElse(pc int32, image *mem.Image, read func(a mem.Addr, dst []byte)) string {
	in, at := w.spinsAt(pc, w.active)
	if read == nil || in == nil || in.Mem.Kind != ptx.AccessLoad || in.Mem.Absent[0] || in.Mem.Bytes > 8 ||
		image.Find(at) < 0 {
		return ""
	}
	var b [8]byte
	read(at, b[:in.Mem.Bytes])
	if v := binary.LittleEndian.Uint64(b[:]); v != w.readValue(in, w.active) {
		return fmt.Sprintf("%#x", v)
	}
	return ""
}

// placeText names a place in memory: the byte of a buffer, or shared memory.
func placeText(space ptx.Space, at mem.Addr, image *mem.Image) string {
	if space == ptx.SpaceShared || space == ptx.SpaceGeneric && at-ptx.SharedWindow < ptx.WindowBytes {
		return " of shared memory"
	}
	if place := image.Place(at); place != "" {
		return " (" + place + ")"
	}
	return ""
}

// loopReads returns the reads of the smallest loop around pc that has any, and where the loop begins and ends.
func (w *Warp) loopReads(pc int32) (reads []int32, first, last int32) {
	size := int32(math.MaxInt32)
	for q := pc; int(q) < len(w.kernel.Code); q++ {
		in := &w.kernel.Code[q]
		if !in.IsBranch || len(in.Targets) == 0 {
			continue
		}
		if to := slices.Min(in.Targets); to <= pc && q-to < size {
			if list := w.readsBetween(nil, to, q, map[int32]bool{}); len(list) > 0 {
				reads, first, last, size = list, to, q, q-to
			}
		}
	}
	return reads, first, last
}

// writesBetween reports whether an instruction of a loop writes a register.
func (w *Warp) writesBetween(register uint32, first, last int32) bool {
	for pc := first; pc <= last; pc++ {
		in := &w.kernel.Code[pc]
		if in.Mem != nil && in.Family == ptx.FamilyMemory {
			if in.Mem.Kind != ptx.AccessStore && slices.Contains(in.Mem.Regs[:in.Mem.Count], register) {
				return true
			}
		} else if in.D == register && len(in.Writes) > 0 {
			return true
		}
	}
	return false
}

// value returns a register's value in one lane, from its shape if it has one.
func (w *Warp) value(offset uint32, wide bool, lane int) uint64 {
	if s := w.shape(offset); s.form() >= formWord {
		return w.shapeAt(s, lane)
	}
	return w.lane(offset, wide, lane)
}
