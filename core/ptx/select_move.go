package ptx

var moveTypes = []scalar{typePred, typeB16, typeB32, typeB64, typeU16, typeU32, typeU64, typeS16, typeS32, typeS64, typeF32, typeF64,
	typeB8, typeU8, typeS8, typeB128}

func selectMov(s *selector) {
	vector := s.vectorCount()
	t := s.typedAs(moveTypes...)
	if s.failed || !s.count(2, 2) {
		return
	}
	dst, src := &s.st.operands[0], &s.st.operands[1]
	switch {
	case t == typeB128 && vector == 1: // a register of 128 bits is two of 64
		if !dst.whole && !src.whole {
			s.fail(dst.at, "%s: want a register of 128 bits", s.text())
			return
		}
		s.moveElements(typeB64, 2)
	case vector > 1:
		s.moveElements(t, vector)
	case s.unusedParamAddress(src):
	case t == typePred:
		n := instruction(familyPredicate, predicateMove, ClassMove)
		p, negate := s.predicate(src)
		n.srcA(p)
		if negate {
			n.imm |= 1
		}
		s.emit(*n.dst(s.sinkable(0, t)))
	case dst.kind == operandVector:
		s.unpack(t, dst, src)
	case src.kind == operandVector:
		s.pack(t, dst, src)
	case src.special != specialNone && !src.special.isFixed() && src.special.bits() == t.bits():
		n := instruction(familyMove, moveSpecial, ClassMove)
		n.imm = uint64(src.special)
		n.wide(t, typeNone, typeNone, typeNone, typeNone)
		s.emit(*n.dst(s.dest(0, t)))
	default:
		n := instruction(familyWord, wordMove, ClassMove)
		if t.bits() == 64 {
			n = instruction(familyLong, longMove, ClassMove)
		}
		s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, t)))
	}
}

// moveElements moves a vector to another of n elements. If an element that has
// been written is read later on, all are read first.
func (s *selector) moveElements(t scalar, n int) {
	dst, src := s.elements(0, n), s.elements(1, n)
	if s.failed || t == typePred {
		s.unsupported()
		return
	}
	from, to := make([]uint32, n), make([]uint32, n)
	written := map[uint32]bool{}
	overlap := false
	for i := range n {
		from[i], to[i] = s.sourceOf(&src[i], t, false), s.destOf(&dst[i], t, false)
		overlap = overlap || written[from[i]]
		written[to[i]] = true
	}
	if overlap {
		for i := range n {
			from[i] = s.copied(from[i])
		}
	}
	for i := range n {
		if to[i] != noValue {
			s.move(to[i], from[i])
		}
	}
}

// part returns the type of one element of a vector that makes up a t.
func (s *selector) part(t scalar, v *operand) scalar {
	n := len(v.list)
	if n != 2 && n != 4 || t.bits()%n != 0 {
		s.fail(v.at, "%s: want a vector of 2 or 4 elements", s.text())
		return typeB16
	}
	switch t.bits() / n {
	case 8:
		return typeB8
	case 16:
		return typeB16
	}
	return typeB32
}

func (s *selector) pack(t scalar, dst, src *operand) {
	p := s.part(t, src)
	n := instruction(familyMove, movePack, ClassMove)
	n.vector = &vectorOp{bytes: p.bytes()}
	for i := range src.list {
		v := s.sourceOf(&src.list[i], p, false)
		n.vector.regs = append(n.vector.regs, v)
		n.read(v)
	}
	n.wide(t, typeNone, typeNone, typeNone, typeNone)
	s.emit(*n.dst(s.destOf(dst, t, false)))
}

func (s *selector) unpack(t scalar, dst, src *operand) {
	if src.kind == operandVector { // mov.v4-like: element by element
		s.unsupported()
		return
	}
	p := s.part(t, dst)
	n := instruction(familyMove, moveUnpack, ClassMove)
	n.vector = &vectorOp{bytes: p.bytes()}
	n.wide(typeNone, t, typeNone, typeNone, typeNone)
	n.srcA(s.sourceOf(src, t, false))
	for i := range dst.list {
		v := s.destOf(&dst.list[i], p, false)
		n.vector.regs = append(n.vector.regs, v)
		n.write(v)
	}
	s.emit(n)
}

func selectCvta(s *selector) {
	to := s.has("to")
	window := uint64(0)
	switch s.oneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry") {
	case "global":
	case "shared", "shared::cta", "shared::cluster":
		window = SharedWindow
	case "local":
		window = LocalWindow
	case "const":
		window = ConstWindow
	case "param":
		window = ParamWindow
		if !s.fn.entry { // a copy: see addressed.go
			window = LocalWindow
		}
	case "param::entry":
		window = ParamWindow
	default:
		s.unsupported()
		return
	}
	t := s.typedAs(typeU32, typeU64)
	if s.failed || !s.count(2, 2) {
		return
	}
	move, add := instruction(familyWord, wordMove, ClassMove), instruction(familyWord, wordAdd, ClassMove)
	if t == typeU64 {
		move, add = instruction(familyLong, longMove, ClassMove), instruction(familyLong, longAdd, ClassMove)
	}
	if window == 0 {
		s.emit(*move.srcA(s.source(1, t)).dst(s.dest(0, t)))
		return
	}
	if to {
		window = -window
	}
	s.emit(*add.srcA(s.source(1, t)).srcB(s.values.constant(wordsOf(t.bits()), window&t.mask())).dst(s.dest(0, t)))
}
