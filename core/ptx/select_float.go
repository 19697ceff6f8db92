package ptx

import "strings"

// floatMode is what the modifiers of a floating-point instruction say.
type floatMode struct {
	mode     rounding
	rounded  bool // a rounding was written
	flush    bool
	saturate bool
	approx   bool // .approx
	full     bool // .full
}

// isSM1 reports whether the module is for the first generation, whose f32 units
// flush subnormal numbers and truncate the product of mad.
func (m *Module) isSM1() bool { return strings.HasPrefix(m.Target, "sm_1") && len(m.Target) == 5 }

// beforeVersion reports whether the module is older than PTX major.minor.
func (m *Module) beforeVersion(major, minor int) bool {
	return m.VersionMajor < major || m.VersionMajor == major && m.VersionMinor < minor
}

// modeWords says which modifiers an instruction may have; .ftz is for all of f32.
type modeWords uint8

const (
	mayRound modeWords = 1 << iota
	maySaturate
	mayApproximate
	mayFull
)

// floatMode takes the modifiers of an instruction on type t.
func (s *selector) floatMode(t scalar, may modeWords) floatMode {
	var f floatMode
	if may&mayRound != 0 {
		switch s.oneOf("rn", "rz", "rm", "rp") {
		case "rn":
			f.rounded = true
		case "rz":
			f.mode, f.rounded = roundZero, true
		case "rm":
			f.mode, f.rounded = roundDown, true
		case "rp":
			f.mode, f.rounded = roundUp, true
		}
	}
	f.approx = may&mayApproximate != 0 && s.has("approx")
	f.full = may&mayFull != 0 && s.has("full")
	if t == typeF32 {
		f.flush = s.has("ftz") || s.module.isSM1()
		f.saturate = may&maySaturate != 0 && s.has("sat")
	}
	return f
}

// wantsRounding reports an instruction that says nothing about its rounding, as
// it could up to PTX 1.4 and on the first generation.
func (s *selector) wantsRounding(f floatMode, words string) {
	if !f.rounded && !f.approx && !f.full && !s.module.isSM1() && !s.module.beforeVersion(1, 4) {
		s.fail(s.st.at, "%s: the rounding is missing: say %s", s.text(), words)
	}
}

const roundingWords = ".rn, .rz, .rm or .rp"

// floatNode makes a node for an f32 or f64 instruction: the loop if there is one
// and the rounding is to nearest, else the function.
func floatNode(t scalar, f floatMode, class32, class64 Class, float, double op, arith laneArith) *node {
	var n *node
	switch {
	case t == typeF32 && float != 0 && f.mode == roundNearest:
		x := instruction(familyFloat, float, class32)
		n = &x
		if f.flush {
			n.flags |= flagFlush
		}
		if f.saturate {
			n.flags |= flagSaturate
		}
	case t == typeF64 && double != 0 && f.mode == roundNearest:
		x := instruction(familyDouble, double, class64)
		n = &x
	default:
		fn := arith(t, f.mode)
		class := class64
		if t == typeF32 {
			class = class32
			if f.flush {
				fn = flushed(fn)
			}
			if f.saturate {
				fn = saturated(fn)
			}
		}
		n = laneNode(class, fn)
		n.wide(t, t, t, t, typeNone)
	}
	return n
}

// floatOperands sets the operands of a node of n sources and emits it.
func (s *selector) floatOperands(n *node, sources int, t scalar) {
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

func (s *selector) floatBinary(t scalar, class32, class64 Class, float, double op, arith laneArith) {
	s.floatOperands(floatNode(t, s.floatMode(t, mayRound|maySaturate), class32, class64, float, double, arith), 2, t)
}

func (s *selector) floatUnary(t scalar, class32, class64 Class, float, double op) {
	s.floatOperands(floatNode(t, s.floatMode(t, 0), class32, class64, float, double, nil), 1, t)
}

func selectFma(s *selector) {
	t := s.typedAs(typeF32, typeF64, typeF32x2, typeF16, typeF16x2, typeBF16, typeBF16x2)
	switch {
	case t.isHalf():
		s.halfArithmetic(t, 3, ClassFloatMad, halfFma)
		return
	case t == typeF32x2:
		s.floatPairs(3, ClassFloatMad, laneFloatFma)
		return
	case t == typeF32 && s.mixesHalf():
		s.mixedFloat(3, ClassFloatMad, laneFloatFma)
		return
	}
	f := s.floatMode(t, mayRound|maySaturate)
	s.wantsRounding(f, roundingWords)
	s.floatOperands(floatNode(t, f, ClassFloatMad, ClassDoubleMad, floatFma, doubleFma, laneFloatFma), 3, t)
}

// multiplyAdd is mad.f32 and mad.f64: fma, except on the first generation.
func (s *selector) multiplyAdd(t scalar) {
	f := s.floatMode(t, mayRound|maySaturate)
	s.wantsRounding(f, roundingWords)
	n := floatNode(t, f, ClassFloatMad, ClassDoubleMad, floatFma, doubleFma, laneFloatFma)
	if t == typeF32 && s.module.isSM1() && !f.rounded {
		n = floatNode(t, f, ClassFloatMad, 0, 0, 0, func(scalar, rounding) laneFunc { return laneMadTruncate })
	}
	s.floatOperands(n, 3, t)
}

func (s *selector) floatMinMax(t scalar, float, double op, greatest bool) {
	nan, xor, abs := s.has("NaN"), s.has("xorsign"), s.has("abs")
	three := t == typeF32 && len(s.st.operands) == 4
	if three && !xor {
		arith := func(scalar, rounding) laneFunc { return laneMinMax3(greatest, nan, abs) }
		s.floatOperands(floatNode(t, s.floatMode(t, 0), ClassFloatMax, 0, 0, 0, arith), 3, t)
		return
	}
	if xor != abs || t == typeF64 && (nan || xor) {
		s.unsupported()
		return
	}
	if nan || xor {
		float = 0
	}
	arith := func(t scalar, _ rounding) laneFunc { return laneFloatMinMax(t, greatest, nan, xor) }
	s.floatOperands(floatNode(t, s.floatMode(t, 0), ClassFloatMax, ClassDoubleMax, float, double, arith), 2, t)
}

// approximate says whether an instruction without .rn .approx .full means the
// approximate form, as it did before PTX 1.4, with .ftz.
func (s *selector) approximate(t scalar, f *floatMode) bool {
	if t != typeF32 || f.rounded {
		return false
	}
	if !f.approx && !f.full && s.module.beforeVersion(1, 4) {
		f.flush = true
	}
	return true
}

func (s *selector) divide(t scalar) {
	may, words := mayRound|mayApproximate|mayFull, roundingWords+", .approx or .full"
	if t == typeF64 {
		may, words = mayRound, roundingWords
	}
	f := s.floatMode(t, may)
	s.wantsRounding(f, words)
	if f.full && (f.rounded || f.approx) {
		s.unsupported()
	}
	class := ClassFloatDiv
	float, arith := floatDiv, laneArith(laneFloatDiv)
	if s.approximate(t, &f) {
		class = ClassSpecial
		if !f.full {
			float = 0
			arith = func(scalar, rounding) laneFunc {
				return func(a, b, _, _ uint64) uint64 { return bits32(divApprox(f32(a), f32(b))) }
			}
		}
	}
	s.floatOperands(floatNode(t, f, class, ClassDoubleDiv, float, 0, arith), 2, t)
}

func selectRcp(s *selector) { s.root(floatRcp, laneFloatRcp, reciprocal) }
func selectSqrt(s *selector) {
	s.root(floatSqrt, laneFloatSqrt, nil)
}

// root is rcp and sqrt, which exist rounded and approximate.
func (s *selector) root(float op, arith laneArith, approx64 func(float64) float64) {
	t := s.typedAs(typeF32, typeF64)
	f := s.floatMode(t, mayRound|mayApproximate)
	s.wantsRounding(f, roundingWords+" or .approx")
	class := ClassFloatDiv
	if s.approximate(t, &f) {
		class = ClassSpecial
	}
	if t == typeF64 && f.approx {
		flush := s.has("ftz")
		if approx64 == nil || !flush {
			s.unsupported()
			return
		}
		arith = func(scalar, rounding) laneFunc { return laneHigh64(approx64, flush) }
		s.floatOperands(floatNode(t, f, 0, ClassSpecial, 0, 0, arith), 1, t)
		return
	}
	s.floatOperands(floatNode(t, f, class, ClassDoubleDiv, float, 0, arith), 1, t)
}

func selectRsqrt(s *selector) {
	t := s.typedAs(typeF32, typeF64)
	f := s.floatMode(t, mayApproximate)
	if t == typeF64 {
		s.wantsRounding(f, ".approx")
		flush := s.has("ftz")
		arith := func(scalar, rounding) laneFunc {
			if flush {
				return laneHigh64(reciprocalRoot, true)
			}
			return func(a, _, _, _ uint64) uint64 { return result64(reciprocalRoot(f64(a)), a) }
		}
		s.floatOperands(floatNode(t, f, 0, ClassSpecial, 0, 0, arith), 1, t)
		return
	}
	s.approximation(t, f, rsqrt)
}

func selectSin(s *selector)  { s.function32(sin32) }
func selectCos(s *selector)  { s.function32(cos32) }
func selectEx2(s *selector)  { s.functionHalf(ex2, halfEx2, true) }
func selectLg2(s *selector)  { s.function32(lg2) }
func selectTanh(s *selector) { s.functionHalf(tanh32, halfTanh, false) }

// functionHalf is a function that exists for f32 and for halves, of bf16 perhaps
// with .ftz only.
func (s *selector) functionHalf(f func(float32) float32, half func(a, b, c float64) float64, flushed bool) {
	t := s.typedAs(typeF32, typeF16, typeF16x2, typeBF16, typeBF16x2)
	if t.isHalf() {
		s.halfFunction(t, flushed, half)
		return
	}
	s.approximation(t, s.floatMode(t, mayApproximate), f)
}

func (s *selector) function32(f func(float32) float32) {
	t := s.typedAs(typeF32)
	s.approximation(t, s.floatMode(t, mayApproximate), f)
}

// approximation emits a function of the special function units.
func (s *selector) approximation(t scalar, f floatMode, fn func(float32) float32) {
	s.wantsRounding(f, ".approx")
	s.approximate(t, &f)
	arith := func(scalar, rounding) laneFunc { return laneApprox(fn) }
	s.floatOperands(floatNode(t, f, ClassSpecial, ClassSpecial, 0, 0, arith), 1, t)
}

func selectCopysign(s *selector) {
	t := s.typedAs(typeF32, typeF64)
	s.mixed(ClassFloatAdd, laneCopysign(t), t, t, t)
}

func selectTestp(s *selector) {
	p := s.oneOf("finite", "infinite", "number", "notanumber", "normal", "subnormal")
	t := s.typedAs(typeF32, typeF64)
	if p == "" {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(familyCompare, compareLane, ClassFloatAdd)
	n.lane = laneTestp(t, p)
	n.wide(typeNone, t, typeNone, typeNone, typeNone)
	n.flags |= flagPrimary
	s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, typePred)))
}
