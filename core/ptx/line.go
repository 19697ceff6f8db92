package ptx

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
)

const lineMask = mem.LineBytes - 1

// linear is where the lanes of a fully coalesced 4-byte access find their values.
var linear = func() (t [MaxLanes]uint8) {
	for i := range t {
		t[i] = uint8(4 * i)
	}
	return t
}()

// StoreLine puts what the given lanes store into a line, and marks the bytes. A
// lane's place is its address modulo the line; where lanes meet, the highest
// wins.
func (w *Warp) StoreLine(a *Access, lanes uint32, line *mem.Line, mask *mem.ByteMask) {
	o := w.kernel.Code[a.PC].mem
	if o.count == 1 && o.bytes == 4 && !o.wide[0] {
		s := w.u32(o.regs[0])
		if lanes == FullMask && a.Addr[0]&lineMask == 0 && consecutive(a) {
			for i, v := range s {
				binary.LittleEndian.PutUint32(line[4*i:4*i+4], v)
			}
			*mask = mem.FullMask
			return
		}
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			at := int(a.Addr[i] & lineMask)
			binary.LittleEndian.PutUint32(line[at:at+4], s[i])
			mask.Set(at, 4)
		}
		return
	}
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := int(a.Addr[i] & lineMask)
		mask.Set(at, int(a.Bytes))
		for k := range int(o.count) {
			writeBytes(line[at+k*int(o.bytes):], o.bytes, w.lane(o.regs[k], o.wide[k], i))
		}
	}
}

// consecutive reports whether each lane's address follows the one before by four
// bytes.
func consecutive(a *Access) bool {
	var differ uint64
	for i, v := range a.Addr {
		differ |= v ^ (a.Addr[0] + 4*uint64(i))
	}
	return differ == 0
}

// LoadLine binds the result of the load at pc in the given lanes: lane i's value
// begins at line[offset[i]].
func (w *Warp) LoadLine(pc int32, lanes uint32, offset *[MaxLanes]uint8, line *mem.Line) {
	o := w.kernel.Code[pc].mem
	if o.count == 1 && o.bytes == 4 && !o.wide[0] && !o.absent[0] {
		d := w.u32(o.regs[0])
		if lanes == FullMask && *offset == linear {
			for i := range d {
				d[i] = binary.LittleEndian.Uint32(line[4*i : 4*i+4])
			}
			return
		}
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = binary.LittleEndian.Uint32(line[offset[i]:])
		}
		return
	}
	for k := range int(o.count) {
		if o.absent[k] {
			continue
		}
		for m := lanes; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := readBytes(line[int(offset[i])+k*int(o.bytes):], o.bytes)
			w.bind(o, k, i, extendLoaded(v, o.bytes, o.signed))
		}
	}
}

// StorePiece is StoreLine for a part of each lane's value: bytes from pieceStart
// on go to line[offset[lane]:].
func (w *Warp) StorePiece(a *Access, lanes uint32, pieceStart, pieceBytes int, offset *[MaxLanes]uint8, line *mem.Line, mask *mem.ByteMask) {
	o := w.kernel.Code[a.PC].mem
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := int(offset[i])
		for b := range pieceBytes {
			k := (pieceStart + b) / int(o.bytes)
			v := w.lane(o.regs[k], o.wide[k], i)
			line[at+b] = byte(v >> (8 * ((pieceStart + b) % int(o.bytes))))
		}
		mask.Set(at, pieceBytes)
	}
}

// LoadPiece binds a part of each lane's value. An element's sign is extended by
// the piece that holds its last byte, so pieces of an element arrive in order
// or together.
func (w *Warp) LoadPiece(pc int32, lanes uint32, pieceStart, pieceBytes int, offset *[MaxLanes]uint8, line *mem.Line) {
	o := w.kernel.Code[pc].mem
	n := int(o.bytes)
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		for b := 0; b < pieceBytes; {
			k, from := (pieceStart+b)/n, (pieceStart+b)%n
			count := min(n-from, pieceBytes-b)
			if !o.absent[k] {
				w.bindPart(o, k, i, from, line[int(offset[i])+b:int(offset[i])+b+count])
			}
			b += count
		}
	}
}

// bindPart writes some bytes of element k. The bytes above them become zero, or
// the sign at the end of the element.
func (w *Warp) bindPart(o *memoryOp, k, lane, from int, part []byte) {
	var v uint64
	if from > 0 {
		v = w.lane(o.regs[k], o.wide[k], lane) & (1<<(8*from) - 1)
	}
	for b, x := range part {
		v |= uint64(x) << (8 * (from + b))
	}
	if from+len(part) == int(o.bytes) {
		v = extendLoaded(v, o.bytes, o.signed)
	}
	w.bind(o, k, lane, v)
}

// AtomicOperands returns what a lane brings to an atomic: the operand, and for
// cas the value to compare with (b) and the new one (c).
func (w *Warp) AtomicOperands(a *Access, lane int) (b, c uint64) {
	in := &w.kernel.Code[a.PC]
	wide := in.mem.wide[0]
	return w.lane(in.b, wide, lane), w.lane(in.c, wide, lane)
}

// BindAtomic writes the old value into the destination of the atomic at pc.
func (w *Warp) BindAtomic(pc int32, lane int, old uint64) {
	if o := w.kernel.Code[pc].mem; !o.absent[0] {
		w.bind(o, 0, lane, old)
	}
}
