package machine

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// clusterSums adds up words round by round: each CTA sends its sum to its neighbour with st.async, which waits for
// the bytes at an mbarrier, adds the number of the round and goes on. The clusters meet at barriers, and the last
// round is read by ld.
const clusterSums = `.version 8.3
.target sm_90a
.address_size 64
.visible .entry sums(.param .u64 out) {
	.reg .b64 %b, %x; .reg .b32 %t, %s, %m, %n, %rank, %next, %k, %v, %to, %bar, %par; .reg .pred %p, %q;
	.shared .align 16 .b8 box[256]; .shared .align 8 .b64 bar;
	ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; shl.b32 %t, %t, 2; mov.u32 %s, box; add.u32 %s, %s, %t; mov.u32 %m, bar;
	mov.u32 %rank, %cluster_ctarank; mov.u32 %n, %cluster_nctarank; add.u32 %next, %rank, 1; rem.u32 %next, %next, %n;
	setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared::cta.b64 [%m], 1; fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	mapa.shared::cluster.u32 %to, %s, %next; mapa.shared::cluster.u32 %bar, %m, %next;
	mov.u32 %k, %ctaid.x; mad.lo.u32 %v, %k, 100, %t; mov.u32 %k, 0;
ROUND: @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 256; and.b32 %par, %k, 1;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%to], %v, [%bar];
W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%m], %par; @!%q bra W;
	ld.shared.u32 %v, [%s]; add.u32 %v, %v, %k; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 7; @%q bra ROUND;
	st.shared.u32 [%s], %v; barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
ld.shared::cluster.u32 %v, [%to];
	mov.u32 %k, %ctaid.x; mul.wide.u32 %x, %k, 256; cvt.u64.u32 %b, %t; add.u64 %x, %x, %b; ld.param.u64 %b, [out];
	add.u64 %x, %x, %b; st.global.u32 [%x], %v; barrier.cluster.arrive; barrier.cluster.wait; ret;
}
`

const clusterSumsCTAs = 48

func clusterSumsJob(t *testing.T, size uint32) (Job, mem.Addr) {
	t.Helper()
	module, err := compile.Load("sums.ptx", []byte(clusterSums))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "sums", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	out, err := image.Alloc("out", 256*clusterSumsCTAs)
	if err != nil {
		t.Fatal(err)
	}
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{clusterSumsCTAs, 1, 1}, Block: [3]uint32{64, 1, 1},
		Cluster: [3]uint32{size, 1, 1}, NonPortable: true, Params: binary.LittleEndian.AppendUint64(nil, out.Base)}
	return Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)}, out.Base
}

// TestClustersInTheMachine: clusters whose CTAs wait for each other have on every preset the output that the host
// computes, and a state saved in the middle goes on to the same end.
func TestClustersInTheMachine(t *testing.T) {
	t.Parallel()
	for _, size := range []uint32{1, 2, 8} {
		want := make([]byte, 256*clusterSumsCTAs)
		for cta := range uint32(clusterSumsCTAs) {
			first := cta / size * size
			// Seven rounds have brought the word of the CTA seven places before the neighbour's.
			from := first + ((cta-first)+1+7*(size-1))%size
			for i := range uint32(64) {
				binary.LittleEndian.PutUint32(want[256*cta+4*i:], from*100+4*i+21)
			}
		}
		job, out := clusterSumsJob(t, size)
		if _, err := execute.RunFunctional(job.Launches[0], job.Image, execute.FunctionalOptions{}); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if job.Image.Read(out, got); !bytes.Equal(got, want) {
			t.Fatalf("clusters of %d: the exact run's output is not that of the host", size)
		}
		for _, gpu := range presets() {
			job, out := clusterSumsJob(t, size)
			m, err := New(built(gpu), job)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Advance(400); err != nil {
				t.Fatal(err)
			}
			twin := resumed(t, m)
			for _, m := range []*Machine{m, twin} {
				if err := m.Run(); err != nil {
					t.Fatal(gpu, err)
				}
				if m.Read(out, got); !bytes.Equal(got, want) {
					t.Errorf("%s, clusters of %d: the machine's output is not that of the exact run", gpu, size)
				}
				if err := m.Leaks(); err != nil {
					t.Error(gpu, err)
				}
			}
			if m.Cycles() != twin.Cycles() {
				t.Errorf("%s, clusters of %d: %d cycles, from the saved state %d", gpu, size, m.Cycles(), twin.Cycles())
			}
		}
	}
}
