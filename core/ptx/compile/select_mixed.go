package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// floatPairs emits an instruction of n sources on pairs of f32.
func (s *selector) floatPairs(sources int, class ptx.Class, lane arith.LaneArith) {
	m := s.floatMode(ptx.TypeF32, mayRound)
	if sources == 3 {
		s.wantsRounding(m, roundingWords)
	}
	f := lane(ptx.TypeF32, m.mode)
	if m.flush {
		f = arith.Flushed(f)
	}
	const low = 0xffffffff
	n := laneNode(class, func(a, b, c, _ uint64) uint64 {
		return f(a&low, b&low, c&low, 0) | f(a>>32, b>>32, c>>32, 0)<<32
	})
	t := ptx.TypeF32x2
	s.floatOperands(n.wide(t, t, t, t, ptx.TypeNone), sources, t)
}

// mixesHalf reports whether a type of halves follows: add.f32.f16.
func (s *selector) mixesHalf() bool {
	for _, m := range s.mods {
		if m.Text == "f16" || m.Text == "bf16" {
			return true
		}
	}
	return false
}

// mixedFloat emits an instruction on f32 whose operands but the last are halves,
// which are exact as f32.
func (s *selector) mixedFloat(sources int, class ptx.Class, lane arith.LaneArith) {
	t := s.typedAs(ptx.TypeF16, ptx.TypeBF16)
	h := arith.FormatOf(t)
	m := s.floatMode(ptx.TypeF32, mayRound|maySaturate)
	if sources == 3 {
		s.wantsRounding(m, roundingWords)
	}
	if m.flush && !s.module.isSM1() {
		s.unsupported()
	}
	f := lane(ptx.TypeF32, m.mode)
	if m.saturate {
		f = arith.Saturated(f)
	}
	wide := func(v uint64) uint64 { return arith.Bits32(float32(h.Double(v))) }
	if sources == 2 {
		s.mixed(class, func(a, b, _, _ uint64) uint64 { return f(wide(a), b, 0, 0) }, ptx.TypeF32, t, ptx.TypeF32)
		return
	}
	s.mixed(class, func(a, b, c, _ uint64) uint64 { return f(wide(a), wide(b), c, 0) }, ptx.TypeF32, t, t, ptx.TypeF32)
}
