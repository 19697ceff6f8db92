package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// selectCp is cp.async. A copy is done as a
// load into registers and a store to shared memory, so that nothing is under way
// when a group is committed or waited for.
func selectCp(s *selector) {
	async := s.has("async")
	switch {
	case s.has("bulk"):
		s.selectBulk(async)
	case !async:
		s.unsupported()
	case s.has("mbarrier"):
		s.mbarrierArriveAsync()
	case s.has("commit_group"), s.has("wait_all"):
		s.nothing(0)
	case s.has("wait_group"):
		s.nothing(1)
	default:
		s.copyAsync()
	}
}

// nothing emits an instruction without effect that has n operands.
func (s *selector) nothing(n int) {
	if s.count(n, n) {
		s.emit(instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch))
	}
}

// copyAsync emits the copy of 4, 8 or 16 bytes.
func (s *selector) copyAsync() {
	m := memoryMode{space: ptx.SpaceGlobal}
	way := s.oneOf("ca", "cg")
	if way == "cg" {
		m.operator = ptx.CacheL2
	}
	if way == "" || s.oneOf("shared", "shared::cta") == "" || !s.has("global") {
		s.unsupported()
		return
	}
	s.aheadSize(&m)
	policy := 0
	if s.has(cacheHint) {
		policy = 1
		s.policyOperand(len(s.st.Operands)-1, &m)
	}
	if !s.count(3+policy, 4+policy) {
		return
	}
	size := &s.st.Operands[2]
	bytes := size.Value
	if size.Kind != syntax.OperandInteger || bytes != 16 && (way == "cg" || bytes != 4 && bytes != 8) {
		s.fail(size.At, "%s copies 4, 8 or 16 bytes, with .cg 16", s.text())
		return
	}
	words := make([]uint32, bytes/4)
	for i := range words {
		words[i] = s.values.temporary(1)
	}
	guard, flip := s.guard, s.flip
	filled := noValue
	if len(s.st.Operands) == 4+policy {
		filled = s.sourceSize(&s.st.Operands[3], bytes)
	}
	if filled != noValue {
		s.someSource(filled, words)
	}
	for _, w := range words {
		s.values.list[w].whole = filled == noValue
	}
	load := s.copyAccess(ptx.AccessLoad, m, 1, words)
	load.IsLoad = true
	if filled != noValue {
		load.Mem.Sized = true
		load.srcB(filled)
	}
	s.emit(load)
	if filled != noValue {
		s.guard, s.flip = noValue, 0
		for i, w := range words {
			from := uint64(4 * i)
			n := laneNode(ptx.ClassIntAdd, func(a, b, _, _ uint64) uint64 {
				if b <= from {
					return 0
				}
				return a & (1<<(8*min(b-from, 4)) - 1)
			})
			s.emit(*n.srcA(w).srcB(filled).dst(w))
		}
	}
	s.guard, s.flip = guard, flip
	s.emit(s.copyAccess(ptx.AccessStore, memoryMode{space: ptx.SpaceShared}, 0, words))
}

// sourceSize returns how many bytes of the source are copied, the rest being
// zero: operand o is their number, or a predicate that says that there are none.
func (s *selector) sourceSize(o *syntax.Operand, bytes uint64) uint32 {
	if o.Sym == nil || o.Sym.Kind != syntax.SymbolRegister || o.Sym.Register.Type != ptx.TypePred {
		if o.Kind == syntax.OperandInteger && o.Value == bytes {
			return noValue
		}
		return s.sourceOf(o, ptx.TypeU32, false)
	}
	n := instruction(ptx.FamilyWord, ptx.WordSelect, ptx.ClassMove)
	p, negate := s.predicate(o)
	if negate {
		n.Flags |= ptx.FlagNegateC
	}
	size := s.values.temporary(1)
	s.emit(*n.srcA(s.values.constant(1, 0)).srcB(s.values.constant(1, bytes)).srcC(p).dst(size))
	return size
}

// someSource clears the words and restricts the guard to lanes that have a source
// at all: the addresses of the others need not be valid.
func (s *selector) someSource(size uint32, words []uint32) {
	n := instruction(ptx.FamilyCompare, ptx.CompareEq, ptx.ClassIntAdd)
	n.Flags |= ptx.FlagInvert | ptx.FlagPrimary
	if s.guard != noValue {
		n.srcC(s.guard)
		n.Flags |= ptx.FlagHasC
		n.Target = ptx.CombineAnd
		if s.flip != 0 {
			n.Flags |= ptx.FlagNegateC
		}
	}
	s.guard, s.flip = noValue, 0
	zero := s.values.constant(1, 0)
	some := s.values.add(value{words: 1, predicate: true})
	s.emit(*n.srcA(size).srcB(zero).dst(some))
	for _, w := range words {
		move := instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassMove)
		s.emit(*move.srcA(zero).dst(w))
	}
	s.guard = some
}

// copyAccess is the load or the store of a copy, whose address is operand i.
func (s *selector) copyAccess(kind ptx.AccessKind, m memoryMode, i int, words []uint32) node {
	n := s.access(kind, ptx.TypeB32, len(words), m)
	n.Mem.Space = s.address(&n, i, m.space)
	for k, w := range words {
		n.Mem.Regs[k], n.Mem.Keep[k] = w, ptx.FullMask
		if kind == ptx.AccessLoad {
			n.write(w)
		} else {
			n.read(w)
		}
	}
	return n
}
