package arith

import "math"

// MinMax64 returns the smaller or greater number; NaN only if both are.
func MinMax64(a, b uint64, greatest bool) uint64 {
	x, y := F64(a), F64(b)
	switch {
	case x < y:
		if greatest {
			return b
		}
		return a
	case y < x:
		if greatest {
			return a
		}
		return b
	case x == y && greatest:
		return a & b
	case x == y:
		return a | b
	case x == x:
		return a
	case y == y:
		return b
	}
	return NanOf(b, a)
}

// Saturate01 is .sat: clamp to [0, 1]; NaN becomes +0, and so does -0.
func Saturate01(v uint64) uint64 {
	switch f := F32(v); {
	case !(f > 0):
		return 0
	case f > 1:
		return 0x3f800000
	}
	return v
}

// Min32 returns the smaller number; NaN only if both are; -0 is less than +0.
func Min32(a, b float32) float32 {
	switch {
	case a < b:
		return a
	case b < a:
		return b
	case a == b:
		return math.Float32frombits(math.Float32bits(a) | math.Float32bits(b))
	case a == a:
		return a
	case b == b:
		return b
	}
	return FloatNaN
}

func Max32(a, b float32) float32 {
	switch {
	case a > b:
		return a
	case b > a:
		return b
	case a == b:
		return math.Float32frombits(math.Float32bits(a) & math.Float32bits(b))
	case a == a:
		return a
	case b == b:
		return b
	}
	return FloatNaN
}
