package arith

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

func Bit(b bool) uint32 {
	var x uint32
	if b {
		x = 1
	}
	return x
}

var FloatNaN = math.Float32frombits(nan32)

// OneNaN replaces any NaN by the one the hardware returns.
func OneNaN(v float32) float32 {
	if v != v {
		return FloatNaN
	}
	return v
}

// nan32 is the NaN every f32 instruction of the hardware returns.
const nan32 = 0x7fffffff

// nan64 is the NaN that the hardware generates for f64. A NaN operand is passed on.
const nan64 = 0xfff8000000000000

func F32(bits uint64) float32 { return math.Float32frombits(uint32(bits)) }

func F64(bits uint64) float64 { return math.Float64frombits(bits) }

func Bits64(f float64) uint64 { return math.Float64bits(f) }

func isNaN32(bits uint64) bool { return bits&0x7fffffff > 0x7f800000 }

func IsNaN64(bits uint64) bool { return bits&^(1<<63) > 0x7ff<<52 }

func finite(f float64) bool { return math.Float64bits(f)>>52&0x7ff != 0x7ff }

func Flush32(bits uint64) uint64 {
	if bits&0x7f800000 == 0 {
		return bits & 0x80000000
	}
	return bits
}

// Bits32 returns the bits of an f32 result, with the one NaN.
func Bits32(f float32) uint64 {
	if f != f {
		return nan32
	}
	return uint64(math.Float32bits(f))
}

// NanOf returns the NaN result of an f64 instruction: the first operand that is NaN. An
// NVIDIA H200 looks at b first, then at c and a.
func NanOf(operands ...uint64) uint64 {
	for _, v := range operands {
		if IsNaN64(v) {
			return v | 1<<51
		}
	}
	return nan64
}

func negative(f float32) bool { return math.Float32bits(f)>>31 != 0 }

func nextUp32(f float32) float32 {
	switch b := math.Float32bits(f); {
	case f == 0:
		return math.Float32frombits(1)
	case b>>31 != 0:
		return math.Float32frombits(b - 1)
	default:
		return math.Float32frombits(b + 1)
	}
}

func nextDown32(f float32) float32 { return -nextUp32(-f) }

// round32 rounds an exact value to f32. The exact value is s plus something of
// the sign of e that is too small to change s when rounded to nearest.
func round32(s, e float64, mode ptx.Rounding) float32 {
	if mode == ptx.RoundNearest {
		if e != 0 {
			s = roundToOdd(s, e)
		}
		return float32(s)
	}
	f := float32(s)
	if !finite(s) {
		return f
	}
	d := s - float64(f) // exact, or infinite when f overflowed
	if d == 0 {
		d = e
	}
	above := d > 0 // the exact value is above f
	switch {
	case d == 0:
		return f
	case mode == ptx.RoundUp && above, mode == ptx.RoundZero && above && (f < 0 || f == 0 && negative(f)):
		return nextUp32(f)
	case mode == ptx.RoundDown && !above, mode == ptx.RoundZero && !above && (f > 0 || f == 0 && !negative(f)):
		return nextDown32(f)
	}
	return f
}

// roundToOdd makes the last bit of s odd when s is not the exact value, in the
// direction of e, so that a second rounding cannot see a false tie.
func roundToOdd(s, e float64) float64 {
	u := math.Float64bits(s)
	if u&1 == 0 {
		if (e > 0) == (s > 0) {
			u++
		} else {
			u--
		}
	}
	return math.Float64frombits(u)
}

// twoSum returns the rounded sum and the exact error (Knuth).
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	e = (a - (s - t)) + (b - t)
	return s, e
}

// add32 adds in any rounding mode.
func add32(a, b float32, mode ptx.Rounding) float32 {
	s, e := twoSum(float64(a), float64(b))
	if s == 0 && mode == ptx.RoundDown && (negative(a) || negative(b)) {
		return float32(math.Copysign(0, -1)) // x - x is -0 when rounding down
	}
	if !finite(s) {
		e = 0
	}
	return round32(s, e, mode)
}

func mul32(a, b float32, mode ptx.Rounding) float32 {
	return round32(float64(a)*float64(b), 0, mode) // the product is exact
}

// Fma32 computes a*b+c with one rounding.
func Fma32(a, b, c float32, mode ptx.Rounding) float32 {
	p := float64(a) * float64(b)
	s, e := twoSum(p, float64(c))
	if !finite(s) {
		return float32(s)
	}
	if s == 0 && mode == ptx.RoundDown && (math.Signbit(p) || negative(c)) {
		return float32(math.Copysign(0, -1))
	}
	return round32(s, e, mode)
}

func div32(a, b float32, mode ptx.Rounding) float32 {
	if mode == ptx.RoundNearest {
		return a / b
	}
	q := float64(a) / float64(b)
	var e float64
	if finite(q) && finite(float64(b)) && b != 0 {
		e = math.FMA(-q, float64(b), float64(a))
		if b < 0 {
			e = -e
		}
	}
	return round32(q, e, mode)
}

func sqrt32(a float32, mode ptx.Rounding) float32 {
	q := math.Sqrt(float64(a))
	if mode == ptx.RoundNearest || !finite(q) {
		return float32(q) // correctly rounded twice is correctly rounded here
	}
	return round32(q, math.FMA(-q, q, float64(a)), mode)
}

// direct64 moves f, the nearest f64, in the direction of mode. The comparison is
// of f with the exact value: -1 below, 0 equal, 1 above.
func direct64(f float64, compared int, mode ptx.Rounding) float64 {
	neg := math.Signbit(f)
	switch {
	case compared < 0 && (mode == ptx.RoundUp || mode == ptx.RoundZero && neg):
		return math.Nextafter(f, math.Inf(1))
	case compared > 0 && (mode == ptx.RoundDown || mode == ptx.RoundZero && !neg):
		return math.Nextafter(f, math.Inf(-1))
	}
	return f
}

// Fma64 computes a*b+c with one rounding in any mode.
func Fma64(a, b, c float64, mode ptx.Rounding) float64 {
	r := math.FMA(a, b, c)
	if mode == ptx.RoundNearest || !finite(a) || !finite(b) || !finite(c) {
		return r
	}
	if signOfSum(product{a, b}, product{c, 1}) == 0 {
		if mode == ptx.RoundDown && (math.Signbit(a) != math.Signbit(b) || math.Signbit(c)) {
			return math.Copysign(0, -1)
		}
		return r
	}
	return direct64(r, against(r, product{-a, b}, product{-c, 1}), mode)
}

func add64(a, b float64, mode ptx.Rounding) float64 {
	if mode == ptx.RoundNearest {
		return a + b
	}
	return Fma64(a, 1, b, mode)
}

func mul64(a, b float64, mode ptx.Rounding) float64 {
	p := a * b
	if mode == ptx.RoundNearest || !finite(a) || !finite(b) || a == 0 || b == 0 {
		return p
	}
	return direct64(p, against(p, product{-a, b}), mode)
}

func div64(a, b float64, mode ptx.Rounding) float64 {
	q := a / b
	if mode == ptx.RoundNearest || !finite(a) || !finite(b) || a == 0 || b == 0 {
		return q
	}
	if math.IsInf(q, 0) {
		return direct64(q, against(q), mode)
	}
	c := signOfSum(product{q, b}, product{-a, 1}) // q*b against a
	if b < 0 {
		c = -c
	}
	return direct64(q, c, mode)
}

func sqrt64(a float64, mode ptx.Rounding) float64 {
	q := math.Sqrt(a)
	if mode == ptx.RoundNearest || !finite(q) || q == 0 {
		return q
	}
	return direct64(q, signOfSum(product{q, q}, product{-a, 1}), mode)
}
