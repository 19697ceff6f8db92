package execute

import (
	"encoding/binary"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// Matrices of ldmatrix, stmatrix and movmatrix have 8 rows of 8 elements of 16 bits.
// Lane l holds elements 2*(l%4) and 2*(l%4)+1 of row l/4 of each, or of column l/4
// with .trans; lane 8*j+i has the address of row i of matrix j.
const matrixRowBytes = 16

// matrixAccess forms the addresses of the rows. All rows are in shared memory, so a
// generic access is complete after one call.
func (w *Warp) matrixAccess(e *Env, in *ptx.Instr) Effect {
	o := in.Mem
	a := &e.Access
	a.Kind, a.Space, a.Operator, a.PC = o.Kind, o.Space, o.Operator, w.PC
	a.Bytes, a.Mask, a.RowLanes, a.FirstOnly = matrixRowBytes, ptx.FullMask>>(ptx.MaxLanes-8*int(o.Count)), 0, false
	wide := in.Flags&ptx.FlagAddress64 != 0
	var low uint64
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		at := w.lane(in.A, wide, i) + in.Imm
		if !wide && in.A != ptx.ZeroSlot*ptx.SlotBytes {
			at = uint64(uint32(at))
		}
		a.Addr[i] = at
	}
	if o.Space == ptx.SpaceGeneric {
		same := w.generic(a, a.Mask)
		w.pending = 0
		if a.Space != ptx.SpaceShared || same != a.Mask {
			i := bits.TrailingZeros32(a.Mask &^ same)
			if a.Space != ptx.SpaceShared {
				i = 0
			}
			w.faultAt(w.PC, i, "row %d of a matrix is not in shared memory", i)
			return EffectFault
		}
	}
	for m := a.Mask; m != 0; m &= m - 1 {
		low |= a.Addr[bits.TrailingZeros32(m)&31]
	}
	if low&(matrixRowBytes-1) != 0 {
		return w.misaligned(a)
	}
	w.advance()
	return EffectMemory
}

// matrixRows moves the matrices of an access that is within bounds.
func (w *Warp) matrixRows(a *ptx.Access, in *ptx.Instr, shared []byte) {
	o := in.Mem
	for j := range int(o.Count) {
		r := w.u32(o.Regs[j])
		rows := a.Addr[8*j : 8*j+8]
		for l := range r {
			g, t := l/4, l%4
			if in.Target == 0 {
				at := shared[rows[g]+uint64(4*t):]
				if a.Kind == ptx.AccessLoad {
					r[l] = binary.LittleEndian.Uint32(at)
				} else {
					binary.LittleEndian.PutUint32(at, r[l])
				}
				continue
			}
			low, high := shared[rows[2*t]+uint64(2*g):], shared[rows[2*t+1]+uint64(2*g):]
			if a.Kind == ptx.AccessLoad {
				r[l] = uint32(binary.LittleEndian.Uint16(low)) | uint32(binary.LittleEndian.Uint16(high))<<16
			} else {
				binary.LittleEndian.PutUint16(low, uint16(r[l]))
				binary.LittleEndian.PutUint16(high, uint16(r[l]>>16))
			}
		}
	}
}

// transposeRegister is movmatrix.
func (w *Warp) transposeRegister(in *ptx.Instr) {
	a := *w.u32(in.A)
	d := w.u32(in.D)
	for l := range d {
		g, t := l/4, l%4 // rows 2t and 2t+1 of column g
		shift := g % 2 * 16
		low, high := a[8*t+g/2]>>shift&0xffff, a[8*t+4+g/2]>>shift&0xffff
		d[l] = low | high<<16
	}
}
