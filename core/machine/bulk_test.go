package machine

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// bulkRing is a pipeline of two stages: one thread of the first warp fetches blocks of 1040 bytes, the other warps add
// them up, and a reduction in bulk adds the sums to the output.
const bulkRing = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry ring(.param .u64 in, .param .u64 out) {
	.reg .b64 %a, %b, %x;
	.reg .b32 %t, %k, %s, %f, %e, %at, %v<4>, %sum, %par, %to; .reg .pred %p, %q, %w, %el;
	.shared .align 128 .b8 stage[2176]; .shared .align 128 .b32 sums[64]; 
	.shared .align 8 .b64 full[2]; .shared .align 8 .b64 empty[2];
	ld.param.u64 %a, [in]; ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; mov.u32 %k, %ctaid.x;
	mul.wide.u32 %x, %k, 8320; add.u64 %a, %a, %x; setp.eq.u32 %p, %t, 0;
	@%p mbarrier.init.shared::cta.b64 [full], 1; @%p mbarrier.init.shared::cta.b64 [full+8], 1;
	@%p mbarrier.init.shared::cta.b64 [empty], 64; @%p mbarrier.init.shared::cta.b64 [empty+8], 64;
	fence.mbarrier_init.release.cluster; bar.sync 0; mov.u32 %k, 0; mov.u32 %sum, 0;
	setp.lt.u32 %w, %t, 32; @!%w bra CONSUME;
	elect.sync _|%el, -1; @!%el bra END;
PRODUCE: and.b32 %s, %k, 1; shl.b32 %f, %s, 3; mov.u32 %e, empty; add.u32 %e, %e, %f; mov.u32 %to, full;
	add.u32 %f, %f, %to; shr.u32 %par, %k, 1; and.b32 %par, %par, 1; xor.b32 %par, %par, 1;
W1: mbarrier.try_wait.parity.shared::cta.b64 %q, [%e], %par; @!%q bra W1;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%f], 1040;
	mov.u32 %to, stage; mad.lo.u32 %to, %s, 1088, %to; mul.wide.u32 %x, %k, 1040; add.u64 %x, %a, %x;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%x], 1040, [%f];
	add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 8; @%q bra PRODUCE; bra END;
CONSUME: sub.u32 %t, %t, 32;
NEXT: and.b32 %s, %k, 1; shl.b32 %f, %s, 3; mov.u32 %e, empty; add.u32 %e, %e, %f; mov.u32 %to, full;
	add.u32 %f, %f, %to; shr.u32 %par, %k, 1; and.b32 %par, %par, 1;
W2: mbarrier.try_wait.parity.shared::cta.b64 %q, [%f], %par, 20000; @!%q bra W2;
	mov.u32 %to, stage; mad.lo.u32 %to, %s, 1088, %to; mad.lo.u32 %at, %t, 16, %to;
	ld.shared.v4.b32 {%v0, %v1, %v2, %v3}, [%at]; add.u32 %sum, %sum, %v0; xor.b32 %sum, %sum, %v1;
	add.u32 %sum, %sum, %v2; xor.b32 %sum, %sum, %v3; ld.shared.u32 %v0, [%to+1036]; add.u32 %sum, %sum, %v0;
	mbarrier.arrive.shared::cta.b64 _, [%e];
	add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 8; @%q bra NEXT;
	mov.u32 %to, sums; mad.lo.u32 %at, %t, 4, %to; st.shared.u32 [%at], %sum; fence.proxy.async.shared::cta;
	bar.sync 1, 64;
	setp.eq.u32 %p, %t, 0; @!%p bra END;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%b], [sums], 256;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
END: ret;
}
`

const bulkRingCTAs = 24

func bulkRingJob(t *testing.T) (Job, mem.Addr) {
	t.Helper()
	module, err := compile.Load("ring.ptx", []byte(bulkRing))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "ring", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 8320*bulkRingCTAs)
	rand.New(rand.NewSource(91)).Read(data)
	in, err := image.Alloc("in", uint64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, in.Base)
	image.Write(in.Base, data)
	out, err := image.Alloc("out", 256)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{bulkRingCTAs, 1, 1}, Block: [3]uint32{96, 1, 1},
		Params: binary.LittleEndian.AppendUint64(params, out.Base)}
	return Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)}, out.Base
}

// TestBulkCopiesInTheMachine: a pipeline of copies in bulk and mbarriers has on every preset the output of the exact
// run, which is what the host computes, and a state saved in the middle goes on to the same end.
func TestBulkCopiesInTheMachine(t *testing.T) {
	job, out := bulkRingJob(t)
	want := make([]byte, 256)
	data := make([]byte, 8320*bulkRingCTAs)
	job.Image.Read(mem.Addr(binary.LittleEndian.Uint64(job.Launches[0].Params)), data)
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	for cta := range bulkRingCTAs {
		for thread := range 64 {
			sum := uint32(0)
			for k := range 8 {
				block := cta*8320 + k*1040
				at := block + 16*thread
				sum = ((sum + word(at)) ^ word(at+4) + word(at+8)) ^ word(at+12) + word(block+1036)
			}
			binary.LittleEndian.PutUint32(want[4*thread:], binary.LittleEndian.Uint32(want[4*thread:])+sum)
		}
	}
	if _, err := execute.RunFunctional(job.Launches[0], job.Image, execute.FunctionalOptions{}); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 256)
	if job.Image.Read(out, got); !bytes.Equal(got, want) {
		t.Fatal("the exact run's output is not that of the host")
	}
	for _, gpu := range presets() {
		job, out := bulkRingJob(t)
		m, err := New(built(gpu), job)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Advance(3000); err != nil {
			t.Fatal(err)
		}
		twin := resumed(t, m)
		for _, m := range []*Machine{m, twin} {
			if err := m.Run(); err != nil {
				t.Fatal(gpu, err)
			}
			if m.Read(out, got); !bytes.Equal(got, want) {
				t.Errorf("%s: the machine's output is not that of the exact run", gpu)
			}
			if err := m.Leaks(); err != nil {
				t.Error(gpu, err)
			}
		}
		if m.Cycles() != twin.Cycles() {
			t.Errorf("%s: %d cycles, from the saved state %d", gpu, m.Cycles(), twin.Cycles())
		}
	}
}
