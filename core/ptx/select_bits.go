package ptx

// mixed emits an instruction that runs a function per lane with operands of
// different types; the first type is the destination's.
func (s *selector) mixed(class Class, f laneFunc, types ...scalar) {
	n := len(types)
	if !s.count(n, n) {
		return
	}
	full := [5]scalar{}
	copy(full[:], types)
	x := laneNode(class, f).wide(full[0], full[1], full[2], full[3], full[4])
	set := [4]func(uint32) *node{x.srcA, x.srcB, x.srcC, x.srcE}
	for i := 1; i < n; i++ {
		set[i-1](s.source(i, types[i]))
	}
	s.emit(*x.dst(s.dest(0, types[0])))
}

func selectBfe(s *selector) {
	t := s.typedAs(typeU32, typeU64, typeS32, typeS64)
	if t == typeU32 {
		s.integer(3, t, ClassIntAdd, wordBfeU, 0, nil)
		return
	}
	s.mixed(ClassIntAdd, laneBfe(t), t, t, typeU32, typeU32)
}

func selectBfi(s *selector) {
	t := s.typedAs(typeB32, typeB64)
	s.mixed(ClassIntAdd, laneBfi(t), t, t, t, typeU32, typeU32)
}

func selectBfind(s *selector) {
	amount := s.has("shiftamt")
	t := s.typedAs(typeU32, typeU64, typeS32, typeS64)
	s.mixed(ClassIntAdd, laneBfind(t, amount), typeU32, t)
}

func selectPopc(s *selector) {
	t := s.typedAs(typeB32, typeB64)
	s.mixed(ClassIntAdd, lanePopc, typeU32, t)
}

func selectClz(s *selector) {
	t := s.typedAs(typeB32, typeB64)
	s.mixed(ClassIntAdd, laneClz(t), typeU32, t)
}

func selectBrev(s *selector) {
	t := s.typedAs(typeB32, typeB64)
	s.mixed(ClassIntAdd, laneBrev(t), t, t)
}

func selectFns(s *selector) {
	s.typedAs(typeB32)
	s.mixed(ClassIntAdd, laneFns, typeB32, typeB32, typeB32, typeS32)
}

func selectPrmt(s *selector) {
	s.typedAs(typeB32)
	mode := s.oneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	s.mixed(ClassIntAdd, lanePrmt(mode), typeB32, typeB32, typeB32, typeB32)
}

func selectLop3(s *selector) {
	join := s.oneOf("or", "and")
	s.typedAs(typeB32)
	operands := 5
	if join != "" { // d|p: p says whether the result is not zero, joined with a predicate
		operands = 6
	}
	if !s.count(operands, operands) {
		return
	}
	o := &s.st.operands[4]
	if o.kind != operandInteger || o.value > 255 {
		s.fail(o.at, "the table of lop3 must be a constant from 0 to 255")
		return
	}
	n := laneNode(ClassIntAdd, laneLop3(uint8(o.value)))
	n.srcA(s.source(1, typeB32)).srcB(s.source(2, typeB32)).srcC(s.source(3, typeB32))
	if join == "" {
		s.emit(*n.dst(s.dest(0, typeB32)))
		return
	}
	pair := s.st.operands[0].pair
	if pair == nil {
		s.fail(s.st.operands[0].at, "%s: want a result and a predicate, d|p", s.text())
		return
	}
	d := s.sinkable(0, typeB32)
	s.emit(*n.dst(d))
	test := instruction(familyCompare, compareEq, ClassIntAdd)
	test.flags |= flagInvert | flagPrimary | flagHasC
	p, negate := s.predicate(&s.st.operands[5])
	if negate {
		test.flags |= flagNegateC
	}
	test.target = combineOr
	if join == "and" {
		test.target = combineAnd
	}
	test.srcA(d).srcB(s.values.constant(1, 0)).srcC(p)
	s.emit(*test.dst(s.destOf(pair, typePred, false)))
}

func selectBmsk(s *selector) {
	wrap := s.oneOf("clamp", "wrap") == "wrap"
	s.typedAs(typeB32)
	s.mixed(ClassIntAdd, laneBmsk(wrap), typeB32, typeU32, typeU32)
}

func selectSzext(s *selector) {
	wrap := s.oneOf("clamp", "wrap") == "wrap"
	t := s.typedAs(typeU32, typeS32)
	s.mixed(ClassIntAdd, laneSzext(t, wrap), t, t, typeU32)
}

func selectDp4a(s *selector) {
	a := s.typedAs(typeU32, typeS32)
	b := s.typedAs(typeU32, typeS32)
	s.mixed(ClassIntMad, laneDot(a, b, 4, false), typeU32, typeB32, typeB32, typeU32)
}

func selectDp2a(s *selector) {
	high := s.half() == "hi"
	a := s.typedAs(typeU32, typeS32)
	b := s.typedAs(typeU32, typeS32)
	s.mixed(ClassIntMad, laneDot(a, b, 2, high), typeU32, typeB32, typeB32, typeU32)
}
