package ptx

// halfFormat is a 16-bit floating-point format.
type halfFormat struct {
	fraction uint   // bits of the fraction
	bias     int    // of the exponent
	infinity uint64 // bits of +infinity; the largest number is one less
	one      uint64 // bits of 1
	normal   uint64 // bits of the smallest normal number

	// The same in f64: how many more bits the fraction has, what the bits of a
	// normal number differ by once shifted, those of the smallest normal number, and
	// how far the numbers below the next power of two after the largest go from there.
	shift               uint
	rebase, low, extent uint64
}

var (
	// formatF16 is binary16 of IEEE 754, formatBF16 the upper half of an f32.
	formatF16 = halfFormat{fraction: 10, bias: 15, infinity: 0x7c00, one: 0x3c00, normal: 0x0400,
		shift: 42, rebase: (1023 - 15) << 52, low: (1023 - 14) << 52, extent: 30 << 52}
	formatBF16 = halfFormat{fraction: 7, bias: 127, infinity: 0x7f80, one: 0x3f80, normal: 0x0080,
		shift: 45, rebase: (1023 - 127) << 52, low: (1023 - 126) << 52, extent: 254 << 52}
)

// nan16 is the NaN every f16 and bf16 instruction of the hardware returns.
const nan16 = 0x7fff

// halfSigns are the sign bits of a pair of halves.
const halfSigns = 0x80008000

// isHalf reports whether t is f16, bf16 or a pair of them.
func (t scalar) isHalf() bool { return t >= typeF16 && t <= typeBF16x2 }

// isPair reports whether t is two 16-bit values in one register.
func (t scalar) isPair() bool {
	return t == typeF16x2 || t == typeBF16x2 || t == typeU16x2 || t == typeS16x2
}

// halfFormat returns the format of a half, or of each half of a pair.
func (t scalar) halfFormat() *halfFormat {
	if t == typeBF16 || t == typeBF16x2 {
		return &formatBF16
	}
	return &formatF16
}

func (h *halfFormat) isNaN(v uint64) bool { return v&0x7fff > h.infinity }

// flush makes a subnormal number zero.
func (h *halfFormat) flush(v uint64) uint64 {
	if v&h.infinity == 0 {
		return v & 0x8000
	}
	return v
}

// double returns the value of a half; a NaN keeps its sign and payload.
func (h *halfFormat) double(v uint64) float64 {
	if magnitude := v & 0x7fff; magnitude-h.normal < h.infinity-h.normal {
		return f64(magnitude<<(h.shift&63) + h.rebase | v>>15<<63)
	}
	return h.special(v)
}

// special is double for what is not a normal number.
func (h *halfFormat) special(v uint64) float64 {
	sign := v >> 15 << 63
	magnitude := v & 0x7fff
	switch {
	case magnitude == 0:
		return f64(sign)
	case magnitude < h.normal: // the unit of a subnormal number is that of the smallest normal one
		m := float64(int64(magnitude))
		return f64(bits64(m*f64(uint64(1024-h.bias-int(h.fraction))<<52)) | sign)
	case magnitude > h.infinity:
		return f64(magnitude<<h.shift | 0x7ff8<<48 | sign)
	}
	return f64(0x7ff<<52 | sign)
}

// nearest is round to nearest even.
func (h *halfFormat) nearest(x float64) uint64 {
	b := bits64(x)
	magnitude, s := b&^(1<<63), h.shift&63
	if magnitude-h.low < h.extent { // a carry out of the fraction is right as it is
		return b>>63<<15 | (magnitude-h.rebase+1<<s>>1-1+magnitude>>s&1)>>s
	}
	return h.round(x, roundNearest)
}

// round returns the half nearest to x in the given mode. An x that is itself
// rounded must be rounded to odd.
func (h *halfFormat) round(x float64, mode rounding) uint64 {
	b := bits64(x)
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
	case roundNearest:
		if rest > half || rest == half && q&1 != 0 {
			q++
		}
	case roundUp:
		if rest != 0 && sign == 0 {
			q++
		}
	case roundDown:
		if rest != 0 && sign != 0 {
			q++
		}
	}
	// The hidden bit counts as one in the exponent.
	q += uint64(exponent-1) << h.fraction
	if q >= h.infinity {
		q = h.infinity
		if mode == roundZero || mode == roundUp && sign != 0 || mode == roundDown && sign == 0 {
			q--
		}
	}
	return sign<<15 | q
}

// saturate is .sat: clamp to [0, 1]; NaN becomes +0, and so does -0.
func (h *halfFormat) saturate(v uint64) uint64 {
	if v >= 0x8000 || h.isNaN(v) {
		return 0
	}
	return min(v, h.one)
}

// rectify is .relu: what is negative becomes +0; NaN stays.
func (h *halfFormat) rectify(v uint64) uint64 {
	if v >= 0x8000 && !h.isNaN(v) {
		return 0
	}
	return v
}

// withError joins a rounded sum and its error into one f64 that rounds to any
// shorter format as the exact sum does.
func withError(s, e float64) float64 {
	if e == 0 || !finite(s) {
		return s
	}
	return roundToOdd(s, e)
}

// Arithmetic on values of halves. Products are exact in f64, since they have at
// most 22 bits and no exponent out of its range; sums carry their error along.

func halfAdd(a, b, _ float64) float64  { return withError(twoSum(a, b)) }
func halfSub(a, b, _ float64) float64  { return withError(twoSum(a, -b)) }
func halfMul(a, b, _ float64) float64  { return a * b }
func halfFma(a, b, c float64) float64  { return withError(twoSum(float64(a*b), c)) }
func halfEx2(a, _, _ float64) float64  { return exp2(a) }
func halfTanh(a, _, _ float64) float64 { return tanh(a) }

// tf32 rounds an f32 to the 10 bits of fraction of tf32, which keeps the place
// and the exponent of an f32. With away, ties go away from zero.
func tf32(v uint64, away bool, mode rounding) uint64 {
	if isNaN32(v) {
		return nan32
	}
	const dropped = 13 // 23 - 10
	magnitude := v & 0x7fffffff
	rest := magnitude & (1<<dropped - 1)
	magnitude -= rest
	const half = 1 << (dropped - 1)
	if mode == roundNearest && (rest > half || rest == half && (away || magnitude>>dropped&1 != 0)) {
		magnitude += 1 << dropped
	}
	return v&0x80000000 | min(magnitude, 0x7f800000)
}
