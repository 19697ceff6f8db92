package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// bulkAlign is what the size of a copy in bulk and its addresses are multiples of (PTX ISA, cp.async.bulk).
const bulkAlign = 16

// bulk is a part of a copy in bulk: one of some MemoryBulkRead, or of as many MemoryBulkWrite after them. Every lane
// moves an element of one active lane's block, through registers that only such copies see, so it does not matter which
// lanes are active.
func (w *Warp) bulk(e *Env, in *ptx.Instr, mask uint32) Effect {
	reads := in.Op == ptx.MemoryBulkRead
	place, depth := ptx.CopyPlace(in.Target)
	if in.Flags&ptx.FlagShaped != 0 {
		w.settleAccess(in)
	}
	if reads && place == 0 {
		if w.bulkLanes == 0 {
			w.bulkLanes, w.bulkAt = mask, 0
		}
		if !w.nextBlock(in) {
			return EffectFault
		}
		if w.bulkLanes != 0 && in.Flags&ptx.FlagHasC != 0 && !w.sameCTA(in) {
			return EffectFault
		}
	}
	if w.bulkLanes == 0 { // no lane moves anything
		w.PC += 2*depth - 1
		w.advance()
		return EffectNone
	}
	a, o, lane := &e.Access, in.Mem, int(w.bulkLane)
	a.Kind, a.Space, a.Operator, a.PC = o.Kind, o.Space, o.Operator, w.PC
	a.Bytes = o.Bytes * o.Count
	a.RowLanes, a.FirstOnly = 0, false
	size := w.u32(in.E)[lane]
	part := ptx.MaxLanes * uint32(a.Bytes)
	at := w.partAt(place, depth, reads, part)
	n := min((size-at)/uint32(a.Bytes), ptx.MaxLanes)
	a.Mask = uint32(uint64(1)<<n - 1)
	first := in.Imm + uint64(at)
	if in.A != ptx.ZeroSlot*ptx.SlotBytes {
		first += w.lane(in.A, in.Flags&ptx.FlagAddress64 != 0, lane)
	}
	if at == 0 && first%bulkAlign != 0 {
		w.faultAt(w.PC, lane, "copy in bulk: the address %#x is not a multiple of %d", first, bulkAlign)
		return EffectFault
	}
	for i := range a.Addr {
		a.Addr[i] = first + uint64(i)*uint64(a.Bytes)
	}
	at += n * uint32(a.Bytes)
	switch {
	case w.nextPart(place, depth, reads, at, part, size):
	case w.bulkLanes != 0:
		w.PC -= depth + place
	default:
		w.PC += depth - 1 - place
		w.advance()
	}
	return EffectMemory
}

// partAt returns where a part lies in the copy: after the first ones, reads are depth parts ahead of the writes.
func (w *Warp) partAt(place, depth int32, reads bool, part uint32) uint32 {
	if reads && w.bulkAhead {
		place += depth
	}
	return w.bulkAt + uint32(place)*part
}

// sameCTA wants the destination of a copy and its mbarrier in the shared memory of one CTA (PTX ISA, cp.async.bulk).
func (w *Warp) sameCTA(in *ptx.Instr) bool {
	rank := func(register uint32, wide bool) uint32 {
		if window := uint32(w.value(register, wide, int(w.bulkLane))) >> ptx.ClusterRankBit; window != 0 {
			return window - 1
		}
		return w.CTA.Rank
	}
	to, bar := rank(in.B, in.Flags&ptx.FlagWideB != 0), rank(in.C, in.Flags&ptx.FlagWideC != 0)
	if to != bar {
		w.faultAt(w.PC, int(w.bulkLane), "copy in bulk: the destination lies in the shared memory of CTA %d of the "+
			"cluster, and the mbarrier belongs to CTA %d", to, bar)
	}
	return to == bar
}

// nextPart goes on after the read or the write of the part of a lane's copy that ends at done, of parts of a size:
// after the first depth reads comes the first write, and after each write the read for the same registers, if
// something is left to read. It returns false after the whole copy, with the PC as it was.
func (w *Warp) nextPart(place, depth int32, reads bool, done, part, size uint32) bool {
	switch left := done < size; {
	case reads && !w.bulkAhead && left && place < depth-1:
		w.advance()
		return true
	case reads && !w.bulkAhead:
		w.bulkAhead = left
		w.PC += depth - 1 - place
		w.advance()
		return true
	case !reads && w.bulkAt+(uint32(depth)+uint32(place))*part < size:
		w.PC -= depth // the read of the same place
		return true
	case reads:
		w.PC += depth // to the write of the same place, and after it
	case !left:
		w.bulkAt, w.bulkAhead = 0, false
		w.bulkLanes &^= 1 << w.bulkLane
		return false
	}
	if place < depth-1 {
		w.advance()
		return true
	}
	w.bulkAt += uint32(depth) * part
	w.PC -= depth - 1
	return true
}

// nextBlock finds the lane whose block is moved, and skips blocks of no bytes. It returns false after a fault.
func (w *Warp) nextBlock(in *ptx.Instr) bool {
	for w.bulkLanes != 0 {
		w.bulkLane = uint8(bits.TrailingZeros32(w.bulkLanes))
		size := w.u32(in.E)[w.bulkLane&31]
		if size%bulkAlign != 0 {
			w.faultAt(w.PC, int(w.bulkLane), "copy in bulk: the size, %d bytes, is not a multiple of %d", size, bulkAlign)
			return false
		}
		if size > w.bulkAt {
			return true
		}
		w.bulkLanes &= w.bulkLanes - 1
	}
	return true
}
