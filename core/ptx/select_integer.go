package ptx

var integerTypes = []scalar{typeU16, typeU32, typeU64, typeS16, typeS32, typeS64}

// integer emits an elementwise instruction of n sources, all of type t, using
// the loop for its width if there is one (ops other than 0), else the function.
func (s *selector) integer(sources int, t scalar, class Class, word, long op, f laneFunc) {
	if !s.count(sources+1, sources+1) {
		return
	}
	var n *node
	switch {
	case t.bits() == 32 && word != 0, t.bits() == 16 && fits16(word):
		x := instruction(familyWord, word, class)
		n = &x
		if t.bits() == 16 {
			n.flags |= flagNarrow
		}
	case t.bits() == 64 && long != 0:
		x := instruction(familyLong, long, class)
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
func fits16(word op) bool {
	switch word {
	case wordAdd, wordSub, wordMul, wordMad, wordAnd, wordOr, wordXor, wordNot, wordNeg, wordMinU, wordMaxU:
		return true
	}
	return false
}

func selectAdd(s *selector) {
	if s.has("cc") {
		s.carry(false, false, true)
		return
	}
	s.addOrSub(wordAdd, longAdd, floatAdd, doubleAdd, false)
}

func selectSub(s *selector) {
	if s.has("cc") {
		s.carry(true, false, true)
		return
	}
	s.addOrSub(wordSub, longSub, floatSub, doubleSub, true)
}

func (s *selector) addOrSub(word, long, float, double op, sub bool) {
	t := s.typed()
	switch {
	case t == typeF32 && s.mixesHalf():
		s.mixedFloat(2, ClassFloatAdd, laneFloatAdd(sub))
	case t == typeF32x2:
		s.floatPairs(2, ClassFloatAdd, laneFloatAdd(sub))
	case t.isFloat():
		s.floatBinary(t, ClassFloatAdd, ClassDoubleAdd, float, double, laneFloatAdd(sub))
	case t == typeS32 && s.has("sat"):
		s.integer(2, t, ClassIntAdd, 0, 0, laneAddSaturate(sub))
	case t.isInteger() && t.bits() > 8:
		s.integer(2, t, ClassIntAdd, word, long, laneAdd(t, sub))
	case t.isHalf() && sub:
		s.halfArithmetic(t, 2, ClassFloatAdd, halfSub)
	case t.isHalf():
		s.halfArithmetic(t, 2, ClassFloatAdd, halfAdd)
	case t.isPair() && !sub:
		s.integerPairs(t, ClassIntAdd, laneAdd(typeU16, false))
	default:
		s.unsupported()
	}
}

func selectAddc(s *selector) { s.carry(false, true, s.has("cc")) }
func selectSubc(s *selector) { s.carry(true, true, s.has("cc")) }

// carry emits the extended-precision forms, which read or write the flag CC.
func (s *selector) carry(sub, in, out bool) {
	t := s.typedAs(typeU32, typeS32, typeU64, typeS64)
	if !s.count(3, 3) {
		return
	}
	o := carryAdd
	if sub {
		o = carrySub
	}
	s.carrySum(o, t, s.source(1, t), s.source(2, t), in, out)
}

// carrySum emits a sum or difference that reads or writes the flag CC.
func (s *selector) carrySum(o op, t scalar, a, b uint32, in, out bool) {
	n := instruction(familyCarry, o, ClassIntAdd)
	n.wide(t, t, t, typeNone, typeNone)
	n.srcA(a).srcB(b).dst(s.dest(0, t))
	if in {
		n.flags |= flagHasC
		n.srcC(s.values.condition())
	}
	if out {
		n.flags |= flagHasE
		n.e = s.values.condition()
		n.write(n.e)
	}
	s.emit(n)
}

// multiplyPart takes .lo .hi .wide.
func (s *selector) multiplyPart() string {
	if p := s.oneOf("lo", "hi", "wide"); p != "" {
		return p
	}
	s.fail(s.st.at, "%s: want .lo, .hi or .wide", s.text())
	return "lo"
}

// doubled returns the type of twice the width.
func doubled(t scalar) scalar {
	switch t {
	case typeU16:
		return typeU32
	case typeS16:
		return typeS32
	case typeU32:
		return typeU64
	}
	return typeS64
}

func selectMul(s *selector) {
	t := s.typed()
	if t == typeF32x2 {
		s.floatPairs(2, ClassFloatMul, laneFloatMul)
		return
	}
	if t.isFloat() {
		s.floatBinary(t, ClassFloatMul, ClassDoubleMul, floatMul, doubleMul, laneFloatMul)
		return
	}
	if t.isHalf() {
		s.halfArithmetic(t, 2, ClassFloatMul, halfMul)
		return
	}
	if !t.isInteger() || t.bits() == 8 {
		s.unsupported()
		return
	}
	switch s.multiplyPart() {
	case "lo":
		s.integer(2, t, ClassIntMul, wordMul, longMul, laneMulLow(t))
	case "hi":
		word := wordMulHighU
		if t.isSigned() {
			word = wordMulHighS
		}
		s.integer(2, t, ClassIntMul, word, 0, laneMulHigh(t))
	case "wide":
		s.wideMultiply(2, t, ClassIntMul, longMulWideU, longMulWideS, laneMulWide(t))
	}
}

// wideMultiply emits mul.wide and mad.wide.
func (s *selector) wideMultiply(sources int, t scalar, class Class, unsigned, signed op, f laneFunc) {
	if t.bits() == 64 {
		s.unsupported()
		return
	}
	if !s.count(sources+1, sources+1) {
		return
	}
	d := doubled(t)
	o := unsigned
	if t.isSigned() {
		o = signed
	}
	x := instruction(familyLong, o, class)
	n := &x
	if t.bits() != 32 {
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
	if t.isFloat() {
		s.multiplyAdd(t)
		return
	}
	if !t.isInteger() || t.bits() == 8 {
		s.unsupported()
		return
	}
	switch s.multiplyPart() {
	case "lo":
		s.integer(3, t, ClassIntMad, wordMad, longMad, laneMadLow(t))
	case "hi":
		s.integer(3, t, ClassIntMad, 0, 0, laneMadHigh(t, t == typeS32 && s.has("sat")))
	case "wide":
		s.wideMultiply(3, t, ClassIntMad, longMadWideU, longMadWideS, laneMadWide(t))
	}
}

func selectMadc(s *selector) { s.multiplyCarry(true, s.has("cc")) }

// multiplyCarry emits mad with carry as a product and a sum.
func (s *selector) multiplyCarry(in, out bool) {
	t := s.typedAs(typeU32, typeS32, typeU64, typeS64)
	part := s.oneOf("lo", "hi")
	if part == "" {
		s.unsupported()
	}
	if s.failed || !s.count(4, 4) {
		return
	}
	f := laneMulLow(t)
	if part == "hi" {
		f = laneMulHigh(t)
	}
	product := s.values.temporary(wordsOf(t.bits()))
	n := laneNode(ClassIntMad, f).wide(t, t, t, typeNone, typeNone)
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, t)).dst(product))
	s.carrySum(carryAdd, t, product, s.source(3, t), in, out)
}

// half takes .lo or .hi.
func (s *selector) half() string {
	word := s.oneOf("lo", "hi")
	if word == "" {
		s.fail(s.st.at, "%s: want .lo or .hi", s.text())
	}
	return word
}

func selectMul24(s *selector) {
	hi := s.half() == "hi"
	t := s.typedAs(typeU32, typeS32)
	s.integer(2, t, ClassIntMul, 0, 0, laneMul24(t, hi))
}

func selectMad24(s *selector) {
	hi := s.half() == "hi"
	t := s.typedAs(typeU32, typeS32)
	s.integer(3, t, ClassIntMad, 0, 0, laneMad24(t, hi, hi && t == typeS32 && s.has("sat")))
}

func selectSad(s *selector) {
	t := s.typedAs(integerTypes...)
	s.integer(3, t, ClassIntMad, 0, 0, laneSad(t))
}

func selectDiv(s *selector) {
	t := s.typed()
	switch {
	case t.isFloat():
		s.divide(t)
	case t.isInteger() && t.bits() > 8:
		s.integer(2, t, ClassIntDiv, divideOp(t, wordDivU, wordDivS), 0, laneDiv(t))
	default:
		s.unsupported()
	}
}

func selectRem(s *selector) {
	t := s.typedAs(integerTypes...)
	s.integer(2, t, ClassIntDiv, divideOp(t, wordRemU, wordRemS), 0, laneRem(t))
}

func divideOp(t scalar, unsigned, signed op) op {
	if t.isSigned() {
		return signed
	}
	return unsigned
}

func selectAbs(s *selector) {
	t := s.typed()
	switch {
	case t.isFloat():
		s.floatUnary(t, ClassFloatAdd, ClassDoubleAdd, floatAbs, doubleAbs)
	case t == typeS16, t == typeS32, t == typeS64:
		s.integer(1, t, ClassIntAdd, wordAbs, 0, laneAbs(t))
	case t.isHalf():
		s.halfSign(t, wordAnd, ^uint64(halfSigns))
	default:
		s.unsupported()
	}
}

func selectNeg(s *selector) {
	t := s.typed()
	switch {
	case t.isFloat():
		s.floatUnary(t, ClassFloatAdd, ClassDoubleAdd, floatNeg, doubleNeg)
	case t == typeS16, t == typeS32, t == typeS64:
		s.integer(1, t, ClassIntAdd, wordNeg, longNeg, laneNeg(t))
	case t.isHalf():
		s.halfSign(t, wordXor, halfSigns)
	default:
		s.unsupported()
	}
}

func selectMin(s *selector) {
	s.minMax(wordMinU, wordMinS, longMinU, longMinS, floatMin, doubleMin, false)
}
func selectMax(s *selector) {
	s.minMax(wordMaxU, wordMaxS, longMaxU, longMaxS, floatMax, doubleMax, true)
}

func (s *selector) minMax(wordU, wordS, longU, longS, float, double op, greatest bool) {
	t := s.typed()
	switch {
	case t.isFloat():
		s.floatMinMax(t, float, double, greatest)
	case t.isHalf():
		s.halfMinMax(t, greatest)
	case (t == typeS16x2 || t == typeS32) && s.has("relu"):
		s.integerPairs(t, ClassIntMax, laneRectified(t, greatest))
	case t.isPair():
		s.integerPairs(t, ClassIntMax, laneMinMax(t.pairElement(), greatest))
	case t.isSigned() && t.bits() > 8:
		s.integer(2, t, ClassIntMax, wordS, longS, laneMinMax(t, greatest))
	case t.isUnsigned() && t.bits() > 8:
		s.integer(2, t, ClassIntMax, wordU, longU, laneMinMax(t, greatest))
	default:
		s.unsupported()
	}
}

func selectAnd(s *selector) { s.logic(wordAnd, longAnd, predicateAnd) }
func selectOr(s *selector)  { s.logic(wordOr, longOr, predicateOr) }
func selectXor(s *selector) { s.logic(wordXor, longXor, predicateXor) }

func (s *selector) logic(word, long, predicate op) {
	t := s.typedAs(typePred, typeB16, typeB32, typeB64)
	if t == typePred {
		s.predicateLogic(2, predicate)
		return
	}
	s.integer(2, t, ClassIntAdd, word, long, nil)
}

func selectNot(s *selector) {
	t := s.typedAs(typePred, typeB16, typeB32, typeB64)
	if t == typePred {
		s.predicateLogic(1, predicateNot)
		return
	}
	s.integer(1, t, ClassIntAdd, wordNot, longNot, laneNot(t))
}

func selectCnot(s *selector) {
	t := s.typedAs(typeB16, typeB32, typeB64)
	s.integer(1, t, ClassIntAdd, 0, 0, laneCnot)
}

// predicateLogic emits and, or, xor, not on predicates.
func (s *selector) predicateLogic(sources int, o op) {
	if !s.count(sources+1, sources+1) {
		return
	}
	n := instruction(familyPredicate, o, ClassIntAdd)
	a, negA := s.predicate(&s.st.operands[1])
	n.srcA(a)
	if negA {
		n.imm |= 1
	}
	if sources == 2 {
		b, negB := s.predicate(&s.st.operands[2])
		n.srcB(b)
		if negB {
			n.imm |= 2
		}
	}
	s.emit(*n.dst(s.sinkable(0, typePred)))
}

// shift emits a shift, whose amount has 32 bits whatever the type.
func (s *selector) shift(t scalar, word, long op, f laneFunc) {
	if !s.count(3, 3) {
		return
	}
	var n *node
	switch {
	case t.bits() == 64:
		x := instruction(familyLong, long, ClassIntAdd)
		n = &x
	case t == typeS16:
		n = laneNode(ClassIntAdd, f)
	default: // 16-bit values are zero-extended in their slots
		x := instruction(familyWord, word, ClassIntAdd)
		n = &x
		if t.bits() == 16 {
			n.flags |= flagNarrow
		}
	}
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, typeU32)).dst(s.dest(0, t)))
}

func selectShl(s *selector) {
	t := s.typedAs(typeB16, typeB32, typeB64)
	s.shift(t, wordShl, longShl, nil)
}

func selectShr(s *selector) {
	t := s.typedAs(typeB16, typeB32, typeB64, typeU16, typeU32, typeU64, typeS16, typeS32, typeS64)
	if t.isSigned() {
		s.shift(t, wordShrS, longShrS, laneShr(t))
	} else {
		s.shift(t, wordShrU, longShrU, laneShr(t))
	}
}

func selectShf(s *selector) {
	side, way := s.oneOf("l", "r"), s.oneOf("clamp", "wrap")
	right, wrap := side == "r", way == "wrap"
	if side == "" || way == "" {
		s.fail(s.st.at, "%s: want .l or .r, and .clamp or .wrap", s.text())
	}
	s.typedAs(typeB32)
	s.integer(3, typeB32, ClassIntAdd, 0, 0, laneFunnel(right, wrap))
}
