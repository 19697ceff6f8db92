package arith

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// The functions of this file compute one lane of an integer instruction of any
// width. They are the definition of the instruction; the loops in word.go and
// long.go are the fast form of the common ones, and are tested against these.

func signed(t ptx.Scalar, v uint64) int64 { return int64(t.Extend(v)) }

func LaneAdd(t ptx.Scalar, sub bool) ptx.LaneFunc {
	m := t.Mask()
	if sub {
		return func(a, b, _, _ uint64) uint64 { return (a - b) & m }
	}
	return func(a, b, _, _ uint64) uint64 { return (a + b) & m }
}

// saturate32 clamps to the range of s32.
func saturate32(v int64) uint64 {
	return uint64(uint32(int32(max(min(v, 1<<31-1), -1<<31))))
}

func LaneAddSaturate(sub bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		x, y := int64(int32(a)), int64(int32(b))
		if sub {
			y = -y
		}
		return saturate32(x + y)
	}
}

func LaneMulLow(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, _, _ uint64) uint64 { return a * b & m }
}

// mulHigh returns the upper half of the product of two values of type t.
func mulHigh(t ptx.Scalar, a, b uint64) uint64 {
	if t.Bits() < 64 {
		return t.Extend(a) * t.Extend(b) >> t.Bits() & t.Mask()
	}
	hi, _ := bits.Mul64(a, b)
	if t.IsSigned() {
		// The unsigned product counts each sign bit as 2^63 instead of -2^63.
		hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	}
	return hi
}

func LaneMulHigh(t ptx.Scalar) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 { return mulHigh(t, a, b) }
}

func LaneMulWide(t ptx.Scalar) ptx.LaneFunc {
	m := t.Doubled().Mask()
	return func(a, b, _, _ uint64) uint64 { return t.Extend(a) * t.Extend(b) & m }
}

func LaneMadLow(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, c, _ uint64) uint64 { return (a*b + c) & m }
}

func LaneMadHigh(t ptx.Scalar, saturate bool) ptx.LaneFunc {
	m := t.Mask()
	if saturate {
		return func(a, b, c, _ uint64) uint64 {
			return saturate32(int64(int32(mulHigh(t, a, b))) + int64(int32(c)))
		}
	}
	return func(a, b, c, _ uint64) uint64 { return (mulHigh(t, a, b) + c) & m }
}

func LaneMadWide(t ptx.Scalar) ptx.LaneFunc {
	m := t.Doubled().Mask()
	return func(a, b, c, _ uint64) uint64 { return (t.Extend(a)*t.Extend(b) + c) & m }
}

// mul24 returns 32 bits of the 48-bit product of the low 24 bits.
func mul24(t ptx.Scalar, a, b uint64, high bool) uint64 {
	a, b = a&0xffffff, b&0xffffff
	if t.IsSigned() {
		a, b = uint64(int64(a<<40)>>40), uint64(int64(b<<40)>>40)
	}
	p := a * b
	if high {
		p >>= 16
	}
	return p & 0xffffffff
}

func LaneMul24(t ptx.Scalar, high bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 { return mul24(t, a, b, high) }
}

func LaneMad24(t ptx.Scalar, high, saturate bool) ptx.LaneFunc {
	return func(a, b, c, _ uint64) uint64 {
		p := mul24(t, a, b, high)
		if saturate {
			return saturate32(int64(int32(p)) + int64(int32(c)))
		}
		return (p + c) & 0xffffffff
	}
}

func LaneSad(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, c, _ uint64) uint64 {
		var d uint64
		if t.IsSigned() {
			x, y := signed(t, a), signed(t, b)
			d = uint64(max(x, y)) - uint64(min(x, y))
		} else {
			d = max(a, b) - min(a, b)
		}
		return (d + c) & m
	}
}

// LaneDiv divides. By zero PTX leaves the result open; the hardware gives all
// ones, and so does this. The most negative number by -1 gives itself.
func LaneDiv(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, _, _ uint64) uint64 {
		switch {
		case b == 0:
			return m
		case t.IsSigned():
			return uint64(signed(t, a)/signed(t, b)) & m
		}
		return a / b
	}
}

// LaneRem returns the remainder; by zero it gives the dividend, as the hardware.
// LaneRem is rem. The manual leaves the remainder of a division by zero open; an NVIDIA
// H200 gives all ones.
func LaneRem(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, _, _ uint64) uint64 {
		switch {
		case b == 0:
			return m
		case t.IsSigned():
			return uint64(signed(t, a)%signed(t, b)) & m
		}
		return a % b
	}
}

func LaneAbs(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, _, _, _ uint64) uint64 {
		if v := signed(t, a); v < 0 {
			return uint64(-v) & m
		}
		return a
	}
}

func LaneNeg(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, _, _, _ uint64) uint64 { return -a & m }
}

func LaneMinMax(t ptx.Scalar, greatest bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		less := a < b
		if t.IsSigned() {
			less = signed(t, a) < signed(t, b)
		}
		if less != greatest {
			return a
		}
		return b
	}
}

// LaneRectified is min and max with .relu of s32 and of each half of s16x2:
// negative results become zero.
func LaneRectified(t ptx.Scalar, greatest bool) ptx.LaneFunc {
	if t.IsPair() {
		t = t.PairElement()
	}
	f := LaneMinMax(t, greatest)
	return func(a, b, _, _ uint64) uint64 {
		v := f(a, b, 0, 0)
		if signed(t, v) < 0 {
			return 0
		}
		return v
	}
}

func LaneNot(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, _, _, _ uint64) uint64 { return ^a & m }
}

func LaneCnot(a, _, _, _ uint64) uint64 {
	if a == 0 {
		return 1
	}
	return 0
}

// LaneShr clamps the amount to the width; all bits may be shifted out.
func LaneShr(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, b, _, _ uint64) uint64 {
		if t.IsSigned() {
			return uint64(signed(t, a)>>b) & m
		}
		return a >> b
	}
}

// LaneFunnel shifts the 64-bit value b:a and keeps the lower (right) or upper
// (left) half.
func LaneFunnel(right, wrap bool) ptx.LaneFunc {
	return func(a, b, c, _ uint64) uint64 {
		n := min(c, 32)
		if wrap {
			n = c & 31
		}
		v := b<<32 | a
		if right {
			return v >> n & 0xffffffff
		}
		return v << n >> 32
	}
}

// LaneMask keeps the low bits.
func LaneMask(t ptx.Scalar) ptx.LaneFunc {
	m := t.Mask()
	return func(a, _, _, _ uint64) uint64 { return a & m }
}
