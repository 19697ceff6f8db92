package execute

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// TestEndlessLoopOfALargeCTA: where all 32 warps of a CTA loop for ever, one of them reaches the limit soon. In the page
// this decides how long somebody waits for the message.
func TestEndlessLoopOfALargeCTA(t *testing.T) {
	const limit = 200_000
	k := compileText(t, `.version 8.0
.target sm_70
.address_size 64
.visible .entry test() { .reg .b32 %r<3>; .shared .b32 m;
L: atom.shared.add.u32 %r1, [m], 1; bra L; }`, "test")
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1024, 1, 1}}
	r, err := RunFunctional(l, new(mem.Image), FunctionalOptions{MaxWarpInstructions: limit})
	if err == nil || !strings.Contains(err.Error(), "the warp has executed 200000 instructions") {
		t.Fatalf("no fault of an endless warp: %v", err)
	}
	if most := uint64(32*(longInstructions+3*sliceInstructions) + limit); r.WarpInstructions > most {
		t.Errorf("%d warp instructions until the fault, want at most %d", r.WarpInstructions, most)
	}
}

// TestWarpsWaitForEachOther: a warp that waits in a loop for another one, which works longer than a turn, goes on
// when that is done.
func TestWarpsWaitForEachOther(t *testing.T) {
	k := compileText(t, `.version 8.0
.target sm_70
.address_size 64
.visible .entry test() { .reg .b32 %r<8>; .reg .pred %p<4>; .shared .b32 m;
mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra WAIT;
mov.u32 %r2, 0;
WORK: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 2000; @%p2 bra WORK;
st.shared.u32 [m], 1; ret;
WAIT: ld.volatile.shared.u32 %r3, [m]; setp.eq.u32 %p3, %r3, 0; @%p3 bra WAIT;
ret; }`, "test")
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}
	for _, limit := range []uint64{0, 10_000, 200_000} {
		if r, err := RunFunctional(l, new(mem.Image), FunctionalOptions{MaxWarpInstructions: limit, MaxInstructions: 1e6}); err != nil {
			t.Errorf("limit %d: %v after %d instructions", limit, err, r.WarpInstructions)
		}
	}
}
