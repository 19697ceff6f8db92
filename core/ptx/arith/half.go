package arith

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// HalfFormat is a 16-bit floating-point format.
type HalfFormat struct {
	fraction uint   // bits of the fraction
	bias     int    // of the exponent
	infinity uint64 // bits of +infinity; the largest number is one less
	One      uint64 // bits of 1
	normal   uint64 // bits of the smallest normal number

	// For the way to and from f64: the extra bits of the f64 fraction; the difference
	// between the bits of a normal number as f64 and its shifted bits here; the f64
	// bits of the smallest normal number; and the span from there to the first power
	// of two that is out of range.
	shift               uint
	rebase, low, extent uint64
}

var (
	// FormatF16 is binary16 of IEEE 754, FormatBF16 the upper half of an f32.
	FormatF16 = HalfFormat{fraction: 10, bias: 15, infinity: 0x7c00, One: 0x3c00, normal: 0x0400,
		shift: 42, rebase: (1023 - 15) << 52, low: (1023 - 14) << 52, extent: 30 << 52}
	FormatBF16 = HalfFormat{fraction: 7, bias: 127, infinity: 0x7f80, One: 0x3f80, normal: 0x0080,
		shift: 45, rebase: (1023 - 127) << 52, low: (1023 - 126) << 52, extent: 254 << 52}
)

// nan16 is the NaN every f16 and bf16 instruction of the hardware returns.
const nan16 = 0x7fff

// HalfSigns are the sign bits of a pair of halves.
const HalfSigns = 0x80008000

// FormatOf returns the format of a half, or of each half of a pair.
func FormatOf(t ptx.Scalar) *HalfFormat {
	if t == ptx.TypeBF16 || t == ptx.TypeBF16x2 {
		return &FormatBF16
	}
	return &FormatF16
}

func (h *HalfFormat) isNaN(v uint64) bool { return v&0x7fff > h.infinity }

// flush makes a subnormal number zero.
func (h *HalfFormat) flush(v uint64) uint64 {
	if v&h.infinity == 0 {
		return v & 0x8000
	}
	return v
}

// flushExact is flush of v, the half nearest to x. A number that is subnormal at full
// precision becomes zero even where it rounds to the smallest normal one.
func (h *HalfFormat) flushExact(v uint64, x float64) uint64 {
	normal := F64(h.low)
	if v&0x7fff == h.normal && math.Abs(x) < normal-math.Ldexp(normal, -int(h.fraction)-2) {
		return v & 0x8000
	}
	return h.flush(v)
}

// Double returns the value of a half; a NaN keeps its sign and payload.
func (h *HalfFormat) Double(v uint64) float64 {
	if magnitude := v & 0x7fff; magnitude-h.normal < h.infinity-h.normal {
		return F64(magnitude<<(h.shift&63) + h.rebase | v>>15<<63)
	}
	return h.special(v)
}

// special is double for what is not a normal number.
func (h *HalfFormat) special(v uint64) float64 {
	sign := v >> 15 << 63
	magnitude := v & 0x7fff
	switch {
	case magnitude == 0:
		return F64(sign)
	case magnitude < h.normal: // a subnormal number has the unit of the smallest normal one
		m := float64(int64(magnitude))
		return F64(Bits64(m*F64(uint64(1024-h.bias-int(h.fraction))<<52)) | sign)
	case magnitude > h.infinity:
		return F64(magnitude<<h.shift | 0x7ff8<<48 | sign)
	}
	return F64(0x7ff<<52 | sign)
}

// Nearest is round to nearest even.
func (h *HalfFormat) Nearest(x float64) uint64 {
	b := Bits64(x)
	magnitude, s := b&^(1<<63), h.shift&63
	if magnitude-h.low < h.extent { // a carry out of the fraction is right as it is
		return b>>63<<15 | (magnitude-h.rebase+1<<s>>1-1+magnitude>>s&1)>>s
	}
	return h.Round(x, ptx.RoundNearest)
}

// Round returns the half nearest to x in the given mode. An x that is itself
// rounded must be rounded to odd.
func (h *HalfFormat) Round(x float64, mode ptx.Rounding) uint64 {
	b := Bits64(x)
	sign := b >> 63
	b &^= 1 << 63
	if b >= 0x7ff<<52 {
		if b > 0x7ff<<52 {
			return nan16
		}
		return sign<<15 | h.infinity
	}
	m := b&(1<<52-1) | 1<<52
	exponent := int(b>>52) - 1023 + h.bias
	shift := h.shift
	if b>>52 == 0 {
		m &^= 1 << 52
	}
	if exponent <= 0 { // subnormal
		shift = min(shift+uint(1-exponent), 63)
		exponent = 1
	}
	q, rest, half := m>>shift, m&(1<<shift-1), uint64(1)<<(shift-1)
	switch mode {
	case ptx.RoundNearest:
		if rest > half || rest == half && q&1 != 0 {
			q++
		}
	case ptx.RoundUp:
		if rest != 0 && sign == 0 {
			q++
		}
	case ptx.RoundDown:
		if rest != 0 && sign != 0 {
			q++
		}
	}
	// The hidden bit counts as one in the exponent.
	q += uint64(exponent-1) << h.fraction
	if q >= h.infinity {
		q = h.infinity
		if mode == ptx.RoundZero || mode == ptx.RoundUp && sign != 0 || mode == ptx.RoundDown && sign == 0 {
			q--
		}
	}
	return sign<<15 | q
}

// Saturate is .sat: clamp to [0, 1]; NaN becomes +0, and so does -0.
func (h *HalfFormat) Saturate(v uint64) uint64 {
	if v >= 0x8000 || h.isNaN(v) {
		return 0
	}
	return min(v, h.One)
}

// rectify is .relu: negative numbers become +0; NaN stays.
func (h *HalfFormat) rectify(v uint64) uint64 {
	if v >= 0x8000 && !h.isNaN(v) {
		return 0
	}
	return v
}

// WithError joins a rounded sum and its error into one f64 that rounds to any
// shorter format as the exact sum does.
func WithError(s, e float64) float64 {
	if e == 0 || !finite(s) {
		return s
	}
	return roundToOdd(s, e)
}

// Arithmetic on values of halves. Products are exact in f64, since they have at
// most 22 bits and no exponent out of its range; sums carry their error along.

func HalfAdd(a, b, _ float64) float64 { return WithError(twoSum(a, b)) }

func HalfSub(a, b, _ float64) float64 { return WithError(twoSum(a, -b)) }

func HalfMul(a, b, _ float64) float64 { return a * b }

func HalfFma(a, b, c float64) float64 { return WithError(twoSum(float64(a*b), c)) }

func HalfEx2(a, _, _ float64) float64 { return exp2(a) }

func HalfTanh(a, _, _ float64) float64 { return tanh(a) }

// tf32 rounds an f32 to the 10 bits of fraction of tf32, which keeps the place
// and the exponent of an f32. With away, ties go away from zero.
func tf32(v uint64, away bool, mode ptx.Rounding) uint64 {
	const dropped = 13 // 23 - 10
	if isNaN32(v) {
		if !away {
			v = nan32
		}
		return v &^ (1<<dropped - 1)
	}
	magnitude := v & 0x7fffffff
	rest := magnitude & (1<<dropped - 1)
	magnitude -= rest
	const half = 1 << (dropped - 1)
	if mode == ptx.RoundNearest && (rest > half || rest == half && (away || magnitude>>dropped&1 != 0)) {
		magnitude += 1 << dropped
	}
	return v&0x80000000 | min(magnitude, 0x7f800000)
}
