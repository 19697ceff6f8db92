package ptx

// Operations with a 64-bit result, on 64-bit operands unless noted.
const (
	longNone op = iota
	longMove
	longAdd
	longSub
	longMul
	longMad
	longMulWideU // a, b have 32 bits
	longMulWideS
	longMadWideU // c has 64
	longMadWideS
	longAnd
	longOr
	longXor
	longNot
	longNeg
	longShl // b has 32 bits
	longShrU
	longShrS
	longMinU
	longMinS
	longMaxU
	longMaxS
	longSelect  // c is a predicate
	longExtendU // a has 32 bits
	longExtendS
)

// long computes all 32 lanes of a 64-bit result.
func (w *Warp) long(in *Instr, d *[32]uint64) {
	switch in.op {
	case longMove:
		*d = *w.u64(in.a)
	case longAdd:
		a, b := w.u64(in.a), w.u64(in.b)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] + b[i]
			d[i+1] = a[i+1] + b[i+1]
			d[i+2] = a[i+2] + b[i+2]
			d[i+3] = a[i+3] + b[i+3]
		}
	case longSub:
		a, b := w.u64(in.a), w.u64(in.b)
		for i := range d {
			d[i] = a[i] - b[i]
		}
	case longMulWideU:
		a, b := w.u32(in.a), w.u32(in.b)
		for i := 0; i < 32; i += 4 {
			d[i] = uint64(a[i]) * uint64(b[i])
			d[i+1] = uint64(a[i+1]) * uint64(b[i+1])
			d[i+2] = uint64(a[i+2]) * uint64(b[i+2])
			d[i+3] = uint64(a[i+3]) * uint64(b[i+3])
		}
	case longMulWideS:
		a, b := w.u32(in.a), w.u32(in.b)
		for i := 0; i < 32; i += 4 {
			d[i] = uint64(int64(int32(a[i])) * int64(int32(b[i])))
			d[i+1] = uint64(int64(int32(a[i+1])) * int64(int32(b[i+1])))
			d[i+2] = uint64(int64(int32(a[i+2])) * int64(int32(b[i+2])))
			d[i+3] = uint64(int64(int32(a[i+3])) * int64(int32(b[i+3])))
		}
	case longMadWideU:
		a, b, c := w.u32(in.a), w.u32(in.b), w.u64(in.c)
		for i := range d {
			d[i] = uint64(a[i])*uint64(b[i]) + c[i]
		}
	case longMadWideS:
		a, b, c := w.u32(in.a), w.u32(in.b), w.u64(in.c)
		for i := range d {
			d[i] = uint64(int64(int32(a[i]))*int64(int32(b[i]))) + c[i]
		}
	case longShl:
		a, b := w.u64(in.a), w.u32(in.b)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] << b[i]
			d[i+1] = a[i+1] << b[i+1]
			d[i+2] = a[i+2] << b[i+2]
			d[i+3] = a[i+3] << b[i+3]
		}
	case longShrU:
		a, b := w.u64(in.a), w.u32(in.b)
		for i := range d {
			d[i] = a[i] >> b[i]
		}
	case longShrS:
		a, b := w.u64(in.a), w.u32(in.b)
		for i := range d {
			d[i] = uint64(int64(a[i]) >> b[i])
		}
	case longExtendU:
		a := w.u32(in.a)
		for i := range d {
			d[i] = uint64(a[i])
		}
	case longExtendS:
		a := w.u32(in.a)
		for i := range d {
			d[i] = uint64(int64(int32(a[i])))
		}
	default:
		w.longRare(in, d, w.u64(in.a), w.u64(in.b))
	}
}

func (w *Warp) longRare(in *Instr, d, a, b *[32]uint64) {
	switch in.op {
	case longMul:
		for i := range d {
			d[i] = a[i] * b[i]
		}
	case longMad:
		c := w.u64(in.c)
		for i := range d {
			d[i] = a[i]*b[i] + c[i]
		}
	case longAnd:
		for i := range d {
			d[i] = a[i] & b[i]
		}
	case longOr:
		for i := range d {
			d[i] = a[i] | b[i]
		}
	case longXor:
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	case longNot:
		for i := range d {
			d[i] = ^a[i]
		}
	case longNeg:
		for i := range d {
			d[i] = -a[i]
		}
	case longMinU:
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	case longMinS:
		for i := range d {
			d[i] = uint64(min(int64(a[i]), int64(b[i])))
		}
	case longMaxU:
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	case longMaxS:
		for i := range d {
			d[i] = uint64(max(int64(a[i]), int64(b[i])))
		}
	case longSelect:
		p := w.predicates[in.c]
		if in.flags&flagNegateC != 0 {
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
