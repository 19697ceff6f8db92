package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// mmaShapes are the shapes of mma for each element of A.
var mmaShapes = [ptx.NumElements]string{
	ptx.ElementF16: "m8n8k4 m16n8k8 m16n8k16", ptx.ElementBF16: "m16n8k8 m16n8k16", ptx.ElementTF32: "m16n8k4 m16n8k8",
	ptx.ElementF64: "m8n8k4 m16n8k4 m16n8k8 m16n8k16", ptx.ElementE4M3: "m16n8k16 m16n8k32", ptx.ElementE5M2: "m16n8k16 m16n8k32",
	ptx.ElementS8: "m8n8k16 m16n8k16 m16n8k32", ptx.ElementU8: "m8n8k16 m16n8k16 m16n8k32",
	ptx.ElementS4: "m8n8k32 m16n8k32 m16n8k64", ptx.ElementU4: "m8n8k32 m16n8k32 m16n8k64",
	ptx.ElementB1: "m8n8k128 m16n8k128 m16n8k256",
}

// multiplicands are the elements that A and B may have together.
func multiplicands(a, b ptx.Element) bool {
	switch a {
	case ptx.ElementS8, ptx.ElementU8:
		return b == ptx.ElementS8 || b == ptx.ElementU8
	case ptx.ElementS4, ptx.ElementU4:
		return b == ptx.ElementS4 || b == ptx.ElementU4
	case ptx.ElementE4M3, ptx.ElementE5M2:
		return b == ptx.ElementE4M3 || b == ptx.ElementE5M2
	}
	return a == b
}

// accumulators are the elements that C and D may have with A.
func accumulators(a, c, d ptx.Element) bool {
	switch a {
	case ptx.ElementF16, ptx.ElementE4M3, ptx.ElementE5M2:
		return (c == ptx.ElementF16 || c == ptx.ElementF32) && (d == ptx.ElementF16 || d == ptx.ElementF32)
	case ptx.ElementBF16, ptx.ElementTF32:
		return c == ptx.ElementF32 && d == ptx.ElementF32
	case ptx.ElementF64:
		return c == ptx.ElementF64 && d == ptx.ElementF64
	}
	return c == ptx.ElementS32 && d == ptx.ElementS32
}

// shapeWords are what modifiers say about a matrix instruction.
type shapeWords struct {
	name    string // m16n8k16
	m, n, k int
	columns []bool // for each .row or .col whether it is .col
	types   []ptx.Element
}

// shapeWords takes the shape, the layouts and the types among the modifiers.
func (s *selector) shapeWords() (w shapeWords) {
	rest := s.mods[:0]
	for _, m := range s.mods {
		if e := ptx.ElementByName(m.Text); e != ptx.ElementNone {
			w.types = append(w.types, e)
		} else if m.Text == "row" || m.Text == "col" {
			w.columns = append(w.columns, m.Text == "col")
		} else if x, y, z, ok := parseShape(m.Text); ok && w.name == "" {
			w.name, w.m, w.n, w.k = m.Text, x, y, z
		} else {
			rest = append(rest, m)
		}
	}
	s.mods = rest
	return w
}

// parseShape reads m16n8k16.
func parseShape(text string) (m, n, k int, ok bool) {
	var v [3]int
	for i, letter := range []byte("mnk") {
		if text == "" || text[0] != letter {
			return 0, 0, 0, false
		}
		at := 1
		for ; at < len(text) && text[at] >= '0' && text[at] <= '9' && v[i] < 1000; at++ {
			v[i] = 10*v[i] + int(text[at]-'0')
		}
		text = text[at:]
	}
	return v[0], v[1], v[2], text == "" && v[0]*v[1]*v[2] > 0
}

// among reports whether a word is one of those in a list.
func among(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

// together takes the modifiers that say that all lanes execute an instruction.
func (s *selector) together() bool { return s.has("sync") && s.has("aligned") }

func selectMma(s *selector) {
	if !s.together() {
		s.unsupported()
		return
	}
	if word := s.oneOf("sp", "sp::ordered_metadata"); word != "" {
		s.sparseMultiply(word != "sp")
		return
	}
	o := &ptx.MatrixOp{Mode: s.rounding64(), Saturate: s.has("satfinite")}
	bit := s.oneOf("xor", "and")
	o.And = bit == "and"
	popc := s.has("popc")
	w := s.shapeWords()
	if len(s.mods) > 0 { // .kind
		return
	}
	if len(w.types) != 4 || len(w.columns) != 2 {
		s.unsupported()
		return
	}
	d, a, b, c := w.types[0], w.types[1], w.types[2], w.types[3]
	o.Quads = a == ptx.ElementF16 && w.name == "m8n8k4"
	rowCol := !w.columns[0] && w.columns[1]
	switch {
	case !among(mmaShapes[a], w.name), !multiplicands(a, b), !accumulators(a, c, d),
		c != d && !(o.Quads && d == ptx.ElementF32), !rowCol && !o.Quads, popc != (a == ptx.ElementB1), popc != (bit != ""):
		s.unsupported()
		return
	}
	o.ColumnA, o.ColumnB = w.columns[0], w.columns[1]
	if !s.summed(a, o, false) {
		return
	}
	o.A, o.B = ptx.NewFragment('a', a, w.m, w.n, w.k), ptx.NewFragment('b', b, w.m, w.n, w.k)
	o.C, o.D = ptx.NewFragment('c', c, w.m, w.n, w.k), ptx.NewFragment('c', d, w.m, w.n, w.k)
	count := [4]int{o.D.Registers(), o.A.Registers(), o.B.Registers(), o.C.Registers()}
	if o.Quads { // four products
		count = [4]int{4 * count[0], 2, 2, 4 * count[3]}
	}
	s.emitMultiply(o, count)
}

// rounding64 takes the rounding modifier of mma on f64.
func (s *selector) rounding64() ptx.Rounding {
	return map[string]ptx.Rounding{"rn": ptx.RoundNearest, "rz": ptx.RoundZero, "rm": ptx.RoundDown, "rp": ptx.RoundUp}[s.oneOf("rn", "rz", "rm", "rp")]
}

// summed refuses the modifiers about sums that the elements of A do not have; halves
// says that f16 has .satfinite.
func (s *selector) summed(a ptx.Element, o *ptx.MatrixOp, halves bool) bool {
	if o.Saturate && (a.IsFloat() && !(halves && a == ptx.ElementF16) || a == ptx.ElementB1) || o.Mode != ptx.RoundNearest && a != ptx.ElementF64 {
		s.unsupported()
	}
	return !s.failed
}

// fragmentOperands returns the registers of operand i; a single one may stand without
// braces.
func (s *selector) fragmentOperands(i, count int) []syntax.Operand {
	o := &s.st.Operands[i]
	if count == 1 && o.Kind != syntax.OperandVector {
		return s.st.Operands[i : i+1]
	}
	if o.Kind != syntax.OperandVector || o.Whole || len(o.List()) != count {
		s.fail(o.At, "%s: want a vector of %d elements", s.text(), count)
		return nil
	}
	return o.List()
}

// emitMultiply emits the node of mma or wmma.mma, whose operands are vectors of the
// given numbers of registers.
func (s *selector) emitMultiply(o *ptx.MatrixOp, count [4]int) {
	operands := 4
	if o.Sparse {
		operands = 6
	}
	if !s.count(operands, operands) {
		return
	}
	n := instruction(ptx.FamilyMatrix, ptx.MatrixMultiply, ptx.ClassMatrix)
	if o.Sparse {
		s.metadata(&n, o)
	}
	n.Vector = &ptx.VectorOp{Matrix: o}
	n.Work = o.Work()
	for i, f := range [4]*ptx.Fragment{&o.D, &o.A, &o.B, &o.C} {
		if i > 0 {
			o.First[i-1] = len(n.Vector.Regs)
		}
		list := s.fragmentOperands(i, count[i])
		for k := range list {
			var v uint32
			if i == 0 {
				v = s.destOf(&list[k], f.Element.Register(), false)
				n.write(v)
			} else {
				v = s.sourceOf(&list[k], f.Element.Register(), false)
				n.read(v)
			}
			n.Vector.Regs = append(n.Vector.Regs, v)
		}
	}
	s.emit(n)
}

func selectLdmatrix(s *selector) { s.matrixRows(ptx.AccessLoad) }

func selectStmatrix(s *selector) { s.matrixRows(ptx.AccessStore) }

// matrixRows is ldmatrix and stmatrix.
func (s *selector) matrixRows(kind ptx.AccessKind) {
	together := s.together() && s.has("m8n8") && s.has("b16")
	count := map[string]int{"x1": 1, "x2": 2, "x4": 4}[s.oneOf("x1", "x2", "x4")]
	trans := s.has("trans")
	space := s.space()
	if !together || count == 0 || space != ptx.SpaceShared && space != ptx.SpaceGeneric {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(ptx.FamilyMatrix, ptx.MatrixRows, ptx.ClassMemory)
	n.Mem = &ptx.MemoryOp{Kind: kind, Bytes: 4, Count: uint8(count)}
	n.IsMemory, n.IsLoad = true, kind == ptx.AccessLoad
	if trans {
		n.Target = 1
	}
	values, address := 0, 1
	if kind == ptx.AccessStore {
		values, address = 1, 0
	}
	n.Mem.Space = s.address(&n, address, space)
	if n.Mem.Space != ptx.SpaceShared && n.Mem.Space != ptx.SpaceGeneric {
		s.fail(s.st.At, "%s: matrices are in shared memory", s.text())
		return
	}
	list := s.fragmentOperands(values, count)
	for i := range list {
		var v uint32
		if kind == ptx.AccessLoad {
			v = s.destOf(&list[i], ptx.TypeB32, false)
			n.write(v)
		} else {
			v = s.sourceOf(&list[i], ptx.TypeB32, false)
			n.read(v)
		}
		n.Mem.Regs[i] = v
	}
	s.emit(n)
}

func selectMovmatrix(s *selector) {
	if !s.together() || !s.has("m8n8") || !s.has("trans") || !s.has("b16") {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(ptx.FamilyMatrix, ptx.MatrixTranspose, ptx.ClassShuffle)
	n.srcA(s.source(1, ptx.TypeB32))
	s.emit(*n.dst(s.dest(0, ptx.TypeB32)))
}
