package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

var integerTypes = []ptx.Scalar{ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64}

// integer emits an elementwise instruction of n sources, all of type t, using
// the loop for its width if there is one (ops other than 0), else the function.
func (s *selector) integer(sources int, t ptx.Scalar, class ptx.Class, word, long ptx.Op, f ptx.LaneFunc) {
	if !s.count(sources+1, sources+1) {
		return
	}
	var n *node
	switch {
	case t.Bits() == 32 && word != 0, t.Bits() == 16 && fits16(word):
		x := instruction(ptx.FamilyWord, word, class)
		n = &x
		if t.Bits() == 16 {
			n.Flags |= ptx.FlagNarrow
		}
	case t.Bits() == 64 && long != 0:
		x := instruction(ptx.FamilyLong, long, class)
		n = &x
	default:
		n = laneNode(class, f)
		n.wide(t, t, t, t, t)
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

// fits16 reports whether the low 16 bits of the result depend on nothing but the
// low 16 bits of the operands, so that the 32-bit loop can be used.
func fits16(word ptx.Op) bool {
	switch word {
	case ptx.WordAdd, ptx.WordSub, ptx.WordMul, ptx.WordMad, ptx.WordAnd, ptx.WordOr, ptx.WordXor, ptx.WordNot, ptx.WordNeg, ptx.WordMinU, ptx.WordMaxU:
		return true
	}
	return false
}

func selectAdd(s *selector) {
	if s.has("cc") {
		s.carry(false, false, true)
		return
	}
	s.addOrSub(ptx.WordAdd, ptx.LongAdd, ptx.FloatAdd, ptx.DoubleAdd, false)
}

func selectSub(s *selector) {
	if s.has("cc") {
		s.carry(true, false, true)
		return
	}
	s.addOrSub(ptx.WordSub, ptx.LongSub, ptx.FloatSub, ptx.DoubleSub, true)
}

func (s *selector) addOrSub(word, long, float, double ptx.Op, sub bool) {
	t := s.typed()
	switch {
	case t == ptx.TypeF32 && s.mixesHalf():
		s.mixedFloat(2, ptx.ClassFloatAdd, arith.LaneFloatAdd(sub))
	case t == ptx.TypeF32x2:
		s.floatPairs(2, ptx.ClassFloatAdd, arith.LaneFloatAdd(sub))
	case t.IsFloat():
		s.floatBinary(t, ptx.ClassFloatAdd, ptx.ClassDoubleAdd, float, double, arith.LaneFloatAdd(sub))
	case t == ptx.TypeS32 && s.has("sat"):
		s.integer(2, t, ptx.ClassIntAdd, 0, 0, arith.LaneAddSaturate(sub))
	case t.IsInteger() && t.Bits() > 8:
		s.integer(2, t, ptx.ClassIntAdd, word, long, arith.LaneAdd(t, sub))
	case t.IsHalf() && sub:
		s.halfArithmetic(t, 2, ptx.ClassFloatAdd, arith.HalfSub)
	case t.IsHalf():
		s.halfArithmetic(t, 2, ptx.ClassFloatAdd, arith.HalfAdd)
	case t.IsPair() && !sub:
		s.integerPairs(t, ptx.ClassIntAdd, arith.LaneAdd(ptx.TypeU16, false))
	default:
		s.unsupported()
	}
}

func selectAddc(s *selector) { s.carry(false, true, s.has("cc")) }

func selectSubc(s *selector) { s.carry(true, true, s.has("cc")) }

// carry emits the extended-precision forms, which read or write the flag CC.
func (s *selector) carry(sub, in, out bool) {
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64)
	if !s.count(3, 3) {
		return
	}
	o := ptx.CarryAdd
	if sub {
		o = ptx.CarrySub
	}
	s.carrySum(o, t, s.source(1, t), s.source(2, t), in, out)
}

// carrySum emits a sum or difference that reads or writes the flag CC.
func (s *selector) carrySum(o ptx.Op, t ptx.Scalar, a, b uint32, in, out bool) {
	n := instruction(ptx.FamilyCarry, o, ptx.ClassIntAdd)
	n.wide(t, t, t, ptx.TypeNone, ptx.TypeNone)
	n.srcA(a).srcB(b).dst(s.dest(0, t))
	if in {
		n.Flags |= ptx.FlagHasC
		n.srcC(s.values.condition())
	}
	if out {
		n.Flags |= ptx.FlagHasE
		n.E = s.values.condition()
		n.write(n.E)
	}
	s.emit(n)
}

// multiplyPart takes .lo .hi .wide.
func (s *selector) multiplyPart() string {
	if p := s.oneOf("lo", "hi", "wide"); p != "" {
		return p
	}
	s.fail(s.st.At, "%s: want .lo, .hi or .wide", s.text())
	return "lo"
}

func selectMul(s *selector) {
	t := s.typed()
	if t == ptx.TypeF32x2 {
		s.floatPairs(2, ptx.ClassFloatMul, arith.LaneFloatMul)
		return
	}
	if t.IsFloat() {
		s.floatBinary(t, ptx.ClassFloatMul, ptx.ClassDoubleMul, ptx.FloatMul, ptx.DoubleMul, arith.LaneFloatMul)
		return
	}
	if t.IsHalf() {
		s.halfArithmetic(t, 2, ptx.ClassFloatMul, arith.HalfMul)
		return
	}
	if !t.IsInteger() || t.Bits() == 8 {
		s.unsupported()
		return
	}
	switch s.multiplyPart() {
	case "lo":
		s.integer(2, t, ptx.ClassIntMul, ptx.WordMul, ptx.LongMul, arith.LaneMulLow(t))
	case "hi":
		word := ptx.WordMulHighU
		if t.IsSigned() {
			word = ptx.WordMulHighS
		}
		s.integer(2, t, ptx.ClassIntMul, word, 0, arith.LaneMulHigh(t))
	case "wide":
		s.wideMultiply(2, t, ptx.ClassIntMul, ptx.LongMulWideU, ptx.LongMulWideS, arith.LaneMulWide(t))
	}
}

// wideMultiply emits mul.wide and mad.wide.
func (s *selector) wideMultiply(sources int, t ptx.Scalar, class ptx.Class, unsigned, signed ptx.Op, f ptx.LaneFunc) {
	if t.Bits() == 64 {
		s.unsupported()
		return
	}
	if !s.count(sources+1, sources+1) {
		return
	}
	d := t.Doubled()
	o := unsigned
	if t.IsSigned() {
		o = signed
	}
	x := instruction(ptx.FamilyLong, o, class)
	n := &x
	if t.Bits() != 32 {
		n = laneNode(class, f)
	}
	n.srcA(s.source(1, t)).srcB(s.source(2, t))
	if sources == 3 {
		n.srcC(s.source(3, d))
	}
	s.emit(*n.dst(s.dest(0, d)))
}

func selectMad(s *selector) {
	if s.has("cc") {
		s.multiplyCarry(false, true)
		return
	}
	t := s.typed()
	if t.IsFloat() {
		s.multiplyAdd(t)
		return
	}
	if !t.IsInteger() || t.Bits() == 8 {
		s.unsupported()
		return
	}
	switch s.multiplyPart() {
	case "lo":
		s.integer(3, t, ptx.ClassIntMad, ptx.WordMad, ptx.LongMad, arith.LaneMadLow(t))
	case "hi":
		s.integer(3, t, ptx.ClassIntMad, 0, 0, arith.LaneMadHigh(t, t == ptx.TypeS32 && s.has("sat")))
	case "wide":
		s.wideMultiply(3, t, ptx.ClassIntMad, ptx.LongMadWideU, ptx.LongMadWideS, arith.LaneMadWide(t))
	}
}

func selectMadc(s *selector) { s.multiplyCarry(true, s.has("cc")) }

// multiplyCarry emits mad with carry as a product and a sum.
func (s *selector) multiplyCarry(in, out bool) {
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64)
	part := s.oneOf("lo", "hi")
	if part == "" {
		s.unsupported()
	}
	if s.failed || !s.count(4, 4) {
		return
	}
	f := arith.LaneMulLow(t)
	if part == "hi" {
		f = arith.LaneMulHigh(t)
	}
	product := s.values.temporary(wordsOf(t.Bits()))
	n := laneNode(ptx.ClassIntMad, f).wide(t, t, t, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, t)).dst(product))
	s.carrySum(ptx.CarryAdd, t, product, s.source(3, t), in, out)
}

// half takes .lo or .hi.
func (s *selector) half() string {
	word := s.oneOf("lo", "hi")
	if word == "" {
		s.fail(s.st.At, "%s: want .lo or .hi", s.text())
	}
	return word
}

func selectMul24(s *selector) {
	hi := s.half() == "hi"
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	s.integer(2, t, ptx.ClassIntMul, 0, 0, arith.LaneMul24(t, hi))
}

func selectMad24(s *selector) {
	hi := s.half() == "hi"
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	s.integer(3, t, ptx.ClassIntMad, 0, 0, arith.LaneMad24(t, hi, hi && t == ptx.TypeS32 && s.has("sat")))
}

func selectSad(s *selector) {
	t := s.typedAs(integerTypes...)
	s.integer(3, t, ptx.ClassIntMad, 0, 0, arith.LaneSad(t))
}

func selectDiv(s *selector) {
	t := s.typed()
	switch {
	case t.IsFloat():
		s.divide(t)
	case t.IsInteger() && t.Bits() > 8:
		s.integer(2, t, ptx.ClassIntDiv, divideOp(t, ptx.WordDivU, ptx.WordDivS), 0, arith.LaneDiv(t))
	default:
		s.unsupported()
	}
}

func selectRem(s *selector) {
	t := s.typedAs(integerTypes...)
	s.integer(2, t, ptx.ClassIntDiv, divideOp(t, ptx.WordRemU, ptx.WordRemS), 0, arith.LaneRem(t))
}

func divideOp(t ptx.Scalar, unsigned, signed ptx.Op) ptx.Op {
	if t.IsSigned() {
		return signed
	}
	return unsigned
}

func selectAbs(s *selector) {
	t := s.typed()
	switch {
	case t.IsFloat():
		s.floatUnary(t, ptx.ClassFloatAdd, ptx.ClassDoubleAdd, ptx.FloatAbs, ptx.DoubleAbs)
	case t == ptx.TypeS16, t == ptx.TypeS32, t == ptx.TypeS64:
		s.integer(1, t, ptx.ClassIntAdd, ptx.WordAbs, 0, arith.LaneAbs(t))
	case t.IsHalf():
		s.halfSign(t, true)
	default:
		s.unsupported()
	}
}

func selectNeg(s *selector) {
	t := s.typed()
	switch {
	case t.IsFloat():
		s.floatUnary(t, ptx.ClassFloatAdd, ptx.ClassDoubleAdd, ptx.FloatNeg, ptx.DoubleNeg)
	case t == ptx.TypeS16, t == ptx.TypeS32, t == ptx.TypeS64:
		s.integer(1, t, ptx.ClassIntAdd, ptx.WordNeg, ptx.LongNeg, arith.LaneNeg(t))
	case t.IsHalf():
		s.halfSign(t, false)
	default:
		s.unsupported()
	}
}

func selectMin(s *selector) {
	s.minMax(ptx.WordMinU, ptx.WordMinS, ptx.LongMinU, ptx.LongMinS, ptx.FloatMin, ptx.DoubleMin, false)
}

func selectMax(s *selector) {
	s.minMax(ptx.WordMaxU, ptx.WordMaxS, ptx.LongMaxU, ptx.LongMaxS, ptx.FloatMax, ptx.DoubleMax, true)
}

func (s *selector) minMax(wordU, wordS, longU, longS, float, double ptx.Op, greatest bool) {
	t := s.typed()
	switch {
	case t.IsFloat():
		s.floatMinMax(t, float, double, greatest)
	case t.IsHalf():
		s.halfMinMax(t, greatest)
	case (t == ptx.TypeS16x2 || t == ptx.TypeS32) && s.has("relu"):
		s.integerPairs(t, ptx.ClassIntMax, arith.LaneRectified(t, greatest))
	case t.IsPair():
		s.integerPairs(t, ptx.ClassIntMax, arith.LaneMinMax(t.PairElement(), greatest))
	case t.IsSigned() && t.Bits() > 8:
		s.integer(2, t, ptx.ClassIntMax, wordS, longS, arith.LaneMinMax(t, greatest))
	case t.IsUnsigned() && t.Bits() > 8:
		s.integer(2, t, ptx.ClassIntMax, wordU, longU, arith.LaneMinMax(t, greatest))
	default:
		s.unsupported()
	}
}

func selectAnd(s *selector) { s.logic(ptx.WordAnd, ptx.LongAnd, ptx.PredicateAnd) }

func selectOr(s *selector) { s.logic(ptx.WordOr, ptx.LongOr, ptx.PredicateOr) }

func selectXor(s *selector) { s.logic(ptx.WordXor, ptx.LongXor, ptx.PredicateXor) }

func (s *selector) logic(word, long, predicate ptx.Op) {
	t := s.typedAs(ptx.TypePred, ptx.TypeB16, ptx.TypeB32, ptx.TypeB64)
	if t == ptx.TypePred {
		s.predicateLogic(2, predicate)
		return
	}
	s.integer(2, t, ptx.ClassIntAdd, word, long, nil)
}

func selectNot(s *selector) {
	t := s.typedAs(ptx.TypePred, ptx.TypeB16, ptx.TypeB32, ptx.TypeB64)
	if t == ptx.TypePred {
		s.predicateLogic(1, ptx.PredicateNot)
		return
	}
	s.integer(1, t, ptx.ClassIntAdd, ptx.WordNot, ptx.LongNot, arith.LaneNot(t))
}

func selectCnot(s *selector) {
	t := s.typedAs(ptx.TypeB16, ptx.TypeB32, ptx.TypeB64)
	s.integer(1, t, ptx.ClassIntAdd, 0, 0, arith.LaneCnot)
}

// predicateLogic emits and, or, xor, not on predicates.
func (s *selector) predicateLogic(sources int, o ptx.Op) {
	if !s.count(sources+1, sources+1) {
		return
	}
	n := instruction(ptx.FamilyPredicate, o, ptx.ClassIntAdd)
	a, negA := s.predicate(&s.st.Operands[1])
	n.srcA(a)
	if negA {
		n.Imm |= 1
	}
	if sources == 2 {
		b, negB := s.predicate(&s.st.Operands[2])
		n.srcB(b)
		if negB {
			n.Imm |= 2
		}
	}
	s.emit(*n.dst(s.sinkable(0, ptx.TypePred)))
}

// shift emits a shift, whose amount has 32 bits whatever the type.
func (s *selector) shift(t ptx.Scalar, word, long ptx.Op, f ptx.LaneFunc) {
	if !s.count(3, 3) {
		return
	}
	var n *node
	switch {
	case t.Bits() == 64:
		x := instruction(ptx.FamilyLong, long, ptx.ClassIntAdd)
		n = &x
	case t == ptx.TypeS16:
		n = laneNode(ptx.ClassIntAdd, f)
	default: // 16-bit values are zero-extended in their slots
		x := instruction(ptx.FamilyWord, word, ptx.ClassIntAdd)
		n = &x
		if t.Bits() == 16 {
			n.Flags |= ptx.FlagNarrow
		}
	}
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, ptx.TypeU32)).dst(s.dest(0, t)))
}

func selectShl(s *selector) {
	t := s.typedAs(ptx.TypeB16, ptx.TypeB32, ptx.TypeB64)
	s.shift(t, ptx.WordShl, ptx.LongShl, nil)
}

func selectShr(s *selector) {
	t := s.typedAs(ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64)
	if t.IsSigned() {
		s.shift(t, ptx.WordShrS, ptx.LongShrS, arith.LaneShr(t))
	} else {
		s.shift(t, ptx.WordShrU, ptx.LongShrU, arith.LaneShr(t))
	}
}

func selectShf(s *selector) {
	side, way := s.oneOf("l", "r"), s.oneOf("clamp", "wrap")
	right, wrap := side == "r", way == "wrap"
	if side == "" || way == "" {
		s.fail(s.st.At, "%s: want .l or .r, and .clamp or .wrap", s.text())
	}
	s.typedAs(ptx.TypeB32)
	s.integer(3, ptx.TypeB32, ptx.ClassIntAdd, 0, 0, arith.LaneFunnel(right, wrap))
}
