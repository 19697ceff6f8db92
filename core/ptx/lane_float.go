package ptx

import "math"

// laneArith says how a floating-point instruction of any kind is computed in
// one lane; the loops of float.go and double.go are its fast forms.
type laneArith func(t scalar, mode rounding) laneFunc

func laneFloatAdd(sub bool) laneArith {
	return func(t scalar, mode rounding) laneFunc {
		if t == typeF64 {
			return func(a, b, _, _ uint64) uint64 {
				y := f64(b)
				if sub {
					y = -y
				}
				return result64(add64(f64(a), y, mode), a, b)
			}
		}
		return func(a, b, _, _ uint64) uint64 {
			y := f32(b)
			if sub {
				y = -y
			}
			return bits32(add32(f32(a), y, mode))
		}
	}
}

// result64 returns the bits of an f64 result, choosing the NaN.
func result64(r float64, operands ...uint64) uint64 {
	if r != r {
		return nanOf(operands...)
	}
	return bits64(r)
}

func laneFloatMul(t scalar, mode rounding) laneFunc {
	if t == typeF64 {
		return func(a, b, _, _ uint64) uint64 { return result64(mul64(f64(a), f64(b), mode), a, b) }
	}
	return func(a, b, _, _ uint64) uint64 { return bits32(mul32(f32(a), f32(b), mode)) }
}

func laneFloatFma(t scalar, mode rounding) laneFunc {
	if t == typeF64 {
		return func(a, b, c, _ uint64) uint64 { return result64(fma64(f64(a), f64(b), f64(c), mode), a, b, c) }
	}
	return func(a, b, c, _ uint64) uint64 { return bits32(fma32(f32(a), f32(b), f32(c), mode)) }
}

// laneMadTruncate is mad.f32 of sm_1x: the product loses its low bits before
// the sum.
func laneMadTruncate(a, b, c, _ uint64) uint64 {
	return bits32(add32(mul32(f32(a), f32(b), roundZero), f32(c), roundNearest))
}

func laneFloatDiv(t scalar, mode rounding) laneFunc {
	if t == typeF64 {
		return func(a, b, _, _ uint64) uint64 { return result64(div64(f64(a), f64(b), mode), a, b) }
	}
	return func(a, b, _, _ uint64) uint64 { return bits32(div32(f32(a), f32(b), mode)) }
}

func laneFloatRcp(t scalar, mode rounding) laneFunc {
	div := laneFloatDiv(t, mode)
	one := uint64(0x3f800000)
	if t == typeF64 {
		one = bits64(1)
	}
	return func(a, _, _, _ uint64) uint64 { return div(one, a, 0, 0) }
}

func laneFloatSqrt(t scalar, mode rounding) laneFunc {
	if t == typeF64 {
		return func(a, _, _, _ uint64) uint64 { return result64(sqrt64(f64(a), mode), a) }
	}
	return func(a, _, _, _ uint64) uint64 { return bits32(sqrt32(f32(a), mode)) }
}

// laneApprox makes a lane function of an approximate f32 function.
func laneApprox(f func(float32) float32) laneFunc {
	return func(a, _, _, _ uint64) uint64 { return bits32(f(f32(a))) }
}

// laneHigh64 is rcp.approx.ftz.f64 and rsqrt.approx.f64: they look at the upper
// half of the operand and give the upper half of the result.
func laneHigh64(f func(float64) float64, flush bool) laneFunc {
	return func(a, _, _, _ uint64) uint64 {
		a &^= 0xffffffff
		if flush && a>>52&0x7ff == 0 {
			a &= 1 << 63
		}
		r := result64(f(f64(a)), a)
		if flush && r>>52&0x7ff == 0 {
			r &= 1 << 63
		}
		return r &^ 0xffffffff
	}
}

func reciprocal(x float64) float64     { return 1 / x }
func reciprocalRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// laneFloatMinMax is min and max with the rarer modifiers.
func laneFloatMinMax(t scalar, greatest, nan, xorSign bool) laneFunc {
	return func(a, b, _, _ uint64) uint64 {
		sign := (a ^ b) & 0x80000000
		if xorSign {
			a, b = a&0x7fffffff, b&0x7fffffff
		}
		if t == typeF64 {
			return minMax64(a, b, greatest)
		}
		if nan && (isNaN32(a) || isNaN32(b)) {
			return nan32
		}
		r := min32(f32(a), f32(b))
		if greatest {
			r = max32(f32(a), f32(b))
		}
		v := uint64(math.Float32bits(r))
		if xorSign && !isNaN32(v) {
			v |= sign
		}
		return v
	}
}

// laneMinMax3 is min.f32 and max.f32 of three operands, with .abs of their
// magnitudes.
func laneMinMax3(greatest, nan, abs bool) laneFunc {
	f := laneFloatMinMax(typeF32, greatest, nan, false)
	return func(a, b, c, _ uint64) uint64 {
		if abs {
			a, b, c = a&0x7fffffff, b&0x7fffffff, c&0x7fffffff
		}
		return f(f(a, b, 0, 0), c, 0, 0)
	}
}

func laneCopysign(t scalar) laneFunc {
	s := uint64(1) << (t.bits() - 1)
	return func(a, b, _, _ uint64) uint64 { return a&s | b&^s }
}

// laneTestp tests one property of a number; the result is 0 or 1.
func laneTestp(t scalar, property string) laneFunc {
	shift, exponent := 23, uint64(0xff)
	if t == typeF64 {
		shift, exponent = 52, 0x7ff
	}
	return func(a, _, _, _ uint64) uint64 {
		e := a >> shift & exponent
		fraction := a & (1<<shift - 1)
		var is bool
		switch property {
		case "finite":
			is = e != exponent
		case "infinite":
			is = e == exponent && fraction == 0
		case "number":
			is = e != exponent || fraction == 0
		case "notanumber":
			is = e == exponent && fraction != 0
		case "normal":
			is = e != 0 && e != exponent
		case "subnormal":
			is = e == 0 && fraction != 0
		}
		if is {
			return 1
		}
		return 0
	}
}

// flushed wraps a lane function with .ftz on f32 operands and result.
func flushed(f laneFunc) laneFunc {
	return func(a, b, c, e uint64) uint64 {
		return flush32(f(flush32(a), flush32(b), flush32(c), e))
	}
}

// saturated wraps a lane function with .sat.
func saturated(f laneFunc) laneFunc {
	return func(a, b, c, e uint64) uint64 { return saturate01(f(a, b, c, e)) }
}
