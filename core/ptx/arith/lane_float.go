package arith

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// LaneArith says how a floating-point instruction of any kind is computed in
// one lane; the loops of float.go and double.go are its fast forms.
type LaneArith func(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc

func LaneFloatAdd(sub bool) LaneArith {
	return func(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
		if t == ptx.TypeF64 {
			return func(a, b, _, _ uint64) uint64 {
				y := F64(b)
				if sub {
					y = -y
				}
				return Result64(add64(F64(a), y, mode), b, a)
			}
		}
		return func(a, b, _, _ uint64) uint64 {
			y := F32(b)
			if sub {
				y = -y
			}
			return Bits32(add32(F32(a), y, mode))
		}
	}
}

// Result64 returns the bits of an f64 result, choosing the NaN.
func Result64(r float64, operands ...uint64) uint64 {
	if r != r {
		return NanOf(operands...)
	}
	return Bits64(r)
}

func LaneFloatMul(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
	if t == ptx.TypeF64 {
		return func(a, b, _, _ uint64) uint64 { return Result64(mul64(F64(a), F64(b), mode), b, a) }
	}
	return func(a, b, _, _ uint64) uint64 { return Bits32(mul32(F32(a), F32(b), mode)) }
}

func LaneFloatFma(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
	if t == ptx.TypeF64 {
		return func(a, b, c, _ uint64) uint64 { return Result64(Fma64(F64(a), F64(b), F64(c), mode), b, c, a) }
	}
	return func(a, b, c, _ uint64) uint64 { return Bits32(Fma32(F32(a), F32(b), F32(c), mode)) }
}

// LaneMadTruncate is mad.f32 of sm_1x: the product loses its low bits before
// the sum.
func LaneMadTruncate(a, b, c, _ uint64) uint64 {
	return Bits32(add32(mul32(F32(a), F32(b), ptx.RoundZero), F32(c), ptx.RoundNearest))
}

func LaneFloatDiv(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
	if t == ptx.TypeF64 {
		return func(a, b, _, _ uint64) uint64 { return Result64(div64(F64(a), F64(b), mode), a, b) }
	}
	return func(a, b, _, _ uint64) uint64 { return Bits32(div32(F32(a), F32(b), mode)) }
}

func LaneFloatRcp(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
	div := LaneFloatDiv(t, mode)
	one := uint64(0x3f800000)
	if t == ptx.TypeF64 {
		one = Bits64(1)
	}
	return func(a, _, _, _ uint64) uint64 { return div(one, a, 0, 0) }
}

func LaneFloatSqrt(t ptx.Scalar, mode ptx.Rounding) ptx.LaneFunc {
	if t == ptx.TypeF64 {
		return func(a, _, _, _ uint64) uint64 { return Result64(sqrt64(F64(a), mode), a) }
	}
	return func(a, _, _, _ uint64) uint64 { return Bits32(sqrt32(F32(a), mode)) }
}

// LaneApprox makes a lane function of an approximate f32 function.
func LaneApprox(f func(float32) float32) ptx.LaneFunc {
	return func(a, _, _, _ uint64) uint64 { return Bits32(f(F32(a))) }
}

// LaneHigh64 is rcp.approx.ftz.f64 and rsqrt.approx.f64: they look at the upper
// half of the operand and give the upper half of the result.
func LaneHigh64(f func(float64) float64, flush bool) ptx.LaneFunc {
	return func(a, _, _, _ uint64) uint64 {
		a &^= 0xffffffff
		if flush && a>>52&0x7ff == 0 {
			a &= 1 << 63
		}
		r := Result64(f(F64(a)), a)
		if flush && r>>52&0x7ff == 0 {
			r &= 1 << 63
		}
		return r &^ 0xffffffff
	}
}

func Reciprocal(x float64) float64 { return 1 / x }

func ReciprocalRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// LaneFloatMinMax is min and max with the rarer modifiers.
func LaneFloatMinMax(t ptx.Scalar, greatest, nan, xorSign bool) ptx.LaneFunc {
	return func(a, b, _, _ uint64) uint64 {
		sign := (a ^ b) & 0x80000000
		if xorSign {
			a, b = a&0x7fffffff, b&0x7fffffff
		}
		if t == ptx.TypeF64 {
			return MinMax64(a, b, greatest)
		}
		if nan && (isNaN32(a) || isNaN32(b)) {
			return nan32
		}
		r := Min32(F32(a), F32(b))
		if greatest {
			r = Max32(F32(a), F32(b))
		}
		v := uint64(math.Float32bits(r))
		if xorSign && !isNaN32(v) {
			v |= sign
		}
		return v
	}
}

// LaneMinMax3 is min.f32 and max.f32 of three operands, with .abs of their
// magnitudes.
func LaneMinMax3(greatest, nan, abs bool) ptx.LaneFunc {
	f := LaneFloatMinMax(ptx.TypeF32, greatest, nan, false)
	return func(a, b, c, _ uint64) uint64 {
		if abs {
			a, b, c = a&0x7fffffff, b&0x7fffffff, c&0x7fffffff
		}
		return f(f(a, b, 0, 0), c, 0, 0)
	}
}

func LaneCopysign(t ptx.Scalar) ptx.LaneFunc {
	s := uint64(1) << (t.Bits() - 1)
	return func(a, b, _, _ uint64) uint64 { return a&s | b&^s }
}

// LaneTestp tests one property of a number; the result is 0 or 1.
func LaneTestp(t ptx.Scalar, property string) ptx.LaneFunc {
	shift, exponent := 23, uint64(0xff)
	if t == ptx.TypeF64 {
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
			is = (e != 0 || fraction == 0) && e != exponent // zero counts as normal
		case "subnormal":
			is = e == 0 && fraction != 0
		}
		if is {
			return 1
		}
		return 0
	}
}

// Flushed wraps a lane function with .ftz on f32 operands and result.
func Flushed(f ptx.LaneFunc) ptx.LaneFunc {
	return func(a, b, c, e uint64) uint64 {
		return Flush32(f(Flush32(a), Flush32(b), Flush32(c), e))
	}
}

// SmallestNormal is the f32 whose neighbour is subnormal.
const SmallestNormal = 0x00800000

// FlushedScaled is Flushed for products and quotients. The device flushes a result that is
// subnormal at its full precision, also where rounding to the fixed exponent would make it
// the smallest normal number. scale is the exponent of a factor on operands a and c which
// multiplies the result by 2^24.
func FlushedScaled(f ptx.LaneFunc, scale int) ptx.LaneFunc {
	return func(a, b, c, e uint64) uint64 {
		a, b, c = Flush32(a), Flush32(b), Flush32(c)
		r := f(a, b, c, e)
		if r&0x7fffffff == SmallestNormal && Below(f(scaled32(a, scale), b, scaled32(c, scale), e)) {
			return r & 0x80000000
		}
		return Flush32(r)
	}
}

// scaled32 multiplies a number by a power of two.
func scaled32(v uint64, scale int) uint64 {
	return uint64(math.Float32bits(F32(v) * math.Float32frombits(uint32(127+scale)<<23)))
}

// Below reports whether a result that was multiplied by 2^24 would be subnormal.
func Below(v uint64) bool { return v&0x7fffffff < SmallestNormal+24<<23 }

// Saturated wraps a lane function with .sat.
func Saturated(f ptx.LaneFunc) ptx.LaneFunc {
	return func(a, b, c, e uint64) uint64 { return Saturate01(f(a, b, c, e)) }
}
