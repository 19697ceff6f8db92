package compile

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Copies in bulk (PTX ISA, cp.async.bulk and cp.reduce.async.bulk): each active lane moves a block of its own. A copy
// is some reads into hidden registers and as many writes, of up to 512 bytes each, and the report to the mbarrier.

// bulkForm is which way a block goes.
type bulkForm struct {
	from, to ptx.Space
	reports  bool // to an mbarrier, operand 3
	own      bool // shared memory is that of the CTA: .shared::cta
}

// selectBulk has what follows cp.async.bulk and, if reduce is said, cp.reduce.async.bulk.
func (s *selector) selectBulk(async bool) {
	reduce := s.has("reduce")
	switch {
	case !async:
		s.unsupported()
	case !reduce && s.has("commit_group"):
		if s.count(0, 0) {
			s.bulkGroup(ptx.BulkCommit, 0)
		}
	case !reduce && s.has("wait_group"):
		s.bulkWait()
	case !reduce && s.has("prefetch"):
		if s.has("tensor") {
			s.selectTensor(false, true)
			return
		}
		s.bulkPrefetch()
	case s.has("tensor"):
		s.selectTensor(reduce, false)
	default:
		s.bulkCopy(reduce)
	}
}

// bulkWait waits for groups, of which none is open.
func (s *selector) bulkWait() {
	what := ptx.BulkWait
	if s.has("read") {
		what = ptx.BulkWaitRead
	}
	if !s.count(1, 1) {
		return
	}
	o := &s.st.Operands[0]
	if o.Kind != syntax.OperandInteger || int64(o.Value) < 0 {
		s.fail(o.At, "%s: want the number of groups that may be open, a constant", s.text())
		return
	}
	s.bulkGroup(what, o.Value)
}

// bulkGroup says what becomes of a thread's groups.
func (s *selector) bulkGroup(what int32, open uint64) {
	n := instruction(ptx.FamilyControl, ptx.ControlBulkGroup, ptx.ClassBranch)
	n.Target, n.Imm = what, open
	s.emit(n)
}

// bulkPrefetch is a hint that takes no time.
func (s *selector) bulkPrefetch() {
	if !s.has("L2") || !s.has("global") {
		s.unsupported()
		return
	}
	operands := s.cacheHint(2, &memoryMode{space: ptx.SpaceGlobal})
	if s.failed || !s.count(operands, operands) {
		return
	}
	n := s.access(ptx.AccessPrefetch, ptx.TypeB8, 1, memoryMode{space: ptx.SpaceGlobal})
	s.address(&n, 0, ptx.SpaceGlobal)
	s.bulkSize(1)
	if !s.failed {
		s.emit(instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch))
	}
}

// bulkForm takes the spaces, and how the end is reported.
func (s *selector) bulkForm(reduce bool) bulkForm {
	reports, group := s.has("mbarrier::complete_tx::bytes"), s.has("bulk_group")
	cluster, own, global := s.has("shared::cluster"), s.has("shared::cta"), s.has("global")
	switch {
	case reports && !group && global && cluster != own && !reduce:
		if own {
			s.needs(ownSharedVersion)
		}
		return bulkForm{from: ptx.SpaceGlobal, to: ptx.SpaceShared, reports: true, own: own}
	case reports && !group && !global && cluster && own:
		return bulkForm{from: ptx.SpaceShared, to: ptx.SpaceShared, reports: true}
	case !reports && group && global && own && !cluster:
		return bulkForm{from: ptx.SpaceShared, to: ptx.SpaceGlobal}
	}
	s.fail(s.st.At, "%s: want .shared::cluster.global or .shared::cta.global with .mbarrier::complete_tx::bytes, "+
		".shared::cluster.shared::cta with it, or .global.shared::cta with .bulk_group", s.text())
	return bulkForm{}
}

// bulkReductions are the types of each operation on global memory, and those on shared memory.
var bulkReductions = map[string][2][]ptx.Scalar{
	"add": {{ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeF32, ptx.TypeF64, ptx.TypeF16, ptx.TypeBF16},
		{ptx.TypeU32, ptx.TypeS32, ptx.TypeU64}},
	"min": {bulkOrdered, {ptx.TypeU32, ptx.TypeS32}},
	"max": {bulkOrdered, {ptx.TypeU32, ptx.TypeS32}},
	"inc": {{ptx.TypeU32}, {ptx.TypeU32}}, "dec": {{ptx.TypeU32}, {ptx.TypeU32}},
	"and": {bulkLogic, {ptx.TypeB32}}, "or": {bulkLogic, {ptx.TypeB32}}, "xor": {bulkLogic, {ptx.TypeB32}},
}

var (
	bulkOrdered = []ptx.Scalar{ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64, ptx.TypeF16, ptx.TypeBF16}
	bulkLogic   = []ptx.Scalar{ptx.TypeB32, ptx.TypeB64}
)

// bulkReduction takes the operation and its type.
func (s *selector) bulkReduction(shared bool) ptx.AtomicOp {
	word := s.oneOf("add", "min", "max", "inc", "dec", "and", "or", "xor")
	types := bulkReductions[word][0]
	if shared {
		types = bulkReductions[word][1]
	}
	t := s.typedAs(types...)
	if half := t.IsHalf() && word == "add"; half != s.has("noftz") {
		s.fail(s.st.At, "%s: .noftz belongs to .add of halves", s.text())
	}
	return ptx.AtomicOp{Code: atomicWords[word], Type: t, Bytes: uint8(t.Bytes())}
}

// bulkSize returns the number of bytes, operand i.
func (s *selector) bulkSize(i int) uint32 {
	const align = 16
	if o := &s.st.Operands[i]; o.Kind == syntax.OperandInteger && o.Value%align != 0 {
		s.fail(o.At, "%s moves a multiple of %d bytes, not %d", s.text(), align, int64(o.Value))
	}
	return s.source(i, ptx.TypeU32)
}

// bulkCopy is a copy or, with reduce, a reduction.
func (s *selector) bulkCopy(reduce bool) {
	form := s.bulkForm(reduce)
	if s.failed {
		return
	}
	var op ptx.AtomicOp
	unit, count, kind := ptx.TypeB32, 4, ptx.AccessStore
	if reduce {
		op = s.bulkReduction(form.to == ptx.SpaceShared)
		unit, count, kind = op.Type, 1, ptx.AccessReduction
	}
	multicast := s.has("multicast::cluster")
	if multicast && (reduce || form.from != ptx.SpaceGlobal || form.own) {
		s.unsupported()
	}
	operands := 3
	if form.reports {
		operands = 4
	}
	if multicast {
		operands++
	}
	all := s.cacheHint(operands, &memoryMode{space: ptx.SpaceGlobal}) // has no effect: HINTS.md
	if s.failed || !s.count(all, all) {
		return
	}
	size, mask := s.bulkSize(2), noValue
	if multicast {
		mask = s.ctaMask(4)
	}
	depth := ptx.CopyDepth
	if reduce {
		depth = 1
	}
	begin := s.nodes.length
	source, own := noValue, [2]uint32{noValue, noValue}
	for place := range depth {
		read := s.copyPart(ptx.AccessLoad, ptx.MemoryBulkRead, unit, form.from, s.hiddenWords(place, count, unit))
		read.Mem.Space = s.address(&read, 1, form.from)
		read.IsLoad, read.Target = true, ptx.CopyStep(place, depth)
		source = read.A
		if place == 0 && form.reports && !multicast {
			own = s.sameCTA(&read)
		}
		s.emit(*read.srcE(size))
	}
	for place := range depth {
		words := s.hiddenWords(place, count, unit)
		write := s.copyPart(kind, ptx.MemoryBulkWrite, unit, form.to, words)
		write.Mem.Space = s.address(&write, 0, form.to)
		write.Target = ptx.CopyStep(place, depth)
		write.copyWrites(op, words[0], mask)
		// The first read is executed again after a write: what it reads lives as long.
		write.read(source).read(own[0]).read(own[1])
		s.emit(*write.srcE(size))
	}
	if form.reports {
		s.reportBytes(3, size, mask)
	}
	s.wholeCopy(begin, !form.reports)
}

// wholeCopy lets the first node of a copy, which begins there, read all that the copy reads: the copy unit gets it with
// its registers.
func (s *selector) wholeCopy(begin int, grouped bool) {
	if s.failed || s.nodes.length == begin {
		return
	}
	first := s.nodes.at(int32(begin))
	var written []uint32
	for i := begin; i < s.nodes.length; i++ {
		n := s.nodes.at(int32(i))
		for _, v := range n.reads {
			if !slices.Contains(written, v) && !slices.Contains(first.reads, v) {
				first.read(v)
			}
		}
		written = append(written, n.writes...)
	}
	v := ptx.VectorOp{}
	if first.Vector != nil {
		v = *first.Vector
	}
	v.Copy, v.Grouped = int32(s.nodes.length-begin), grouped
	first.Vector = &v
}

// sameCTA lets the first part of a copy compare the CTAs in which its destination and its mbarrier lie.
func (s *selector) sameCTA(first *node) (registers [2]uint32) {
	for i, operand := range []int{0, 3} {
		n := instruction(ptx.FamilyMemory, ptx.MemoryAccess, ptx.ClassMemory)
		s.address(&n, operand, ptx.SpaceShared)
		if registers[i] = n.A; n.A == noValue { // a variable of the own CTA
			registers[i] = s.values.constant(1, 0)
		}
		if n.Flags&ptx.FlagAddress64 != 0 {
			first.Flags |= [2]ptx.Flags{ptx.FlagWideB, ptx.FlagWideC}[i]
		}
	}
	first.Flags |= ptx.FlagHasC
	first.srcB(registers[0]).srcC(registers[1])
	return registers
}

// hiddenWords are the registers for one of the parts that are read before the first one is written.
func (s *selector) hiddenWords(place, count int, unit ptx.Scalar) []uint32 {
	words := make([]uint32, count)
	for i := range words {
		words[i] = s.hiddenWord(place*count+i, wordsOf(unit.Bits()))
	}
	return words
}

// copyWrites completes the write of a part: with its operation, if it is a reduction, and with the mask of the CTAs
// that get it, if it is multicast.
func (n *node) copyWrites(op ptx.AtomicOp, word, mask uint32) {
	if n.Mem.Kind == ptx.AccessReduction {
		n.Atomic = op
		n.Mem.Absent[0] = true
		n.srcB(word)
	}
	if mask != noValue {
		n.Flags |= ptx.FlagMulticast
		n.srcC(mask)
	}
}

// copyPart is the read or the write of a part of a copy, without its address.
func (s *selector) copyPart(kind ptx.AccessKind, op ptx.Op, t ptx.Scalar, space ptx.Space, words []uint32) node {
	m := memoryMode{space: space}
	if space == ptx.SpaceGlobal {
		m.operator = ptx.CacheL2 // the copy engine does not use L1
	}
	if kind == ptx.AccessReduction {
		m.operator = ptx.CacheBypass
	}
	n := s.access(kind, t, len(words), m)
	n.Op = op
	for k, w := range words {
		n.Mem.Regs[k], n.Mem.Keep[k], n.Mem.Wide[k] = w, ptx.FullMask, t.Bits() == 64
		if kind == ptx.AccessLoad {
			n.write(w)
		} else {
			n.read(w)
		}
	}
	return n
}
