package ptx

// wmmaShapes are the shapes of wmma for each element of A.
var wmmaShapes = [numElements]string{
	elementF16: "m16n16k16 m8n32k16 m32n8k16", elementBF16: "m16n16k16 m8n32k16 m32n8k16",
	elementS8: "m16n16k16 m8n32k16 m32n8k16", elementU8: "m16n16k16 m8n32k16 m32n8k16",
	elementTF32: "m16n16k8", elementF64: "m8n8k4", elementS4: "m8n8k32", elementU4: "m8n8k32", elementB1: "m8n8k128",
}

// wmmaSums are the shapes of wmma for each element of C and D.
var wmmaSums = [numElements]string{
	elementF16: "m16n16k16 m8n32k16 m32n8k16", elementF32: "m16n16k16 m8n32k16 m32n8k16 m16n16k8",
	elementS32: "m16n16k16 m8n32k16 m32n8k16 m8n8k32 m8n8k128", elementF64: "m8n8k4",
}

// wmmaHalves is how many registers wmma holds A and B of f16 in, whatever the
// shape: where a matrix has fewer, they repeat.
const wmmaHalves = 8

func wmmaRegisters(f *fragment) int {
	if f.element == elementF16 && !f.sum {
		return wmmaHalves
	}
	return f.registers()
}

func selectWmma(s *selector) {
	word := s.oneOf("load", "store", "mma")
	s.has("aligned") // PTX 6.0 has .sync alone
	if word == "" || !s.has("sync") {
		s.unsupported()
		return
	}
	if word == "mma" {
		s.wmmaMultiply()
		return
	}
	matrix := s.oneOf("a", "b", "c", "d")
	if matrix == "" || (matrix == "d") != (word == "store") {
		s.unsupported()
		return
	}
	s.wmmaMemory(matrix[0], word == "store")
}

func (s *selector) wmmaMultiply() {
	o := &matrixOp{mode: s.rounding64(), saturate: s.has("satfinite")}
	bit := s.oneOf("xor", "and")
	o.and = bit == "and"
	popc := s.has("popc")
	w := s.shapeWords()
	if len(w.types) == 2 { // f16
		w.types = []element{w.types[0], elementF16, elementF16, w.types[1]}
	}
	if len(w.types) != 4 || len(w.columns) != 2 {
		s.unsupported()
		return
	}
	d, a, b, c := w.types[0], w.types[1], w.types[2], w.types[3]
	fixed := a == elementS4 || a == elementU4 || a == elementB1
	if !among(wmmaShapes[a], w.name) || a != b || !accumulators(a, c, d) ||
		fixed && (w.columns[0] || !w.columns[1]) || (bit != "" && popc) != (a == elementB1) {
		s.unsupported()
		return
	}
	if !s.summed(a, o, true) {
		return
	}
	o.a, o.b = newFragment('a', a, w.m, w.n, w.k), newFragment('b', b, w.m, w.n, w.k)
	o.c, o.d = newFragment('c', c, w.m, w.n, w.k), newFragment('c', d, w.m, w.n, w.k)
	s.emitMultiply(o, [4]int{o.d.registers(), wmmaRegisters(&o.a), wmmaRegisters(&o.b), o.c.registers()})
}

// wmmaMemory is wmma.load and wmma.store: each lane loads or stores its elements by
// ordinary accesses, of a whole register where its elements lie side by side.
func (s *selector) wmmaMemory(matrix byte, store bool) {
	space := s.space()
	w := s.shapeWords()
	if len(w.types) != 1 || len(w.columns) != 1 || space != SpaceGeneric && space != SpaceGlobal && space != SpaceShared {
		s.unsupported()
		return
	}
	e, column := w.types[0], w.columns[0]
	shapes := wmmaShapes[e]
	if matrix == 'c' || matrix == 'd' {
		shapes = wmmaSums[e]
	}
	f := newFragment(matrix, e, w.m, w.n, w.k)
	// Rows of A and columns of B lie in one piece where elements are parts of a byte.
	fixed := (e.bits() < 8) && column != f.down
	if !among(shapes, w.name) || fixed {
		s.unsupported()
		return
	}
	if !s.count(2, 3) {
		return
	}
	m := &wmmaAccess{fragment: f, column: column, operand: 1, m: memoryMode{space: space}}
	if store {
		m.operand = 0
	}
	m.stride = s.wmmaStride(m)
	if together := s.emit(instruction(familyMatrix, matrixTogether, ClassMove)); s.failed || together == nil {
		return
	}
	if !s.wmmaBase(m) {
		return
	}
	list := s.fragmentOperands(1-m.operand, wmmaRegisters(&f))
	for r := range list {
		t := f.element.register()
		if store {
			s.wmmaStore(m, r, s.sourceOf(&list[r], t, false))
			continue
		}
		d := s.destOf(&list[r], t, false)
		if r >= f.registers() { // again what is there
			move := instruction(familyWord, wordMove, ClassMove)
			if v := s.destOf(&list[r%f.registers()], t, false); d != noValue && v != noValue {
				s.emit(*move.srcA(v).dst(d))
			}
			continue
		}
		s.wmmaLoad(m, r, d)
	}
}

// wmmaAccess is what the accesses of one wmma.load or wmma.store share.
type wmmaAccess struct {
	fragment
	column  bool // stored by columns
	operand int  // of the address
	m       memoryMode
	base    uint32 // address
	wide    bool   // of 64 bits
	stride  uint32 // elements from row to row, or from column to column
}

// wmmaStride returns the value of the last operand; without one, the matrix lies
// in one piece.
func (s *selector) wmmaStride(m *wmmaAccess) uint32 {
	if len(s.st.operands) == 3 {
		return s.sourceOf(&s.st.operands[2], typeU32, false)
	}
	n := m.cols
	if m.column {
		n = m.rows
	}
	if m.element == elementB1 {
		n *= 32
	}
	return s.values.constant(1, uint64(n))
}

// wmmaBase finds the address the accesses start from.
func (s *selector) wmmaBase(m *wmmaAccess) bool {
	n := instruction(familyMemory, memoryAccess, ClassMemory)
	m.m.space = s.address(&n, m.operand, m.m.space)
	if s.failed {
		return false
	}
	if m.m.space != SpaceGeneric && m.m.space != SpaceGlobal && m.m.space != SpaceShared {
		s.fail(s.st.at, "%s: matrices are in global or shared memory", s.text())
		return false
	}
	m.wide = n.flags&flagAddress64 != 0
	m.base = n.a
	if n.a == noValue {
		m.wide = true
		m.base = s.values.constant(2, n.imm)
	} else if n.imm != 0 {
		m.base = s.wmmaAdd(m, n.imm)
	}
	return true
}

func (m *wmmaAccess) addressType() scalar {
	if m.wide {
		return typeB64
	}
	return typeB32
}

func (s *selector) wmmaAdd(m *wmmaAccess, offset uint64) uint32 {
	t := m.addressType()
	n := laneNode(ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a + offset })
	sum := s.passing(wordsOf(t.bits()))
	s.emit(*n.wide(t, t, typeNone, typeNone, typeNone).srcA(m.base).dst(sum))
	return sum
}

// passing returns a register whose old value nobody wants, under a guard either.
func (s *selector) passing(words int) uint32 {
	v := s.values.temporary(words)
	s.values.list[v].whole = true
	return v
}

// wmmaAddress emits the address of element e of register r.
func (s *selector) wmmaAddress(m *wmmaAccess, r, e int) uint32 {
	f, column := m.fragment, m.column
	size := uint64(f.element.bits())
	if f.element == elementB1 { // a register is an element
		size = 32
	}
	n := laneNode(ClassIntMad, func(base, lane, stride, _ uint64) uint64 {
		row, col := f.place(r, int(lane&31))
		if f.down {
			row += e
		} else {
			col += e
		}
		if column {
			row, col = col, row
		}
		if f.element == elementB1 {
			stride /= 32
		}
		return base + (uint64(row)*stride+uint64(col))*size/8
	})
	t := m.addressType()
	at := s.passing(wordsOf(t.bits()))
	n.wide(t, t, typeNone, typeNone, typeNone).srcA(m.base).srcB(s.values.fixed(specialLaneID)).srcC(m.stride)
	s.emit(*n.dst(at))
	return at
}

// inPieces reports whether the elements of a register lie apart in memory.
func (m *wmmaAccess) inPieces() bool { return m.pack > 1 && m.column != m.down }

// wmmaPiece starts the access of element e of register r, or of the whole register.
func (s *selector) wmmaPiece(m *wmmaAccess, kind AccessKind, t scalar, r, e int) node {
	at := s.wmmaAddress(m, r, e)
	n := s.access(kind, t, 1, m.m)
	n.srcA(at)
	if m.wide {
		n.flags |= flagAddress64
	}
	n.mem.keep[0] = FullMask
	return n
}

func (s *selector) wmmaLoad(m *wmmaAccess, r int, d uint32) {
	if !m.inPieces() {
		t := m.element.register()
		n := s.wmmaPiece(m, AccessLoad, t, r, 0)
		n.mem.regs[0], n.mem.absent[0], n.mem.wide[0] = d, d == noValue, t.bits() == 64
		n.IsLoad = true
		n.write(d)
		s.emit(n)
		return
	}
	var pieces [4]uint32
	size := m.element.bits()
	for e := range m.pack {
		pieces[e] = s.passing(1)
		n := s.wmmaPiece(m, AccessLoad, pieceType(size), r, e)
		n.mem.regs[0] = pieces[e]
		n.IsLoad = true
		n.write(pieces[e])
		s.emit(n)
	}
	join := laneNode(ClassIntAdd, func(a, b, c, e uint64) uint64 { return a | b<<size | c<<(2*size) | e<<(3*size) })
	join.srcA(pieces[0]).srcB(pieces[1])
	if m.pack == 4 {
		join.srcC(pieces[2]).srcE(pieces[3])
	}
	s.emit(*join.dst(d))
}

func (s *selector) wmmaStore(m *wmmaAccess, r int, v uint32) {
	if !m.inPieces() {
		t := m.element.register()
		n := s.wmmaPiece(m, AccessStore, t, r, 0)
		n.mem.regs[0], n.mem.wide[0] = v, t.bits() == 64
		n.read(v)
		s.emit(n)
		return
	}
	size := m.element.bits()
	for e := range m.pack {
		part := v
		if e > 0 {
			n := laneNode(ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a >> (e * size) })
			part = s.passing(1)
			s.emit(*n.srcA(v).dst(part))
		}
		n := s.wmmaPiece(m, AccessStore, pieceType(size), r, e)
		n.mem.regs[0] = part
		n.read(part)
		s.emit(n)
	}
}

// pieceType is the type of an access to an element of 8 or 16 bits.
func pieceType(size int) scalar {
	if size == 8 {
		return typeB8
	}
	return typeB16
}
