package ptx

import "math"

// smallFormat is a floating-point format of 4, 6 or 8 bits, which exist in pairs
// only: PTX converts from and to them, and computes with none.
type smallFormat struct {
	bits, fraction int
	bias           int
	largest        uint64 // bits of the largest number
	nan            uint64 // what NaN becomes: with 4 and 6 bits the largest number
}

// The formats of the OCP specification of 8-bit floating point and of
// microscaling formats.
var smallFormats = map[string]*smallFormat{
	"e4m3x2": {bits: 8, fraction: 3, bias: 7, largest: 0x7e, nan: 0x7f},
	"e5m2x2": {bits: 8, fraction: 2, bias: 15, largest: 0x7b, nan: 0x7f},
	"e2m3x2": {bits: 6, fraction: 3, bias: 1, largest: 0x1f, nan: 0x1f},
	"e3m2x2": {bits: 6, fraction: 2, bias: 3, largest: 0x1f, nan: 0x1f},
	"e2m1x2": {bits: 4, fraction: 1, bias: 1, largest: 0x07, nan: 0x07},
}

// nearest rounds to nearest even; what is too large becomes the largest number.
func (f *smallFormat) nearest(x float64, relu bool) uint64 {
	switch {
	case x != x:
		return f.nan
	case relu && x <= 0:
		return 0
	}
	sign := bits64(x) >> 63 << (f.bits - 1)
	x = math.Abs(x)
	e := max(int(bits64(x)>>52)-1023, 1-f.bias)
	if x > math.Ldexp(1, 16) { // above all of them
		return sign | f.largest
	}
	// In units of the last place the hidden bit counts as one in the exponent.
	n := uint64(math.RoundToEven(math.Ldexp(x, f.fraction-e)))
	return sign | min(n+uint64(e+f.bias-1)<<f.fraction, f.largest)
}

// half returns a number of the format as f16, which holds all of them.
func (f *smallFormat) half(v uint64, relu bool) uint64 {
	sign := v >> (f.bits - 1) & 1
	v &= 1<<(f.bits-1) - 1
	if f.bits == 8 && v > f.largest {
		if f.fraction == 2 && v == f.largest+1 { // e5m2 has an infinity
			if relu && sign != 0 {
				return 0
			}
			return sign<<15 | formatF16.infinity
		}
		return nan16
	}
	if relu && sign != 0 {
		return 0
	}
	e := max(int(v>>f.fraction), 1)
	m := float64(v) - float64((e-1)<<f.fraction)
	return sign<<15 | formatF16.nearest(math.Ldexp(m, e-f.bias-f.fraction))
}

// convertSmall is cvt to a pair of small numbers from two f32 or a pair of f16,
// and from a pair to f16.
func (s *selector) convertSmall(word string) {
	f := smallFormats[word]
	if !s.has("rn") {
		s.unsupported()
	}
	relu, finite := s.has("relu"), s.has("satfinite")
	pair := typeB16
	size, unit := 8, 8
	if f.bits == 4 {
		pair, size, unit = typeB8, 4, 4
	}
	mask := uint64(1)<<unit - 1
	from := s.typedAs(typeF32, typeF16x2)
	if s.failed {
		return
	}
	switch first := s.firstType(); {
	case first == "f16x2": // from small
		if finite {
			s.unsupported()
		}
		s.mixed(ClassFloatAdd, func(a, _, _, _ uint64) uint64 {
			return f.half(a&mask, relu) | f.half(a>>unit&mask, relu)<<16
		}, typeF16x2, pair)
	case !finite || from == typeF16x2 && f.bits != 8:
		s.unsupported()
	case from == typeF32:
		s.mixed(ClassFloatAdd, func(a, b, _, _ uint64) uint64 {
			return f.nearest(float64(f32(a)), relu)<<size | f.nearest(float64(f32(b)), relu)
		}, pair, typeF32, typeF32)
	default:
		s.mixed(ClassFloatAdd, func(a, _, _, _ uint64) uint64 {
			return f.nearest(formatF16.double(a>>16), relu)<<size | f.nearest(formatF16.double(a&0xffff), relu)
		}, pair, typeF16x2)
	}
}

// firstType returns the first of the types in the text of a conversion.
func (s *selector) firstType() string {
	for _, m := range s.st.mods {
		if m.text == "f16x2" || smallFormats[m.text] != nil {
			return m.text
		}
	}
	return ""
}

// convertPack is cvt.pack: two s32 saturated and packed, and above them, with
// types of 8 bits and less, the lower bits of c.
func (s *selector) convertPack() {
	word := s.oneOf("u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2")
	size := map[byte]int{'1': 16, '8': 8, '4': 4, '2': 2}[(word + "  ")[1]]
	if word == "" || !s.has("sat") || !s.has("s32") {
		s.unsupported()
		return
	}
	low, high := int64(0), int64(1)<<size-1
	if word[0] == 's' {
		low, high = -1<<(size-1), 1<<(size-1)-1
	}
	pack := func(a, b, c, _ uint64) uint64 {
		x, y := uint64(max(low, min(high, int64(int32(a))))), uint64(max(low, min(high, int64(int32(b)))))
		m := uint64(1)<<size - 1
		return (c<<(2*size) | x&m<<size | y&m) & 0xffffffff
	}
	if size == 16 {
		s.mixed(ClassIntAdd, pack, typeU32, typeS32, typeS32)
		return
	}
	s.typedAs(typeB32)
	s.mixed(ClassIntAdd, pack, typeU32, typeS32, typeS32, typeB32)
}
