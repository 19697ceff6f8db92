package execute

import "github.com/burstscope/burstscope/core/ptx"

// long computes all 32 lanes of a 64-bit result.
func (w *Warp) long(in *ptx.Instr, d *[32]uint64) {
	switch in.Op {
	case ptx.LongMove:
		*d = *w.u64(in.A)
	case ptx.LongAdd:
		a, b := w.u64(in.A), w.u64(in.B)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] + b[i]
			d[i+1] = a[i+1] + b[i+1]
			d[i+2] = a[i+2] + b[i+2]
			d[i+3] = a[i+3] + b[i+3]
		}
	case ptx.LongSub:
		a, b := w.u64(in.A), w.u64(in.B)
		for i := range d {
			d[i] = a[i] - b[i]
		}
	case ptx.LongMulWideU:
		a, b := w.u32(in.A), w.u32(in.B)
		for i := 0; i < 32; i += 4 {
			d[i] = uint64(a[i]) * uint64(b[i])
			d[i+1] = uint64(a[i+1]) * uint64(b[i+1])
			d[i+2] = uint64(a[i+2]) * uint64(b[i+2])
			d[i+3] = uint64(a[i+3]) * uint64(b[i+3])
		}
	case ptx.LongMulWideS:
		a, b := w.u32(in.A), w.u32(in.B)
		for i := 0; i < 32; i += 4 {
			d[i] = uint64(int64(int32(a[i])) * int64(int32(b[i])))
			d[i+1] = uint64(int64(int32(a[i+1])) * int64(int32(b[i+1])))
			d[i+2] = uint64(int64(int32(a[i+2])) * int64(int32(b[i+2])))
			d[i+3] = uint64(int64(int32(a[i+3])) * int64(int32(b[i+3])))
		}
	case ptx.LongMadWideU:
		a, b, c := w.u32(in.A), w.u32(in.B), w.u64(in.C)
		for i := range d {
			d[i] = uint64(a[i])*uint64(b[i]) + c[i]
		}
	case ptx.LongMadWideS:
		a, b, c := w.u32(in.A), w.u32(in.B), w.u64(in.C)
		for i := range d {
			d[i] = uint64(int64(int32(a[i]))*int64(int32(b[i]))) + c[i]
		}
	case ptx.LongShl:
		a, b := w.u64(in.A), w.u32(in.B)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] << b[i]
			d[i+1] = a[i+1] << b[i+1]
			d[i+2] = a[i+2] << b[i+2]
			d[i+3] = a[i+3] << b[i+3]
		}
	case ptx.LongShrU:
		a, b := w.u64(in.A), w.u32(in.B)
		for i := range d {
			d[i] = a[i] >> b[i]
		}
	case ptx.LongShrS:
		a, b := w.u64(in.A), w.u32(in.B)
		for i := range d {
			d[i] = uint64(int64(a[i]) >> b[i])
		}
	case ptx.LongExtendU:
		a := w.u32(in.A)
		for i := range d {
			d[i] = uint64(a[i])
		}
	case ptx.LongExtendS:
		a := w.u32(in.A)
		for i := range d {
			d[i] = uint64(int64(int32(a[i])))
		}
	default:
		w.longRare(in, d, w.u64(in.A), w.u64(in.B))
	}
}

func (w *Warp) longRare(in *ptx.Instr, d, a, b *[32]uint64) {
	switch in.Op {
	case ptx.LongMul:
		for i := range d {
			d[i] = a[i] * b[i]
		}
	case ptx.LongMad:
		c := w.u64(in.C)
		for i := range d {
			d[i] = a[i]*b[i] + c[i]
		}
	case ptx.LongAnd:
		for i := range d {
			d[i] = a[i] & b[i]
		}
	case ptx.LongOr:
		for i := range d {
			d[i] = a[i] | b[i]
		}
	case ptx.LongXor:
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	case ptx.LongNot:
		for i := range d {
			d[i] = ^a[i]
		}
	case ptx.LongNeg:
		for i := range d {
			d[i] = -a[i]
		}
	case ptx.LongMinU:
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	case ptx.LongMinS:
		for i := range d {
			d[i] = uint64(min(int64(a[i]), int64(b[i])))
		}
	case ptx.LongMaxU:
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	case ptx.LongMaxS:
		for i := range d {
			d[i] = uint64(max(int64(a[i]), int64(b[i])))
		}
	case ptx.LongSelect:
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
	default:
		panic("ptx: unknown long operation")
	}
}
