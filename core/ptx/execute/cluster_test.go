package execute

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

const clusterHead = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry test(.param .u64 in, .param .u64 out) {
.reg .b64 %a, %b, %x<9>; .reg .b32 %t, %s, %m, %rank, %cta, %r<40>; .reg .b16 %h<4>; .reg .pred %p, %q, %g<4>;
.shared .align 128 .b8 buffer[1024]; .shared .align 8 .b64 bar;
ld.param.u64 %a, [in]; ld.param.u64 %b, [out]; mov.u32 %t, %tid.x; mov.u32 %s, buffer; mov.u32 %m, bar;
mov.u32 %rank, %cluster_ctarank; setp.eq.u32 %p, %t, 0;
mov.u32 %r0, %ctaid.x; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.y;
mad.lo.u32 %r3, %r3, %r4, %r2; mad.lo.u32 %cta, %r3, %r1, %r0;
`

// clusterSync is a barrier of the cluster.
const clusterSync = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"

// runCluster runs a body, and returns words of out.
func runCluster(t *testing.T, body string, grid, cluster [3]uint32, threads uint32, in []byte) ([]uint32, error) {
	t.Helper()
	m, err := compile.Load("cluster.ptx", []byte(clusterHead+body+"\nret; }\n"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	a, _ := image.Alloc("in", 4096)
	b, _ := image.Alloc("out", 16384)
	at := b.Base
	image.Write(a.Base, in)
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a.Base), b.Base)
	l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: grid, Cluster: cluster, NonPortable: true,
		Block: [3]uint32{threads, 1, 1}, Params: params}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxWarpInstructions: 1 << 16})
	got := make([]byte, 16384)
	image.Read(at, got)
	words := make([]uint32, len(got)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(got[4*i:])
	}
	return words, err
}

// TestClusterRegisters wants the special registers of each CTA.
func TestClusterRegisters(t *testing.T) {
	names := []string{"%clusterid.x", "%clusterid.y", "%clusterid.z", "%nclusterid.x", "%nclusterid.y", "%nclusterid.z",
		"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_nctaid.x", "%cluster_nctaid.y",
		"%cluster_nctaid.z",
		"%cluster_ctarank", "%cluster_nctarank"}
	body := "mul.wide.u32 %x0, %cta, 64; add.u64 %x0, %x0, %b; mov.pred %g0, %is_explicit_cluster; selp.u32 %r5, " +
		"1, 0, %g0; st.global.u32 [%x0+60], %r5;"
	for i, n := range names {
		body += "mov.u32 %r5, " + n + fmt.Sprintf("; st.global.u32 [%%x0+%d], %%r5;\n", 4*i)
	}
	grid := [3]uint32{6, 4, 2}
	for _, c := range [][3]uint32{{3, 2, 2}, {1, 1, 1}, {}} {
		got, err := runCluster(t, body, grid, c, 32, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := [3]uint32{max(c[0], 1), max(c[1], 1), max(c[2], 1)}
		for z := range grid[2] {
			for y := range grid[1] {
				for x := range grid[0] {
					want := []uint32{x / n[0], y / n[1], z / n[2], grid[0] / n[0], grid[1] / n[1], grid[2] / n[2],
						x % n[0], y % n[1], z % n[2], n[0], n[1], n[2], x%n[0] + n[0]*(y%n[1]+n[1]*(z%n[2])),
						n[0] * n[1] * n[2]}
					at := 16 * (x + grid[0]*(y+grid[1]*z))
					for i, w := range want {
						if got[at+uint32(i)] != w {
							t.Errorf("clusters of %v, CTA (%d,%d,%d): %s = %d, want %d", c, x, y, z, names[i],
								got[at+uint32(i)], w)
						}
					}
					if explicit := got[at+15] == 1; explicit != (n[0] > 1) {
						t.Errorf("clusters of %v: explicit is %v", c, explicit)
					}
				}
			}
		}
	}
}

// clusterRing passes words round the ring of a cluster by each kind of address, and counts in the shared memory of
// CTA 0.
const clusterRing = `mov.u32 %r5, %cluster_nctarank; add.u32 %r6, %rank, 1; rem.u32 %r6, %r6, %r5;
shl.b32 %r7, %t, 2; add.u32 %r7, %r7, %s; mov.u32 %r8, 0; @%p st.shared.u32 [%s+512], %r8;
` + clusterSync + `mapa.shared::cluster.u32 %r9, %r7, %r6; mad.lo.u32 %r10, %cta, 1000, %t;
st.shared::cluster.u32 [%r9], %r10;
cvt.u64.u32 %x1, %r7; cvta.shared::cta.u64 %x1, %x1; mapa.u64 %x2, %x1, %r6; add.u32 %r11, %r10, 1;
st.u32 [%x2+128], %r11;
cvt.u64.u32 %x3, %r9; cvta.shared::cluster.u64 %x4, %x3; getctarank.u64 %r12, %x4;
getctarank.shared::cluster.u32 %r13, %r9;
isspacep.shared::cluster %g0, %x2; isspacep.shared::cta %g1, %x2; isspacep.global %g2, %x2;
cvta.to.shared::cluster.u64 %x5, %x2; setp.eq.u64 %g3, %x5, %x3;
mapa.shared::cluster.u32 %r14, %s, 0; atom.shared::cluster.add.u32 %r15, [%r14+512], 1;
red.shared::cluster.max.u32 [%r14+516], %t;
` + clusterSync + `ld.shared.u32 %r20, [%r7]; ld.shared.u32 %r21, [%r7+128]; mapa.shared::cluster.u32 %r14, %s, 0;
ld.shared::cluster.u32 %r22, [%r14+512]; ld.shared::cluster.u32 %r23, [%r14+516];
selp.u32 %r24, 1, 0, %g0; selp.u32 %r25, 2, 0, %g1; selp.u32 %r26, 4, 0, %g2; selp.u32 %r27, 8, 0, %g3;
or.b32 %r24, %r24, %r25; or.b32 %r24, %r24, %r26; or.b32 %r24, %r24, %r27;
mad.lo.u32 %r28, %cta, 32, %t; mul.wide.u32 %x6, %r28, 32; add.u64 %x6, %x6, %b;
st.global.v4.u32 [%x6], {%r20, %r21, %r22, %r23}; st.global.v4.u32 [%x6+16], {%r12, %r13, %r24, %r6};
` + clusterSync

func TestClusterRing(t *testing.T) {
	for _, n := range []uint32{1, 2, 4, 8} {
		got, err := runCluster(t, clusterRing, [3]uint32{8, 1, 1}, [3]uint32{n, 1, 1}, 32, nil)
		if err != nil {
			t.Fatal(err)
		}
		for cta := range uint32(8) {
			first := cta / n * n
			from, to := first+(cta-first+n-1)%n, (cta-first+1)%n
			spaces := uint32(1 | 8)
			if n == 1 {
				spaces |= 2 // an own address is one of the CTA
			}
			for thread := range uint32(32) {
				want := []uint32{from*1000 + thread, from*1000 + thread + 1, 32 * n, 31, to, to, spaces, to}
				at := (cta*32 + thread) * 8
				for i, w := range want {
					if got[at+uint32(i)] != w {
						t.Fatalf("clusters of %d, CTA %d, thread %d: word %d is %d, want %d", n, cta, thread, i,
							got[at+uint32(i)], w)
					}
				}
			}
		}
	}
}

// TestClusterMulticast copies to each CTA that a mask names, and reports the bytes to each mbarrier.
func TestClusterMulticast(t *testing.T) {
	in := make([]byte, 4096)
	for i := range in {
		in[i] = byte(i * 7)
	}
	const body = `@%p mbarrier.init.shared::cta.b64 [%m], 1; fence.mbarrier_init.release.cluster;
` + clusterSync + `@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 512; setp.eq.u32 %q, %rank, 1;
and.pred %q, %q, %p; mov.u16 %h0, 13;
@%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%a], 512, [%m], %h0;
setp.eq.u32 %g0, %rank, 1; @%g0 bra END;
W: mbarrier.try_wait.parity.shared::cta.b64 %g1, [%m], 0; @!%g1 bra W;
END: shl.b32 %r5, %t, 2; add.u32 %r6, %r5, %s; ld.shared.u32 %r7, [%r6+384]; mad.lo.u32 %r8, %cta, 128, %r5;
cvt.u64.u32 %x0, %r8; add.u64 %x0, %x0, %b; st.global.u32 [%x0], %r7;
` + clusterSync
	got, err := runCluster(t, body, [3]uint32{4, 1, 1}, [3]uint32{4, 1, 1}, 32, in)
	if err != nil {
		t.Fatal(err)
	}
	for cta := range 4 {
		for thread := range 32 {
			want := binary.LittleEndian.Uint32(in[384+4*thread:])
			if cta == 1 {
				want = 0 // the mask has no bit for the CTA that copies
			}
			if got[cta*32+thread] != want {
				t.Fatalf("CTA %d, thread %d: %#x, want %#x", cta, thread, got[cta*32+thread], want)
			}
		}
	}
}

// TestClusterFaults wants what PTX leaves undefined refused, at its place.
func TestClusterFaults(t *testing.T) {
	for body, want := range map[string]string{
		"barrier.cluster.wait;": "barrier.cluster.wait without " +
			"barrier.cluster.arrive",
		"barrier.cluster.arrive; barrier.cluster.arrive;": "follows another one without " +
			"barrier.cluster.wait",
		"mapa.shared::cluster.u32 %r5, %s, 2; ld.shared::cluster.u32 %r6, [%r5];": "CTA 2 of the cluster, which " +
			"has 2 CTAs",
		"setp.eq.u32 %q, %rank, 1; @%q exit; mov.u32 %r7, 0; L: add.u32 %r7, %r7, 1; setp.lt.u32 %q, %r7, 999; " +
			"@%q bra L;\n" +
			"mapa.shared::cluster.u32 %r5, %s, 1; ld.shared::cluster.u32 %r6, [%r5];": "CTA 1 of the cluster, " +
			"which has ended",
		"mov.u32 %r5, 1; sub.u32 %r5, %r5, %rank; mapa.shared::cluster.u32 %r6, %m, %r5;\n" +
			"@%p mbarrier.init.shared::cta.b64 [%m], 1;" + clusterSync +
			"mbarrier.try_wait.parity.shared::cta.b64 %q, [%r6], 0;": "an mbarrier of another CTA takes arrivals " +
			"and bytes only",
		"mov.u16 %h0, 4; @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster " +
			"[%s], [%a], 16, [%m], %h0;": "CTA 2 of the cluster, which has 2 CTAs",
		"mov.u32 %r5, 1; sub.u32 %r5, %r5, %rank; mapa.shared::cluster.u32 %r6, %s, %r5;\n" +
			"@%p mbarrier.init.shared::cta.b64 [%m], 1;" + clusterSync +
			"@%p cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6+16], [%s], 16, " +
			"[%m];": "the destination lies in the shared memory of CTA 0 of the cluster, and the mbarrier belongs to CTA 1",
		"setp.eq.u32 %q, %rank, 1; @%q bra E; barrier.cluster.arrive; barrier.cluster.wait; bra F; E: bar.sync 1, " +
			"64; F:": "deadlock",
		"mapa.shared::cluster.u32 %r5, %s, 1; ld.shared::cluster.u32 %r6, " +
			"[%r5+1048];": "offset 0x418 of shared memory",
	} {
		_, err := runCluster(t, body, [3]uint32{2, 1, 1}, [3]uint32{2, 1, 1}, 32, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}
