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

// manualPlace is where the manual puts element i of the share of a lane.
type manualPlace func(lane, i int) (row, col int)

// manualLayout holds the formulas of one section of "Matrix Fragments" in the PTX
// manual, with the number of elements a lane holds of A, B and C.
type manualLayout struct {
	a, b, c          manualPlace
	countA, countB   int
	countC, elements int // elements: bits of those of A and B
}

func choose(condition bool, yes, no int) int {
	if condition {
		return yes
	}
	return no
}

// The accumulators of all shapes with 8 and with 16 rows.
func manualC8(l, i int) (int, int) { return l >> 2, l%4*2 + i }

func manualC16(l, i int) (int, int) { return choose(i < 2, l>>2, l>>2+8), l%4*2 + i&1 }

// manualLayouts is indexed by shape and bits of an element.
var manualLayouts = map[string]manualLayout{
	"m8n8k4 64": {
		a: func(l, _ int) (int, int) { return l >> 2, l % 4 }, b: func(l, _ int) (int, int) { return l % 4, l >> 2 },
		c: manualC8, countA: 1, countB: 1, countC: 2},
	"m8n8k16 8": {
		a: func(l, i int) (int, int) { return l >> 2, l%4*4 + i }, b: func(l, i int) (int, int) { return l%4*4 + i, l >> 2 },
		c: manualC8, countA: 4, countB: 4, countC: 2},
	"m8n8k32 4": {
		a: func(l, i int) (int, int) { return l >> 2, l%4*8 + i }, b: func(l, i int) (int, int) { return l%4*8 + i, l >> 2 },
		c: manualC8, countA: 8, countB: 8, countC: 2},
	"m8n8k128 1": {
		a: func(l, i int) (int, int) { return l >> 2, l%4*32 + i }, b: func(l, i int) (int, int) { return l%4*32 + i, l >> 2 },
		c: manualC8, countA: 32, countB: 32, countC: 2},
	"m16n8k4 32": {
		a: func(l, i int) (int, int) { return choose(i == 0, l>>2, l>>2+8), l % 4 },
		b: func(l, _ int) (int, int) { return l % 4, l >> 2 }, c: manualC16, countA: 2, countB: 1, countC: 4},
	"m16n8k4 64": {
		a: func(l, i int) (int, int) { return choose(i == 0, l>>2, l>>2+8), l % 4 },
		b: func(l, _ int) (int, int) { return l % 4, l >> 2 }, c: manualC16, countA: 2, countB: 1, countC: 4},
	"m16n8k8 16": {
		a: func(l, i int) (int, int) { return choose(i < 2, l>>2, l>>2+8), l%4*2 + i&1 },
		b: func(l, i int) (int, int) { return l%4*2 + i, l >> 2 }, c: manualC16, countA: 4, countB: 2, countC: 4},
	"m16n8k8 32": {
		a: func(l, i int) (int, int) {
			return choose(i == 0 || i == 2, l>>2, l>>2+8), choose(i < 2, l%4, l%4+4)
		},
		b: func(l, i int) (int, int) { return choose(i == 0, l%4, l%4+4), l >> 2 }, c: manualC16, countA: 4, countB: 2, countC: 4},
	"m16n8k8 64": {
		a: func(l, i int) (int, int) {
			return choose(i == 0 || i == 2, l>>2, l>>2+8), choose(i < 2, l%4, l%4+4)
		},
		b: func(l, i int) (int, int) { return choose(i == 0, l%4, l%4+4), l >> 2 }, c: manualC16, countA: 4, countB: 2, countC: 4},
	"m16n8k16 16": {
		a: func(l, i int) (int, int) {
			return choose(i < 2 || i >= 4 && i < 6, l>>2, l>>2+8), choose(i < 4, l%4*2+i&1, l%4*2+i&1+8)
		},
		b: func(l, i int) (int, int) { return choose(i < 2, l%4*2+i&1, l%4*2+i&1+8), l >> 2 },
		c: manualC16, countA: 8, countB: 4, countC: 4},
	"m16n8k16 64": {
		a: func(l, i int) (int, int) {
			return choose(i%2 == 0, l>>2, l>>2+8), choose(i%2 == 0, i*2+l%4, i*2-2+l%4)
		},
		b: func(l, i int) (int, int) { return l%4 + i*4, l >> 2 }, c: manualC16, countA: 8, countB: 4, countC: 4},
	"m16n8k16 8": {
		a: func(l, i int) (int, int) { return choose(i < 4, l>>2, l>>2+8), l%4*4 + i&3 },
		b: func(l, i int) (int, int) { return l%4*4 + i, l >> 2 }, c: manualC16, countA: 8, countB: 4, countC: 4},
	"m16n8k32 8": {
		a: func(l, i int) (int, int) {
			return choose(i < 4 || i >= 8 && i < 12, l>>2, l>>2+8), choose(i < 8, l%4*4+i&3, l%4*4+i&3+16)
		},
		b: func(l, i int) (int, int) { return choose(i < 4, l%4*4+i&3, l%4*4+i&3+16), l >> 2 },
		c: manualC16, countA: 16, countB: 8, countC: 4},
	"m16n8k32 4": {
		a: func(l, i int) (int, int) { return choose(i < 8, l>>2, l>>2+8), l%4*8 + i&7 },
		b: func(l, i int) (int, int) { return l%4*8 + i&7, l >> 2 }, c: manualC16, countA: 16, countB: 8, countC: 4},
	"m16n8k64 4": {
		a: func(l, i int) (int, int) {
			return choose(i < 8 || i >= 16 && i < 24, l>>2, l>>2+8), choose(i < 16, l%4*8+i&7, l%4*8+i&7+32)
		},
		b: func(l, i int) (int, int) { return choose(i < 8, l%4*8+i&7, l%4*8+i&7+32), l >> 2 },
		c: manualC16, countA: 32, countB: 16, countC: 4},
	"m16n8k128 1": {
		a: func(l, i int) (int, int) { return choose(i < 32, l>>2, l>>2+8), l%4*32 + i&31 },
		b: func(l, i int) (int, int) { return l%4*32 + i, l >> 2 }, c: manualC16, countA: 64, countB: 32, countC: 4},
	"m16n8k256 1": {
		a: func(l, i int) (int, int) {
			return choose(i < 32 || i >= 64 && i < 96, l>>2, l>>2+8), choose(i < 64, l%4*32+i&31, l%4*32+i&31+128)
		},
		b: func(l, i int) (int, int) { return choose(i < 32, l%4*32+i&31, l%4*32+i&31+128), l >> 2 },
		c: manualC16, countA: 128, countB: 64, countC: 4},
}

// plainElement returns element i of a share held in registers, as a number.
func plainElement(e ptx.Element, regs []uint64, i int) float64 {
	n := max(32, e.Bits())
	v := regs[i*e.Bits()/n] >> (i * e.Bits() % n)
	switch e {
	case ptx.ElementF16:
		return halfValue(ptx.TypeF16, v&0xffff)
	case ptx.ElementBF16:
		return halfValue(ptx.TypeBF16, v&0xffff)
	case ptx.ElementTF32:
		return float64(math.Float32frombits(uint32(v) &^ 0x1fff))
	case ptx.ElementF32:
		return float64(math.Float32frombits(uint32(v)))
	case ptx.ElementF64:
		return math.Float64frombits(v)
	case ptx.ElementE4M3:
		sign, exponent, fraction := 1-2*float64(v>>7&1), int(v>>3&15), float64(v&7)
		switch {
		case v&0x7f == 0x7f:
			return math.NaN()
		case exponent == 0:
			return sign * math.Ldexp(fraction, -9)
		}
		return sign * math.Ldexp(8+fraction, exponent-10)
	case ptx.ElementE5M2:
		return halfValue(ptx.TypeF16, v&0xff<<8)
	case ptx.ElementS8:
		return float64(int8(v))
	case ptx.ElementU8:
		return float64(uint8(v))
	case ptx.ElementS4:
		return float64(int8(v<<4) >> 4)
	case ptx.ElementU4:
		return float64(v & 15)
	case ptx.ElementB1:
		return float64(v & 1)
	}
	return float64(int32(v))
}

// plainResult converts a sum to the bits of a result.
func plainResult(e ptx.Element, v float64, saturate bool) uint64 {
	switch e {
	case ptx.ElementF16:
		return nearHalf(ptx.TypeF16, v, ptx.RoundNearest)
	case ptx.ElementF32:
		if v != v {
			return oneNaN32
		}
		return uint64(math.Float32bits(float32(v)))
	case ptx.ElementF64:
		return math.Float64bits(v)
	}
	if saturate {
		v = math.Max(math.MinInt32, math.Min(math.MaxInt32, v))
	}
	return uint64(uint32(int64(v)))
}

// mmaTest is one form of mma with its slow twin.
type mmaTest struct {
	shape, mods string // modifiers between shape and types
	d, a, b, c  ptx.Element
}

func (m *mmaTest) text() string {
	popc := ""
	mods := m.mods
	if m.a == ptx.ElementB1 {
		mods, popc = ".row.col", m.mods
	}
	return "mma.sync.aligned." + m.shape + mods + "." + m.d.String() + "." + m.a.String() + "." +
		m.b.String() + "." + m.c.String() + popc
}

func (m *mmaTest) layout() manualLayout {
	if m.shape == "m8n8k4" && m.a == ptx.ElementF16 {
		return manualQuads(strings.HasPrefix(m.mods, ".col"), strings.HasSuffix(m.mods, ".col"), m.c)
	}
	return manualLayouts[fmt.Sprintf("%s %d", m.shape, m.a.Bits())]
}

// manualQuads are the formulas of m8n8k4 on f16, for the product of a lane.
func manualQuads(columnA, columnB bool, c ptx.Element) manualLayout {
	return manualLayout{
		a: func(l, i int) (int, int) {
			if columnA {
				return choose(l < 16, i%4, i%4+4), l % 4
			}
			return choose(l < 16, l%4, l%4+4), i
		},
		b: func(l, i int) (int, int) {
			if columnB {
				return i, choose(l < 16, l%4, l%4+4)
			}
			return l % 4, choose(l < 16, i, i+4)
		},
		c: func(l, i int) (int, int) {
			if c == ptx.ElementF16 {
				return choose(l < 16, l%4, l%4+4), i
			}
			x := l&1 + i&2
			return choose(l < 16, x, x+4), i&4 + l&2 + i&1
		},
		countA: 4, countB: 4, countC: 8,
	}
}

// registersOf is how many registers hold count elements, and their type.
func registersOf(e ptx.Element, count int) (n int, t string) {
	if e == ptx.ElementF64 {
		return count, "b64"
	}
	return max(1, count*e.Bits()/32), "b32"
}

// twin computes D of all lanes with loops over the manual's formulas.
func (m *mmaTest) twin(a, b, c [][]uint64) [][]uint64 {
	lay := m.layout()
	var rows, cols, depth int
	fmt.Sscanf(m.shape, "m%dn%dk%d", &rows, &cols, &depth)
	quads := m.shape == "m8n8k4" && m.a == ptx.ElementF16
	dLayout := lay
	if quads {
		dLayout = manualQuads(false, false, m.d)
	}
	n, _ := registersOf(m.d, dLayout.countC)
	out := make([][]uint64, 32)
	for l := range out {
		out[l] = make([]uint64, n)
	}
	for product := range 4 {
		if product > 0 && !quads {
			break
		}
		var x, y, z [256][256]float64
		for l := range 32 {
			if quads && l%16/4 != product {
				continue
			}
			for i := range lay.countA {
				row, col := lay.a(l, i)
				x[row][col] = plainElement(m.a, a[l], i)
			}
			for i := range lay.countB {
				row, col := lay.b(l, i)
				y[row][col] = plainElement(m.b, b[l], i)
			}
			for i := range lay.countC {
				row, col := lay.c(l, i)
				z[row][col] = plainElement(m.c, c[l], i)
			}
		}
		for i := range rows {
			for j := range cols {
				if m.a.IsFloat() && m.a != ptx.ElementF64 {
					column := make([]float64, depth)
					for k := range column {
						column[k] = y[k][j]
					}
					z[i][j] = plainMatrixSum(m.a, m.c, m.d, x[i][:depth], column, z[i][j], quads, cols)
					continue
				}
				for k := range depth {
					switch {
					case strings.HasPrefix(m.mods, ".xor"):
						z[i][j] += math.Abs(x[i][k] - y[k][j])
					case m.a == ptx.ElementF64:
						z[i][j] = math.FMA(x[i][k], y[k][j], z[i][j])
					default:
						z[i][j] += float64(x[i][k] * y[k][j])
					}
				}
			}
		}
		for l := range 32 {
			if quads && l%16/4 != product {
				continue
			}
			for i := range dLayout.countC {
				row, col := dLayout.c(l, i)
				v := plainResult(m.d, z[row][col], strings.Contains(m.mods, "satfinite"))
				if m.d == ptx.ElementF16 {
					out[l][i/2] |= v << (i % 2 * 16)
				} else {
					out[l][i] = v
				}
			}
		}
	}
	return out
}

// vectorText returns {%a0, %a1} and so on.
func vectorText(name string, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%%%s%d", name, i))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// runRegisters runs one warp that loads registers of the named groups, executes the
// text, and returns group d. A group's values are those of each lane.
func runRegisters(t *testing.T, head, text string, sets []registerSet) [][]uint64 {
	t.Helper()
	var b strings.Builder
	b.WriteString(".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 in, .param .u64 out) {\n")
	b.WriteString(".reg .b64 %at, %to, %off; .reg .b32 %t;\n" + head)
	total := 0
	for _, s := range sets {
		fmt.Fprintf(&b, ".reg .%s %%%s<%d>;\n", s.typ, s.name, s.count)
		if s.values != nil {
			total += s.count
		}
	}
	fmt.Fprintf(&b, "ld.param.u64 %%at, [in]; ld.param.u64 %%to, [out]; mov.u32 %%t, %%tid.x;\nmul.wide.u32 %%off, %%t, %d; add.u64 %%at, %%at, %%off;\n", 8*max(1, total))
	data := make([]byte, 32*8*max(1, total))
	k, results := 0, 0
	var d registerSet
	for _, s := range sets {
		if s.values == nil {
			d, results = s, s.count
			continue
		}
		for i := range s.count {
			fmt.Fprintf(&b, "ld.global.%s %%%s%d, [%%at+%d];\n", s.typ, s.name, i, 8*k)
			for l := range 32 {
				writeBytes(data[8*(l*total+k):], 8, s.values[l][i])
			}
			k++
		}
	}
	fmt.Fprintf(&b, "%s\nmul.wide.u32 %%off, %%t, %d; add.u64 %%to, %%to, %%off;\n", text, 8*results)
	for i := range results {
		fmt.Fprintf(&b, "st.global.%s [%%to+%d], %%%s%d;\n", d.typ, 8*i, d.name, i)
	}
	b.WriteString("ret; }\n")
	module, err := compile.Load("matrix", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	in, _ := image.Alloc("in", uint64(len(data)))
	inBase := in.Base
	out, _ := image.Alloc("out", uint64(32*8*max(1, results)))
	outBase := out.Base
	image.Write(inBase, data)
	params := make([]byte, 16)
	writeBytes(params, 8, inBase)
	writeBytes(params[8:], 8, outBase)
	l := &ptx.Launch{Kernel: loadKernel(t, module, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}, Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{}); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	got := make([][]uint64, 32)
	var word [8]byte
	for l := range got {
		for i := range results {
			image.Read(outBase+uint64(8*(l*results+i)), word[:])
			got[l] = append(got[l], readBytes(word[:], 8))
		}
	}
	return got
}

// registerSet is a group of registers %name0 and so on; values is nil for results.
type registerSet struct {
	name, typ string
	count     int
	values    [][]uint64
}

// randomShare returns registers with elements: small ones, whose sums are exact, or
// any finite ones.
func randomShare(r *rand.Rand, e ptx.Element, n int, small bool) [][]uint64 {
	out := make([][]uint64, 32)
	for l := range out {
		for range n {
			v := r.Uint64()
			if e != ptx.ElementF64 {
				v &= math.MaxUint32
			}
			x := r.Intn(17) - 8
			switch {
			case e == ptx.ElementF64 && small:
				v = math.Float64bits(float64(x))
			case e == ptx.ElementF64:
				v = math.Float64bits(math.Ldexp(r.Float64()-0.5, r.Intn(20)))
			case e == ptx.ElementF32 && small:
				v = uint64(math.Float32bits(float32(x)))
			case e == ptx.ElementF32:
				v = uint64(math.Float32bits(float32(math.Ldexp(r.Float64()-0.5, r.Intn(20)))))
			case e == ptx.ElementTF32 && small:
				v = uint64(math.Float32bits(float32(x)))
			case e == ptx.ElementTF32:
				v = uint64(math.Float32bits(float32(math.Ldexp(r.Float64()-0.5, r.Intn(20)))))
			case e == ptx.ElementF16 && small:
				v = nearHalf(ptx.TypeF16, float64(x), ptx.RoundNearest) | nearHalf(ptx.TypeF16, float64(r.Intn(9)), ptx.RoundNearest)<<16
			case e == ptx.ElementBF16 && small:
				v = nearHalf(ptx.TypeBF16, float64(x), ptx.RoundNearest) | nearHalf(ptx.TypeBF16, float64(r.Intn(9)), ptx.RoundNearest)<<16
			case e == ptx.ElementS32 && small:
				v &= 0xffff
			}
			out[l] = append(out[l], v)
		}
	}
	return out
}

var mmaTests = func() (list []mmaTest) {
	add := func(d, a, b, c ptx.Element, mods string, shapes ...string) {
		for _, shape := range shapes {
			list = append(list, mmaTest{shape, mods, d, a, b, c})
		}
	}
	for _, e := range []ptx.Element{ptx.ElementF16, ptx.ElementF32} {
		add(e, ptx.ElementF16, ptx.ElementF16, e, ".row.col", "m16n8k8", "m16n8k16")
		for _, layouts := range []string{".row.row", ".row.col", ".col.row", ".col.col"} {
			add(e, ptx.ElementF16, ptx.ElementF16, e, layouts, "m8n8k4")
		}
		add(e, ptx.ElementE4M3, ptx.ElementE4M3, e, ".row.col", "m16n8k16", "m16n8k32")
		add(e, ptx.ElementE4M3, ptx.ElementE5M2, e, ".row.col", "m16n8k32")
		add(e, ptx.ElementE5M2, ptx.ElementE5M2, e, ".row.col", "m16n8k32")
	}
	add(ptx.ElementF32, ptx.ElementF16, ptx.ElementF16, ptx.ElementF16, ".col.row", "m8n8k4")
	add(ptx.ElementF32, ptx.ElementBF16, ptx.ElementBF16, ptx.ElementF32, ".row.col", "m16n8k8", "m16n8k16")
	add(ptx.ElementF32, ptx.ElementTF32, ptx.ElementTF32, ptx.ElementF32, ".row.col", "m16n8k4", "m16n8k8")
	add(ptx.ElementF64, ptx.ElementF64, ptx.ElementF64, ptx.ElementF64, ".row.col", "m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16")
	for _, finite := range []string{".row.col", ".row.col.satfinite"} {
		for _, p := range [][2]ptx.Element{{ptx.ElementS8, ptx.ElementS8}, {ptx.ElementU8, ptx.ElementU8}, {ptx.ElementS8, ptx.ElementU8}, {ptx.ElementU8, ptx.ElementS8}} {
			add(ptx.ElementS32, p[0], p[1], ptx.ElementS32, finite, "m8n8k16", "m16n8k16", "m16n8k32")
		}
		for _, p := range [][2]ptx.Element{{ptx.ElementS4, ptx.ElementS4}, {ptx.ElementU4, ptx.ElementU4}, {ptx.ElementS4, ptx.ElementU4}, {ptx.ElementU4, ptx.ElementS4}} {
			add(ptx.ElementS32, p[0], p[1], ptx.ElementS32, finite, "m8n8k32", "m16n8k32", "m16n8k64")
		}
	}
	add(ptx.ElementS32, ptx.ElementB1, ptx.ElementB1, ptx.ElementS32, ".xor.popc", "m8n8k128", "m16n8k128", "m16n8k256")
	add(ptx.ElementS32, ptx.ElementB1, ptx.ElementB1, ptx.ElementS32, ".and.popc", "m8n8k128", "m16n8k128", "m16n8k256")
	return list
}()

// TestMma compares every form with its twin: operands that give exact sums, and any.
func TestMma(t *testing.T) {
	for _, m := range mmaTests {
		lay := m.layout()
		na, ta := registersOf(m.a, lay.countA)
		nb, tb := registersOf(m.b, lay.countB)
		nc, tc := registersOf(m.c, lay.countC)
		nd, td := registersOf(m.d, lay.countC)
		if m.a.Bits() == 1 {
			na, nb = lay.countA/32, lay.countB/32
		}
		r := newRand(int64(len(m.text())))
		for round := range 4 {
			small := round < 2
			a, b, c := randomShare(r, m.a, na, small), randomShare(r, m.b, nb, small), randomShare(r, m.c, nc, small)
			want := m.twin(a, b, c)
			text := m.text() + " " + vectorText("d", nd) + ", " + vectorText("a", na) + ", " + vectorText("b", nb) + ", " + vectorText("c", nc) + ";"
			got := runRegisters(t, "", text, []registerSet{{"a", ta, na, a}, {"b", tb, nb, b}, {"c", tc, nc, c}, {"d", td, nd, nil}})
			for l := range got {
				for i := range got[l] {
					if got[l][i] != want[l][i] {
						t.Fatalf("%s, round %d: register %d of lane %d is %x, want %x", m.text(), round, i, l, got[l][i], want[l][i])
					}
				}
			}
		}
	}
	t.Logf("%d forms", len(mmaTests))
}
