package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

func selectShfl(s *selector) {
	sync := s.has("sync")
	mode := map[string]ptx.Op{"up": ptx.WarpShuffleUp, "down": ptx.WarpShuffleDown, "bfly": ptx.WarpShuffleXor, "idx": ptx.WarpShuffleIndex}
	o, ok := mode[s.oneOf("up", "down", "bfly", "idx")]
	s.typedAs(ptx.TypeB32)
	if !ok {
		s.unsupported()
		return
	}
	operands := 4
	if sync {
		operands = 5
	}
	if s.failed || !s.count(operands, operands) {
		return
	}
	n := instruction(ptx.FamilyWarp, o, ptx.ClassShuffle)
	n.srcA(s.source(1, ptx.TypeB32)).srcB(s.source(2, ptx.TypeB32)).srcC(s.source(3, ptx.TypeB32))
	if sync {
		members := s.source(4, ptx.TypeB32)
		n.read(members)
		n.Vector = &ptx.VectorOp{Regs: []uint32{members}}
		s.meets(&n)
	}
	n.dst(s.sinkable(0, ptx.TypeB32))
	s.second(&n)
	s.emit(n)
}

// second sets the predicate after the bar in d|p.
func (s *selector) second(n *node) {
	if p := s.st.Operands[0].Pair(); p != nil && p.Kind != syntax.OperandSink {
		n.E = s.destOf(p, ptx.TypePred, false)
		n.write(n.E)
		n.Flags |= ptx.FlagHasE
	}
}

// meets marks an instruction that waits for the lanes of its member mask.
func (s *selector) meets(n *node) {
	if s.module.lanesRunApart() {
		n.Flags |= ptx.FlagMeets
	}
}

// memberMask sets the mask of a .sync instruction as operand b, or all lanes.
func (s *selector) memberMask(n *node, i int) {
	if i < len(s.st.Operands) {
		n.srcB(s.source(i, ptx.TypeB32))
		s.meets(n)
	} else {
		n.srcB(s.values.constant(1, uint64(ptx.FullMask)))
	}
}

func selectVote(s *selector) {
	operands := 2
	if s.has("sync") {
		operands = 3
	}
	mode := map[string]ptx.Op{"all": ptx.WarpVoteAll, "any": ptx.WarpVoteAny, "uni": ptx.WarpVoteUniform, "ballot": ptx.WarpBallot}
	word := s.oneOf("all", "any", "uni", "ballot")
	t := s.typedAs(ptx.TypePred, ptx.TypeB32)
	if word == "" || (word == "ballot") != (t == ptx.TypeB32) {
		s.unsupported()
		return
	}
	if !s.count(operands, operands) {
		return
	}
	n := instruction(ptx.FamilyWarp, mode[word], ptx.ClassShuffle)
	p, negate := s.predicate(&s.st.Operands[1])
	n.srcC(p)
	if negate {
		n.Flags |= ptx.FlagNegateC
	}
	s.memberMask(&n, 2)
	s.emit(*n.dst(s.sinkable(0, t)))
}

func selectMatch(s *selector) {
	if !s.has("sync") {
		s.unsupported()
	}
	word := s.oneOf("any", "all")
	t := s.typedAs(ptx.TypeB32, ptx.TypeB64)
	if word == "" {
		s.unsupported()
		return
	}
	if !s.count(3, 3) {
		return
	}
	n := instruction(ptx.FamilyWarp, ptx.WarpMatchAny, ptx.ClassShuffle)
	if word == "all" {
		n.Op = ptx.WarpMatchAll
	}
	n.wide(ptx.TypeNone, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	n.srcA(s.source(1, t))
	s.memberMask(&n, 2)
	if word == "any" && s.st.Operands[0].Pair() != nil {
		s.fail(s.st.Operands[0].Pair().At, "%s has no predicate; match.all has", s.text())
	}
	n.dst(s.sinkable(0, ptx.TypeB32))
	s.second(&n)
	s.emit(n)
}

func selectRedux(s *selector) {
	if !s.has("sync") {
		s.unsupported()
	}
	word := s.oneOf("add", "min", "max", "and", "or", "xor")
	t := s.typedAs(ptx.TypeU32, ptx.TypeS32, ptx.TypeB32, ptx.TypeF32)
	code := atomicWords[word]
	logical := code == ptx.AtomicAnd || code == ptx.AtomicOr || code == ptx.AtomicXor
	ordered := code == ptx.AtomicMin || code == ptx.AtomicMax
	if code == ptx.AtomicNone || logical != (t == ptx.TypeB32) || t == ptx.TypeF32 && !ordered {
		s.unsupported()
		return
	}
	if !s.count(3, 3) {
		return
	}
	n := instruction(ptx.FamilyWarp, ptx.WarpReduce, ptx.ClassShuffle)
	n.Atomic = ptx.AtomicOp{Code: code, Type: t, Bytes: 4}
	if t == ptx.TypeF32 { // of magnitudes with .abs; NaN counts with .NaN only
		n.Lane = arith.LaneMinMax3(code == ptx.AtomicMax, s.has("NaN"), s.has("abs"))
	}
	n.srcA(s.source(1, t))
	s.memberMask(&n, 2)
	s.emit(*n.dst(s.dest(0, t)))
}

func selectActivemask(s *selector) {
	s.typedAs(ptx.TypeB32)
	if !s.count(1, 1) {
		return
	}
	n := instruction(ptx.FamilyMove, ptx.MoveSpecial, ptx.ClassShuffle)
	n.Imm = uint64(ptx.SpecialActiveMask)
	s.emit(*n.dst(s.dest(0, ptx.TypeB32)))
}

func selectElect(s *selector) {
	if !s.has("sync") {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(ptx.FamilyWarp, ptx.WarpElect, ptx.ClassShuffle)
	s.memberMask(&n, 1)
	n.dst(s.sinkable(0, ptx.TypeB32))
	s.second(&n)
	s.emit(n)
}
