package machine

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

const boxKernel = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u32 row) {
	.reg .b64 %m; .reg .b32 %t, %r; .reg .pred %p, %q;
	.shared .align 128 .b8 tile[256]; .shared .align 8 .b64 bar;
	mov.b64 %m, map; cvta.param.u64 %m, %m; ld.param.u32 %r, [row]; mov.u32 %t, %tid.x; setp.eq.u32 %p, %t, 0;
	@%p mbarrier.init.shared::cta.b64 [bar], 1; @!%p bra END;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
	cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%m, {0, %r}], [bar];
W:	mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra W;
END: ret;
}
`

// TestBoxesStayInTheirBuffer: the machine's copy unit faults, as the exact run does, where a box leaves the buffer of
// its tensor. No other buffer may be read instead, and rows that no box reaches may be missing.
func TestBoxesStayInTheirBuffer(t *testing.T) {
	for row, want := range map[uint32]string{0: "", 4: "", 5: "box:10:2: CTA (0,0,0) warp 0 thread (0,0,0): copy of " +
		"a tensor: the box at [0 5] leaves the buffer \"rows\" of 512 bytes"} {
		module, err := compile.Load("box.ptx", []byte(boxKernel))
		if err != nil {
			t.Fatal(err)
		}
		k, err := compile.Kernel(module, "box", nil)
		if err != nil {
			t.Fatal(err)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		a, _ := image.Alloc("rows", 512)
		m := ptx.TensorMap{Type: 2, Rank: 2, Address: a.Base, Dims: [5]uint64{16, 99}, Strides: [4]uint64{64},
			Box: [5]uint32{16, 4}, ElementStrides: [5]uint32{1, 1}}
		if _, err := image.Alloc("others", 512); err != nil {
			t.Fatal(err)
		}
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1},
			Params: binary.LittleEndian.AppendUint32(m.Encode(), row)}
		machine, err := New(built("h200"), Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
		if err != nil {
			t.Fatal(err)
		}
		err = machine.Run()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("row %d: %v, want %q", row, err, want)
		}
	}
}
