package compile

import "github.com/burstscope/burstscope/core/ptx"

// wmmaShapes are the shapes of wmma for each element of A.
var wmmaShapes = [ptx.NumElements]string{
	ptx.ElementF16: "m16n16k16 m8n32k16 m32n8k16", ptx.ElementBF16: "m16n16k16 m8n32k16 m32n8k16",
	ptx.ElementS8: "m16n16k16 m8n32k16 m32n8k16", ptx.ElementU8: "m16n16k16 m8n32k16 m32n8k16",
	ptx.ElementTF32: "m16n16k8", ptx.ElementF64: "m8n8k4", ptx.ElementS4: "m8n8k32", ptx.ElementU4: "m8n8k32", ptx.ElementB1: "m8n8k128",
}

// wmmaSums are the shapes of wmma for each element of C and D.
var wmmaSums = [ptx.NumElements]string{
	ptx.ElementF16: "m16n16k16 m8n32k16 m32n8k16", ptx.ElementF32: "m16n16k16 m8n32k16 m32n8k16 m16n16k8",
	ptx.ElementS32: "m16n16k16 m8n32k16 m32n8k16 m8n8k32 m8n8k128", ptx.ElementF64: "m8n8k4",
}

// wmmaHalves is how many registers wmma holds A and B of f16 in, whatever the
// shape: where a matrix has fewer, they repeat.
const wmmaHalves = 8

func wmmaRegisters(f *ptx.Fragment) int {
	if f.Element == ptx.ElementF16 && !f.Sum {
		return wmmaHalves
	}
	return f.Registers()
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
	o := &ptx.MatrixOp{Mode: s.rounding64(), Saturate: s.has("satfinite")}
	bit := s.oneOf("xor", "and")
	o.And = bit == "and"
	popc := s.has("popc")
	w := s.shapeWords()
	if len(w.types) == 2 { // f16
		w.types = []ptx.Element{w.types[0], ptx.ElementF16, ptx.ElementF16, w.types[1]}
	}
	if len(w.types) != 4 || len(w.columns) != 2 {
		s.unsupported()
		return
	}
	d, a, b, c := w.types[0], w.types[1], w.types[2], w.types[3]
	fixed := a == ptx.ElementS4 || a == ptx.ElementU4 || a == ptx.ElementB1
	if !among(wmmaShapes[a], w.name) || a != b || !accumulators(a, c, d) ||
		fixed && (w.columns[0] || !w.columns[1]) || popc != (a == ptx.ElementB1) || popc != (bit != "") {
		s.unsupported()
		return
	}
	if !s.summed(a, o, true) {
		return
	}
	o.A, o.B = ptx.NewFragment('a', a, w.m, w.n, w.k), ptx.NewFragment('b', b, w.m, w.n, w.k)
	o.C, o.D = ptx.NewFragment('c', c, w.m, w.n, w.k), ptx.NewFragment('c', d, w.m, w.n, w.k)
	s.emitMultiply(o, [4]int{o.D.Registers(), wmmaRegisters(&o.A), wmmaRegisters(&o.B), o.C.Registers()})
}

// wmmaMemory is wmma.load and wmma.store: each lane loads or stores its elements by
// ordinary accesses, of a whole register where its elements lie side by side.
func (s *selector) wmmaMemory(matrix byte, store bool) {
	space := s.space()
	w := s.shapeWords()
	if len(w.types) != 1 || len(w.columns) != 1 || space != ptx.SpaceGeneric && space != ptx.SpaceGlobal && space != ptx.SpaceShared {
		s.unsupported()
		return
	}
	e, column := w.types[0], w.columns[0]
	shapes := wmmaShapes[e]
	if matrix == 'c' || matrix == 'd' {
		shapes = wmmaSums[e]
	}
	f := ptx.NewFragment(matrix, e, w.m, w.n, w.k)
	// Rows of A and columns of B lie in one piece where elements are parts of a byte.
	fixed := (e.Bits() < 8) && column != f.Down
	if !among(shapes, w.name) || fixed {
		s.unsupported()
		return
	}
	if !s.count(2, 3) {
		return
	}
	m := &wmmaAccess{Fragment: f, column: column, operand: 1, m: memoryMode{space: space}}
	if store {
		m.operand = 0
	}
	m.stride = s.wmmaStride(m)
	if together := s.emit(instruction(ptx.FamilyMatrix, ptx.MatrixTogether, ptx.ClassMove)); s.failed || together == nil {
		return
	}
	if !s.wmmaBase(m) {
		return
	}
	list := s.fragmentOperands(1-m.operand, wmmaRegisters(&f))
	for r := range list {
		t := f.Element.Register()
		if store {
			s.wmmaStore(m, r, s.sourceOf(&list[r], t, false))
			continue
		}
		d := s.destOf(&list[r], t, false)
		if r >= f.Registers() { // again what is there
			move := instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassMove)
			if v := s.destOf(&list[r%f.Registers()], t, false); d != noValue && v != noValue {
				s.emit(*move.srcA(v).dst(d))
			}
			continue
		}
		s.wmmaLoad(m, r, d)
	}
}

// wmmaAccess is what the accesses of one wmma.load or wmma.store share.
type wmmaAccess struct {
	ptx.Fragment
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
	if len(s.st.Operands) == 3 {
		return s.sourceOf(&s.st.Operands[2], ptx.TypeU32, false)
	}
	n := m.Cols
	if m.column {
		n = m.Rows
	}
	if m.Element == ptx.ElementB1 {
		n *= 32
	}
	return s.values.constant(1, uint64(n))
}

// wmmaBase finds the address the accesses start from.
func (s *selector) wmmaBase(m *wmmaAccess) bool {
	n := instruction(ptx.FamilyMemory, ptx.MemoryAccess, ptx.ClassMemory)
	m.m.space = s.address(&n, m.operand, m.m.space)
	if s.failed {
		return false
	}
	if m.m.space != ptx.SpaceGeneric && m.m.space != ptx.SpaceGlobal && m.m.space != ptx.SpaceShared {
		s.fail(s.st.At, "%s: matrices are in global or shared memory", s.text())
		return false
	}
	m.wide = n.Flags&ptx.FlagAddress64 != 0
	m.base = n.A
	if n.A == noValue {
		m.wide = true
		m.base = s.values.constant(2, n.Imm)
	} else if n.Imm != 0 {
		m.base = s.wmmaAdd(m, n.Imm)
	}
	return true
}

func (m *wmmaAccess) addressType() ptx.Scalar {
	if m.wide {
		return ptx.TypeB64
	}
	return ptx.TypeB32
}

func (s *selector) wmmaAdd(m *wmmaAccess, offset uint64) uint32 {
	t := m.addressType()
	n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a + offset })
	sum := s.passing(wordsOf(t.Bits()))
	s.emit(*n.wide(t, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).srcA(m.base).dst(sum))
	return sum
}

// passing returns a register whose old value is not needed, even under a guard.
func (s *selector) passing(words int) uint32 {
	v := s.values.temporary(words)
	s.values.list[v].whole = true
	return v
}

// wmmaAddress emits the address of element e of register r.
func (s *selector) wmmaAddress(m *wmmaAccess, r, e int) uint32 {
	f, column := m.Fragment, m.column
	size := uint64(f.Element.Bits())
	if f.Element == ptx.ElementB1 { // a register is an element
		size = 32
	}
	n := laneNode(ptx.ClassIntMad, func(base, lane, stride, _ uint64) uint64 {
		row, col := f.Place(r, int(lane&31))
		if f.Down {
			row += e
		} else {
			col += e
		}
		if column {
			row, col = col, row
		}
		if f.Element == ptx.ElementB1 {
			stride /= 32
		}
		return base + (uint64(row)*stride+uint64(col))*size/8
	})
	t := m.addressType()
	at := s.passing(wordsOf(t.Bits()))
	n.wide(t, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).srcA(m.base).srcB(s.values.fixed(ptx.SpecialLaneID)).srcC(m.stride)
	s.emit(*n.dst(at))
	return at
}

// inPieces reports whether the elements of a register lie apart in memory.
func (m *wmmaAccess) inPieces() bool { return m.Pack > 1 && m.column != m.Down }

// wmmaPiece starts the access of element e of register r, or of the whole register.
func (s *selector) wmmaPiece(m *wmmaAccess, kind ptx.AccessKind, t ptx.Scalar, r, e int) node {
	at := s.wmmaAddress(m, r, e)
	n := s.access(kind, t, 1, m.m)
	n.srcA(at)
	if m.wide {
		n.Flags |= ptx.FlagAddress64
	}
	n.Mem.Keep[0] = ptx.FullMask
	return n
}

func (s *selector) wmmaLoad(m *wmmaAccess, r int, d uint32) {
	if !m.inPieces() {
		t := m.Element.Register()
		n := s.wmmaPiece(m, ptx.AccessLoad, t, r, 0)
		n.Mem.Regs[0], n.Mem.Absent[0], n.Mem.Wide[0] = d, d == noValue, t.Bits() == 64
		n.IsLoad = true
		n.write(d)
		s.emit(n)
		return
	}
	var pieces [4]uint32
	size := m.Element.Bits()
	for e := range m.Pack {
		pieces[e] = s.passing(1)
		n := s.wmmaPiece(m, ptx.AccessLoad, pieceType(size), r, e)
		n.Mem.Regs[0] = pieces[e]
		n.IsLoad = true
		n.write(pieces[e])
		s.emit(n)
	}
	join := laneNode(ptx.ClassIntAdd, func(a, b, c, e uint64) uint64 { return a | b<<size | c<<(2*size) | e<<(3*size) })
	join.srcA(pieces[0]).srcB(pieces[1])
	if m.Pack == 4 {
		join.srcC(pieces[2]).srcE(pieces[3])
	}
	s.emit(*join.dst(d))
}

func (s *selector) wmmaStore(m *wmmaAccess, r int, v uint32) {
	if !m.inPieces() {
		t := m.Element.Register()
		n := s.wmmaPiece(m, ptx.AccessStore, t, r, 0)
		n.Mem.Regs[0], n.Mem.Wide[0] = v, t.Bits() == 64
		n.read(v)
		s.emit(n)
		return
	}
	size := m.Element.Bits()
	for e := range m.Pack {
		part := v
		if e > 0 {
			n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a >> (e * size) })
			part = s.passing(1)
			s.emit(*n.srcA(v).dst(part))
		}
		n := s.wmmaPiece(m, ptx.AccessStore, pieceType(size), r, e)
		n.Mem.Regs[0] = part
		n.read(part)
		s.emit(n)
	}
}

// pieceType is the type of an access to an element of 8 or 16 bits.
func pieceType(size int) ptx.Scalar {
	if size == 8 {
		return ptx.TypeB8
	}
	return ptx.TypeB16
}
