package arith

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// VideoMad is what the modifiers and the signs of vmad say.
type VideoMad struct {
	SignedFinal   bool // a source is signed, or the product or c is negated
	NegateProduct bool
	NegateC       bool
	PlusOne       bool // .po
	Saturate      bool
	Scale         int // bits shifted out: 7, 15 or 0
}

// LaneVideoMad is vmad after its elements were extracted: their product plus c, with
// 128 bits between (PTX ISA, "vmad", semantics). A negation is the complement and a
// one; c is complemented before it is extended, as the manual has it.
func LaneVideoMad(m VideoMad) ptx.LaneFunc {
	return func(x, y, c, _ uint64) uint64 {
		hi, lo := bits.Mul64(x, y)
		// The product of two's complements counts each sign bit as 2^63 instead of -2^63.
		hi -= uint64(int64(x)>>63)&y + uint64(int64(y)>>63)&x
		one := uint64(0)
		switch {
		case m.PlusOne:
			one = 1
		case m.NegateProduct:
			hi, lo, one = ^hi, ^lo, 1
		case m.NegateC:
			c, one = uint64(^uint32(c)), 1
		}
		chi := uint64(0)
		if m.SignedFinal {
			c = uint64(int64(int32(c)))
			chi = uint64(int64(c) >> 63)
		}
		lo, carry := bits.Add64(lo, c, 0)
		hi, _ = bits.Add64(hi, chi, carry)
		lo, carry = bits.Add64(lo, one, 0)
		hi += carry
		if m.Scale > 0 {
			lo = lo>>m.Scale | hi<<(64-m.Scale)
			hi = uint64(int64(hi) >> m.Scale)
		}
		if m.Saturate {
			return videoClamp128(hi, lo, m.SignedFinal)
		}
		return lo & 0xffffffff
	}
}

// videoClamp128 clamps to the range of s32 or u32.
func videoClamp128(hi, lo uint64, signed bool) uint64 {
	negative := int64(hi) < 0
	small := hi == uint64(int64(lo)>>63) // the number has 64 bits with a sign
	switch {
	case signed && small:
		return saturate32(int64(lo))
	case signed && negative:
		return 1 << 31
	case signed:
		return 1<<31 - 1
	case negative:
		return 0
	case hi != 0 || lo > 1<<32-1:
		return 1<<32 - 1
	}
	return lo
}
