package execute

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

const lineMask = mem.LineBytes - 1

// linear is where the lanes of a fully coalesced 4-byte access find their values.
var linear = func() (t [ptx.MaxLanes]uint8) {
	for i := range t {
		t[i] = uint8(4 * i)
	}
	return t
}()

// isLinear compares with linear by words: a comparison of bytes is a call.
func isLinear(offset *[ptx.MaxLanes]uint8) bool {
	type words [ptx.MaxLanes / 8]uint64
	return *(*words)(unsafe.Pointer(offset)) == *(*words)(unsafe.Pointer(&linear))
}

// StoreLine puts what the given lanes store into a line, and marks the bytes. A
// lane's place is its address modulo the line; where lanes meet, the highest
// wins.
func (w *Warp) StoreLine(a *ptx.Access, lanes uint32, line *mem.Line, mask *mem.ByteMask) {
	o := w.kernel.Code[a.PC].Mem
	if o.Count == 1 && o.Bytes == 4 && !o.Wide[0] {
		s := w.u32(o.Regs[0])
		if lanes == ptx.FullMask && a.Addr[0]&lineMask == 0 && a.Consecutive() {
			// Registers and memory are little-endian, as the machine is.
			line.Set((*mem.Line)(unsafe.Pointer(s)))
			*mask = mem.FullMask
			return
		}
		addr := a.Addresses()
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			at := int(addr[i] & lineMask)
			binary.LittleEndian.PutUint32(line[at:at+4], s[i])
			mask.Set(at, 4)
		}
		return
	}
	addr := a.Addresses()
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := int(addr[i] & lineMask)
		mask.Set(at, int(a.Bytes))
		for k := range int(o.Count) {
			writeBytes(line[at+k*int(o.Bytes):], o.Bytes, w.lane(o.Regs[k], o.Wide[k], i))
		}
	}
}

// LoadLine binds the result of the load at pc in the given lanes: lane i's value
// begins at line[offset[i]].
func (w *Warp) LoadLine(pc int32, lanes uint32, offset *[ptx.MaxLanes]uint8, line *mem.Line) {
	o := w.kernel.Code[pc].Mem
	w.arrived(o, lanes)
	if o.Count == 1 && o.Bytes == 4 && !o.Wide[0] && !o.Absent[0] {
		d := w.u32(o.Regs[0])
		if lanes == ptx.FullMask && isLinear(offset) {
			(*mem.Line)(unsafe.Pointer(d)).Set(line)
			return
		}
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = binary.LittleEndian.Uint32(line[offset[i]:])
		}
		return
	}
	for k := range int(o.Count) {
		if o.Absent[k] {
			continue
		}
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := readBytes(line[int(offset[i])+k*int(o.Bytes):], o.Bytes)
			w.bind(o, k, i, extendLoaded(v, o.Bytes, o.Signed))
		}
	}
}

// StorePiece is StoreLine for a part of each lane's value: bytes from pieceStart
// on go to line[offset[lane]:].
func (w *Warp) StorePiece(a *ptx.Access, lanes uint32, pieceStart, pieceBytes int, offset *[ptx.MaxLanes]uint8, line *mem.Line, mask *mem.ByteMask) {
	o := w.kernel.Code[a.PC].Mem
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := int(offset[i])
		for b := range pieceBytes {
			k := (pieceStart + b) / int(o.Bytes)
			v := w.lane(o.Regs[k], o.Wide[k], i)
			line[at+b] = byte(v >> (8 * ((pieceStart + b) % int(o.Bytes))))
		}
		mask.Set(at, pieceBytes)
	}
}

// LoadPiece binds a part of each lane's value. An element's sign is extended by
// the piece that holds its last byte, so pieces of an element arrive in order
// or together.
func (w *Warp) LoadPiece(pc int32, lanes uint32, pieceStart, pieceBytes int, offset *[ptx.MaxLanes]uint8, line *mem.Line) {
	o := w.kernel.Code[pc].Mem
	n := int(o.Bytes)
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		for b := 0; b < pieceBytes; {
			k, from := (pieceStart+b)/n, (pieceStart+b)%n
			count := min(n-from, pieceBytes-b)
			if !o.Absent[k] {
				w.bindPart(o, k, i, from, line[int(offset[i])+b:int(offset[i])+b+count])
			}
			b += count
		}
	}
}

// bindPart writes some bytes of element k. The bytes above them become zero, or
// the sign at the end of the element.
func (w *Warp) bindPart(o *ptx.MemoryOp, k, lane, from int, part []byte) {
	var v uint64
	if from > 0 {
		v = w.lane(o.Regs[k], o.Wide[k], lane) & (1<<(8*from) - 1)
	}
	for b, x := range part {
		v |= uint64(x) << (8 * (from + b))
	}
	if from+len(part) == int(o.Bytes) {
		v = extendLoaded(v, o.Bytes, o.Signed)
	}
	w.bind(o, k, lane, v)
}

// AtomicOperands returns what a lane brings to an atomic: the operand, and for
// cas the value to compare with (b) and the new one (c).
func (w *Warp) AtomicOperands(a *ptx.Access, lane int) (b, c uint64) {
	in := &w.kernel.Code[a.PC]
	wide := in.Mem.Wide[0]
	return w.lane(in.B, wide, lane), w.lane(in.C, wide, lane)
}

// BindAtomic writes the old value into the destination of the atomic at pc.
func (w *Warp) BindAtomic(pc int32, lane int, old uint64) {
	if o := w.kernel.Code[pc].Mem; !o.Absent[0] {
		w.bind(o, 0, lane, old)
	}
}
