package execute

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/tape"
)

// runTornApart runs a kernel of one buffer and ends the turn of a path anywhere, as no rule would. Now and then the
// warp is stored and goes on as another one.
func runTornApart(t *testing.T, r *rand.Rand, m *compile.Module, grid, block uint32) []byte {
	t.Helper()
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	out, _ := image.Alloc("out", uint64(grid*block*4))
	params := make([]byte, 8)
	writeBytes(params, 8, out.Base)
	l := &ptx.Launch{
		Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{grid, 1, 1}, Block: [3]uint32{block, 1, 1}, Params: params,
	}
	x := newRunner(l, image, FunctionalOptions{})
	for cta := range l.CTAs() {
		x.start(l.CTAID(cta))
		for i := range x.warps {
			for n := 0; ; n++ {
				w := x.warps[i]
				if n > 1e6 {
					t.Fatal("no end")
				}
				_, effect, err := x.run(i, w, 1)
				if err != nil {
					t.Fatal(err)
				}
				if effect == EffectExit {
					break
				}
				if w.active != w.lanes && w.pending == 0 && r.Intn(4) == 0 {
					w.yield()
				}
				if r.Intn(2000) == 0 {
					saved := tape.NewTape().Save(func(t *tape.Tape) { w.State(t, l, x.group) }, nil)
					x.warps[i] = NewWarp(l.Kernel)
					tape.NewTape().Load(func(t *tape.Tape) { x.warps[i].State(t, l, x.group) }, saved)
				}
			}
		}
	}
	b := make([]byte, grid*block*4)
	image.Read(out.Base, b)
	return b
}

// TestPathsOfRandomPrograms tears warps apart in the middle of random programs, with calls and recursion: each
// thread must compute what it computes alone.
func TestPathsOfRandomPrograms(t *testing.T) {
	seeds := int64(60)
	if testing.Short() {
		seeds = 30
	}
	for seed := range seeds {
		src := randomFlow(newRand(seed))
		m, err := compile.Load("flow.ptx", []byte(src))
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		alone := runFlow(t, m, 96, 1)
		for _, block := range []uint32{32, 48} {
			if apart := runTornApart(t, newRand(seed+1000), m, 96/block, block); !bytes.Equal(alone, apart) {
				t.Fatalf("seed %d, blocks of %d: %x, alone %x\n%s", seed, block, apart, alone, src)
			}
		}
	}
}
