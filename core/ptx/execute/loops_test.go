package execute

import (
	"encoding/binary"
	"math"
	"os"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// loops are whole kernels, to be run without timing: the two whose speed is
// promised, and two that the fast ways for whole warps do not help.
var loops = []struct {
	name, file, text string
	grid, block      [3]uint32
	buffers          []uint64 // bytes
	last             []uint32 // the arguments after them
}{
	{name: "vecadd", file: "vecadd", grid: [3]uint32{64, 1, 1}, block: [3]uint32{256, 1, 1}, buffers: []uint64{1 << 16, 1 << 16, 1 << 16}, last: []uint32{1 << 14}},
	{name: "matmul", file: "matmul", grid: [3]uint32{3, 3, 1}, block: [3]uint32{16, 16, 1}, buffers: []uint64{9 << 10, 9 << 10, 9 << 10}, last: []uint32{48}},
	{name: "transpose", file: "transpose", grid: [3]uint32{4, 4, 1}, block: [3]uint32{32, 8, 1}, buffers: []uint64{1 << 16, 1 << 16}, last: []uint32{128, 128}},
	// Steps of the Collatz sequence: the lanes part after a few of them.
	{name: "divergent", text: `
	.reg .pred %p, %q; .reg .b32 %r<8>; .reg .b64 %rd<4>;
	ld.param.u64 %rd0, [a]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
	mad.lo.s32 %r3, %r0, %r1, %r2; add.s32 %r4, %r3, 1; mov.u32 %r5, 0;
LOOP:
	and.b32 %r6, %r4, 1; setp.eq.s32 %p, %r6, 0; @%p bra EVEN;
	mad.lo.s32 %r4, %r4, 3, 1; bra NEXT;
EVEN:
	shr.u32 %r4, %r4, 1;
NEXT:
	add.s32 %r5, %r5, 1; setp.gt.u32 %q, %r4, 1; @%q bra LOOP;
	mul.wide.u32 %rd1, %r3, 4; add.s64 %rd2, %rd0, %rd1; st.global.u32 [%rd2], %r5;
	ret;`, grid: [3]uint32{1, 1, 1}, block: [3]uint32{256, 1, 1}, buffers: []uint64{1 << 20}},
	// A histogram in shared and global memory.
	{name: "atomics", text: `
	.reg .pred %p; .reg .b32 %r<10>; .reg .b64 %rd<6>; .shared .align 4 .b8 s[1024];
	ld.param.u64 %rd0, [a]; mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
	mad.lo.s32 %r3, %r0, %r1, %r2; mov.u32 %r7, s; mov.u32 %r5, 0; mov.u32 %r4, %r3;
LOOP:
	mad.lo.s32 %r4, %r4, 1664525, 1013904223; shr.u32 %r6, %r4, 24; shl.b32 %r6, %r6, 2;
	add.s32 %r8, %r7, %r6; atom.shared.add.u32 %r9, [%r8], 1;
	cvt.u64.u32 %rd1, %r6; add.s64 %rd2, %rd0, %rd1; red.global.add.u32 [%rd2], 1;
	add.s32 %r5, %r5, 1; setp.lt.u32 %p, %r5, 16; @%p bra LOOP;
	ret;`, grid: [3]uint32{8, 1, 1}, block: [3]uint32{256, 1, 1}, buffers: []uint64{1 << 20}},
}

// loopLaunch loads kernel i of loops, with random numbers in its buffers.
func loopLaunch(tb testing.TB, i int) (*ptx.Launch, *mem.Image) {
	c := &loops[i]
	text, entry := ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) {"+c.text+"}\n", "k"
	if c.file != "" {
		data, err := os.ReadFile("../../../assets/kernels/" + c.file + ".ptx")
		if err != nil {
			tb.Fatal(err)
		}
		text, entry = string(data), c.file
	}
	m, err := compile.Load(c.name, []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<24)
	r, params := newRand(1), []byte(nil)
	for _, n := range c.buffers {
		a, err := image.Alloc("buffer", n)
		if err != nil {
			tb.Fatal(err)
		}
		params = binary.LittleEndian.AppendUint64(params, a.Base)
		data := make([]byte, n)
		for k := 0; k+4 <= len(data); k += 4 {
			binary.LittleEndian.PutUint32(data[k:], math.Float32bits(r.Float32()))
		}
		image.Write(a.Base, data)
	}
	for _, v := range c.last {
		params = binary.LittleEndian.AppendUint32(params, v)
	}
	return &ptx.Launch{Kernel: loadKernel(tb, m, entry, image), Grid: c.grid, Block: c.block, Params: params}, image
}

// BenchmarkLoops reports the best rate of several runs: other work on the machine
// makes single runs slower, never faster.
func BenchmarkLoops(b *testing.B) {
	for i := range loops {
		b.Run(loops[i].name, func(b *testing.B) {
			l, image := loopLaunch(b, i)
			best := 0.0
			for b.Loop() {
				begin := time.Now()
				r, err := RunFunctional(l, image, FunctionalOptions{MaxInstructions: 1e9, MaxWarpInstructions: 1e9})
				if err != nil {
					b.Fatal(err)
				}
				best = max(best, float64(r.WarpInstructions)/time.Since(begin).Seconds())
			}
			b.ReportMetric(best/1e6, "best-M/s")
		})
	}
}

// TestFunctionalDoesNotAllocate steps through every loop. Pages that are shared with
// a snapshot are copied by the first store, so there is none.
func TestFunctionalDoesNotAllocate(t *testing.T) {
	for i := range loops {
		l, image := loopLaunch(t, i)
		f, err := NewFunctional(l, image, FunctionalOptions{MaxInstructions: 1e9, MaxWarpInstructions: 1e9})
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(8, func() {
			if _, err := f.Step(300); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations in 300 instructions", loops[i].name, n)
		}
		if f.Result().WarpInstructions < 2700 {
			t.Errorf("%s ends after %d instructions", loops[i].name, f.Result().WarpInstructions)
		}
	}
}

// TestShapesOfLoops compares with lanes alone.
func TestShapesOfLoops(t *testing.T) {
	for i := range loops {
		t.Run(loops[i].name, func(t *testing.T) {
			l, image := loopLaunch(t, i)
			l.Grid = [3]uint32{min(l.Grid[0], 2), min(l.Grid[1], 2), 1}
			if err, _ := runTwins(t, l, image, 0); err != nil {
				t.Fatal(err)
			}
		})
	}
}
