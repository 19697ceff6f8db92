package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// groupDepth is K of the dense shapes of wgmma for each element of A.
var groupDepth = [ptx.NumElements]int{
	ptx.ElementF16: 16, ptx.ElementBF16: 16, ptx.ElementTF32: 8, ptx.ElementE4M3: 32, ptx.ElementE5M2: 32,
	ptx.ElementS8: 32, ptx.ElementU8: 32, ptx.ElementB1: 256,
}

// groupColumns reports whether wgmma has a shape with n columns: multiples of 8 up to 256, on integers those of 16
// from 32 on, and 24 (PTX ISA, wgmma.mma_async, table of shapes).
func groupColumns(a ptx.Element, n int) bool {
	if n < 8 || n > 256 || n%8 != 0 {
		return false
	}
	return a.IsFloat() || n <= 32 || n%16 == 0
}

// groupSM is the only target with wgmma (PTX ISA, Target ISA Notes of wgmma: sm_90a).
const groupSM = 90

func selectWgmma(s *selector) {
	if sm, _ := smOf(s.module.Target); sm > groupSM {
		s.fail(s.st.At, "%s needs sm_90a, but the module's .target is %s", s.text(), s.module.Target)
		return
	}
	switch word := s.oneOf("mma_async", "fence", "commit_group", "wait_group"); {
	case word == "", !s.together():
		s.unsupported()
	case word == "mma_async":
		s.groupMultiply()
	case word == "wait_group":
		s.groupWait()
	case s.count(0, 0):
		n := instruction(ptx.FamilyMatrix, ptx.MatrixTogether, ptx.ClassBranch)
		n.Imm = 1 // the fence, for the sanitizer
		if word == "commit_group" {
			n.Op, n.Imm = ptx.MatrixCommit, 0
		}
		s.emit(n)
	}
}

func (s *selector) groupWait() {
	if !s.count(1, 1) {
		return
	}
	o := &s.st.Operands[0]
	if o.Kind != syntax.OperandInteger || o.Value > ptx.MaxGroupWait {
		s.fail(o.At, "%s: want a constant from 0 to %d, the number of groups that may be open", s.text(),
			ptx.MaxGroupWait)
		return
	}
	n := instruction(ptx.FamilyMatrix, ptx.MatrixWait, ptx.ClassBranch)
	n.Imm = o.Value
	s.emit(n)
}

// groupShape reads the modifiers of wgmma.mma_async.
func (s *selector) groupShape() *ptx.GroupOp {
	o := &ptx.GroupOp{Sparse: s.has("sp"), Saturate: s.has("satfinite")}
	popc := s.has("and")
	popc = s.has("popc") && popc
	w := s.shapeWords()
	if len(w.types) != 3 || len(w.columns) > 0 {
		s.unsupported()
		return nil
	}
	o.D, o.A, o.B, o.N = w.types[0], w.types[1], w.types[2], w.n
	depth := groupDepth[o.A]
	if o.Sparse {
		depth *= 2
	}
	switch {
	case depth == 0 || w.m != ptx.GroupRows || w.k != depth || !groupColumns(o.A, w.n):
		s.fail(s.st.At, "%s: there is no shape %s for .%s", s.text(), w.name, o.A)
	case !multiplicands(o.A, o.B), !accumulators(o.A, o.D, o.D), popc != (o.A == ptx.ElementB1),
		o.Saturate && o.A != ptx.ElementS8 && o.A != ptx.ElementU8, o.Sparse && o.A == ptx.ElementB1:
		s.unsupported()
	}
	return o
}

// groupMultiply is wgmma.mma_async d, a, b-desc, {metadata, selector,} scale-d {, negations}{, transpositions}.
func (s *selector) groupMultiply() {
	o := s.groupShape()
	if s.failed || len(s.mods) > 0 || !s.count(4, 10) {
		return
	}
	ops := s.st.Operands
	o.InRegisters = ops[1].Kind == syntax.OperandVector
	scale := 3
	if o.Sparse {
		scale = 5
	}
	want := scale + 1
	if o.A.IsFloat() {
		want += 2
		if o.A.Bits() == 16 {
			want += 2 - countOf(o.InRegisters)
		}
	}
	if !s.count(want, want) {
		return
	}
	n := instruction(ptx.FamilyMatrix, ptx.MatrixGroup, ptx.ClassMatrix)
	n.Vector = &ptx.VectorOp{Group: o}
	n.IsBarrier = true
	zero := s.groupScale(&n, &ops[scale])
	s.groupRegisters(&n, o, zero)
	n.srcB(s.source(2, ptx.TypeB64))
	if o.Sparse {
		n.srcE(s.source(3, ptx.TypeB32))
		_, selectors := ptx.MetadataLayout(o.A, ptx.GroupRowBytes)
		o.Selector = uint8(s.constantUpTo(&ops[4], selectors-1, "the selector of the metadata"))
	}
	if at := scale + 1; o.A.IsFloat() {
		o.NegateA, o.NegateB = s.negation(&ops[at]), s.negation(&ops[at+1])
		if at += 2; o.A.Bits() == 16 {
			if !o.InRegisters {
				o.ColumnA = s.constantUpTo(&ops[at], 1, "the transposition of A") == 1
				at++
			}
			o.ColumnB = s.constantUpTo(&ops[at], 1, "the transposition of B") == 1
		}
	}
	s.emit(n)
}

// groupScale sets scale-d, a predicate or 0 or 1, and reports whether it is 0: then D is not read.
func (s *selector) groupScale(n *node, o *syntax.Operand) (zero bool) {
	if o.Kind == syntax.OperandInteger && s.constantUpTo(o, 1, "scale-d") == 0 {
		zero = true
	}
	v, negate := s.predicate(o)
	n.srcC(v)
	if negate {
		n.Flags |= ptx.FlagNegateC
	}
	return zero
}

// groupRegisters sets the registers of D and, if they are in registers, of A.
func (s *selector) groupRegisters(n *node, o *ptx.GroupOp, zero bool) {
	for _, d := range s.fragmentList(0, o.Sums()) {
		t := o.D.Register()
		if d.Kind == syntax.OperandSink {
			s.fail(d.At, "%s: want a register of D here", s.text())
			return
		}
		v := s.destOf(&d, t, false)
		if !zero {
			n.read(v)
		}
		n.write(v)
		n.Vector.Regs = append(n.Vector.Regs, v)
	}
	if !o.InRegisters {
		n.srcA(s.source(1, ptx.TypeB64))
		return
	}
	for _, a := range s.fragmentList(1, groupOperandRegisters) {
		v := s.sourceOf(&a, ptx.TypeB32, false)
		n.read(v)
		n.Vector.Regs = append(n.Vector.Regs, v)
	}
}

// groupOperandRegisters is how many registers of a thread hold A of wgmma: 64 rows of 32 bytes, in 128 threads.
const groupOperandRegisters = 4

// fragmentList is fragmentOperands for operands that always stand in braces.
func (s *selector) fragmentList(i, count int) []syntax.Operand {
	if s.st.Operands[i].Kind != syntax.OperandVector {
		s.fail(s.st.Operands[i].At, "%s: want a vector of %d elements", s.text(), count)
		return nil
	}
	return s.fragmentOperands(i, count)
}

// constantUpTo reads a constant operand from 0 to most.
func (s *selector) constantUpTo(o *syntax.Operand, most int, what string) uint64 {
	if o.Kind != syntax.OperandInteger || o.Value > uint64(most) {
		s.fail(o.At, "%s: %s is a constant from 0 to %d", s.text(), what, most)
		return 0
	}
	return o.Value
}

// negation reads imm-scale-a or imm-scale-b.
func (s *selector) negation(o *syntax.Operand) bool {
	if o.Kind != syntax.OperandInteger || int64(o.Value) != 1 && int64(o.Value) != -1 {
		s.fail(o.At, "%s: the factor of a matrix is 1 or -1", s.text())
	}
	return int64(o.Value) == -1
}

func countOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
