package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// word computes all 32 lanes of a 32-bit result. Lanes that are switched off are
// dropped by the caller.
func (w *Warp) word(in *ptx.Instr, d *[32]uint32) {
	a, b := w.u32(in.A), w.u32(in.B)
	switch in.Op {
	case ptx.WordMove:
		*d = *a
	case ptx.WordAdd:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] + b[i]
			d[i+1] = a[i+1] + b[i+1]
			d[i+2] = a[i+2] + b[i+2]
			d[i+3] = a[i+3] + b[i+3]
		}
	case ptx.WordSub:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] - b[i]
			d[i+1] = a[i+1] - b[i+1]
			d[i+2] = a[i+2] - b[i+2]
			d[i+3] = a[i+3] - b[i+3]
		}
	case ptx.WordMul:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] * b[i]
			d[i+1] = a[i+1] * b[i+1]
			d[i+2] = a[i+2] * b[i+2]
			d[i+3] = a[i+3] * b[i+3]
		}
	case ptx.WordMad:
		c := w.u32(in.C)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i]*b[i] + c[i]
			d[i+1] = a[i+1]*b[i+1] + c[i+1]
			d[i+2] = a[i+2]*b[i+2] + c[i+2]
			d[i+3] = a[i+3]*b[i+3] + c[i+3]
		}
	case ptx.WordAnd:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] & b[i]
			d[i+1] = a[i+1] & b[i+1]
			d[i+2] = a[i+2] & b[i+2]
			d[i+3] = a[i+3] & b[i+3]
		}
	case ptx.WordOr:
		for i := range d {
			d[i] = a[i] | b[i]
		}
	case ptx.WordXor:
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	case ptx.WordNot:
		for i := range d {
			d[i] = ^a[i]
		}
	case ptx.WordShl: // Go's shifts clamp as PTX's do
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] << b[i]
			d[i+1] = a[i+1] << b[i+1]
			d[i+2] = a[i+2] << b[i+2]
			d[i+3] = a[i+3] << b[i+3]
		}
	case ptx.WordShrU:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] >> b[i]
			d[i+1] = a[i+1] >> b[i+1]
			d[i+2] = a[i+2] >> b[i+2]
			d[i+3] = a[i+3] >> b[i+3]
		}
	case ptx.WordShrS:
		for i := range d {
			d[i] = uint32(int32(a[i]) >> b[i])
		}
	case ptx.WordSelect:
		p := *w.predicate(in.C)
		if in.Flags&ptx.FlagNegateC != 0 {
			p = ^p
		}
		for i := range d {
			v := b[i]
			if p>>i&1 != 0 {
				v = a[i]
			}
			d[i] = v
		}
	case ptx.WordMask:
		m := uint32(in.Imm)
		for i := range d {
			d[i] = a[i] & m
		}
	case ptx.WordSign8:
		m := uint32(in.Imm)
		for i := range d {
			d[i] = uint32(int32(int8(a[i]))) & m
		}
	case ptx.WordSign16:
		m := uint32(in.Imm)
		for i := range d {
			d[i] = uint32(int32(int16(a[i]))) & m
		}
	case ptx.WordLow:
		q, m := w.u64(in.A), uint32(in.Imm)
		for i := range d {
			d[i] = uint32(q[i]) & m
		}
	default:
		w.wordRare(in, d, a, b)
	}
	if in.Flags&ptx.FlagNarrow != 0 {
		for i := range d {
			d[i] &= 0xffff
		}
	}
}

func (w *Warp) wordRare(in *ptx.Instr, d, a, b *[32]uint32) {
	switch in.Op {
	case ptx.WordMinU:
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	case ptx.WordMinS:
		for i := range d {
			d[i] = uint32(min(int32(a[i]), int32(b[i])))
		}
	case ptx.WordMaxU:
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	case ptx.WordMaxS:
		for i := range d {
			d[i] = uint32(max(int32(a[i]), int32(b[i])))
		}
	case ptx.WordNeg:
		for i := range d {
			d[i] = -a[i]
		}
	case ptx.WordAbs:
		for i := range d {
			s := uint32(int32(a[i]) >> 31)
			d[i] = (a[i] ^ s) - s
		}
	case ptx.WordMulHighU:
		for i := range d {
			hi, _ := bits.Mul32(a[i], b[i])
			d[i] = hi
		}
	case ptx.WordMulHighS:
		for i := range d {
			d[i] = uint32(int64(int32(a[i])) * int64(int32(b[i])) >> 32)
		}
	case ptx.WordDivU:
		for i := range d {
			if b[i] == 0 {
				d[i] = ^uint32(0)
			} else {
				d[i] = a[i] / b[i]
			}
		}
	case ptx.WordDivS:
		for i := range d {
			if b[i] == 0 {
				d[i] = ^uint32(0)
			} else {
				d[i] = uint32(int32(a[i]) / int32(b[i]))
			}
		}
	case ptx.WordRemU:
		for i := range d {
			if b[i] == 0 {
				d[i] = ptx.FullMask
			} else {
				d[i] = a[i] % b[i]
			}
		}
	case ptx.WordRemS:
		for i := range d {
			if b[i] == 0 {
				d[i] = ptx.FullMask
			} else {
				d[i] = uint32(int32(a[i]) % int32(b[i]))
			}
		}
	case ptx.WordBfeU:
		c := w.u32(in.C)
		for i := range d {
			d[i] = uint32(uint64(a[i]) >> (b[i] & 0xff) & (1<<(c[i]&0xff) - 1))
		}
	case ptx.WordFromFloatS:
		w.floatToInt(in, d, true)
	case ptx.WordFromFloatU:
		w.floatToInt(in, d, false)
	default:
		panic("ptx: unknown word operation")
	}
}
