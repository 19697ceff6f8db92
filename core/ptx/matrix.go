package ptx

// Element is the type of the elements of a matrix of mma and wmma.
type Element uint8

const (
	ElementNone Element = iota
	ElementF16
	ElementBF16
	ElementTF32
	ElementE4M3
	ElementE5M2
	ElementF32
	ElementF64
	ElementS8
	ElementU8
	ElementS4
	ElementU4
	ElementB1
	ElementS32
	NumElements
)

var elementNames = [NumElements]string{
	ElementF16: "f16", ElementBF16: "bf16", ElementTF32: "tf32", ElementE4M3: "e4m3", ElementE5M2: "e5m2",
	ElementF32: "f32", ElementF64: "f64", ElementS8: "s8", ElementU8: "u8", ElementS4: "s4", ElementU4: "u4",
	ElementB1: "b1", ElementS32: "s32",
}

var elementBits = [NumElements]uint8{
	ElementF16: 16, ElementBF16: 16, ElementTF32: 32, ElementE4M3: 8, ElementE5M2: 8,
	ElementF32: 32, ElementF64: 64, ElementS8: 8, ElementU8: 8, ElementS4: 4, ElementU4: 4,
	ElementB1: 1, ElementS32: 32,
}

// ElementByName finds an element by the word after the dot.
func ElementByName(word string) Element {
	for e, name := range elementNames {
		if name != "" && name == word {
			return Element(e)
		}
	}
	return ElementNone
}

func (e Element) String() string { return elementNames[e] }

func (e Element) Bits() int { return int(elementBits[e]) }

// IsFloat reports whether products of e are summed in floating point.
func (e Element) IsFloat() bool { return e >= ElementF16 && e <= ElementF64 }

// Register returns the type of the registers that hold e.
func (e Element) Register() Scalar {
	switch e {
	case ElementF32:
		return TypeF32
	case ElementF64:
		return TypeF64
	}
	return TypeB32
}

// Fragment is the share of a matrix each lane holds. In groups of four, lane l is
// number t = l%4 of group g = l/4. An 8 by 4*step tile of A or C gives group g row
// g, and lane t of it step elements from column t*step on; B is the same with rows
// and columns exchanged. This is the layout of the figures of mma.m16n8k* in the
// PTX manual: tiles follow each other down 16 rows first, then along k.
//
// The fragments of wmma, whose layout the manual leaves open, are those of the mma
// instructions of 16 (or 8) rows and 8 columns that the shape consists of, row by
// row of such tiles.
type Fragment struct {
	Element    Element
	Rows, Cols int // elements of one bit count by the 32
	Down       bool
	Sum        bool // C or D
	Pack       int  // elements in a register
	step       int
}

// NewFragment returns the fragment of matrix 'a', 'b', or 'c' (also D) of a shape.
func NewFragment(matrix byte, e Element, m, n, k int) Fragment {
	f := Fragment{Element: e, Pack: max(1, 32/e.Bits())}
	if e == ElementB1 {
		f.Pack, k = 1, k/32
	}
	f.step = f.Pack
	switch matrix {
	case 'a':
		f.Rows, f.Cols = m, k
	case 'b':
		f.Rows, f.Cols, f.Down = k, n, true
	default:
		f.Rows, f.Cols, f.Sum, f.step = m, n, true, 2
	}
	return f
}

// Registers returns how many registers of a thread the matrix takes.
func (f *Fragment) Registers() int { return f.Rows * f.Cols / MaxLanes / f.Pack }

// Origin returns the row and column of the first element of register r in lane 0.
func (f *Fragment) Origin(r int) (row, col int) {
	if f.Down {
		tile := f.Rows / (4 * f.step)
		return r % tile * 4 * f.step, r / tile * 8
	}
	high := min(f.Rows, 16) / 8 // 8-row parts of a tile
	if f.Sum {
		i := r * f.Pack
		tile, across := i/(2*high), f.Cols/8
		return tile/across*16 + i%(2*high)/2*8, tile%across*8 + i%2
	}
	tile := high * (f.Cols / (4 * f.step))
	return r/tile*16 + r%high*8, r % tile / high * 4 * f.step
}

// Place returns the row and column of the first element of register r in a lane.
func (f *Fragment) Place(r, lane int) (row, col int) {
	row, col = f.Origin(r)
	g, t := lane/4, lane%4*f.step
	if f.Down {
		return row + t, col + g
	}
	return row + g, col + t
}

// Strides returns distances, in elements, in a matrix stored by rows: between lanes
// of consecutive groups, between consecutive lanes of a group, and between
// consecutive elements of a register.
func (f *Fragment) Strides() (group, lane, next int) {
	if f.Down {
		return 1, f.step * f.Cols, f.Cols
	}
	return f.Cols, f.step, 1
}

// MatrixWork is the work of mma.m16n8k16 on f16, for which machines give the time of
// their matrix instructions.
const MatrixWork = 8

// Work returns the time of a matrix unit in the same measure. Elements of half the
// bits take half the time. The rate of f64 is a sixteenth of the rate of f16, as on the
// A100 (19.5 and 312 TFLOPS in NVIDIA's white paper).
func (o *MatrixOp) Work() uint8 {
	depth := 2 * o.A.Cols / o.A.Pack // in f16
	switch {
	case o.Quads:
		depth *= 4 // products
	case o.A.Element == ElementF64:
		depth = 16 * o.A.Cols
	}
	return uint8(o.D.Rows * o.D.Cols * depth * MatrixWork / (16 * 8 * 16))
}

// MatrixOp describes mma and wmma.mma. The registers of D, A, B and C follow each
// other in VectorOp.Regs; First says where the registers of A, B and C begin.
type MatrixOp struct {
	D, A, B, C Fragment
	First      [3]int
	Mode       Rounding
	Saturate   bool // .satfinite
	And        bool // .and.popc
	// Quads is mma.m8n8k4 on f16: four products, each of two groups of four lanes.
	Quads            bool
	ColumnA, ColumnB bool // of quads: .col
	// Sparse is mma.sp, whose A has half of K; Ordered says that the places in the metadata must ascend.
	Sparse, Ordered  bool
	Layout, Selector uint8 // of the metadata
}
