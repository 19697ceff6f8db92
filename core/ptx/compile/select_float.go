package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// floatMode is what the modifiers of a floating-point instruction say.
type floatMode struct {
	mode     ptx.Rounding
	rounded  bool // a rounding was written
	flush    bool
	saturate bool
	approx   bool // .approx
	full     bool // .full
}

// isSM1 reports whether the module is for the first generation, whose f32 units
// flush subnormal numbers and truncate the product of mad.
func (m *Module) isSM1() bool { return strings.HasPrefix(m.Target, "sm_1") && len(m.Target) == 5 }

// modeWords says which modifiers an instruction may have; .ftz is for all of f32.
type modeWords uint8

const (
	mayRound modeWords = 1 << iota
	maySaturate
	mayApproximate
	mayFull
)

// floatMode takes the modifiers of an instruction on type t.
func (s *selector) floatMode(t ptx.Scalar, may modeWords) floatMode {
	var f floatMode
	if may&mayRound != 0 {
		switch s.oneOf("rn", "rz", "rm", "rp") {
		case "rn":
			f.rounded = true
		case "rz":
			f.mode, f.rounded = ptx.RoundZero, true
		case "rm":
			f.mode, f.rounded = ptx.RoundDown, true
		case "rp":
			f.mode, f.rounded = ptx.RoundUp, true
		}
	}
	f.approx = may&mayApproximate != 0 && s.has("approx")
	f.full = may&mayFull != 0 && s.has("full")
	if t == ptx.TypeF32 {
		f.flush = s.has("ftz") || s.module.isSM1()
		f.saturate = may&maySaturate != 0 && s.has("sat")
	}
	return f
}

// wantsRounding reports an instruction that says nothing about its rounding, as
// it could up to PTX 1.4 and on the first generation.
func (s *selector) wantsRounding(f floatMode, words string) {
	if !f.rounded && !f.approx && !f.full && !s.module.isSM1() && !s.module.before(1, 4) {
		s.fail(s.st.At, "%s: the rounding is missing: say %s", s.text(), words)
	}
	if f.rounded && f.approx {
		s.fail(s.st.At, "%s: an approximation has no rounding", s.text())
	}
}

const roundingWords = ".rn, .rz, .rm or .rp"

// floatNode makes a node for an f32 or f64 instruction: the loop if there is one
// and the rounding is to nearest, else the function.
func floatNode(t ptx.Scalar, f floatMode, class32, class64 ptx.Class, float, double ptx.Op, lane arith.LaneArith) *node {
	var n *node
	switch {
	case t == ptx.TypeF32 && float != 0 && f.mode == ptx.RoundNearest:
		x := instruction(ptx.FamilyFloat, float, class32)
		n = &x
		if f.flush {
			n.Flags |= ptx.FlagFlush
		}
		if f.saturate {
			n.Flags |= ptx.FlagSaturate
		}
	case t == ptx.TypeF64 && double != 0 && f.mode == ptx.RoundNearest:
		x := instruction(ptx.FamilyDouble, double, class64)
		n = &x
	default:
		fn := lane(t, f.mode)
		class := class64
		if t == ptx.TypeF32 {
			class = class32
			if f.flush {
				fn = flushed(fn, float)
			}
			if f.saturate {
				fn = arith.Saturated(fn)
			}
		}
		n = laneNode(class, fn)
		n.wide(t, t, t, t, ptx.TypeNone)
	}
	return n
}

// flushed wraps the lane function of an operation with .ftz.
func flushed(f ptx.LaneFunc, o ptx.Op) ptx.LaneFunc {
	switch o {
	case ptx.FloatMul, ptx.FloatFma, ptx.FloatDiv:
		return arith.FlushedScaled(f, 24)
	case ptx.FloatRcp:
		return arith.FlushedScaled(f, -24)
	}
	return arith.Flushed(f)
}

// floatOperands sets the operands of a node of n sources and emits it.
func (s *selector) floatOperands(n *node, sources int, t ptx.Scalar) {
	if !s.count(sources+1, sources+1) {
		return
	}
	n.srcA(s.source(1, t))
	if sources > 1 {
		n.srcB(s.source(2, t))
	}
	if sources > 2 {
		n.srcC(s.source(3, t))
	}
	s.emit(*n.dst(s.dest(0, t)))
}

func (s *selector) floatBinary(t ptx.Scalar, class32, class64 ptx.Class, float, double ptx.Op, lane arith.LaneArith) {
	s.floatOperands(floatNode(t, s.floatMode(t, mayRound|maySaturate), class32, class64, float, double, lane), 2, t)
}

func (s *selector) floatUnary(t ptx.Scalar, class32, class64 ptx.Class, float, double ptx.Op) {
	s.floatOperands(floatNode(t, s.floatMode(t, 0), class32, class64, float, double, nil), 1, t)
}

func selectFma(s *selector) {
	t := s.typedAs(ptx.TypeF32, ptx.TypeF64, ptx.TypeF32x2, ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2)
	switch {
	case t.IsHalf():
		s.halfArithmetic(t, 3, ptx.ClassFloatMad, arith.HalfFma)
		return
	case t == ptx.TypeF32x2:
		s.floatPairs(3, ptx.ClassFloatMad, arith.LaneFloatFma)
		return
	case t == ptx.TypeF32 && s.mixesHalf():
		s.mixedFloat(3, ptx.ClassFloatMad, arith.LaneFloatFma)
		return
	}
	f := s.floatMode(t, mayRound|maySaturate)
	s.wantsRounding(f, roundingWords)
	s.floatOperands(floatNode(t, f, ptx.ClassFloatMad, ptx.ClassDoubleMad, ptx.FloatFma, ptx.DoubleFma, arith.LaneFloatFma), 3, t)
}

// multiplyAdd is mad.f32 and mad.f64: fma, except on the first generation.
func (s *selector) multiplyAdd(t ptx.Scalar) {
	f := s.floatMode(t, mayRound|maySaturate)
	s.wantsRounding(f, roundingWords)
	n := floatNode(t, f, ptx.ClassFloatMad, ptx.ClassDoubleMad, ptx.FloatFma, ptx.DoubleFma, arith.LaneFloatFma)
	if t == ptx.TypeF32 && s.module.isSM1() && !f.rounded {
		n = floatNode(t, f, ptx.ClassFloatMad, 0, 0, 0, func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc { return arith.LaneMadTruncate })
	}
	s.floatOperands(n, 3, t)
}

func (s *selector) floatMinMax(t ptx.Scalar, float, double ptx.Op, greatest bool) {
	nan, xor, abs := s.has("NaN"), s.has("xorsign"), s.has("abs")
	three := t == ptx.TypeF32 && len(s.st.Operands) == 4
	if three && !xor {
		lane := func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc { return arith.LaneMinMax3(greatest, nan, abs) }
		s.floatOperands(floatNode(t, s.floatMode(t, 0), ptx.ClassFloatMax, 0, 0, 0, lane), 3, t)
		return
	}
	if xor != abs || t == ptx.TypeF64 && (nan || xor) {
		s.unsupported()
		return
	}
	if nan || xor {
		float = 0
	}
	lane := func(t ptx.Scalar, _ ptx.Rounding) ptx.LaneFunc { return arith.LaneFloatMinMax(t, greatest, nan, xor) }
	s.floatOperands(floatNode(t, s.floatMode(t, 0), ptx.ClassFloatMax, ptx.ClassDoubleMax, float, double, lane), 2, t)
}

// approximate says whether an instruction without .rn .approx .full means the
// approximate form, as it did before PTX 1.4, with .ftz.
func (s *selector) approximate(t ptx.Scalar, f *floatMode) bool {
	if t != ptx.TypeF32 || f.rounded {
		return false
	}
	if !f.approx && !f.full && s.module.before(1, 4) {
		f.flush = true
	}
	return true
}

func (s *selector) divide(t ptx.Scalar) {
	may, words := mayRound|mayApproximate|mayFull, roundingWords+", .approx or .full"
	if t == ptx.TypeF64 {
		may, words = mayRound, roundingWords
	}
	f := s.floatMode(t, may)
	s.wantsRounding(f, words)
	if f.full && (f.rounded || f.approx) {
		s.unsupported()
	}
	class := ptx.ClassFloatDiv
	float, lane := ptx.FloatDiv, arith.LaneArith(arith.LaneFloatDiv)
	if s.approximate(t, &f) {
		class = ptx.ClassDivApprox
		if !f.full {
			float = 0
			lane = func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc {
				return func(a, b, _, _ uint64) uint64 { return arith.Bits32(arith.DivApprox(arith.F32(a), arith.F32(b))) }
			}
		}
	}
	s.floatOperands(floatNode(t, f, class, ptx.ClassDoubleDiv, float, 0, lane), 2, t)
}

func selectRcp(s *selector) { s.root(ptx.FloatRcp, arith.LaneFloatRcp, arith.Reciprocal) }

func selectSqrt(s *selector) {
	s.root(ptx.FloatSqrt, arith.LaneFloatSqrt, nil)
}

// root is rcp and sqrt, which exist rounded and approximate.
func (s *selector) root(float ptx.Op, lane arith.LaneArith, approx64 func(float64) float64) {
	t := s.typedAs(ptx.TypeF32, ptx.TypeF64)
	f := s.floatMode(t, mayRound|mayApproximate)
	s.wantsRounding(f, roundingWords+" or .approx")
	class := ptx.ClassFloatDiv
	if s.approximate(t, &f) {
		class = ptx.ClassSpecial
	}
	if t == ptx.TypeF64 && f.approx {
		flush := s.has("ftz")
		if approx64 == nil || !flush {
			s.unsupported()
			return
		}
		lane = func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc { return arith.LaneHigh64(approx64, flush) }
		s.floatOperands(floatNode(t, f, 0, ptx.ClassSpecial, 0, 0, lane), 1, t)
		return
	}
	s.floatOperands(floatNode(t, f, class, ptx.ClassDoubleDiv, float, 0, lane), 1, t)
}

func selectRsqrt(s *selector) {
	t := s.typedAs(ptx.TypeF32, ptx.TypeF64)
	f := s.floatMode(t, mayApproximate)
	if t == ptx.TypeF64 {
		s.wantsRounding(f, ".approx")
		flush := s.has("ftz")
		lane := func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc {
			if flush {
				return arith.LaneHigh64(arith.ReciprocalRoot, true)
			}
			return func(a, _, _, _ uint64) uint64 { return arith.Result64(arith.ReciprocalRoot(arith.F64(a)), a) }
		}
		s.floatOperands(floatNode(t, f, 0, ptx.ClassSpecial, 0, 0, lane), 1, t)
		return
	}
	s.approximation(t, f, arith.Rsqrt)
}

func selectSin(s *selector) { s.function32(arith.Sin32) }

func selectCos(s *selector) { s.function32(arith.Cos32) }

func selectEx2(s *selector) { s.functionHalf(arith.Ex2, arith.HalfEx2, true) }

func selectLg2(s *selector) { s.function32(arith.Lg2) }

func selectTanh(s *selector) { s.functionHalf(arith.Tanh32, arith.HalfTanh, false) }

// functionHalf is a function that exists for f32 and for halves, of bf16 perhaps
// with .ftz only.
func (s *selector) functionHalf(f func(float32) float32, half func(a, b, c float64) float64, flushed bool) {
	t := s.typedAs(ptx.TypeF32, ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2)
	if t.IsHalf() {
		s.halfFunction(t, flushed, half)
		return
	}
	s.approximation(t, s.floatMode(t, mayApproximate), f)
}

func (s *selector) function32(f func(float32) float32) {
	t := s.typedAs(ptx.TypeF32)
	s.approximation(t, s.floatMode(t, mayApproximate), f)
}

// approximation emits a function of the special function units.
func (s *selector) approximation(t ptx.Scalar, f floatMode, fn func(float32) float32) {
	s.wantsRounding(f, ".approx")
	s.approximate(t, &f)
	lane := func(ptx.Scalar, ptx.Rounding) ptx.LaneFunc { return arith.LaneApprox(fn) }
	s.floatOperands(floatNode(t, f, ptx.ClassSpecial, ptx.ClassSpecial, 0, 0, lane), 1, t)
}

func selectCopysign(s *selector) {
	t := s.typedAs(ptx.TypeF32, ptx.TypeF64)
	s.mixed(ptx.ClassFloatAdd, arith.LaneCopysign(t), t, t, t)
}

func selectTestp(s *selector) {
	p := s.oneOf("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	t := s.typedAs(ptx.TypeF32, ptx.TypeF64)
	if p == "" {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(ptx.FamilyCompare, ptx.CompareLane, ptx.ClassFloatAdd)
	n.Lane = arith.LaneTestp(t, p)
	n.wide(ptx.TypeNone, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	n.Flags |= ptx.FlagPrimary
	s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, ptx.TypePred)))
}
