package ptx

import "math/bits"

// Operations with a 32-bit result, on 32-bit operands unless noted. Zero is no
// operation: selectors use it to say that there is no loop.
const (
	wordNone op = iota
	wordMove
	wordAdd
	wordSub
	wordMul
	wordMulHighU
	wordMulHighS
	wordMad
	wordDivU
	wordDivS
	wordRemU
	wordRemS
	wordAnd
	wordOr
	wordXor
	wordNot
	wordShl
	wordShrU
	wordShrS
	wordMinU
	wordMinS
	wordMaxU
	wordMaxS
	wordNeg
	wordAbs
	wordSelect // c is a predicate
	wordMask   // a & imm
	wordSign8  // sign extension of the low bits, then & imm
	wordSign16
	wordLow  // low half of a 64-bit operand, & imm
	wordBfeU // c is the length
	wordFromFloatS
	wordFromFloatU
)

// word computes all 32 lanes of a 32-bit result. Lanes that are switched off are
// dropped by the caller.
func (w *Warp) word(in *Instr, d *[32]uint32) {
	a, b := w.u32(in.a), w.u32(in.b)
	switch in.op {
	case wordMove:
		*d = *a
	case wordAdd:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] + b[i]
			d[i+1] = a[i+1] + b[i+1]
			d[i+2] = a[i+2] + b[i+2]
			d[i+3] = a[i+3] + b[i+3]
		}
	case wordSub:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] - b[i]
			d[i+1] = a[i+1] - b[i+1]
			d[i+2] = a[i+2] - b[i+2]
			d[i+3] = a[i+3] - b[i+3]
		}
	case wordMul:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] * b[i]
			d[i+1] = a[i+1] * b[i+1]
			d[i+2] = a[i+2] * b[i+2]
			d[i+3] = a[i+3] * b[i+3]
		}
	case wordMad:
		c := w.u32(in.c)
		for i := 0; i < 32; i += 4 {
			d[i] = a[i]*b[i] + c[i]
			d[i+1] = a[i+1]*b[i+1] + c[i+1]
			d[i+2] = a[i+2]*b[i+2] + c[i+2]
			d[i+3] = a[i+3]*b[i+3] + c[i+3]
		}
	case wordAnd:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] & b[i]
			d[i+1] = a[i+1] & b[i+1]
			d[i+2] = a[i+2] & b[i+2]
			d[i+3] = a[i+3] & b[i+3]
		}
	case wordOr:
		for i := range d {
			d[i] = a[i] | b[i]
		}
	case wordXor:
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	case wordNot:
		for i := range d {
			d[i] = ^a[i]
		}
	case wordShl: // Go's shifts clamp as PTX's do
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] << b[i]
			d[i+1] = a[i+1] << b[i+1]
			d[i+2] = a[i+2] << b[i+2]
			d[i+3] = a[i+3] << b[i+3]
		}
	case wordShrU:
		for i := 0; i < 32; i += 4 {
			d[i] = a[i] >> b[i]
			d[i+1] = a[i+1] >> b[i+1]
			d[i+2] = a[i+2] >> b[i+2]
			d[i+3] = a[i+3] >> b[i+3]
		}
	case wordShrS:
		for i := range d {
			d[i] = uint32(int32(a[i]) >> b[i])
		}
	case wordSelect:
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
	case wordMask:
		m := uint32(in.imm)
		for i := range d {
			d[i] = a[i] & m
		}
	case wordSign8:
		m := uint32(in.imm)
		for i := range d {
			d[i] = uint32(int32(int8(a[i]))) & m
		}
	case wordSign16:
		m := uint32(in.imm)
		for i := range d {
			d[i] = uint32(int32(int16(a[i]))) & m
		}
	case wordLow:
		q, m := w.u64(in.a), uint32(in.imm)
		for i := range d {
			d[i] = uint32(q[i]) & m
		}
	default:
		w.wordRare(in, d, a, b)
	}
	if in.flags&flagNarrow != 0 {
		for i := range d {
			d[i] &= 0xffff
		}
	}
}

func (w *Warp) wordRare(in *Instr, d, a, b *[32]uint32) {
	switch in.op {
	case wordMinU:
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	case wordMinS:
		for i := range d {
			d[i] = uint32(min(int32(a[i]), int32(b[i])))
		}
	case wordMaxU:
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	case wordMaxS:
		for i := range d {
			d[i] = uint32(max(int32(a[i]), int32(b[i])))
		}
	case wordNeg:
		for i := range d {
			d[i] = -a[i]
		}
	case wordAbs:
		for i := range d {
			s := uint32(int32(a[i]) >> 31)
			d[i] = (a[i] ^ s) - s
		}
	case wordMulHighU:
		for i := range d {
			hi, _ := bits.Mul32(a[i], b[i])
			d[i] = hi
		}
	case wordMulHighS:
		for i := range d {
			d[i] = uint32(int64(int32(a[i])) * int64(int32(b[i])) >> 32)
		}
	case wordDivU:
		for i := range d {
			if b[i] == 0 {
				d[i] = ^uint32(0)
			} else {
				d[i] = a[i] / b[i]
			}
		}
	case wordDivS:
		for i := range d {
			if b[i] == 0 {
				d[i] = ^uint32(0)
			} else {
				d[i] = uint32(int32(a[i]) / int32(b[i]))
			}
		}
	case wordRemU:
		for i := range d {
			if b[i] == 0 {
				d[i] = a[i]
			} else {
				d[i] = a[i] % b[i]
			}
		}
	case wordRemS:
		for i := range d {
			if b[i] == 0 {
				d[i] = a[i]
			} else {
				d[i] = uint32(int32(a[i]) % int32(b[i]))
			}
		}
	case wordBfeU:
		c := w.u32(in.c)
		for i := range d {
			d[i] = uint32(uint64(a[i]) >> (b[i] & 0xff) & (1<<(c[i]&0xff) - 1))
		}
	case wordFromFloatS:
		w.floatToInt(in, d, true)
	case wordFromFloatU:
		w.floatToInt(in, d, false)
	default:
		panic("ptx: unknown word operation")
	}
}
