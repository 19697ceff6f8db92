package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// comparisonOf returns the loop for an operator on type t.
func comparisonOf(word string, t ptx.Scalar) (arith.Comparison, bool) {
	if t.IsFloat() || t.IsHalf() {
		eq, ne, lt, le, num := ptx.CompareFloatEq, ptx.CompareFloatNe, ptx.CompareFloatLt, ptx.CompareFloatLe, ptx.CompareFloatNum
		if t == ptx.TypeF64 {
			eq, ne, lt, le, num = ptx.CompareDoubleEq, ptx.CompareDoubleNe, ptx.CompareDoubleLt, ptx.CompareDoubleLe, ptx.CompareDoubleNum
		}
		switch word {
		case "eq":
			return arith.Comparison{Op: eq}, true
		case "ne":
			return arith.Comparison{Op: ne}, true
		case "lt":
			return arith.Comparison{Op: lt}, true
		case "le":
			return arith.Comparison{Op: le}, true
		case "gt":
			return arith.Comparison{Op: lt, Swap: true}, true
		case "ge":
			return arith.Comparison{Op: le, Swap: true}, true
		// The unordered ones are true when the opposite is false.
		case "equ":
			return arith.Comparison{Op: ne, Invert: true}, true
		case "neu":
			return arith.Comparison{Op: eq, Invert: true}, true
		case "ltu":
			return arith.Comparison{Op: le, Swap: true, Invert: true}, true
		case "leu":
			return arith.Comparison{Op: lt, Swap: true, Invert: true}, true
		case "gtu":
			return arith.Comparison{Op: le, Invert: true}, true
		case "geu":
			return arith.Comparison{Op: lt, Invert: true}, true
		case "num":
			return arith.Comparison{Op: num}, true
		case "nan":
			return arith.Comparison{Op: num, Invert: true}, true
		}
		return arith.Comparison{}, false
	}
	eq, lt := ptx.CompareEq, ptx.CompareLtU
	switch {
	case t == ptx.TypeS16:
		lt = ptx.CompareLtS16
	case t == ptx.TypeS32:
		lt = ptx.CompareLtS
	case t == ptx.TypeS64:
		eq, lt = ptx.CompareLongEq, ptx.CompareLongLtS
	case t.Bits() == 64:
		eq, lt = ptx.CompareLongEq, ptx.CompareLongLtU
	}
	switch word {
	case "eq":
		return arith.Comparison{Op: eq}, true
	case "ne":
		return arith.Comparison{Op: eq, Invert: true}, true
	}
	if t.IsBits() {
		return arith.Comparison{}, false
	}
	if t.IsSigned() && (word == "lo" || word == "ls" || word == "hi" || word == "hs") {
		return arith.Comparison{}, false
	}
	switch word {
	case "lt", "lo":
		return arith.Comparison{Op: lt}, true
	case "ge", "hs":
		return arith.Comparison{Op: lt, Invert: true}, true
	case "gt", "hi":
		return arith.Comparison{Op: lt, Swap: true}, true
	case "le", "ls":
		return arith.Comparison{Op: lt, Swap: true, Invert: true}, true
	}
	return arith.Comparison{}, false
}

var comparisonWords = []string{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs",
	"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}

var compareTypes = []ptx.Scalar{ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64,
	ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2}

// compare starts the node of set and setp; the type of the comparison is the
// next one.
func (s *selector) compare(word string) *node {
	combine := s.oneOf("and", "or", "xor")
	flush := s.has("ftz")
	t := s.typedAs(compareTypes...)
	c, ok := comparisonOf(word, t)
	if flush && t != ptx.TypeF32 && t != ptx.TypeF16 && t != ptx.TypeF16x2 {
		s.fail(s.st.At, "%s: .ftz is for .f32, .f16 and .f16x2", s.text())
		return nil
	}
	if !ok {
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
	class := ptx.ClassIntAdd
	switch t {
	case ptx.TypeF32:
		class = ptx.ClassFloatAdd
	case ptx.TypeF64:
		class = ptx.ClassDoubleAdd
	}
	n := instruction(ptx.FamilyCompare, c.Op, class)
	switch {
	case t.IsHalf():
		n.Op, n.Class = ptx.CompareLane, ptx.ClassFloatAdd
		n.Lane = arith.LaneHalfCompare(t, c, flush)
		if t.IsPair() {
			n.Op = ptx.ComparePair
		}
	case c.Invert:
		n.Flags |= ptx.FlagInvert
	}
	if flush || t == ptx.TypeF32 && s.module.isSM1() {
		n.Flags |= ptx.FlagFlush
	}
	a, b := s.source(1, t), s.source(2, t)
	if c.Swap {
		a, b = b, a
	}
	n.srcA(a).srcB(b)
	if combine != "" {
		p, negate := s.predicate(&s.st.Operands[3])
		n.srcC(p)
		n.Flags |= ptx.FlagHasC
		if negate {
			n.Flags |= ptx.FlagNegateC
		}
		n.Target = map[string]int32{"and": ptx.CombineAnd, "or": ptx.CombineOr, "xor": ptx.CombineXor}[combine]
	}
	return &n
}

func selectSetp(s *selector) {
	n := s.compare(s.oneOf(comparisonWords...))
	if n == nil {
		return
	}
	p := &s.st.Operands[0]
	if p.Kind != syntax.OperandSink {
		n.Flags |= ptx.FlagPrimary
		n.dst(s.destOf(p, ptx.TypePred, false))
	}
	if p.Pair() != nil && p.Pair().Kind != syntax.OperandSink {
		n.Flags |= ptx.FlagHasE
		n.E = s.destOf(p.Pair(), ptx.TypePred, false)
		n.write(n.E)
	}
	s.emit(*n)
}

func selectSet(s *selector) {
	word := s.oneOf(comparisonWords...)
	// .dtype.stype stand last; .and.dtype.stype before it.
	d := s.typedAs(ptx.TypeU32, ptx.TypeS32, ptx.TypeF32, ptx.TypeU16, ptx.TypeS16, ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2)
	n := s.compare(word)
	if n == nil {
		return
	}
	if d.IsPair() != (n.Op == ptx.ComparePair) && (d.IsPair() || d.Bits() == 16 || d == ptx.TypeF32) ||
		d.Bits() == 16 && d.IsInteger() && n.Op != ptx.CompareLane {
		s.unsupported()
		return
	}
	n.Flags |= ptx.FlagSet
	n.Imm = d.Mask()
	switch {
	case d == ptx.TypeF32:
		n.Imm = 0x3f800000
	case d.IsHalf():
		n.Imm = arith.FormatOf(d).One * 0x10001 & d.Mask()
	}
	s.emit(*n.dst(s.dest(0, d)))
}

func selectSelp(s *selector) {
	t := s.typedAs(ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64)
	if !s.count(4, 4) {
		return
	}
	n := instruction(ptx.FamilyWord, ptx.WordSelect, ptx.ClassMove)
	if t.Bits() == 64 {
		n = instruction(ptx.FamilyLong, ptx.LongSelect, ptx.ClassMove)
	}
	p, negate := s.predicate(&s.st.Operands[3])
	if negate {
		n.Flags |= ptx.FlagNegateC
	}
	s.emit(*n.srcA(s.source(1, t)).srcB(s.source(2, t)).srcC(p).dst(s.dest(0, t)))
}

func selectSlct(s *selector) {
	flush := s.has("ftz")
	t := s.typedAs(ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64)
	c := s.typedAs(ptx.TypeS32, ptx.TypeF32)
	if flush && c != ptx.TypeF32 {
		s.fail(s.st.At, "%s: .ftz is for a third operand in .f32", s.text())
	}
	f := func(a, b, c, _ uint64) uint64 {
		if int32(c) >= 0 {
			return a
		}
		return b
	}
	if c == ptx.TypeF32 {
		f = func(a, b, c, _ uint64) uint64 {
			if flush {
				c = arith.Flush32(c)
			}
			if arith.F32(c) >= 0 { // -0 is not negative; NaN selects b
				return a
			}
			return b
		}
	}
	s.mixed(ptx.ClassIntAdd, f, t, t, t, c)
}

func selectIsspacep(s *selector) {
	base := uint64(0)
	global, others := false, false
	switch s.oneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry") {
	case "global":
		global = true
	case "shared", "shared::cta":
		base = ptx.SharedWindow
	case "shared::cluster":
		base, others = ptx.SharedWindow, true
	case "local":
		base = ptx.LocalWindow
	case "const":
		base = ptx.ConstWindow
	case "param", "param::entry":
		base = ptx.ParamWindow
	default:
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(ptx.FamilyCompare, ptx.CompareLane, ptx.ClassIntAdd)
	n.Lane = func(a, _, _, _ uint64) uint64 {
		// The parameters of kernels lie in global memory too.
		if a >= ptx.ClusterWindow { // the shared memory of other CTAs
			return uint64(arith.Bit(others))
		}
		if global && (a-ptx.SharedWindow >= ptx.WindowsEnd-ptx.SharedWindow || a-ptx.ParamWindow < ptx.WindowBytes) || !global && a-base < ptx.WindowBytes {
			return 1
		}
		return 0
	}
	t := ptx.TypeU32
	if o := &s.st.Operands[1]; o.Sym != nil && o.Sym.Kind == syntax.SymbolRegister && o.Sym.Register.Type.Bits() == 64 {
		t = ptx.TypeU64
	}
	n.wide(ptx.TypeNone, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	n.Flags |= ptx.FlagPrimary
	s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, ptx.TypePred)))
}
