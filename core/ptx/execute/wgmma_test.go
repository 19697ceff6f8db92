package execute

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// groupTest is one wgmma.mma_async with its slow twin.
type groupTest struct {
	d, a, b          ptx.Element
	n                int
	sparse, regs     bool
	acrossA, acrossB bool
	span             int // of the swizzle; 16 is none
	negA, negB, sat  bool
	scale            string // operand
	selector         int
	a0, b0           int // places of A and B in shared memory
	rnd              *rand.Rand
	x, y             [][]uint64 // bits of A, as stored, and of B: [row][k], [column][k]
	place            [][]int    // of the elements of A along K
}

func (g *groupTest) depth() int { return 256 / g.a.Bits() * choose(g.sparse, 2, 1) }

func (g *groupTest) text() string {
	sp, sat, popc := "", "", ""
	if g.sparse {
		sp = ".sp"
	}
	if g.sat {
		sat = ".satfinite"
	}
	if g.a == ptx.ElementB1 {
		popc = ".and.popc"
	}
	return fmt.Sprintf("wgmma.mma_async%s.sync.aligned.m64n%dk%d%s.%s.%s.%s%s", sp, g.n, g.depth(), sat, g.d, g.a, g.b,
		popc)
}

// steps are the leading and the stride offset of a matrix: those of a tile without gaps, but for 32 bytes of padding.
func (g *groupTest) steps(across bool, rows, rowBytes int) (leading, stride int) {
	switch {
	case !across && g.span == 16:
		return rows*16 + 32, 128
	case !across:
		return rows*g.span + g.span*8, g.span * 8
	case g.span == 16:
		return 128, 128*(rowBytes/16) + 32
	}
	return g.span * 8 * (rowBytes / 16), g.span * 8
}

// twinPlace is where the canonical layouts put an element (PTX ISA, "Canonical Layouts" of wgmma), in bits.
func (g *groupTest) twinPlace(start int, across bool, leading, stride, mn, k, bitSize int) int {
	var at int
	byteOf := k * bitSize / 8
	switch {
	case !across && g.span == 16:
		at = mn%8*16 + mn/8*stride + byteOf%16 + byteOf/16*leading
	case !across:
		at = mn%8*g.span + mn/8*stride + byteOf%g.span + byteOf/g.span*leading
	case g.span == 16:
		at = mn%8*2 + mn/8*stride + k%8*16 + k/8*leading
	default:
		per := g.span / 2
		at = mn%per*2 + mn/per*leading + k%8*g.span + k/8*stride
	}
	at += start
	switch g.span {
	case 32:
		at ^= at >> 7 & 1 << 4
	case 64:
		at ^= at >> 7 & 3 << 4
	case 128:
		at ^= at >> 7 & 7 << 4
	}
	return at*8 + k*bitSize%8
}

func (g *groupTest) element(e ptx.Element) uint64 {
	switch e {
	case ptx.ElementF16:
		return uint64(g.rnd.Intn(0x2000) + 0x2c00 | g.rnd.Intn(2)<<15)
	case ptx.ElementBF16:
		return uint64(g.rnd.Intn(0x400) + 0x3e00 | g.rnd.Intn(2)<<15)
	case ptx.ElementTF32:
		return uint64(math.Float32bits(float32(g.rnd.NormFloat64())))
	case ptx.ElementE4M3:
		return uint64(g.rnd.Intn(0x7f) | g.rnd.Intn(2)<<7)
	case ptx.ElementE5M2:
		return uint64(g.rnd.Intn(0x7c) | g.rnd.Intn(2)<<7)
	}
	return g.rnd.Uint64() & (1<<e.Bits() - 1)
}

// fill makes random operands and writes them into shared memory.
func (g *groupTest) fill(shared []byte) {
	put := func(at, size int, v uint64) {
		for i := range size {
			shared[(at+i)/8] |= byte(v>>i&1) << ((at + i) % 8)
		}
	}
	stored := 256 / g.a.Bits()
	leadA, strideA := g.steps(g.acrossA, 64, 32)
	leadB, strideB := g.steps(g.acrossB, g.n, 32*choose(g.sparse, 2, 1))
	g.x, g.place, g.y = nil, nil, nil
	for row := range 64 {
		x, place := make([]uint64, stored), make([]int, stored)
		for l := range x {
			x[l] = g.element(g.a)
			place[l] = l
			switch {
			case g.sparse && g.a == ptx.ElementTF32:
				place[l] = 2*l + g.rnd.Intn(2)
			case g.sparse && l%2 == 0:
				place[l] = 2*l + g.rnd.Intn(3)
			case g.sparse:
				place[l] = place[l-1] + 1 + g.rnd.Intn(2*l+1-place[l-1])
			}
			if !g.regs {
				put(g.twinPlace(g.a0, g.acrossA, leadA, strideA, row, l, g.a.Bits()), g.a.Bits(), x[l])
			}
		}
		g.x, g.place = append(g.x, x), append(g.place, place)
	}
	for column := range g.n {
		y := make([]uint64, g.depth())
		for k := range y {
			y[k] = g.element(g.b)
			put(g.twinPlace(g.b0, g.acrossB, leadB, strideB, column, k, g.b.Bits()), g.b.Bits(), y[k])
		}
		g.y = append(g.y, y)
	}
}

// metadata returns the word of a thread: figures of "Sparse matrix storage". Words that do not count are wrong on
// purpose.
func (g *groupTest) metadata(thread int) (v uint32) {
	warp, lane := thread/32, thread%32
	row, quad := 16*warp+lane/4, lane%4
	nibble := func(row, group int) uint32 {
		if g.a == ptx.ElementTF32 {
			return [2]uint32{0b0100, 0b1110}[g.place[row][group]%2]
		}
		return uint32(g.place[row][2*group]%4 | g.place[row][2*group+1]%4<<2)
	}
	if g.a.Bits() == 8 {
		for i := range 8 {
			v |= nibble(row+quad%2*8, quad/2*8+i) << (4 * i)
		}
		return v
	}
	if quad/2 != g.selector {
		return 0
	}
	for i := range 4 {
		v |= nibble(row, quad%2*4+i)<<(4*i) | nibble(row+8, quad%2*4+i)<<(4*i+16)
	}
	return v
}

// registersOfA returns the words of a thread: figure "WGMMA fragment layout for matrix A".
func (g *groupTest) registersOfA(thread int) (v [4]uint32) {
	per := 32 / g.a.Bits()
	for r := range v {
		row := thread/32*16 + thread%32/4 + r%2*8
		for i := range per {
			v[r] |= uint32(g.x[row][thread%4*per+r/2*4*per+i]) << (i * g.a.Bits())
		}
	}
	return v
}

// twin returns the bits of an element of D.
func (g *groupTest) twin(row, column int, c uint64) uint64 {
	x, y := make([]float64, len(g.x[row])), make([]float64, len(g.x[row]))
	total := plainElement(g.d, []uint64{c}, 0)
	if g.scale == "0" || g.scale == "!%p1" {
		total = 0
	}
	for l := range x {
		x[l] = plainElement(g.a, []uint64{g.x[row][l]}, 0) * float64(choose(g.negA, -1, 1))
		y[l] = plainElement(g.b, []uint64{g.y[column][g.place[row][l]]}, 0) * float64(choose(g.negB, -1, 1))
	}
	if !g.a.IsFloat() {
		for l := range x {
			total += x[l] * y[l]
		}
		return plainResult(g.d, total, g.sat)
	}
	all := make([]int, len(x))
	for l := range all {
		all[l] = l
	}
	lowest := choose(g.d == ptx.ElementF16, -14, -126)
	factors := map[ptx.Element]int{ptx.ElementF16: -14, ptx.ElementE5M2: -14, ptx.ElementE4M3: -6,
		ptx.ElementBF16: -126, ptx.ElementTF32: -126}
	total = plainAligned([2]int{factors[g.a], factors[g.b]}, choose(g.a.Bits() == 8, 13, 25), all, x, y, total, lowest)
	if g.d == ptx.ElementF32 {
		total = plainCut(total)
	}
	return plainResult(g.d, total, false)
}

const groupShared = 200 << 10

// program is a kernel that copies its shared memory and its registers from buffers, multiplies, and stores D.
func (g *groupTest) program() string {
	leadA, strideA := g.steps(g.acrossA, 64, 32)
	leadB, strideB := g.steps(g.acrossB, g.n, 32*choose(g.sparse, 2, 1))
	descriptor := func(start, lead, stride int) uint64 {
		layout := map[int]uint64{16: 0, 128: 1, 64: 2, 32: 3}[g.span]
		return uint64(start>>4) | uint64(lead>>4)<<16 | uint64(stride>>4)<<32 | layout<<62
	}
	sums := g.n * 64 / 128 * g.d.Bits() / 32
	var d, load, store []string
	for i := range sums {
		d = append(d, fmt.Sprintf("%%d%d", i))
		load = append(load, fmt.Sprintf("ld.global.u32 %%d%d, [%%rd2+%d];", i, 4*i))
		store = append(store, fmt.Sprintf("st.global.u32 [%%rd2+%d], %%d%d;", 4*i, i))
	}
	a := "%rd4"
	if g.regs {
		a = "{%r4, %r5, %r6, %r7}"
	}
	operands := []string{"{" + strings.Join(d, ", ") + "}", a, "%rd5"}
	if g.sparse {
		operands = append(operands, "%r8", fmt.Sprint(g.selector))
	}
	operands = append(operands, g.scale)
	if g.a.IsFloat() {
		operands = append(operands, fmt.Sprint(choose(g.negA, -1, 1)), fmt.Sprint(choose(g.negB, -1, 1)))
		if g.a.Bits() == 16 && !g.regs {
			operands = append(operands, fmt.Sprint(choose(g.acrossA, 1, 0)))
		}
		if g.a.Bits() == 16 {
			operands = append(operands, fmt.Sprint(choose(g.acrossB, 1, 0)))
		}
	}
	return fmt.Sprintf(`.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 image, .param .u64 d, .param .u64 a)
{
	.reg .b32 %%r<20>; .reg .b32 %%d<128>; .reg .b64 %%rd<20>; .reg .pred %%p<4>;
	.shared .align 1024 .b8 s[%d];
	ld.param.u64 %%rd1, [image]; ld.param.u64 %%rd2, [d]; ld.param.u64 %%rd3, [a];
	mov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 4;
copy:
	cvt.u64.u32 %%rd8, %%r2; add.u64 %%rd8, %%rd8, %%rd1;
	ld.global.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%rd8];
	st.shared.v4.u32 [%%r2], {%%r10, %%r11, %%r12, %%r13};
	add.u32 %%r2, %%r2, 2048; setp.lt.u32 %%p2, %%r2, %d; @%%p2 bra copy;
	bar.sync 0;
	mul.wide.u32 %%rd9, %%r1, 20; add.u64 %%rd3, %%rd3, %%rd9;
	ld.global.u32 %%r4, [%%rd3]; ld.global.u32 %%r5, [%%rd3+4]; ld.global.u32 %%r6, [%%rd3+8];
	ld.global.u32 %%r7, [%%rd3+12];
	ld.global.u32 %%r8, [%%rd3+16];
	mul.wide.u32 %%rd9, %%r1, %d; add.u64 %%rd2, %%rd2, %%rd9;
	%s
	mov.b64 %%rd4, %#x; mov.b64 %%rd5, %#x;
	setp.eq.u32 %%p1, 0, 0;
	fence.proxy.async.shared::cta;
	wgmma.fence.sync.aligned;
	%s %s;
	wgmma.commit_group.sync.aligned;
	wgmma.wait_group.sync.aligned 0;
	%s
	ret;
}
`, groupShared, groupShared, 4*sums, strings.Join(load, "\n\t"),
		descriptor(g.a0, leadA, strideA), descriptor(g.b0, leadB, strideB),
		g.text(), strings.Join(operands, ", "), strings.Join(store, "\n\t"))
}

// run compares every third element of D, or fewer, with the twin.
func (g *groupTest) run(t *testing.T) {
	text := g.program()
	m, err := compile.Load("k.ptx", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<24)
	shared := make([]byte, groupShared)
	g.fill(shared)
	sums := g.n * 64 / 128 * g.d.Bits() / 32
	before, registers := make([]byte, 128*4*sums), make([]byte, 128*20)
	for i := 0; i < len(before); i += 4 {
		v := math.Float32bits(float32(g.rnd.NormFloat64()))
		switch g.d {
		case ptx.ElementF16:
			v = uint32(g.element(ptx.ElementF16) | g.element(ptx.ElementF16)<<16)
		case ptx.ElementS32:
			v = uint32(choose(g.sat, math.MaxInt32-100, g.rnd.Intn(1e6)))
		}
		binary.LittleEndian.PutUint32(before[i:], v)
	}
	for thread := range 128 {
		if g.regs {
			for r, v := range g.registersOfA(thread) {
				binary.LittleEndian.PutUint32(registers[thread*20+4*r:], v)
			}
		}
		if g.sparse {
			binary.LittleEndian.PutUint32(registers[thread*20+16:], g.metadata(thread))
		}
	}
	params := make([]byte, 24)
	var at [3]uint64
	for i, b := range [][]byte{shared, before, registers} {
		buffer, _ := image.Alloc(fmt.Sprint(i), uint64(len(b)))
		image.Write(buffer.Base, b)
		at[i] = buffer.Base
		binary.LittleEndian.PutUint64(params[8*i:], buffer.Base)
	}
	l := &ptx.Launch{Kernel: loadKernel(t, m, "k", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{128, 1, 1},
		Params: params}
	if _, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e6}); err != nil {
		t.Fatalf("%s: %v", g.text(), err)
	}
	after := make([]byte, len(before))
	image.Read(at[1], after)
	g.compare(t, before, after)
}

func (g *groupTest) compare(t *testing.T, before, after []byte) {
	sums := g.n * 64 / 128 * g.d.Bits() / 32
	for thread := range 128 {
		for i := range g.n / 2 { // elements of a thread
			if (thread+i)%(3+g.n/16) != 0 {
				continue
			}
			row, column := thread/32*16+thread%32/4+i/2%2*8, i/4*8+thread%4*2+i%2
			word, shift, mask := i, 0, uint32(math.MaxUint32)
			if g.d == ptx.ElementF16 {
				word, shift, mask = i/2, i%2*16, 0xffff
			}
			place := (thread*sums + word) * 4
			old := binary.LittleEndian.Uint32(before[place:]) >> shift & mask
			got := binary.LittleEndian.Uint32(after[place:]) >> shift & mask
			if want := uint32(g.twin(row, column, uint64(old))); got != want {
				t.Fatalf("%s, row %d, column %d: %#x, want %#x\n%+v", g.text(), row, column, got, want,
					[...]any{g.span, g.regs, g.acrossA, g.acrossB, g.scale})
			}
		}
	}
}

// groupTypes are the combinations of types of wgmma.
func groupTypes() (list [][3]ptx.Element) {
	for _, d := range []ptx.Element{ptx.ElementF16, ptx.ElementF32} {
		list = append(list, [3]ptx.Element{d, ptx.ElementF16, ptx.ElementF16})
		for _, a := range []ptx.Element{ptx.ElementE4M3, ptx.ElementE5M2} {
			for _, b := range []ptx.Element{ptx.ElementE4M3, ptx.ElementE5M2} {
				list = append(list, [3]ptx.Element{d, a, b})
			}
		}
	}
	for _, a := range []ptx.Element{ptx.ElementS8, ptx.ElementU8} {
		for _, b := range []ptx.Element{ptx.ElementS8, ptx.ElementU8} {
			list = append(list, [3]ptx.Element{ptx.ElementS32, a, b})
		}
	}
	return append(list, [3]ptx.Element{ptx.ElementF32, ptx.ElementBF16, ptx.ElementBF16},
		[3]ptx.Element{ptx.ElementF32, ptx.ElementTF32, ptx.ElementTF32}, [3]ptx.Element{ptx.ElementS32, ptx.ElementB1,
			ptx.ElementB1})
}

// TestGroupMultiply runs wgmma.mma_async in every shape and combination of types, dense and sparse; sources of A,
// layouts and modifiers take turns.
func TestGroupMultiply(t *testing.T) {
	rnd := rand.New(rand.NewSource(37))
	for i, types := range groupTypes() {
		for n := 8; n <= 256; n += 8 {
			if !types[1].IsFloat() && n > 32 && n%16 != 0 {
				continue
			}
			for dense := range 2 {
				g := &groupTest{d: types[0], a: types[1], b: types[2], n: n, rnd: rnd, sparse: dense == 1 &&
					types[1] != ptx.ElementB1}
				turn := rnd.Intn(1 << 16)
				g.span, g.regs = 16<<(turn%4), turn>>2%2 == 0
				g.a0, g.b0 = 0, 96<<10
				if g.span == 16 {
					g.a0, g.b0 = 48, 96<<10+16
				}
				g.scale = []string{"0", "1", "%p1", "!%p1"}[turn>>3%4]
				if g.a.Bits() == 16 {
					g.acrossA, g.acrossB = turn>>5%2 == 0 && !g.regs, turn>>6%2 == 0
				}
				if g.a.IsFloat() {
					g.negA, g.negB = turn>>7%2 == 0, turn>>8%2 == 0
				}
				g.sat = turn>>9%2 == 0 && g.a.Bits() == 8 && !g.a.IsFloat()
				if g.sparse && g.a.Bits() > 8 {
					g.selector = turn >> 10 % 2
				}
				if testing.Short() && (n/8+i)%4 != 0 {
					continue
				}
				g.run(t)
			}
		}
	}
}
