package machine

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// TestReadsOfABulkCopyOverlap: a copy of 32 KiB, 64 parts, waits for memory some times and not 64 times, with a tensor
// map and without.
func TestReadsOfABulkCopyOverlap(t *testing.T) {
	cycles := func(bytes int, tensor bool) uint64 {
		copy := fmt.Sprintf("[%%s], [%%a], %d, [%%m]", bytes)
		words := ""
		if tensor {
			copy, words = "[%s], [%d, {0, 0}], [%m]", ".tensor.2d"
		}
		source := `.version 8.0
			.target sm_90a
			.address_size 64
			.visible .entry k(.param .u64 in, .param .align 64 .b8 map[128]) {
			.reg .b64 %a, %d; .reg .b32 %s, %m; .reg .pred %q;
			.shared .align 128 .b8 tile[32768]; .shared .align 8 .b64 bar;
			ld.param.u64 %a, [in]; mov.b64 %d, map; cvta.param.u64 %d, %d; mov.u32 %s, tile; mov.u32 %m, bar;
			mbarrier.init.shared::cta.b64 [%m], 1; fence.proxy.async.shared::cta;
			mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], ` + fmt.Sprint(bytes) + `;
			cp.async.bulk` + words + `.shared::cluster.global.mbarrier::complete_tx::bytes ` + copy + `;
			W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra W; ret; }`
		k := onlyKernel(t, source)
		image, err := mem.NewImage(mem.DefaultBase, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		in, err := image.Alloc("in", 32768)
		if err != nil {
			t.Fatal(err)
		}
		m := ptx.TensorMap{Type: 2, Rank: 2, Address: in.Base, Dims: [5]uint64{128, 64}, Strides: [4]uint64{512},
			Box: [5]uint32{128, uint32(bytes / 512)}, ElementStrides: [5]uint32{1, 1}}
		params := append(make([]byte, 64), m.Encode()...)
		binary.LittleEndian.PutUint64(params, in.Base)
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params}
		run, err := New(built("h100"), Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Run(); err != nil {
			t.Fatal(err)
		}
		return uint64(run.Cycles())
	}
	for _, tensor := range []bool{false, true} {
		one, all := cycles(512, tensor), cycles(32768, tensor)
		t.Logf("tensor map %t: %d cycles with one part, %d with 64", tensor, one, all)
		// Four rounds of 16 parts; a round is at most what one part takes with the launch, and some cycles a part.
		if all <= one || all > 5*one+64*20 {
			t.Errorf("tensor map %t: %d cycles with one part, %d with 64", tensor, one, all)
		}
	}
}
