package ptx

import "math/bits"

// The functions of this file compute one lane of an integer instruction of any
// width. They are the definition of the instruction; the loops in word.go and
// long.go are the fast form of the common ones, and are tested against these.

func signed(t scalar, v uint64) int64 { return int64(t.extend(v)) }

func laneAdd(t scalar, sub bool) laneFunc {
	m := t.mask()
	if sub {
		return func(a, b, _, _ uint64) uint64 { return (a - b) & m }
	}
	return func(a, b, _, _ uint64) uint64 { return (a + b) & m }
}

// saturate32 clamps to the range of s32.
func saturate32(v int64) uint64 {
	return uint64(uint32(int32(max(min(v, 1<<31-1), -1<<31))))
}

func laneAddSaturate(sub bool) laneFunc {
	return func(a, b, _, _ uint64) uint64 {
		x, y := int64(int32(a)), int64(int32(b))
		if sub {
			y = -y
		}
		return saturate32(x + y)
	}
}

func laneMulLow(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, _, _ uint64) uint64 { return a * b & m }
}

// mulHigh returns the upper half of the product of two values of type t.
func mulHigh(t scalar, a, b uint64) uint64 {
	if t.bits() < 64 {
		return t.extend(a) * t.extend(b) >> t.bits() & t.mask()
	}
	hi, _ := bits.Mul64(a, b)
	if t.isSigned() {
		// The unsigned product counts each sign bit as 2^63 instead of -2^63.
		hi -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	}
	return hi
}

func laneMulHigh(t scalar) laneFunc {
	return func(a, b, _, _ uint64) uint64 { return mulHigh(t, a, b) }
}

func laneMulWide(t scalar) laneFunc {
	m := doubled(t).mask()
	return func(a, b, _, _ uint64) uint64 { return t.extend(a) * t.extend(b) & m }
}

func laneMadLow(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, c, _ uint64) uint64 { return (a*b + c) & m }
}

func laneMadHigh(t scalar, saturate bool) laneFunc {
	m := t.mask()
	if saturate {
		return func(a, b, c, _ uint64) uint64 {
			return saturate32(int64(int32(mulHigh(t, a, b))) + int64(int32(c)))
		}
	}
	return func(a, b, c, _ uint64) uint64 { return (mulHigh(t, a, b) + c) & m }
}

func laneMadWide(t scalar) laneFunc {
	m := doubled(t).mask()
	return func(a, b, c, _ uint64) uint64 { return (t.extend(a)*t.extend(b) + c) & m }
}

// mul24 returns 32 bits of the 48-bit product of the low 24 bits.
func mul24(t scalar, a, b uint64, high bool) uint64 {
	a, b = a&0xffffff, b&0xffffff
	if t.isSigned() {
		a, b = uint64(int64(a<<40)>>40), uint64(int64(b<<40)>>40)
	}
	p := a * b
	if high {
		p >>= 16
	}
	return p & 0xffffffff
}

func laneMul24(t scalar, high bool) laneFunc {
	return func(a, b, _, _ uint64) uint64 { return mul24(t, a, b, high) }
}

func laneMad24(t scalar, high, saturate bool) laneFunc {
	return func(a, b, c, _ uint64) uint64 {
		p := mul24(t, a, b, high)
		if saturate {
			return saturate32(int64(int32(p)) + int64(int32(c)))
		}
		return (p + c) & 0xffffffff
	}
}

func laneSad(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, c, _ uint64) uint64 {
		var d uint64
		if t.isSigned() {
			x, y := signed(t, a), signed(t, b)
			d = uint64(max(x, y)) - uint64(min(x, y))
		} else {
			d = max(a, b) - min(a, b)
		}
		return (d + c) & m
	}
}

// laneDiv divides. By zero PTX leaves the result open; the hardware gives all
// ones, and so does this. The most negative number by -1 gives itself.
func laneDiv(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, _, _ uint64) uint64 {
		switch {
		case b == 0:
			return m
		case t.isSigned():
			return uint64(signed(t, a)/signed(t, b)) & m
		}
		return a / b
	}
}

// laneRem returns the remainder; by zero it gives the dividend, as the hardware.
func laneRem(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, _, _ uint64) uint64 {
		switch {
		case b == 0:
			return a
		case t.isSigned():
			return uint64(signed(t, a)%signed(t, b)) & m
		}
		return a % b
	}
}

func laneAbs(t scalar) laneFunc {
	m := t.mask()
	return func(a, _, _, _ uint64) uint64 {
		if v := signed(t, a); v < 0 {
			return uint64(-v) & m
		}
		return a
	}
}

func laneNeg(t scalar) laneFunc {
	m := t.mask()
	return func(a, _, _, _ uint64) uint64 { return -a & m }
}

func laneMinMax(t scalar, greatest bool) laneFunc {
	return func(a, b, _, _ uint64) uint64 {
		less := a < b
		if t.isSigned() {
			less = signed(t, a) < signed(t, b)
		}
		if less != greatest {
			return a
		}
		return b
	}
}

// laneRectified is min and max with .relu of s32 and of each half of s16x2:
// what is negative becomes zero.
func laneRectified(t scalar, greatest bool) laneFunc {
	if t.isPair() {
		t = t.pairElement()
	}
	f := laneMinMax(t, greatest)
	return func(a, b, _, _ uint64) uint64 {
		v := f(a, b, 0, 0)
		if signed(t, v) < 0 {
			return 0
		}
		return v
	}
}

func laneNot(t scalar) laneFunc {
	m := t.mask()
	return func(a, _, _, _ uint64) uint64 { return ^a & m }
}

func laneCnot(a, _, _, _ uint64) uint64 {
	if a == 0 {
		return 1
	}
	return 0
}

// laneShr clamps the amount to the width: what is shifted out is gone.
func laneShr(t scalar) laneFunc {
	m := t.mask()
	return func(a, b, _, _ uint64) uint64 {
		if t.isSigned() {
			return uint64(signed(t, a)>>b) & m
		}
		return a >> b
	}
}

// laneFunnel shifts the 64-bit value b:a and keeps the lower (right) or upper
// (left) half.
func laneFunnel(right, wrap bool) laneFunc {
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

// laneMask keeps the low bits.
func laneMask(t scalar) laneFunc {
	m := t.mask()
	return func(a, _, _, _ uint64) uint64 { return a & m }
}
