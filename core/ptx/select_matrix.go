package ptx

import "strings"

// mmaShapes are the shapes of mma for each element of A.
var mmaShapes = [numElements]string{
	elementF16: "m8n8k4 m16n8k8 m16n8k16", elementBF16: "m16n8k8 m16n8k16", elementTF32: "m16n8k4 m16n8k8",
	elementF64: "m8n8k4 m16n8k4 m16n8k8 m16n8k16", elementE4M3: "m16n8k16 m16n8k32", elementE5M2: "m16n8k16 m16n8k32",
	elementS8: "m8n8k16 m16n8k16 m16n8k32", elementU8: "m8n8k16 m16n8k16 m16n8k32",
	elementS4: "m8n8k32 m16n8k32 m16n8k64", elementU4: "m8n8k32 m16n8k32 m16n8k64",
	elementB1: "m8n8k128 m16n8k128 m16n8k256",
}

// multiplicands are the elements that A and B may have together.
func multiplicands(a, b element) bool {
	switch a {
	case elementS8, elementU8:
		return b == elementS8 || b == elementU8
	case elementS4, elementU4:
		return b == elementS4 || b == elementU4
	case elementE4M3, elementE5M2:
		return b == elementE4M3 || b == elementE5M2
	}
	return a == b
}

// accumulators are the elements that C and D may have with A.
func accumulators(a, c, d element) bool {
	switch a {
	case elementF16, elementE4M3, elementE5M2:
		return (c == elementF16 || c == elementF32) && (d == elementF16 || d == elementF32)
	case elementBF16, elementTF32:
		return c == elementF32 && d == elementF32
	case elementF64:
		return c == elementF64 && d == elementF64
	}
	return c == elementS32 && d == elementS32
}

// shapeWords are what modifiers say about a matrix instruction.
type shapeWords struct {
	name    string // m16n8k16
	m, n, k int
	columns []bool // for each .row or .col whether it is .col
	types   []element
}

// shapeWords takes the shape, the layouts and the types among the modifiers.
func (s *selector) shapeWords() (w shapeWords) {
	rest := s.mods[:0]
	for _, m := range s.mods {
		if e := elementByName(m.text); e != elementNone {
			w.types = append(w.types, e)
		} else if m.text == "row" || m.text == "col" {
			w.columns = append(w.columns, m.text == "col")
		} else if x, y, z, ok := parseShape(m.text); ok && w.name == "" {
			w.name, w.m, w.n, w.k = m.text, x, y, z
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
	o := &matrixOp{mode: s.rounding64(), saturate: s.has("satfinite")}
	bit := s.oneOf("xor", "and")
	o.and = bit == "and"
	popc := s.has("popc")
	w := s.shapeWords()
	if len(s.mods) > 0 { // .sp, .kind
		return
	}
	if len(w.types) != 4 || len(w.columns) != 2 {
		s.unsupported()
		return
	}
	d, a, b, c := w.types[0], w.types[1], w.types[2], w.types[3]
	o.quads = a == elementF16 && w.name == "m8n8k4"
	rowCol := !w.columns[0] && w.columns[1]
	switch {
	case !among(mmaShapes[a], w.name), !multiplicands(a, b), !accumulators(a, c, d),
		c != d && !(o.quads && d == elementF32), !rowCol && !o.quads, (bit != "" && popc) != (a == elementB1):
		s.unsupported()
		return
	}
	o.columnA, o.columnB = w.columns[0], w.columns[1]
	if !s.summed(a, o, false) {
		return
	}
	o.a, o.b = newFragment('a', a, w.m, w.n, w.k), newFragment('b', b, w.m, w.n, w.k)
	o.c, o.d = newFragment('c', c, w.m, w.n, w.k), newFragment('c', d, w.m, w.n, w.k)
	count := [4]int{o.d.registers(), o.a.registers(), o.b.registers(), o.c.registers()}
	if o.quads { // four products
		count = [4]int{4 * count[0], 2, 2, 4 * count[3]}
	}
	s.emitMultiply(o, count)
}

// rounding64 takes the rounding modifier of mma on f64.
func (s *selector) rounding64() rounding {
	return map[string]rounding{"rn": roundNearest, "rz": roundZero, "rm": roundDown, "rp": roundUp}[s.oneOf("rn", "rz", "rm", "rp")]
}

// summed refuses the modifiers about sums that the elements of A do not have; halves
// says that f16 has .satfinite.
func (s *selector) summed(a element, o *matrixOp, halves bool) bool {
	if o.saturate && (a.isFloat() && !(halves && a == elementF16) || a == elementB1) || o.mode != roundNearest && a != elementF64 {
		s.unsupported()
	}
	return !s.failed
}

// fragmentOperands returns the registers of operand i; a single one may stand without
// braces.
func (s *selector) fragmentOperands(i, count int) []operand {
	o := &s.st.operands[i]
	if count == 1 && o.kind != operandVector {
		return s.st.operands[i : i+1]
	}
	if o.kind != operandVector || o.whole || len(o.list) != count {
		s.fail(o.at, "%s: want a vector of %d elements", s.text(), count)
		return nil
	}
	return o.list
}

// emitMultiply emits the node of mma or wmma.mma, whose operands are vectors of the
// given numbers of registers.
func (s *selector) emitMultiply(o *matrixOp, count [4]int) {
	if !s.count(4, 4) {
		return
	}
	n := instruction(familyMatrix, matrixMultiply, ClassMatrix)
	n.vector = &vectorOp{matrix: o}
	n.Work = o.work()
	for i, f := range [4]*fragment{&o.d, &o.a, &o.b, &o.c} {
		if i > 0 {
			o.first[i-1] = len(n.vector.regs)
		}
		list := s.fragmentOperands(i, count[i])
		for k := range list {
			var v uint32
			if i == 0 {
				v = s.destOf(&list[k], f.element.register(), false)
				n.write(v)
			} else {
				v = s.sourceOf(&list[k], f.element.register(), false)
				n.read(v)
			}
			n.vector.regs = append(n.vector.regs, v)
		}
	}
	s.emit(n)
}

func selectLdmatrix(s *selector) { s.matrixRows(AccessLoad) }
func selectStmatrix(s *selector) { s.matrixRows(AccessStore) }

// matrixRows is ldmatrix and stmatrix.
func (s *selector) matrixRows(kind AccessKind) {
	together := s.together() && s.has("m8n8") && s.has("b16")
	count := map[string]int{"x1": 1, "x2": 2, "x4": 4}[s.oneOf("x1", "x2", "x4")]
	trans := s.has("trans")
	space := s.space()
	if !together || count == 0 || space != SpaceShared && space != SpaceGeneric {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(familyMatrix, matrixRows, ClassMemory)
	n.mem = &memoryOp{kind: kind, bytes: 4, count: uint8(count)}
	n.IsMemory, n.IsLoad = true, kind == AccessLoad
	if trans {
		n.target = 1
	}
	values, address := 0, 1
	if kind == AccessStore {
		values, address = 1, 0
	}
	n.mem.space = s.address(&n, address, space)
	if n.mem.space != SpaceShared && n.mem.space != SpaceGeneric {
		s.fail(s.st.at, "%s: matrices are in shared memory", s.text())
		return
	}
	list := s.fragmentOperands(values, count)
	for i := range list {
		var v uint32
		if kind == AccessLoad {
			v = s.destOf(&list[i], typeB32, false)
			n.write(v)
		} else {
			v = s.sourceOf(&list[i], typeB32, false)
			n.read(v)
		}
		n.mem.regs[i] = v
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
	n := instruction(familyMatrix, matrixTranspose, ClassShuffle)
	n.srcA(s.source(1, typeB32))
	s.emit(*n.dst(s.dest(0, typeB32)))
}
