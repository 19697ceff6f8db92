package execute

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// fillShared makes half h of a shared buffer of 2048 bytes 7*h+3; %b0 is the byte at
// which a lane's row begins.
const fillShared = `.shared .align 16 .b8 buffer[2048]; .reg .b32 %s, %x, %y, %row; .reg .b64 %wide; .reg .pred %p;
`

const fillSharedText = `mov.u32 %s, buffer; mov.u32 %x, %t;
FILL: mad.lo.u32 %y, %x, 7, 3; mad.lo.u32 %row, %x, 2, %s; st.shared.b16 [%row], %y; add.u32 %x, %x, 32; setp.lt.u32 %p, %x, 1024; @%p bra FILL;
add.u32 %row, %s, %b0; cvta.shared.u64 %wide, 0; cvt.u64.u32 %off, %row; add.u64 %wide, %wide, %off;
`

func sharedHalf(at uint64) uint64 { return (at/2*7 + 3) & 0xffff }

// TestLdmatrix reads rows at random places, with 32-bit, generic and constant
// addresses.
func TestLdmatrix(t *testing.T) {
	r := newRand(5)
	for _, count := range []int{1, 2, 4} {
		for _, trans := range []bool{false, true} {
			for _, form := range []string{".shared.b16 %s, [%row]", ".shared::cta.b16 %s, [%row+16]", ".b16 %s, [%wide]", ".shared.b16 %s, [buffer+32]"} {
				rows := make([][]uint64, 32)
				for l := range rows {
					rows[l] = []uint64{uint64(r.Intn(120)) * 16}
				}
				at := func(lane int) uint64 {
					switch {
					case strings.Contains(form, "%row+16"):
						return rows[lane][0] + 16
					case strings.Contains(form, "buffer"):
						return 32
					}
					return rows[lane][0]
				}
				mods := fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d", count)
				if trans {
					mods += ".trans"
				}
				text := fillSharedText + mods + strings.Replace(form, "%s", vectorText("d", count), 1) + ";"
				got := runRegisters(t, fillShared, text, []registerSet{{"b", "b32", 1, rows}, {"d", "b32", count, nil}})
				for l := range 32 {
					for j := range count {
						var want uint64
						for e := range 2 {
							row, col := l/4, l%4*2+e
							if trans {
								row, col = col, row
							}
							want |= sharedHalf(at(8*j+row)+uint64(2*col)) << (16 * e)
						}
						if got[l][j] != want {
							t.Fatalf("%s: matrix %d of lane %d is %x, want %x", mods+form, j, l, got[l][j], want)
						}
					}
				}
			}
		}
	}
}

// TestStmatrix writes rows to places that do not overlap, and reads them back.
func TestStmatrix(t *testing.T) {
	r := newRand(6)
	for _, count := range []int{1, 2, 4} {
		for _, trans := range []bool{false, true} {
			rows, values := make([][]uint64, 32), randomShare(r, ptx.ElementS8, count, false)
			for l, p := range r.Perm(32) {
				rows[l] = []uint64{uint64(p) * 48}
			}
			mods := fmt.Sprintf("stmatrix.sync.aligned.m8n8.x%d", count)
			if trans {
				mods += ".trans"
			}
			text := fillSharedText + mods + ".shared.b16 [%row], " + vectorText("a", count) + ";\n" +
				"ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%row];"
			got := runRegisters(t, fillShared, text, []registerSet{{"b", "b32", 1, rows}, {"a", "b32", count, values}, {"d", "b32", 4, nil}})
			for l := range 32 {
				for col := range 8 {
					want := sharedHalf(rows[l][0] + uint64(2*col))
					if l < 8*count {
						lane, e := l%8*4+col/2, col%2
						if trans {
							lane, e = col*4+l%8/2, l%2
						}
						want = values[lane][l/8] >> (16 * e) & 0xffff
					}
					if g := got[l][col/2] >> (col % 2 * 16) & 0xffff; g != want {
						t.Fatalf("%s: element %d of row %d is %x, want %x", mods, col, l, g, want)
					}
				}
			}
		}
	}
}

func TestMovmatrix(t *testing.T) {
	a := randomShare(newRand(7), ptx.ElementS8, 1, false)
	got := runRegisters(t, "", "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;", []registerSet{{"a", "b32", 1, a}, {"d", "b32", 1, nil}})
	at := func(v [][]uint64, row, col int) uint64 { return v[row*4+col/2][0] >> (col % 2 * 16) & 0xffff }
	for row := range 8 {
		for col := range 8 {
			if at(got, row, col) != at(a, col, row) {
				t.Fatalf("row %d, column %d: %x, want %x", row, col, at(got, row, col), at(a, col, row))
			}
		}
	}
}

// matrixKernel runs text in a kernel with one warp of the given number of threads.
func matrixKernel(t *testing.T, threads uint32, text string) error {
	t.Helper()
	m, err := compile.Load("matrix.ptx", []byte(`.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 in) {
.reg .b32 %r<40>; .reg .f32 %f<16>; .reg .f64 %d<16>; .reg .b64 %at; .reg .pred %p; .shared .align 16 .b8 buffer[1024];
mov.u32 %r30, %tid.x; setp.lt.u32 %p, %r30, 7; mov.u32 %r31, buffer; ld.param.u64 %at, [in];
`+text+"\nret; }\n"))
	if err != nil {
		return err
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
	in, _ := image.Alloc("in", 1024)
	params := make([]byte, 8)
	writeBytes(params, 8, in.Base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params}
	_, err = RunFunctional(l, image, FunctionalOptions{})
	return err
}

// TestMatrixFaults: what goes wrong while a matrix instruction runs names kernel,
// thread and line.
func TestMatrixFaults(t *testing.T) {
	const mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2}, {%f0, %f1, %f2, %f3};"
	const together = " threads of the warp execute an .aligned instruction"
	for _, c := range []struct {
		threads    uint32
		text, want string
	}{
		{32, mma, ""},
		{32, "@!%p bra END; " + mma + "\nEND:", "test:7:15: CTA (0,0,0) warp 0 thread (0,0,0): " + "7" + together},
		{32, "@%p " + mma, "7" + together},
		{20, mma, "20" + together},
		{32, "@%p exit; " + mma, "thread (7,0,0): " + "25" + together},
		{32, "setp.lt.u32 %p, %r30, 0; @%p " + mma, ""},
		{32, "@%p ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r31];", "7" + together},
		{32, "@%p wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%at], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, 16;", "7" + together},
		{32, "mad.lo.u32 %r31, %r30, 24, %r31; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r31];",
			"test:7:34: CTA (0,0,0) warp 0 thread (1,0,0): misaligned access: 16 bytes at 0x18"},
		{32, "mad.lo.u32 %r31, %r30, 64, %r31; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0, %r1}, [%r31];", ""},
		{32, "mad.lo.u32 %r31, %r30, 64, %r31; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r31];",
			"thread (16,0,0): 16 bytes at offset 0x400 of shared memory, which has 1024 bytes"},
		{32, "mad.lo.u32 %r31, %r30, 64, %r31; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r31], {%r0, %r1, %r2, %r3};",
			"thread (16,0,0): 16 bytes at offset 0x400 of shared memory, which has 1024 bytes"},
		{32, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 { %r0 }, [ %r31 + 0 ]; cp.async.wait_group 0x2;", ""},
		{32, "ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%at];", "row 0 of a matrix is not in shared memory"},
		{32, "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%at], 40;",
			"load of 4 bytes at"},
	} {
		err := matrixKernel(t, c.threads, c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestMatrixRefused: forms the manual does not have, or that are not supported, are
// named where they stand.
func TestMatrixRefused(t *testing.T) {
	four, two := "{%f0, %f1, %f2, %f3}", "{%r0, %r1}"
	for _, c := range []struct{ text, want string }{
		{"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + four + ", " + two + ", " + two + ", " + four + ", %r4, 0x4;", "the selector of the metadata is a constant from 0 to 3"},
		{"mma.sync.aligned.m16n8k8.col.col.f32.f16.f16.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction mma.sync.aligned.m16n8k8.col.col"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction"},
		{"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 {%r4, %r5}, " + two + ", {%r2}, " + four + ";", "unsupported instruction"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f32.f32.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction"},
		{"mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction"},
		{"mma.sync.aligned.m16n8k8.row.col.satfinite.f32.f16.f16.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " + four + ", {%r0, %r1, %r2}, {%r2}, " + four + ";", "want a vector of 2 elements"},
		{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 " + four + ", {%d0, %d1}, {%r2}, " + four + ";", "%d0 has 64 bits"},
		{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 " + four + ", {%r0, %r1, %r2, %r3}, " + two + ", " + four + ";", "(matrices of 8 bits and less)"},
		{"tcgen05.fence::before_thread_sync;", "unsupported instruction tcgen05"},
		{"tcgen05.wait::ld.sync.aligned;", "unsupported instruction tcgen05.wait::ld.sync.aligned"},
		{"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [%at];", "unsupported instruction ldmatrix"},
		{"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%r31];", "unsupported instruction ldmatrix"},
		{"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0, %r1, %r2}, [%r31];", "unsupported instruction ldmatrix"},
		{"movmatrix.sync.aligned.m8n8.b16 %r0, %r1;", "unsupported instruction movmatrix"},
		{"wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%at];", "unsupported instruction wmma.load"},
		{"wmma.load.a.sync.aligned.col.m8n8k32.s4 {%r0}, [%at];", "unsupported instruction wmma.load"},
		{"wmma.load.d.sync.aligned.row.m16n16k16.f16 {%r0, %r1, %r2, %r3}, [%at];", "unsupported instruction wmma.load"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.local.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%at];", "unsupported instruction wmma.load"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0, %r1, %r2, %r3}, [%at];", "want a vector of 8 elements"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16.f16.f16.f32 " + four + ", " + two + ", {%r2}, " + four + ";", "unsupported instruction wmma.mma"},
	} {
		err := matrixKernel(t, 32, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "matrix.ptx:7:") {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestSumsOfMma shows how sums of products round: bits of the smaller products below 2^-25
// of the largest exponent are cut off. The values are an NVIDIA H200's.
func TestSumsOfMma(t *testing.T) {
	ones := func(n int, v uint64) [][]uint64 {
		out := make([][]uint64, 32)
		for l := range out {
			for range n {
				out[l] = append(out[l], v)
			}
		}
		return out
	}
	for _, c := range []struct {
		half     uint64 // of all elements of A and B
		sum      float32
		products string
		want     float32
	}{
		{0x0c00, 8, "16 products of 2^-24", 8},               // each is cut to 2^-22, to zero
		{0x1000, 8, "16 products of 2^-22", 8 + 0x1p-18},     // all bits stay
		{0x1000, -8, "16 products of 2^-22", -8 + 0x1p-18},   // and the last place of the result holds them
		{0x1001, 8, "16 products beyond 2^-22", 8 + 0x1p-18}, // the bits beyond are cut
		{0x1001, 0, "16 products beyond 2^-22", 0x1.00801p-18},
	} {
		got := sumOfMma(t, ones(4, c.half<<16|c.half), ones(2, c.half<<16|c.half), ones(4, uint64(math.Float32bits(c.sum))))
		if got != c.want {
			t.Errorf("%v and %s: %x, want %x", c.sum, c.products, got, c.want)
		}
	}
}

func sumOfMma(t *testing.T, a, b, c [][]uint64) float32 {
	t.Helper()
	got := runRegisters(t, "", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};", []registerSet{
		{"a", "b32", 4, a}, {"b", "b32", 2, b}, {"c", "b32", 4, c}, {"d", "b32", 4, nil}})
	return math.Float32frombits(uint32(got[0][0]))
}

// TestMatrixSeed keeps the seed of FuzzParse free of errors.
func TestMatrixSeed(t *testing.T) {
	m, err := compile.Load("seed", []byte(matrixSeed))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compile.Kernel(m, "test", nil); err != nil {
		t.Fatal(err)
	}
}

// TestMatrixNoAllocation: matrix instructions cost no memory.
func TestMatrixNoAllocation(t *testing.T) {
	m, err := compile.Load("matrix", []byte(`.version 8.0
.target sm_90
.address_size 64
.visible .entry test() {
.reg .b32 %r<8>; .reg .f32 %f<4>; .shared .align 16 .b8 tile[512];
mov.u32 %r7, %laneid; mad.lo.u32 %r7, %r7, 16, tile;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r7];
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%f0, %f1, %f2, %f3};
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r0, %r1}, {%r0, %r1, %r2, %r3};
movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r7], {%r0};
ret; }
`))
	if err != nil {
		t.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<16)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}
	r := newRunner(l, image, FunctionalOptions{})
	if n := testing.AllocsPerRun(5, func() {
		r.start([3]uint32{})
		for more := true; more; {
			var err error
			if more, err = r.turn(); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// matrixSeed has matrix instructions of all kinds, for FuzzParse.
const matrixSeed = `.version 8.0
.target sm_90
.address_size 64
.visible .entry test(.param .u64 in) {
.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .b64 %at; .reg .pred %p; .shared .align 16 .b8 tile[512];
ld.param.u64 %at, [in];
@%p mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, _}, {%r0, %r1, %r2, 3}, {%r0, %r1}, {%f0, %f1, 0f00000000, %f3};
mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r0, %r1}, {%r2, %r3}, {%r4, %r5, %r6, %r7};
mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64.rz {%d0, %d1}, {%d2}, %d3, {%d0, %d1};
mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r0, %r1, %r2, %r3};
ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r1, _, %r3}, [tile+16];
stmatrix.sync.aligned.m8n8.x1.b16 [%at], {%r0};
wmma.load.a.sync.aligned.col.m8n32k16.global.s8 {%r0}, [%at+8], 32;
wmma.load.b.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [tile];
wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {%r0, %r1}, {%r2}, {%r3}, {%r4, %r5};
wmma.store.d.sync.aligned.col.m32n8k16.f16 [%at], {%r0, %r1, %r2, %r3}, %r4;
cp.async.cg.shared.global.L2::cache_hint [tile], [%at], 16, %r0, %at;
ret; }
`
