package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

var moveTypes = []ptx.Scalar{ptx.TypePred, ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64,
	ptx.TypeB8, ptx.TypeU8, ptx.TypeS8, ptx.TypeB128}

func selectMov(s *selector) {
	vector := s.vectorCount()
	t := s.typedAs(moveTypes...)
	if s.failed || !s.count(2, 2) {
		return
	}
	dst, src := &s.st.Operands[0], &s.st.Operands[1]
	switch {
	case t == ptx.TypeB128 && vector == 1: // a register of 128 bits is two of 64
		if !dst.Whole && !src.Whole {
			s.fail(dst.At, "%s: want a register of 128 bits", s.text())
			return
		}
		s.moveElements(ptx.TypeB64, 2)
	case vector > 1:
		s.moveElements(t, vector)
	case s.unusedParamAddress(src):
	case t == ptx.TypePred:
		n := instruction(ptx.FamilyPredicate, ptx.PredicateMove, ptx.ClassMove)
		p, negate := s.predicate(src)
		n.srcA(p)
		if negate {
			n.Imm |= 1
		}
		s.emit(*n.dst(s.sinkable(0, t)))
	case dst.Kind == syntax.OperandVector:
		s.unpack(t, dst, src)
	case src.Kind == syntax.OperandVector:
		s.pack(t, dst, src)
	case src.Special != ptx.SpecialNone && !src.Special.IsFixed() && src.Special.Bits() == t.Bits():
		n := instruction(ptx.FamilyMove, ptx.MoveSpecial, ptx.ClassMove)
		n.Imm = uint64(src.Special)
		n.wide(t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
		s.emit(*n.dst(s.dest(0, t)))
	default:
		n := instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassMove)
		if t.Bits() == 64 {
			n = instruction(ptx.FamilyLong, ptx.LongMove, ptx.ClassMove)
		}
		s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, t)))
	}
}

// moveElements moves a vector to another of n elements. If an element that has
// been written is read later on, all are read first.
func (s *selector) moveElements(t ptx.Scalar, n int) {
	dst, src := s.elements(0, n), s.elements(1, n)
	if s.failed || t == ptx.TypePred {
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
func (s *selector) part(t ptx.Scalar, v *syntax.Operand) ptx.Scalar {
	n := len(v.List())
	if n != 2 && n != 4 || t.Bits()%n != 0 {
		s.fail(v.At, "%s: want a vector of 2 or 4 elements", s.text())
		return ptx.TypeB16
	}
	switch t.Bits() / n {
	case 8:
		return ptx.TypeB8
	case 16:
		return ptx.TypeB16
	}
	return ptx.TypeB32
}

func (s *selector) pack(t ptx.Scalar, dst, src *syntax.Operand) {
	p := s.part(t, src)
	n := instruction(ptx.FamilyMove, ptx.MovePack, ptx.ClassMove)
	n.Vector = &ptx.VectorOp{Bytes: p.Bytes()}
	for i := range src.List() {
		v := s.sourceOf(&src.List()[i], p, false)
		n.Vector.Regs = append(n.Vector.Regs, v)
		n.read(v)
	}
	n.wide(t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.dst(s.destOf(dst, t, false)))
}

func (s *selector) unpack(t ptx.Scalar, dst, src *syntax.Operand) {
	if src.Kind == syntax.OperandVector { // mov.v4-like: element by element
		s.unsupported()
		return
	}
	p := s.part(t, dst)
	n := instruction(ptx.FamilyMove, ptx.MoveUnpack, ptx.ClassMove)
	n.Vector = &ptx.VectorOp{Bytes: p.Bytes()}
	n.wide(ptx.TypeNone, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	n.srcA(s.sourceOf(src, t, false))
	for i := range dst.List() {
		v := s.destOf(&dst.List()[i], p, false)
		n.Vector.Regs = append(n.Vector.Regs, v)
		n.write(v)
	}
	s.emit(n)
}

func selectCvta(s *selector) {
	to := s.has("to")
	window, cluster := uint64(0), false
	switch s.oneOf("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", "param::entry") {
	case "global":
	case "shared::cluster":
		cluster = true
	case "shared", "shared::cta":
		window = ptx.SharedWindow
	case "local":
		window = ptx.LocalWindow
	case "const":
		window = ptx.ConstWindow
	case "param":
		window = ptx.ParamWindow
		if !s.fn.Entry { // a copy: see addressed.go
			window = ptx.LocalWindow
		}
	case "param::entry":
		window = ptx.ParamWindow
	default:
		s.unsupported()
		return
	}
	t := s.typedAs(ptx.TypeU32, ptx.TypeU64)
	if s.failed || !s.count(2, 2) {
		return
	}
	move, add := instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassMove), instruction(ptx.FamilyWord, ptx.WordAdd, ptx.ClassMove)
	if t == ptx.TypeU64 {
		move, add = instruction(ptx.FamilyLong, ptx.LongMove, ptx.ClassMove), instruction(ptx.FamilyLong, ptx.LongAdd, ptx.ClassMove)
	}
	if cluster {
		s.clusterAddress(t, to)
		return
	}
	if window == 0 {
		s.emit(*move.srcA(s.source(1, t)).dst(s.dest(0, t)))
		return
	}
	if to {
		window = -window
	}
	s.emit(*add.srcA(s.source(1, t)).srcB(s.values.constant(wordsOf(t.Bits()), window&t.Mask())).dst(s.dest(0, t)))
}
