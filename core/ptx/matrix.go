package ptx

// element is what a matrix of mma and wmma consists of.
type element uint8

const (
	elementNone element = iota
	elementF16
	elementBF16
	elementTF32
	elementE4M3
	elementE5M2
	elementF32
	elementF64
	elementS8
	elementU8
	elementS4
	elementU4
	elementB1
	elementS32
	numElements
)

var elementNames = [numElements]string{
	elementF16: "f16", elementBF16: "bf16", elementTF32: "tf32", elementE4M3: "e4m3", elementE5M2: "e5m2",
	elementF32: "f32", elementF64: "f64", elementS8: "s8", elementU8: "u8", elementS4: "s4", elementU4: "u4",
	elementB1: "b1", elementS32: "s32",
}

var elementBits = [numElements]uint8{
	elementF16: 16, elementBF16: 16, elementTF32: 32, elementE4M3: 8, elementE5M2: 8,
	elementF32: 32, elementF64: 64, elementS8: 8, elementU8: 8, elementS4: 4, elementU4: 4,
	elementB1: 1, elementS32: 32,
}

// elementByName finds an element by the word after the dot.
func elementByName(word string) element {
	for e, name := range elementNames {
		if name != "" && name == word {
			return element(e)
		}
	}
	return elementNone
}

func (e element) bits() int { return int(elementBits[e]) }

// isFloat reports whether products of e are summed in floating point.
func (e element) isFloat() bool { return e >= elementF16 && e <= elementF64 }

// register returns the type of the registers that hold e.
func (e element) register() scalar {
	switch e {
	case elementF32:
		return typeF32
	case elementF64:
		return typeF64
	}
	return typeB32
}

// fragment is the share of a matrix each lane holds. In groups of four, lane l is
// number t = l%4 of group g = l/4. An 8 by 4*step tile of A or C gives group g row
// g, and lane t of it step elements from column t*step on; B is the same with rows
// and columns exchanged. This is the layout of the figures of mma.m16n8k* in the
// PTX manual: tiles follow each other down 16 rows first, then along k.
//
// The fragments of wmma, whose layout the manual leaves open, are those of the mma
// instructions of 16 (or 8) rows and 8 columns that the shape consists of, row by
// row of such tiles.
type fragment struct {
	element    element
	rows, cols int // elements of one bit count by the 32
	down       bool
	sum        bool // C or D
	pack       int  // elements in a register
	step       int
}

// newFragment returns the fragment of matrix 'a', 'b', or 'c' (also D) of a shape.
func newFragment(matrix byte, e element, m, n, k int) fragment {
	f := fragment{element: e, pack: max(1, 32/e.bits())}
	if e == elementB1 {
		f.pack, k = 1, k/32
	}
	f.step = f.pack
	switch matrix {
	case 'a':
		f.rows, f.cols = m, k
	case 'b':
		f.rows, f.cols, f.down = k, n, true
	default:
		f.rows, f.cols, f.sum, f.step = m, n, true, 2
	}
	return f
}

// registers returns how many registers of a thread the matrix takes.
func (f *fragment) registers() int { return f.rows * f.cols / MaxLanes / f.pack }

// origin returns the row and column of the first element of register r in lane 0.
func (f *fragment) origin(r int) (row, col int) {
	if f.down {
		tile := f.rows / (4 * f.step)
		return r % tile * 4 * f.step, r / tile * 8
	}
	high := min(f.rows, 16) / 8 // 8-row parts of a tile
	if f.sum {
		i := r * f.pack
		tile, across := i/(2*high), f.cols/8
		return tile/across*16 + i%(2*high)/2*8, tile%across*8 + i%2
	}
	tile := high * (f.cols / (4 * f.step))
	return r/tile*16 + r%high*8, r % tile / high * 4 * f.step
}

// place returns the row and column of the first element of register r in a lane.
func (f *fragment) place(r, lane int) (row, col int) {
	row, col = f.origin(r)
	g, t := lane/4, lane%4*f.step
	if f.down {
		return row + t, col + g
	}
	return row + g, col + t
}

// strides returns how far apart in a matrix stored by rows the places of lanes of
// consecutive groups, of consecutive lanes of a group, and consecutive elements of
// a register are.
func (f *fragment) strides() (group, lane, next int) {
	if f.down {
		return 1, f.step * f.cols, f.cols
	}
	return f.cols, f.step, 1
}

// MatrixWork is the work of mma.m16n8k16 on f16, for which machines give the time of
// their matrix instructions.
const MatrixWork = 8

// work returns how long a matrix unit takes relative to that. Of shorter elements it
// multiplies as many more at a time; of f64 a sixteenth of what it does of f16, as on
// the A100 (19.5 and 312 TFLOPS in NVIDIA's white paper).
func (o *matrixOp) work() uint8 {
	depth := 2 * o.a.cols / o.a.pack // in f16
	switch {
	case o.quads:
		depth *= 4 // products
	case o.a.element == elementF64:
		depth = 16 * o.a.cols
	}
	return uint8(o.d.rows * o.d.cols * depth * MatrixWork / (16 * 8 * 16))
}

// matrixOp describes mma and wmma.mma. The registers of D, A, B and C follow each
// other in vectorOp.regs; first says where those of A, B and C begin.
type matrixOp struct {
	d, a, b, c fragment
	first      [3]int
	mode       rounding
	saturate   bool // .satfinite
	and        bool // .and.popc
	// quads is mma.m8n8k4 on f16: four products, each of two groups of four lanes.
	quads            bool
	columnA, columnB bool // of quads: .col
}
