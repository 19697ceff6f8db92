package execute

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// tensorReplaced writes a map of a row of 64 words, in boxes of 16 words and one row, into shared memory, copies it
// to global memory and loads with it.
const tensorReplaced = `@!%p bra END; mov.u32 %r0, 64; mov.u32 %r1, 16; mov.u32 %r2, 1; mov.u64 %x1, 256;
tensormap.replace.tile.global_address.shared::cta.b1024.b64 [buffer+8192], %a;
tensormap.replace.tile.rank.shared::cta.b1024.b32 [buffer+8192], 1;
tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [buffer+8192], 0, %r1;
tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [buffer+8192], 1, %r2;
tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [buffer+8192], 0, %r0;
tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [buffer+8192], 1, %r1;
tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [buffer+8192], 0, %x1;
tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [buffer+8192], 0, %r2;
tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [buffer+8192], 1, %r2;
tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [buffer+8192], 2;
tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [buffer+8192], 0;
tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [buffer+8192], 0;
tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [buffer+8192], 0;
END: bar.sync 0; setp.lt.u32 %g, %t, 32; add.u32 %r3, %s, 8192; add.u64 %x2, %b, 8192;
@%g tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%x2], [%r3], 128;
bar.sync 0; fence.proxy.tensormap::generic.acquire.gpu [%x2], 128; prefetch.tensormap [%x2];
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%k], 64; mov.u32 %c0, 56; mov.u32 %c1, 3;
@%p cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%x2, {%c0, %c1}], [%k];
`

func TestTensormapReplace(t *testing.T) {
	for version, stride := range map[string]string{"8.6": "256", "8.5": "16"} { // up to 8.5 in units of 16 bytes
		x := &tensorRun{tensor: make([]byte, 16), in: make([]byte, tensorBytes), out: make([]byte, tensorBytes)}
		x.m = ptx.TensorMap{Rank: 1}
		for i := range tensorBytes / 4 {
			binary.LittleEndian.PutUint32(x.in[4*i:], uint32(i)*7)
		}
		body := strings.Replace(tensorReplaced, "mov.u64 %x1, 256", "mov.u64 %x1, "+stride, 1)
		if err := x.runVersion(t, version, body+tensorWait+"mov.u32 %r0, %t;"+strings.Replace(tensorDump, "4096",
			"64", 1)); err != nil {
			t.Fatal(version, err)
		}
		for i := range 16 {
			want := uint32(0)
			if i < 8 { // the others are out of bounds
				want = uint32(3*64+56+i) * 7
			}
			if got := binary.LittleEndian.Uint32(x.out[4*i:]); got != want {
				t.Errorf("PTX %s: word %d is %d, want %d", version, i, got, want)
			}
		}
	}
}

// TestTensorFaults wants uses of a map refused that PTX leaves undefined.
func TestTensorFaults(t *testing.T) {
	const load = "@%p cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes "
	for body, want := range map[string]string{
		load + "[%s], [%a, {%c0, %c1}], " +
			"[%k];": "tensor map: the 128 bytes at the address hold other data",
		load + "[buffer+64], [%m, {%c0, %c1}], " +
			"[%k];": "is not a multiple of 128",
		load + "[buffer+16256], [%m, {%c0, %c1}], " +
			"[%k];": "of shared memory, which has",
		"add.u64 %m, %m, 8; " + load + "[%s], [%m, {%c0, %c1}], " +
			"[%k];": "is not a multiple of 64",
		"@%p cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%s], [%m, {%c0}], " +
			"[%k];": "it has 2 dimensions, and the instruction is .1d",
		"@%p cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.bulk_group [%m, {%c0, %c1}], " +
			"[%s];": "elements of type f16 have no such reduction",
		load + "[%s], [%m, {%c0, %c1}], " +
			"[%k+4];": "misaligned access",
	} {
		x := &tensorRun{tensor: make([]byte, 4096), in: make([]byte, tensorBytes), out: make([]byte, tensorBytes)}
		x.m = ptx.TensorMap{Type: 6, Rank: 2, Dims: [5]uint64{64, 32}, Strides: [4]uint64{128}, Box: [5]uint32{64,
			8}, ElementStrides: [5]uint32{1, 1}}
		if err := x.run(t, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}
