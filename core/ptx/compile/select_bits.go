package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// mixed emits an instruction that runs a function per lane with operands of
// different types; the first type is the destination's.
func (s *selector) mixed(class ptx.Class, f ptx.LaneFunc, types ...ptx.Scalar) {
	n := len(types)
	if !s.count(n, n) {
		return
	}
	full := [5]ptx.Scalar{}
	copy(full[:], types)
	x := laneNode(class, f).wide(full[0], full[1], full[2], full[3], full[4])
	set := [4]func(uint32) *node{x.srcA, x.srcB, x.srcC, x.srcE}
	for i := 1; i < n; i++ {
		set[i-1](s.source(i, types[i]))
	}
	s.emit(*x.dst(s.dest(0, types[0])))
}

func selectBfe(s *selector) {
	t := s.typedAs(ptx.TypeU32, ptx.TypeU64, ptx.TypeS32, ptx.TypeS64)
	if t == ptx.TypeU32 {
		s.integer(3, t, ptx.ClassIntAdd, ptx.WordBfeU, 0, nil)
		return
	}
	s.mixed(ptx.ClassIntAdd, arith.LaneBfe(t), t, t, ptx.TypeU32, ptx.TypeU32)
}

func selectBfi(s *selector) {
	t := s.typedAs(ptx.TypeB32, ptx.TypeB64)
	s.mixed(ptx.ClassIntAdd, arith.LaneBfi(t), t, t, t, ptx.TypeU32, ptx.TypeU32)
}

func selectBfind(s *selector) {
	amount := s.has("shiftamt")
	t := s.typedAs(ptx.TypeU32, ptx.TypeU64, ptx.TypeS32, ptx.TypeS64)
	s.mixed(ptx.ClassIntAdd, arith.LaneBfind(t, amount), ptx.TypeU32, t)
}

func selectPopc(s *selector) {
	t := s.typedAs(ptx.TypeB32, ptx.TypeB64)
	s.mixed(ptx.ClassIntAdd, arith.LanePopc, ptx.TypeU32, t)
}

func selectClz(s *selector) {
	t := s.typedAs(ptx.TypeB32, ptx.TypeB64)
	s.mixed(ptx.ClassIntAdd, arith.LaneClz(t), ptx.TypeU32, t)
}

func selectBrev(s *selector) {
	t := s.typedAs(ptx.TypeB32, ptx.TypeB64)
	s.mixed(ptx.ClassIntAdd, arith.LaneBrev(t), t, t)
}

func selectFns(s *selector) {
	s.typedAs(ptx.TypeB32)
	s.mixed(ptx.ClassIntAdd, arith.LaneFns, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32, ptx.TypeS32)
}

func selectPrmt(s *selector) {
	s.typedAs(ptx.TypeB32)
	mode := s.oneOf("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	s.mixed(ptx.ClassIntAdd, arith.LanePrmt(mode), ptx.TypeB32, ptx.TypeB32, ptx.TypeB32, ptx.TypeB32)
}

func selectLop3(s *selector) {
	join := s.oneOf("or", "and")
	s.typedAs(ptx.TypeB32)
	operands := 5
	if join != "" { // d|p: p says whether the result is not zero, joined with a predicate
		operands = 6
	}
	if !s.count(operands, operands) {
		return
	}
	o := &s.st.Operands[4]
	if o.Kind != syntax.OperandInteger || o.Value > 255 {
		s.fail(o.At, "the table of lop3 must be a constant from 0 to 255")
		return
	}
	n := laneNode(ptx.ClassIntAdd, arith.LaneLop3(uint8(o.Value)))
	n.srcA(s.source(1, ptx.TypeB32)).srcB(s.source(2, ptx.TypeB32)).srcC(s.source(3, ptx.TypeB32))
	if join == "" {
		s.emit(*n.dst(s.dest(0, ptx.TypeB32)))
		return
	}
	pair := s.st.Operands[0].Pair()
	if pair == nil {
		s.fail(s.st.Operands[0].At, "%s: want a result and a predicate, d|p", s.text())
		return
	}
	d := s.sinkable(0, ptx.TypeB32)
	s.emit(*n.dst(d))
	test := instruction(ptx.FamilyCompare, ptx.CompareEq, ptx.ClassIntAdd)
	test.Flags |= ptx.FlagInvert | ptx.FlagPrimary | ptx.FlagHasC
	p, negate := s.predicate(&s.st.Operands[5])
	if negate {
		test.Flags |= ptx.FlagNegateC
	}
	test.Target = ptx.CombineOr
	if join == "and" {
		test.Target = ptx.CombineAnd
	}
	test.srcA(d).srcB(s.values.constant(1, 0)).srcC(p)
	s.emit(*test.dst(s.destOf(pair, ptx.TypePred, false)))
}

func selectBmsk(s *selector) {
	wrap := s.oneOf("clamp", "wrap") == "wrap"
	s.typedAs(ptx.TypeB32)
	s.mixed(ptx.ClassIntAdd, arith.LaneBmsk(wrap), ptx.TypeB32, ptx.TypeU32, ptx.TypeU32)
}

func selectSzext(s *selector) {
	wrap := s.oneOf("clamp", "wrap") == "wrap"
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	s.mixed(ptx.ClassIntAdd, arith.LaneSzext(t, wrap), t, t, ptx.TypeU32)
}

func selectDp4a(s *selector) {
	a := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	b := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	s.mixed(ptx.ClassIntMad, arith.LaneDot(a, b, 4, false), ptx.TypeU32, ptx.TypeB32, ptx.TypeB32, ptx.TypeU32)
}

func selectDp2a(s *selector) {
	high := s.half() == "hi"
	a := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	b := s.typedAs(ptx.TypeU32, ptx.TypeS32)
	s.mixed(ptx.ClassIntMad, arith.LaneDot(a, b, 2, high), ptx.TypeU32, ptx.TypeB32, ptx.TypeB32, ptx.TypeU32)
}
