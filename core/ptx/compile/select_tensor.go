package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Copies with a tensor map (PTX ISA, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor). As copies in bulk, they are
// reads into hidden registers and writes, so that nothing is under way after them. ptx.TensorOp describes the row of
// instructions.

// tensorCopy is a statement under way.
type tensorCopy struct {
	op        ptx.TensorOp
	vector    *ptx.VectorOp // the map, the coordinates, the offsets
	mapWords  uint32
	bytes     uint32   // of the box, in each lane
	mask      uint32   // of CTAs, noValue without .multicast::cluster
	mapAt     int      // operand
	shared    int      // operand
	lastReads []uint32 // what the row reads again while lanes are left
}

// tensorUnits are the units of copies, the largest first.
var tensorUnits = []ptx.Scalar{ptx.TypeB128, ptx.TypeB64, ptx.TypeB32, ptx.TypeB16, ptx.TypeB8}

// tensorReductions are the types of a map that an operation takes (PTX ISA, cp.reduce.async.bulk.tensor).
var tensorReductions = map[string][]ptx.Scalar{
	"add": {ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeF32, ptx.TypeF16, ptx.TypeBF16},
	"min": bulkOrdered, "max": bulkOrdered,
	"inc": {ptx.TypeU32}, "dec": {ptx.TypeU32},
	"and": bulkLogic, "or": bulkLogic, "xor": bulkLogic,
}

// selectTensor has what follows cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and cp.async.bulk.prefetch.tensor.
func (s *selector) selectTensor(reduce, prefetch bool) {
	c := tensorCopy{mask: noValue}
	dim := s.oneOf("1d", "2d", "3d", "4d", "5d")
	if dim == "" {
		s.fail(s.st.At, "%s: want the dimensions: .1d to .5d", s.text())
		return
	}
	c.op.Rank = int(dim[0] - '0')
	tile := s.has("tile")
	offsets := s.has("im2col")
	c.op.Im2col = offsets || s.has("im2col_no_offs")
	if c.op.Im2col && (tile || c.op.Rank < 3) {
		s.fail(s.st.At, "%s: an im2col map has 3 to 5 dimensions, and excludes .tile", s.text())
	}
	if prefetch {
		s.tensorPrefetch(&c, offsets)
		return
	}
	reports, group := s.has("mbarrier::complete_tx::bytes"), s.has("bulk_group")
	cluster, own, global := s.has("shared::cluster"), s.has("shared::cta"), s.has("global")
	switch {
	case reports && !group && global && cluster != own && !reduce && (offsets || !c.op.Im2col):
		if c.op.Load = true; own {
			s.needs(ownSharedVersion)
		}
	case !reports && group && global && own && !cluster && !offsets:
	default:
		s.fail(s.st.At, "%s: want .shared::cluster.global or .shared::cta.global with "+
			".mbarrier::complete_tx::bytes and "+
			".tile or .im2col, or .global.shared::cta with .bulk_group and .tile or .im2col_no_offs", s.text())
		return
	}
	multicast := s.has("multicast::cluster")
	if multicast && (!c.op.Load || !cluster) {
		s.unsupported()
	}
	if reduce {
		word := s.oneOf("add", "min", "max", "inc", "dec", "and", "or", "xor")
		if c.op.Reduce, c.op.Pairs = atomicWords[word], tensorReductions[word]; word == "" {
			s.unsupported()
		}
	} else {
		c.op.Pairs = tensorUnits
	}
	operands := 2
	if c.mapAt, c.shared = 0, 1; c.op.Load {
		operands, c.mapAt, c.shared = 3, 1, 0
	}
	offsetsAt, maskAt := operands, operands
	if offsets {
		operands, maskAt = operands+1, maskAt+1
	}
	if multicast {
		operands++
	}
	all := s.cacheHint(operands, &memoryMode{space: ptx.SpaceGlobal}) // has no effect: HINTS.md
	if s.failed || !s.count(all, all) {
		return
	}
	if multicast {
		c.mask = s.ctaMask(maskAt)
	}
	s.tensorOperands(&c, offsets, offsetsAt)
	if s.failed {
		return
	}
	begin := s.nodes.length
	s.tensorRow(&c)
	if c.op.Load && !s.failed {
		s.reportBytes(2, c.bytes, c.mask)
	}
	s.wholeCopy(begin, !c.op.Load)
}

// ctaMask returns operand i, a mask of 16 bits, as a word.
func (s *selector) ctaMask(i int) uint32 {
	mask := s.mbarrierTemporary(1)
	n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a & 0xffff })
	s.emit(*n.srcA(s.source(i, ptx.TypeU16)).dst(mask))
	return mask
}

// reportBytes reports bytes to the mbarrier of operand i, with a mask to that of each CTA.
func (s *selector) reportBytes(i int, bytes, mask uint32) {
	n := s.mbarrierUpdate(memoryMode{space: ptx.SpaceShared, operator: ptx.CacheBypass}, ptx.MbarrierComplete, i,
		bytes, noValue)
	if mask != noValue {
		n.Flags |= ptx.FlagMulticast
		n.srcC(mask)
	}
}

// tensorOperands reads the coordinates and, with offsets, what an im2col copy adds to them.
func (s *selector) tensorOperands(c *tensorCopy, offsets bool, offsetsAt int) {
	o := &s.st.Operands[c.mapAt]
	list := o.List()
	if len(list) == 1 && list[0].Kind == syntax.OperandVector {
		list = list[0].List()
	}
	if o.Kind != syntax.OperandAddress || len(list) != c.op.Rank {
		s.fail(o.At, "%s: want the map and %d coordinates: [map, {...}]", s.text(), c.op.Rank)
		return
	}
	c.mapWords = s.hiddenWord(mapWord, 1)
	c.vector = &ptx.VectorOp{Regs: []uint32{c.mapWords}, Tensor: &c.op}
	for i := range list {
		c.vector.Regs = append(c.vector.Regs, s.sourceOf(&list[i], ptx.TypeS32, false))
	}
	if !offsets {
		return
	}
	by := &s.st.Operands[offsetsAt]
	more := []syntax.Operand{*by}
	if by.Kind == syntax.OperandVector {
		more = by.List()
	}
	if len(more) != c.op.Rank-2 {
		s.fail(by.At, "%s: want %d offsets, found %d", s.text(), c.op.Rank-2, len(more))
		return
	}
	for i := range more {
		c.vector.Regs = append(c.vector.Regs, s.sourceOf(&more[i], ptx.TypeU16, false))
	}
}

// tensorPlace sets the address of a node from the map's operand, whose coordinates are not a part of it.
func (s *selector) tensorPlace(n *node, i int, space ptx.Space) ptx.Space {
	whole := s.st.Operands[i]
	bare := syntax.Operand{Kind: whole.Kind, At: whole.At, Name: whole.Name, Sym: whole.Sym, Value: whole.Value}
	s.st.Operands[i] = bare
	space = s.address(n, i, space)
	s.st.Operands[i] = whole
	return space
}

// tensorRow emits the instructions of a copy.
func (s *selector) tensorRow(c *tensorCopy) {
	c.bytes = s.mbarrierTemporary(1)
	read := s.mapRead(c.mapAt, ptx.SpaceGeneric, c.mapWords)
	c.lastReads = append(c.lastReads, read.A, c.mask)
	c.lastReads = append(c.lastReads, c.vector.Regs...)
	s.tensorNode(c, &read, 0)

	pick := instruction(ptx.FamilyControl, ptx.ControlTensorPick, ptx.ClassBranch)
	pick.dst(c.bytes)
	s.tensorNode(c, &pick, 1)
	for i, t := range c.op.Pairs {
		s.tensorPair(c, t, 2+2*int(c.op.Depth())*i)
	}
}

// mapRead reads the map of operand i into a register.
func (s *selector) mapRead(i int, space ptx.Space, words uint32) node {
	read := s.access(ptx.AccessLoad, ptx.TypeB32, 1, memoryMode{space: space, operator: ptx.CacheL2})
	read.Op, read.IsLoad = ptx.MemoryTensorMap, true
	read.Mem.Space = s.tensorPlace(&read, i, space)
	read.Mem.Regs[0], read.Mem.Keep[0] = words, ptx.FullMask
	read.write(words)
	return read
}

// tensorNode emits an instruction at a place of the row.
func (s *selector) tensorNode(c *tensorCopy, n *node, place int) {
	n.Vector, n.Target = c.vector, int32(place)
	for _, v := range c.vector.Regs {
		n.read(v)
	}
	if int32(place) == c.op.Row()-1 {
		for _, v := range c.lastReads {
			n.read(v)
		}
	}
	s.emit(*n)
}

// tensorPair emits the reads and the writes for one unit, or for one type of a reduction.
func (s *selector) tensorPair(c *tensorCopy, t ptx.Scalar, place int) {
	from, to, kind := ptx.SpaceShared, ptx.SpaceGlobal, ptx.AccessStore
	if c.op.Load {
		from, to = to, from
	}
	unit, count := t, 1
	if t == ptx.TypeB128 || t == ptx.TypeB64 && c.op.Reduce == ptx.AtomicNone {
		unit, count = ptx.TypeB32, t.Bits()/32
	}
	if c.op.Reduce != ptx.AtomicNone {
		kind = ptx.AccessReduction
	}
	depth := int(c.op.Depth())
	var source uint32
	for i := range depth {
		words := s.hiddenWords(i, count, unit)
		read := s.tensorAccess(c, ptx.AccessLoad, ptx.MemoryTensorRead, unit, from, words)
		read.IsLoad = true
		source = read.A
		s.tensorNode(c, &read, place+i)
	}
	for i := range depth {
		words := s.hiddenWords(i, count, unit)
		write := s.tensorAccess(c, kind, ptx.MemoryTensorWrite, unit, to, words)
		write.copyWrites(ptx.AtomicOp{Code: c.op.Reduce, Type: t, Bytes: uint8(t.Bytes())}, words[0], c.mask)
		write.read(source)
		s.tensorNode(c, &write, place+depth+i)
	}
}

// tensorAccess is the read or the write. Only shared memory has an address in the instruction.
func (s *selector) tensorAccess(c *tensorCopy, kind ptx.AccessKind, op ptx.Op, t ptx.Scalar, space ptx.Space,
	words []uint32) node {
	n := s.copyPart(kind, op, t, space, words)
	if space == ptx.SpaceShared {
		n.Mem.Space = s.address(&n, c.shared, space)
		c.lastReads = append(c.lastReads, n.A)
	}
	return n
}

// tensorPrefetch is a hint that takes no time.
func (s *selector) tensorPrefetch(c *tensorCopy, offsets bool) {
	if !s.has("L2") || !s.has("global") || c.op.Im2col != offsets {
		s.unsupported()
		return
	}
	operands := 1
	if offsets {
		operands = 2
	}
	all := s.cacheHint(operands, &memoryMode{space: ptx.SpaceGlobal})
	if s.failed || !s.count(all, all) {
		return
	}
	s.tensorOperands(c, offsets, 1)
	n := instruction(ptx.FamilyMemory, ptx.MemoryAccess, ptx.ClassMemory)
	s.tensorPlace(&n, 0, ptx.SpaceGeneric)
	if !s.failed {
		s.emit(instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch))
	}
}

// selectTensormap has tensormap.replace and tensormap.cp_fenceproxy.
func selectTensormap(s *selector) {
	if s.has("cp_fenceproxy") {
		s.tensormapCopy()
		return
	}
	if !s.has("replace") || !s.has("tile") {
		s.unsupported()
		return
	}
	s.tensormapReplace()
}

// tensormapCopy copies the 128 bytes of a map from shared to global memory, and releases it. All lanes give the same
// addresses.
func (s *selector) tensormapCopy() {
	for _, word := range []string{"global", "shared::cta", "tensormap::generic", "release", "sync", "aligned"} {
		if !s.has(word) {
			s.fail(s.st.At, "%s: .%s is missing", s.text(), word)
		}
	}
	if scope := s.oneOf("cta", "cluster", "gpu", "sys"); s.failed || scope == "" {
		s.unsupported()
		return
	}
	if !s.wholeMap(2) {
		return
	}
	words := make([]uint32, 4)
	for i := range words {
		words[i] = s.mbarrierTemporary(1)
	}
	for at := uint64(0); at < ptx.TensorMapBytes && !s.failed; at += 16 {
		load := s.copyAccess(ptx.AccessLoad, memoryMode{space: ptx.SpaceShared}, 1, words)
		load.IsLoad = true
		load.Imm += at
		s.emit(load)
		store := s.copyAccess(ptx.AccessStore, memoryMode{space: ptx.SpaceGlobal}, 0, words)
		store.Imm += at
		s.emit(store)
	}
	s.fence(ptx.FenceStores).Flags |= ptx.FlagAligned
}

// wholeMap wants the size of a map as the last operand, i.
func (s *selector) wholeMap(i int) bool {
	if !s.count(i+1, i+1) {
		return false
	}
	if o := &s.st.Operands[i]; o.Kind != syntax.OperandInteger || o.Value != ptx.TensorMapBytes {
		s.fail(o.At, "%s: want the size of a tensor map, %d bytes", s.text(), ptx.TensorMapBytes)
	}
	return !s.failed
}

// tensorField is a field that tensormap.replace writes.
type tensorField struct {
	name    string
	at      uint64
	bytes   int // in the map
	ordinal int // how many there are, 0 for a field without number
	typ     ptx.Scalar
	codes   int // of an immediate, 0 for a number
}

// tensorFields are the fields (PTX ISA, tensormap.replace).
var tensorFields = []tensorField{
	{"global_address", ptx.TensorAddressAt, 8, 0, ptx.TypeB64, 0},
	{"rank", ptx.TensorRankAt, 1, 0, ptx.TypeB32, 0},
	{"box_dim", ptx.TensorBoxAt, 2, 5, ptx.TypeB32, 0},
	{"global_dim", ptx.TensorDimsAt, 8, 5, ptx.TypeB32, 0},
	{"global_stride", ptx.TensorStridesAt, 8, 4, ptx.TypeB64, 0},
	{"element_stride", ptx.TensorElementsAt, 1, 5, ptx.TypeB32, 0},
	{"elemtype", ptx.TensorTypeAt, 1, 0, ptx.TypeB32, len(ptx.TensorReplaceTypes)},
	{"interleave_layout", ptx.TensorLayoutAt, 1, 0, ptx.TypeB32, len(ptx.TensorInterleaves)},
	{"swizzle_mode", ptx.TensorSwizzleAt, 1, 0, ptx.TypeB32, len(ptx.TensorSwizzles)},
	{"fill_mode", ptx.TensorFillAt, 1, 0, ptx.TypeB32, len(ptx.TensorFills)},
}

func (s *selector) tensorField() *tensorField {
	var names []string
	for i := range tensorFields {
		if s.has(tensorFields[i].name) {
			return &tensorFields[i]
		}
		names = append(names, tensorFields[i].name)
	}
	s.fail(s.st.At, "%s: want a field: .%s", s.text(), strings.Join(names, ", ."))
	return nil
}

// tensormapReplace writes a field of a map. A field of the map's 128 bytes is one of memory, so the rest is a store.
func (s *selector) tensormapReplace() {
	f := s.tensorField()
	space := s.oneOf("global", "shared::cta")
	m := memoryMode{space: ptx.SpaceGeneric}
	switch space {
	case "global":
		m.space = ptx.SpaceGlobal
	case "shared::cta":
		m.space = ptx.SpaceShared
	}
	if !s.has("b1024") || f == nil {
		s.unsupported()
		return
	}
	s.typedAs(f.typ)
	operands := 2
	if f.ordinal > 0 {
		operands = 3
	}
	if s.failed || !s.count(operands, operands) {
		return
	}
	at := f.at
	if f.ordinal > 0 {
		o := &s.st.Operands[1]
		if o.Kind != syntax.OperandInteger || o.Value >= uint64(f.ordinal) {
			s.fail(o.At, "%s: want the number of the dimension, a constant from 0 to %d", s.text(), f.ordinal-1)
			return
		}
		at += o.Value * uint64(f.bytes)
	}
	value := s.tensorValue(f, operands-1)
	if s.failed {
		return
	}
	s.tensorStore(m, 0, ptx.TypeB32, s.values.constant(1, ptx.TensorMapMagic))
	s.tensorStore(m, at, [9]ptx.Scalar{1: ptx.TypeB8, 2: ptx.TypeB16, 8: ptx.TypeB64}[f.bytes], value)
}

// tensorValue returns what a field gets: operand i. A number that is too large for the field stays too large in it,
// so that the use of the map says so.
func (s *selector) tensorValue(f *tensorField, i int) uint32 {
	o := &s.st.Operands[i]
	if f.codes > 0 {
		if o.Kind != syntax.OperandInteger || o.Value >= uint64(f.codes) {
			s.fail(o.At, "%s: want a constant from 0 to %d", s.text(), f.codes-1)
			return noValue
		}
		v := o.Value
		if f.name == "elemtype" {
			v = uint64(ptx.TensorReplaceTypes[v])
		}
		return s.values.constant(1, v)
	}
	least, scale := uint64(0), uint64(1)
	switch {
	case f.name == "rank":
		least = 1 // the field of PTX is the rank less 1
	case f.name == "global_stride" && s.module.before(8, 6):
		scale = 16 // ptxas up to PTX 8.5 takes units of 16 bytes (Triton, needsStrideWorkaround)
	}
	to, most := ptx.TypeB32, uint64(1)<<(8*f.bytes%64)-1
	if f.bytes == 8 {
		to, most = ptx.TypeB64, 1<<64-1
	}
	v := s.mbarrierTemporary(wordsOf(to.Bits()))
	n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return min(a*scale+least, most) })
	s.emit(*n.wide(to, f.typ, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).srcA(s.source(i, f.typ)).dst(v))
	return v
}

// tensorStore writes a value into the map of operand 0.
func (s *selector) tensorStore(m memoryMode, at uint64, t ptx.Scalar, value uint32) {
	n := s.access(ptx.AccessStore, t, 1, m)
	n.Mem.Space = s.address(&n, 0, m.space)
	n.Imm += at
	n.Mem.Regs[0], n.Mem.Wide[0] = value, t.Bits() == 64
	s.emit(*n.read(value))
}
