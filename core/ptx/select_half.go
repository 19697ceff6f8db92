package ptx

// halfMode takes the modifiers of an arithmetic instruction on halves. bf16 knows
// neither .ftz nor .sat.
func (s *selector) halfMode(t scalar, fma bool) halfMode {
	var m halfMode
	if s.has("rn"); t == typeF16 || t == typeF16x2 {
		m.flush, m.saturate = s.has("ftz"), s.has("sat")
	}
	if fma {
		m.relu = s.has("relu")
	}
	if m.relu && m.saturate {
		s.unsupported()
	}
	return m
}

// halfArithmetic emits an instruction of n sources on halves, which rounds to
// nearest even.
func (s *selector) halfArithmetic(t scalar, sources int, class Class, f func(a, b, c float64) float64) {
	s.floatOperands(laneNode(class, laneHalf(t, s.halfMode(t, sources == 3), f)), sources, t)
}

// halfFunction is ex2 and tanh. ex2 of bf16 exists with .ftz only.
func (s *selector) halfFunction(t scalar, flushed bool, f func(a, b, c float64) float64) {
	m := halfMode{flush: flushed && t.halfFormat() == &formatBF16}
	if !s.has("approx") || m.flush && !s.has("ftz") {
		s.unsupported()
		return
	}
	s.floatOperands(laneNode(ClassSpecial, laneHalf(t, m, f)), 1, t)
}

// halfSign is neg, an exclusive or with the sign bits, and abs, an and with the
// others.
func (s *selector) halfSign(t scalar, word op, mask uint64) {
	if t.halfFormat() == &formatF16 && s.has("ftz") {
		s.floatOperands(laneNode(ClassFloatAdd, laneHalfSign(t, word == wordAnd)), 1, t)
		return
	}
	n := instruction(familyWord, word, ClassFloatAdd)
	s.floatOperands(n.srcB(s.values.constant(1, mask&t.mask())), 1, t)
}

func (s *selector) halfMinMax(t scalar, greatest bool) {
	flush := t.halfFormat() == &formatF16 && s.has("ftz")
	nan, xor := s.has("NaN"), s.has("xorsign")
	if xor && !s.has("abs") {
		s.unsupported()
		return
	}
	s.floatOperands(laneNode(ClassFloatMax, laneHalfMinMax(t, greatest, flush, nan, xor)), 2, t)
}

// integerPairs emits an instruction on pairs of 16-bit integers.
func (s *selector) integerPairs(t scalar, class Class, f laneFunc) {
	s.floatOperands(laneNode(class, pairs(t, f)), 2, t)
}

// pairElement returns the integer type of each half of a pair.
func (t scalar) pairElement() scalar {
	if t == typeS16x2 {
		return typeS16
	}
	return typeU16
}

// convertPair is cvt of two f32 to a pair of halves, the first to the upper one.
func (s *selector) convertPair(d scalar, c floatConversion) {
	if !s.count(3, 3) {
		return
	}
	n := laneNode(ClassFloatAdd, func(a, b, _, _ uint64) uint64 { return c.convert(a)<<16 | c.convert(b) })
	n.srcA(s.source(1, typeF32)).srcB(s.source(2, typeF32))
	s.emit(*n.dst(s.dest(0, d)))
}
