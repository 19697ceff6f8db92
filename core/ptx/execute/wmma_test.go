package execute

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// wmmaTest multiplies matrices in memory with wmma.load, wmma.mma and wmma.store.
type wmmaTest struct {
	shape            string
	d, a, c          ptx.Element
	columnA, columnB bool
	columnC          bool
	strideA, strideB int // elements; 0: none is given
	strideC          int
	mods             string
	space            string // of A and B: .global, .shared or generic
}

// wmmaCounts are the registers of A and B by shape and element, as the table of
// matrix fragments for wmma in the manual gives them, and those of C and D.
func wmmaCounts(shape string, e ptx.Element) (a, b, c int) {
	switch {
	case e == ptx.ElementF16:
		return 8, 8, 8
	case e == ptx.ElementF64, shape == "m8n8k32", shape == "m8n8k128":
		return 1, 1, 2
	case e == ptx.ElementTF32:
		return 4, 4, 8
	}
	small := map[string][2]int{"m16n16k16": {2, 2}, "m8n32k16": {1, 4}, "m32n8k16": {4, 1}}[shape]
	if e == ptx.ElementBF16 {
		return 2 * small[0], 2 * small[1], 8
	}
	return small[0], small[1], 8
}

func layoutWord(column bool) string {
	if column {
		return "col"
	}
	return "row"
}

// plainMatrix is a matrix in memory; unit is the bits of an element.
type plainMatrix struct {
	element    ptx.Element
	rows, cols int
	column     bool
	stride     int
	data       []byte
}

func newPlainMatrix(r *rand.Rand, e ptx.Element, rows, cols int, column bool, stride int) *plainMatrix {
	lines, length := rows, cols
	if column {
		lines, length = cols, rows
	}
	if stride == 0 {
		stride = length
	}
	m := &plainMatrix{e, rows, cols, column, stride, make([]byte, lines*stride*e.Bits()/8)}
	r.Read(m.data)
	for i := range rows * cols { // small values where all bits would not do
		x := float64(r.Intn(17) - 8)
		switch e {
		case ptx.ElementF16:
			m.set(i/cols, i%cols, nearHalf(ptx.TypeF16, x/2, ptx.RoundNearest))
		case ptx.ElementBF16:
			m.set(i/cols, i%cols, nearHalf(ptx.TypeBF16, x/2, ptx.RoundNearest))
		case ptx.ElementTF32, ptx.ElementF32:
			m.set(i/cols, i%cols, uint64(math.Float32bits(float32(x))))
		case ptx.ElementF64:
			m.set(i/cols, i%cols, math.Float64bits(x/4))
		}
	}
	return m
}

func (m *plainMatrix) index(row, col int) int {
	if m.column {
		row, col = col, row
	}
	return row*m.stride + col
}

func (m *plainMatrix) set(row, col int, v uint64) {
	at := m.index(row, col) * m.element.Bits() / 8
	writeBytes(m.data[at:], uint8(m.element.Bits()/8), v)
}

func (m *plainMatrix) value(row, col int) float64 {
	bit := m.index(row, col) * m.element.Bits()
	word := append([]byte(nil), m.data[bit/8:min(len(m.data), bit/8+8)]...)
	v := readBytes(append(word, make([]byte, 8)...), 8) >> (bit % 8)
	if n := m.element.Bits(); n < 64 {
		v &= 1<<n - 1
	}
	return plainElement(m.element, []uint64{v}, 0)
}

func (c *wmmaTest) run(t *testing.T, r *rand.Rand) {
	t.Helper()
	var rows, cols, depth int
	fmt.Sscanf(c.shape, "m%dn%dk%d", &rows, &cols, &depth)
	a := newPlainMatrix(r, c.a, rows, depth, c.columnA, c.strideA)
	b := newPlainMatrix(r, c.a, depth, cols, c.columnB, c.strideB)
	z := newPlainMatrix(r, c.c, rows, cols, c.columnC, c.strideC)
	d := newPlainMatrix(r, c.d, rows, cols, !c.columnC, 0)
	if c.a == ptx.ElementB1 || c.a.Bits() == 4 {
		for i := range z.data {
			z.data[i] &= byte(-(i%4&1 ^ 1))
		}
	}
	na, nb, nc := wmmaCounts(c.shape, c.a)
	nd := nc
	pairs := func(n int, e ptx.Element) int {
		if e == ptx.ElementF16 {
			return n / 2
		}
		return n
	}
	nc, nd = pairs(nc, c.c), pairs(nd, c.d)
	stride := func(n int) string {
		switch {
		case n == 0:
			return ""
		case n%32 == 0:
			return fmt.Sprintf(", %d", n)
		}
		return fmt.Sprintf(", %%n%d", n)
	}
	var text strings.Builder
	text.WriteString(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry test(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) {\n")
	text.WriteString(".reg .b64 %pa, %pb, %pc, %pd, %x, %y; .reg .b32 %s, %i, %n<200>, %v; .reg .pred %p; .shared .align 32 .b8 sa[16384]; .shared .align 32 .b8 sb[16384];\n")
	for _, g := range []struct {
		name string
		e    ptx.Element
		n    int
	}{{"a", c.a, na}, {"b", c.a, nb}, {"c", c.c, nc}, {"d", c.d, nd}} {
		fmt.Fprintf(&text, ".reg .%s %%%s<%d>;\n", g.e.Register(), g.name, g.n)
	}
	text.WriteString("ld.param.u64 %pa, [a]; ld.param.u64 %pb, [b]; ld.param.u64 %pc, [c]; ld.param.u64 %pd, [d];\n")
	for _, n := range []int{c.strideA, c.strideB, c.strideC} {
		if n > 0 && n%32 != 0 {
			fmt.Fprintf(&text, "mov.u32 %%n%d, %d;\n", n, n)
		}
	}
	atA, atB := "[%pa]", "[%pb]"
	if c.space == ".shared" {
		for i, p := range []string{"a", "b"} {
			fmt.Fprintf(&text, "mov.u32 %%i, %%tid.x; mov.b64 %%x, %%p%[1]s; mul.wide.u32 %%y, %%i, 4; add.u64 %%x, %%x, %%y; mad.lo.u32 %%i, %%i, 4, s%[1]s;\n"+
				"mov.u32 %%n1, %[2]d; COPY%[1]s: ld.global.b32 %%v, [%%x]; st.shared.b32 [%%i], %%v; add.u64 %%x, %%x, 128; add.u32 %%i, %%i, 128; sub.u32 %%n1, %%n1, 1; setp.ne.u32 %%p, %%n1, 0; @%%p bra COPY%[1]s;\n",
				p, (len([][]byte{a.data, b.data}[i])+127)/128)
		}
		text.WriteString("mov.u32 %s, sa; add.u32 %s, %s, -16;\n")
		atA, atB = "[%s+16]", "[sb]"
	}
	fmt.Fprintf(&text, "wmma.load.a.sync.aligned.%s.%s%s.%s %s, %s%s;\n", layoutWord(c.columnA), c.shape, c.space, c.a.String(), vectorText("a", na), atA, stride(c.strideA))
	fmt.Fprintf(&text, "wmma.load.b.sync.aligned.%s.%s%s.%s %s, %s%s;\n", layoutWord(c.columnB), c.shape, c.space, c.a.String(), vectorText("b", nb), atB, stride(c.strideB))
	fmt.Fprintf(&text, "wmma.load.c.sync.aligned.%s.%s.global.%s %s, [%%pc]%s;\n", layoutWord(c.columnC), c.shape, c.c.String(), vectorText("c", nc), stride(c.strideC))
	types := "." + c.d.String() + "." + c.a.String() + "." + c.a.String() + "." + c.c.String()
	bit := ""
	switch c.a {
	case ptx.ElementF16:
		types = "." + c.d.String() + "." + c.c.String()
	case ptx.ElementB1:
		bit, c.mods = c.mods, ""
	}
	fmt.Fprintf(&text, "wmma.mma%s.sync.aligned.%s.%s.%s%s%s %s, %s, %s, %s;\n", bit, layoutWord(c.columnA), layoutWord(c.columnB), c.shape, types, c.mods,
		vectorText("d", nd), vectorText("a", na), vectorText("b", nb), vectorText("c", nc))
	fmt.Fprintf(&text, "wmma.store.d.sync.aligned.%s.%s.%s [%%pd], %s;\nret; }\n", layoutWord(d.column), c.shape, c.d.String(), vectorText("d", nd))
	m, err := compile.Load("wmma", []byte(text.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	params := make([]byte, 32)
	for i, x := range []*plainMatrix{a, b, z, d} {
		block, _ := image.Alloc("matrix", uint64(len(x.data)+127)&^127)
		writeBytes(params[8*i:], 8, block.Base)
		image.Write(block.Base, x.data)
	}
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	image.Read(readBytes(params[24:], 8), d.data)
	for i := range rows {
		for j := range cols {
			s := z.value(i, j)
			for k := range depth {
				switch x, y := a.value(i, k), b.value(k, j); {
				case strings.Contains(bit, "xor"):
					s += math.Abs(x - y)
				default:
					s += x * y
				}
			}
			want := plainElement(c.d, []uint64{plainResult(c.d, s, strings.Contains(c.mods, "satfinite"))}, 0)
			if got := d.value(i, j); got != want {
				t.Fatalf("row %d, column %d is %v, want %v\n%s", i, j, got, want, text.String())
			}
		}
	}
}

// shapesOfWmma are the shapes of wmma for each element of A, as the manual lists them.
var shapesOfWmma = [...]string{
	ptx.ElementF16: "m16n16k16 m8n32k16 m32n8k16", ptx.ElementBF16: "m16n16k16 m8n32k16 m32n8k16",
	ptx.ElementS8: "m16n16k16 m8n32k16 m32n8k16", ptx.ElementU8: "m16n16k16 m8n32k16 m32n8k16",
	ptx.ElementTF32: "m16n16k8", ptx.ElementF64: "m8n8k4", ptx.ElementS4: "m8n8k32", ptx.ElementU4: "m8n8k32", ptx.ElementB1: "m8n8k128",
}

// TestWmma runs every shape with all layouts, with and without strides, from global,
// shared and generic addresses.
func TestWmma(t *testing.T) {
	r := newRand(9)
	count := 0
	for a, shapes := range shapesOfWmma {
		for _, shape := range strings.Fields(shapes) {
			for variant := range 16 {
				c := wmmaTest{shape: shape, a: ptx.Element(a), columnA: variant&1 != 0, columnB: variant&2 != 0, columnC: variant&4 != 0}
				switch c.a {
				case ptx.ElementF16:
					c.c, c.d = []ptx.Element{ptx.ElementF16, ptx.ElementF32}[r.Intn(2)], []ptx.Element{ptx.ElementF16, ptx.ElementF32}[r.Intn(2)]
				case ptx.ElementF64:
					c.c, c.d = ptx.ElementF64, ptx.ElementF64
				case ptx.ElementBF16, ptx.ElementTF32:
					c.c, c.d = ptx.ElementF32, ptx.ElementF32
				default:
					c.c, c.d = ptx.ElementS32, ptx.ElementS32
					c.mods = []string{"", ".satfinite"}[r.Intn(2)]
				}
				if c.a.Bits() < 8 {
					c.columnA, c.columnB = false, true
				}
				if variant&8 != 0 {
					c.strideA, c.strideB, c.strideC = 40, 64, 48
				}
				switch c.a {
				case ptx.ElementB1:
					c.strideA, c.strideB, c.mods = c.strideA/40*256, c.strideB*2, []string{".xor.popc", ".and.popc"}[r.Intn(2)]
				}
				c.space = []string{".global", ".shared", ""}[r.Intn(3)]
				c.run(t, r)
				count++
			}
		}
	}
	t.Logf("%d products", count)
}

// TestWmmaFinite: .satfinite of sums of halves (PTX up to 6.4) makes them finite.
func TestWmmaFinite(t *testing.T) {
	all := func(n int, v uint64) [][]uint64 {
		out := make([][]uint64, 32)
		for l := range out {
			for range n {
				out[l] = append(out[l], v)
			}
		}
		return out
	}
	pair := func(v uint64) uint64 { return v<<16 | v }
	const infinity, most, nan = 0x7c00, 0x7bff, 0x7e00
	for _, c := range []struct{ a, b, half, single uint64 }{
		{most, 0x3c00, pair(most), uint64(math.Float32bits(16 * 65504))},
		{infinity, 0x3c00, pair(most), uint64(math.Float32bits(math.MaxFloat32))},
		{infinity, 0xbc00, pair(0xfbff), uint64(math.Float32bits(-math.MaxFloat32))},
		{infinity, 0, 0, 0},
		{nan, 0x3c00, 0, 0},
		{0x3c00, 0x3c00, pair(0x4c00), uint64(math.Float32bits(16))},
	} {
		a, b, zero := all(8, pair(c.a)), all(8, pair(c.b)), all(8, 0)
		for _, f := range []struct {
			types string
			n     int
			want  uint64
		}{{"f16.f16", 4, c.half}, {"f32.f32", 8, c.single}} {
			text := "wmma.mma.sync.aligned.row.col.m16n16k16." + f.types + ".satfinite " + vectorText("d", f.n) + ", " + vectorText("a", 8) + ", " + vectorText("b", 8) + ", " + vectorText("c", f.n) + ";"
			got := runRegisters(t, "", text, []registerSet{{"a", "b32", 8, a}, {"b", "b32", 8, b}, {"c", "b32", f.n, zero}, {"d", "b32", f.n, nil}})
			if got[5][1] != f.want {
				t.Errorf("%s of %04x and %04x: %08x, want %08x", f.types, c.a, c.b, got[5][1], f.want)
			}
		}
	}
}
