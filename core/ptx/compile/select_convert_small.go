package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// convertSmall is cvt to a pair of small numbers from two f32 or a pair of f16,
// and from a pair to f16.
func (s *selector) convertSmall(word string) {
	f := arith.SmallFormats[word]
	if !s.has("rn") {
		s.unsupported()
	}
	relu, finite := s.has("relu"), s.has("satfinite")
	pair := ptx.TypeB16
	size, unit := 8, 8
	if f.Bits == 4 {
		pair, size, unit = ptx.TypeB8, 4, 4
	}
	mask := uint64(1)<<unit - 1
	from := s.typedAs(ptx.TypeF32, ptx.TypeF16x2)
	if s.failed {
		return
	}
	switch first := s.firstType(); {
	case first == "f16x2": // from small
		if finite {
			s.unsupported()
		}
		s.mixed(ptx.ClassFloatAdd, func(a, _, _, _ uint64) uint64 {
			return f.Half(a&mask, relu) | f.Half(a>>unit&mask, relu)<<16
		}, ptx.TypeF16x2, pair)
	case !finite || from == ptx.TypeF16x2 && f.Bits != 8:
		s.unsupported()
	case from == ptx.TypeF32:
		s.mixed(ptx.ClassFloatAdd, func(a, b, _, _ uint64) uint64 {
			return f.Nearest(float64(arith.F32(a)), relu)<<size | f.Nearest(float64(arith.F32(b)), relu)
		}, pair, ptx.TypeF32, ptx.TypeF32)
	default:
		s.mixed(ptx.ClassFloatAdd, func(a, _, _, _ uint64) uint64 {
			return f.Nearest(arith.FormatF16.Double(a>>16), relu)<<size | f.Nearest(arith.FormatF16.Double(a&0xffff), relu)
		}, pair, ptx.TypeF16x2)
	}
}

// firstType returns the first of the types in the text of a conversion.
func (s *selector) firstType() string {
	for _, m := range s.st.Mods {
		if m.Text == "f16x2" || arith.SmallFormats[m.Text] != nil {
			return m.Text
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
		s.mixed(ptx.ClassIntAdd, pack, ptx.TypeU32, ptx.TypeS32, ptx.TypeS32)
		return
	}
	s.typedAs(ptx.TypeB32)
	s.mixed(ptx.ClassIntAdd, pack, ptx.TypeU32, ptx.TypeS32, ptx.TypeS32, ptx.TypeB32)
}
