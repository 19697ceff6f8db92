package ptx

// comparison says how a comparison operator is made of the few that have loops.
type comparison struct {
	op     op
	swap   bool
	invert bool
}

// comparisonOf returns the loop for an operator on type t.
func comparisonOf(word string, t scalar) (comparison, bool) {
	if t.isFloat() || t.isHalf() {
		eq, ne, lt, le, num := compareFloatEq, compareFloatNe, compareFloatLt, compareFloatLe, compareFloatNum
		if t == typeF64 {
			eq, ne, lt, le, num = compareDoubleEq, compareDoubleNe, compareDoubleLt, compareDoubleLe, compareDoubleNum
		}
		switch word {
		case "eq":
			return comparison{op: eq}, true
		case "ne":
			return comparison{op: ne}, true
		case "lt":
			return comparison{op: lt}, true
		case "le":
			return comparison{op: le}, true
		case "gt":
			return comparison{op: lt, swap: true}, true
		case "ge":
			return comparison{op: le, swap: true}, true
		// The unordered ones are true when the opposite is false.
		case "equ":
			return comparison{op: ne, invert: true}, true
		case "neu":
			return comparison{op: eq, invert: true}, true
		case "ltu":
			return comparison{op: le, swap: true, invert: true}, true
		case "leu":
			return comparison{op: lt, swap: true, invert: true}, true
		case "gtu":
			return comparison{op: le, invert: true}, true
		case "geu":
			return comparison{op: lt, invert: true}, true
		case "num":
			return comparison{op: num}, true
		case "nan":
			return comparison{op: num, invert: true}, true
		}
		return comparison{}, false
	}
	eq, lt := compareEq, compareLtU
	switch {
	case t == typeS16:
		lt = compareLtS16
	case t == typeS32:
		lt = compareLtS
	case t == typeS64:
		eq, lt = compareLongEq, compareLongLtS
	case t.bits() == 64:
		eq, lt = compareLongEq, compareLongLtU
	}
	switch word {
	case "eq":
		return comparison{op: eq}, true
	case "ne":
		return comparison{op: eq, invert: true}, true
	}
	if t.isBits() {
		return comparison{}, false
	}
	if t.isSigned() && (word == "lo" || word == "ls" || word == "hi" || word == "hs") {
		return comparison{}, false
	}
	switch word {
	case "lt", "lo":
		return comparison{op: lt}, true
	case "ge", "hs":
		return comparison{op: lt, invert: true}, true
	case "gt", "hi":
		return comparison{op: lt, swap: true}, true
	case "le", "ls":
		return comparison{op: lt, swap: true, invert: true}, true
	}
	return comparison{}, false
}

var comparisonWords = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
	"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}

var compareTypes = []scalar{typeB16, typeB32, typeB64, typeU16, typeU32, typeU64, typeS16, typeS32, typeS64, typeF32, typeF64,
	typeF16, typeF16x2, typeBF16, typeBF16x2}

// compare starts the node of set and setp; the type of the comparison is the
// next one.
func (s *selector) compare(word string) *node {
	combine := s.oneOf("and", "or", "xor")
	flush := s.has("ftz")
	t := s.typedAs(compareTypes...)
	c, ok := comparisonOf(word, t)
	if !ok || flush && t.isHalf() && t.halfFormat() == &formatBF16 {
		s.unsupported()
		return nil
	}
	least := 3
	if combine != "" {
		least = 4
	}
	if !s.count(least, least) {
		return nil
	}
	class := ClassIntAdd
	switch t {
	case typeF32:
		class = ClassFloatAdd
	case typeF64:
		class = ClassDoubleAdd
	}
	n := instruction(familyCompare, c.op, class)
	switch {
	case t.isHalf():
		n.op, n.Class = compareLane, ClassFloatAdd
		n.lane = laneHalfCompare(t, c, flush)
		if t.isPair() {
			n.op = comparePair
		}
	case c.invert:
		n.flags |= flagInvert
	}
	if flush || t == typeF32 && s.module.isSM1() {
		n.flags |= flagFlush
	}
	a, b := s.source(1, t), s.source(2, t)
	if c.swap {
		a, b = b, a
	}
	n.srcA(a).srcB(b)
	if combine != "" {
		p, negate := s.predicate(&s.st.operands[3])
		n.srcC(p)
		n.flags |= flagHasC
		if negate {
			n.flags |= flagNegateC
		}
		n.target = map[string]int32{"and": combineAnd, "or": combineOr, "xor": combineXor}[combine]
	}
	return &n
}

func selectSetp(s *selector) {
	n := s.compare(s.oneOf(comparisonWords...))
	if n == nil {
		return
	}
	p := &s.st.operands[0]
	if p.kind != operandSink {
		n.flags |= flagPrimary
		n.dst(s.destOf(p, typePred, false))
	}
	if p.pair != nil && p.pair.kind != operandSink {
		n.flags |= flagHasE
		n.e = s.destOf(p.pair, typePred, false)
		n.write(n.e)
	}
	s.emit(*n)
}

func selectSet(s *selector) {
	word := s.oneOf(comparisonWords...)
	// .dtype.stype stand last; .and.dtype.stype before it.
	d := s.typedAs(typeU32, typeS32, typeF32, typeU16, typeS16, typeF16, typeF16x2, typeBF16, typeBF16x2)
	n := s.compare(word)
	if n == nil {
		return
	}
	if d.isPair() != (n.op == comparePair) && (d.isPair() || d.bits() == 16 || d == typeF32) ||
		d.bits() == 16 && d.isInteger() && n.op != compareLane {
		s.unsupported()
		return
	}
	n.flags |= flagSet
	n.imm = d.mask()
	switch {
	case d == typeF32:
		n.imm = 0x3f800000
	case d.isHalf():
		n.imm = d.halfFormat().one * 0x10001 & d.mask()
	}
	s.emit(*n.dst(s.dest(0, d)))
}

func selectSelp(s *selector) {
	t := s.typedAs(typeB16, typeB32, typeB64, typeU16, typeU32, typeU64, typeS16, typeS32, typeS64, typeF32, typeF64)
	if !s.count(4, 4) {
		return
	}
	n := instruction(familyWord, wordSelect, ClassMove)
	if t.bits() == 64 {
		n = instruction(familyLong, longSelect, ClassMove)
	}
	p, negate := s.predicate(&s.st.operands[3])
	if negate {
		n.flags |= flagNegateC
	}
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, t)).srcC(p).dst(s.dest(0, t)))
}

func selectSlct(s *selector) {
	flush := s.has("ftz")
	t := s.typedAs(typeB16, typeB32, typeB64, typeU16, typeU32, typeU64, typeS16, typeS32, typeS64, typeF32, typeF64)
	c := s.typedAs(typeS32, typeF32)
	f := func(a, b, c, _ uint64) uint64 {
		if int32(c) >= 0 {
			return a
		}
		return b
	}
	if c == typeF32 {
		f = func(a, b, c, _ uint64) uint64 {
			if flush {
				c = flush32(c)
			}
			if f32(c) >= 0 { // -0 is not negative; NaN selects b
				return a
			}
			return b
		}
	}
	s.mixed(ClassIntAdd, f, t, t, t, c)
}

func selectIsspacep(s *selector) {
	base := uint64(0)
	global := false
	switch s.oneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry") {
	case "global":
		global = true
	case "shared", "shared::cta", "shared::cluster":
		base = SharedWindow
	case "local":
		base = LocalWindow
	case "const":
		base = ConstWindow
	case "param", "param::entry":
		base = ParamWindow
	default:
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(familyCompare, compareLane, ClassIntAdd)
	n.lane = func(a, _, _, _ uint64) uint64 {
		// The parameters of kernels lie in global memory too.
		if global && (a-SharedWindow >= windowsEnd-SharedWindow || a-ParamWindow < WindowBytes) || !global && a-base < WindowBytes {
			return 1
		}
		return 0
	}
	t := typeU32
	if o := &s.st.operands[1]; o.sym != nil && o.sym.kind == symbolRegister && o.sym.register.typ.bits() == 64 {
		t = typeU64
	}
	n.wide(typeNone, t, typeNone, typeNone, typeNone)
	n.flags |= flagPrimary
	s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, typePred)))
}

// selectCTARank is getctarank: a CTA is its own cluster, of rank 0.
func selectCTARank(s *selector) {
	s.has("shared::cluster")
	t := s.typedAs(typeU32, typeU64)
	if s.count(2, 2) {
		s.source(1, t)
		s.move(s.dest(0, typeU32), s.values.constant(1, 0))
	}
}
