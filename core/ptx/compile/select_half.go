package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// halfMode takes the modifiers of an arithmetic instruction on halves. bf16 knows
// neither .ftz nor .sat.
func (s *selector) halfMode(t ptx.Scalar, fma bool) arith.HalfMode {
	var m arith.HalfMode
	if !s.has("rn") && fma {
		s.fail(s.st.At, "%s: the rounding is missing: say .rn", s.text())
	}
	if t == ptx.TypeF16 || t == ptx.TypeF16x2 {
		m.Flush, m.Saturate = s.has("ftz"), s.has("sat")
	}
	if fma {
		m.Relu = s.has("relu")
	}
	if m.Relu && m.Saturate {
		s.unsupported()
	}
	return m
}

// halfArithmetic emits an instruction of n sources on halves, which rounds to
// nearest even.
func (s *selector) halfArithmetic(t ptx.Scalar, sources int, class ptx.Class, f func(a, b, c float64) float64) {
	s.floatOperands(laneNode(class, arith.LaneHalf(t, s.halfMode(t, sources == 3), f)), sources, t)
}

// halfFunction is ex2 and tanh. ex2 of bf16 exists with .ftz only.
func (s *selector) halfFunction(t ptx.Scalar, flushed bool, f func(a, b, c float64) float64) {
	m := arith.HalfMode{Flush: flushed && arith.FormatOf(t) == &arith.FormatBF16}
	if !s.has("approx") || m.Flush && !s.has("ftz") {
		s.unsupported()
		return
	}
	s.floatOperands(laneNode(ptx.ClassSpecial, arith.LaneHalf(t, m, f)), 1, t)
}

// halfSign is neg and abs.
func (s *selector) halfSign(t ptx.Scalar, magnitude bool) {
	flush := arith.FormatOf(t) == &arith.FormatF16 && s.has("ftz")
	s.floatOperands(laneNode(ptx.ClassFloatAdd, arith.LaneHalfSign(t, magnitude, flush)), 1, t)
}

func (s *selector) halfMinMax(t ptx.Scalar, greatest bool) {
	flush := arith.FormatOf(t) == &arith.FormatF16 && s.has("ftz")
	nan, xor := s.has("NaN"), s.has("xorsign")
	if xor && !s.has("abs") {
		s.unsupported()
		return
	}
	s.floatOperands(laneNode(ptx.ClassFloatMax, arith.LaneHalfMinMax(t, greatest, flush, nan, xor)), 2, t)
}

// integerPairs emits an instruction on pairs of 16-bit integers.
func (s *selector) integerPairs(t ptx.Scalar, class ptx.Class, f ptx.LaneFunc) {
	s.floatOperands(laneNode(class, arith.Pairs(t, f)), 2, t)
}

// convertPair is cvt of two f32 to a pair of halves, the first to the upper one.
func (s *selector) convertPair(d ptx.Scalar, c arith.FloatConversion) {
	if !s.count(3, 3) {
		return
	}
	n := laneNode(ptx.ClassFloatAdd, func(a, b, _, _ uint64) uint64 { return c.Convert(a)<<16 | c.Convert(b) })
	n.srcA(s.source(1, ptx.TypeF32)).srcB(s.source(2, ptx.TypeF32))
	s.emit(*n.dst(s.dest(0, d)))
}
