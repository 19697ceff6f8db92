package ptx

// TensorBox is the work of one copy with a tensor map: rows of dimension 0, cut into units that are out of bounds as
// a whole or not at all. It has what is the same for all units.
type TensorBox struct {
	*TensorMap
	At      [5]int32  // where the box begins, in elements
	Offsets [3]uint16 // of a map in im2col mode
	Unit    uint64    // bytes
	Row     uint64    // units of a row
	Pitch   uint64    // bytes from row to row in shared memory
	extent  [5]uint64 // rows of dimensions 1, 2, ...
	rows    uint64
}

// NewTensorBox returns the work of a copy in units of at most some bytes. NoOffsets says that the pixels of a map in
// im2col mode have no offsets: PTX calls the store so.
func NewTensorBox(m *TensorMap, at [5]int32, offsets [3]uint16, most uint64) TensorBox {
	b := TensorBox{TensorMap: m, At: at, Offsets: offsets, rows: 1}
	row := uint64(m.Box[0])
	size := uint64(m.Type.Bytes())
	if m.Im2col {
		row, b.rows = uint64(m.Channels), uint64(m.Pixels)
	} else {
		if m.Interleave != 0 { // without interleaving, dimension 0 is dense in the box
			row = ceil(row, uint64(m.ElementStrides[0]))
		}
		for i := 1; i < m.Rank; i++ {
			b.extent[i] = ceil(uint64(m.Box[i]), uint64(m.ElementStrides[i]))
			b.rows *= b.extent[i]
		}
	}
	bytes := row * size
	b.Unit = size
	if b.step(0) == 1 {
		parts := bytes | uint64(int64(at[0])*int64(size)) | m.Dims[0]*size | m.Address | most
		b.Unit = max(size, parts&-parts)
	}
	b.Row, b.Pitch = bytes/b.Unit, bytes
	// A row that is shorter than the span of the swizzling takes the whole span of shared memory (CUDA C++
	// Programming Guide, Tensor Memory Access: "If the swizzle width exceeds the inner dimension, ensure that the
	// shared memory is allocated to accommodate the full swizzle width").
	if span := m.Swizzle.SpanBytes(); span > bytes && m.Interleave == 0 {
		b.Pitch = span
	}
	return b
}

func ceil(a, b uint64) uint64 { return (a + b - 1) / max(b, 1) }

// step is how many elements lie between two neighbours of a box in a dimension.
func (b *TensorBox) step(i int) uint64 {
	if i == 0 && b.Interleave == 0 {
		return 1
	}
	return uint64(b.ElementStrides[i])
}

// Units returns the number of units.
func (b *TensorBox) Units() uint64 { return b.Row * b.rows }

// Bytes is what the copy reports to its mbarrier: the whole box, with what lies out of bounds (PTX ISA,
// cp.async.bulk.tensor).
func (b *TensorBox) Bytes() uint64 { return b.Units() * b.Unit }

// SharedBytes is how many bytes of shared memory lie between the first and after the last of the box.
func (b *TensorBox) SharedBytes() uint64 { return (b.rows-1)*b.Pitch + b.Row*b.Unit }

// Shared returns where unit n lies in shared memory, for a box that begins at address base.
func (b *TensorBox) Shared(base, n uint64) uint64 {
	return b.Swizzle.At(base + n/b.Row*b.Pitch + n%b.Row*b.Unit)
}

// Global returns where unit n lies in global memory. ok is false if it is out of bounds.
func (b *TensorBox) Global(n uint64) (address uint64, ok bool) {
	size := uint64(b.Type.Bytes())
	row, column := n/b.Row, n%b.Row*(b.Unit/size)
	first := int64(b.At[0]) + int64(column*b.step(0))
	if first < 0 || uint64(first) >= b.Dims[0] {
		return 0, false
	}
	address = b.Address + uint64(first)*size
	if b.Im2col {
		return b.pixel(address, row)
	}
	for i := 1; i < b.Rank; i++ {
		at := int64(b.At[i]) + int64(row%b.extent[i]*b.step(i))
		row /= b.extent[i]
		if at < 0 || uint64(at) >= b.Dims[i] {
			return 0, false
		}
		address += uint64(at) * b.Strides[i-1]
	}
	return address, true
}

// pixel returns the address of pixel n of a column: the pixels follow the first one through the bounding box,
// dimension 1 first, and then through the images (PTX ISA, im2col mode). The offsets move each of them afterwards.
func (b *TensorBox) pixel(address, n uint64) (uint64, bool) {
	last := b.Rank - 1
	for i := 1; i < last; i++ {
		low := int64(b.Lower[i-1])
		width := int64(b.Dims[i]) + int64(b.Upper[i-1]) - low // of the bounding box
		step := int64(b.ElementStrides[i])
		at, carry := int64(b.At[i]), uint64(0)
		// Rounds of the first row are shorter: it begins at the start of the column.
		round := max(1, (width+step-1)/step)
		begun := max(1, (low+width-at+step-1)/step)
		if int64(n) < begun {
			at += int64(n) * step
		} else {
			left := int64(n) - begun
			at, carry = low+left%round*step, uint64(1+left/round)
		}
		n = carry
		if at += int64(b.Offsets[i-1]); at < 0 || uint64(at) >= b.Dims[i] {
			// What follows is needed for nothing: the pixel is out of bounds.
			return 0, false
		}
		address += uint64(at) * b.Strides[i-1]
	}
	image := int64(b.At[last]) + int64(n)
	if image < 0 || uint64(image) >= b.Dims[last] {
		return 0, false
	}
	return address + uint64(image)*b.Strides[last-1], true
}
