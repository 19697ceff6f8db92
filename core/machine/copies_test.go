package machine

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// copyJob runs a body in some CTAs of 64 threads. %b is `in`, words 0, 1, 2 ...; %o is `out`, zeros; %k the CTA, %t the
// thread, %s a tile of 8 KiB, %m an mbarrier with one arrival.
func copyJob(t *testing.T, ctas, cluster uint32, body string) (Job, mem.Addr) {
	t.Helper()
	k := onlyKernel(t, `.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .b64 %b, %o, %x, %y; .reg .b32 %t, %s, %m, %k, %lane, %rank, %i, %par, %v, %w, %a; .reg .pred %p, %q, %z;
.shared .align 128 .b8 tile[8192]; .shared .align 8 .b64 bar;
ld.param.u64 %b, [in]; ld.param.u64 %o, [out]; mov.u32 %k, %ctaid.x; mov.u32 %t, %tid.x; mov.u32 %s, tile;
mov.u32 %m, bar; mov.u32 %lane, %laneid; mov.u32 %rank, %cluster_ctarank; setp.eq.u32 %p, %t, 0;
@%p mbarrier.init.shared::cta.b64 [%m], 1; fence.mbarrier_init.release.cluster;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
`+body+`
barrier.cluster.arrive; barrier.cluster.wait; ret; }`)
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	in, err := image.Alloc("in", 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	out, err := image.Alloc("out", 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1<<16)
	for i := range len(b) / 4 {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(i))
	}
	image.Write(in.Base, b)
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, in.Base), out.Base)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{64, 1, 1}, Cluster: [3]uint32{cluster, 1, 1},
		Params: params}
	return Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)}, out.Base
}

// TestCopiesBesideTheirWarps: programs that are right only if waits wait for what a copy does, and for nothing else.
func TestCopiesBesideTheirWarps(t *testing.T) {
	for _, c := range []struct {
		name          string
		ctas, cluster uint32
		body          string
		want          func(i uint32) uint32 // word i of the output
		words         uint32
	}{
		{"a lane fills a ring while the others of its warp wait for it", 2, 1, `
mov.u32 %i, 0; mov.u32 %v, 0; setp.ne.u32 %z, %lane, 0; setp.ge.u32 %q, %t, 32; @%q bra DONE;
LOOP: and.b32 %par, %i, 1; @%z bra WAIT;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 128; mad.lo.u32 %w, %i, 128, 0;
cvt.u64.u32 %x, %w; add.u64 %x, %b, %x;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%x], 128, [%m];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], %par; @!%q bra WAIT;
shl.b32 %a, %lane, 2; add.u32 %a, %a, %s; ld.shared.u32 %w, [%a]; add.u32 %v, %v, %w; bar.warp.sync -1;
add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 40; @%q bra LOOP;
mad.lo.u32 %w, %k, 32, %lane; mul.wide.u32 %x, %w, 4; add.u64 %x, %o, %x; st.global.u32 [%x], %v;
DONE: bar.sync 0;`, func(i uint32) uint32 { return 40*(i%32) + 32*(39*40/2) }, 64},
		{"sums of all CTAs by a reduction from shared memory", 40, 1, `
shl.b32 %a, %t, 2; add.u32 %a, %a, %s; add.u32 %w, %k, %t; st.shared.u32 [%a], %w;
fence.proxy.async.shared::cta; bar.sync 0;
@%p cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%o], [%s], 256;
@%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group.read 0;
bar.sync 0; st.shared.u32 [%a], 77; @%p cp.async.bulk.wait_group 0;`,
			func(i uint32) uint32 { return 40*i + 39*40/2 }, 64},
		{"a tile is written anew only when its store has read it", 3, 1, `
mov.u32 %i, 0; shl.b32 %a, %t, 2; add.u32 %a, %a, %s; mul.wide.u32 %x, %k, 4096; add.u64 %x, %o, %x;
LOOP: mad.lo.u32 %w, %k, 1000, %i; st.shared.u32 [%a], %w; fence.proxy.async.shared::cta; bar.sync 0;
@%p cp.async.bulk.global.shared::cta.bulk_group [%x], [%s], 256; @%p cp.async.bulk.commit_group;
@%p cp.async.bulk.wait_group.read 0; bar.sync 0; add.u64 %x, %x, 256;
add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 16; @%q bra LOOP;`,
			func(i uint32) uint32 { return i/1024*1000 + i%1024/64 }, 3 * 1024},
		{"what a group has stored is read back behind its wait", 2, 1, `
shl.b32 %a, %t, 2; add.u32 %a, %a, %s; mad.lo.u32 %w, %k, 64, %t; st.shared.u32 [%a], %w; fence.proxy.async.shared::cta;
bar.sync 0; mul.wide.u32 %x, %k, 256; add.u64 %x, %o, %x;
@%p cp.async.bulk.global.shared::cta.bulk_group [%x], [%s], 256;
@%p cp.async.bulk.commit_group; @%p cp.async.bulk.wait_group 0; bar.sync 0;
mul.wide.u32 %y, %t, 4; add.u64 %x, %x, %y; ld.global.cg.u32 %v, [%x]; add.u32 %v, %v, 5; st.global.u32 [%x+1024], %v;`,
			func(i uint32) uint32 {
				if i < 128 {
					return i
				}
				return map[bool]uint32{true: i - 256 + 5}[i >= 256]
			}, 384},
		{"each of four CTAs copies a quarter to all", 8, 4, `
@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 1024;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
mad.lo.u32 %w, %rank, 256, 0; add.u32 %a, %s, %w; cvt.u64.u32 %x, %w; add.u64 %x, %b, %x; mov.u32 %v, 15;
{ .reg .b16 %h; cvt.u16.u32 %h, %v;
@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%a], [%x], 256, [%m], %h; }
W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, [%m], 0; @!%q bra W;
mul.wide.u32 %x, %k, 1024; add.u64 %x, %o, %x; mov.u32 %i, %t;
LOOP: shl.b32 %a, %i, 2; cvt.u64.u32 %y, %a; add.u64 %y, %x, %y; add.u32 %a, %a, %s; ld.shared.u32 %v, [%a];
st.global.u32 [%y], %v; add.u32 %i, %i, 64; setp.lt.u32 %q, %i, 256; @%q bra LOOP;`,
			func(i uint32) uint32 { return i % 256 }, 8 * 256},
	} {
		job, out := copyJob(t, c.ctas, c.cluster, c.body)
		m, err := New(built("h200"), job)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Run(); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		b := make([]byte, 4*c.words)
		m.Read(out, b)
		for i := range c.words {
			if got := binary.LittleEndian.Uint32(b[4*i:]); got != c.want(i) {
				t.Errorf("%s: word %d is %d, want %d", c.name, i, got, c.want(i))
				break
			}
		}
	}
}

// manyCopies issues 400 copies of 16 bytes, more than the unit has places.
const manyCopies = `
mov.u32 %i, 0; @%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 6400; bar.sync 0;
setp.ge.u32 %q, %t, 10; @%q bra WAIT; mul.lo.u32 %w, %t, 640;
LOOP: cvt.u64.u32 %x, %w; add.u64 %x, %b, %x; add.u32 %a, %s, %w;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a], [%x], 16, [%m];
add.u32 %w, %w, 16; add.u32 %i, %i, 1; setp.lt.u32 %q, %i, 40; @%q bra LOOP;
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra WAIT;
mov.u32 %i, %t;
COPY: shl.b32 %a, %i, 2; cvt.u64.u32 %y, %a; add.u64 %y, %o, %y; add.u32 %a, %a, %s; ld.shared.u32 %v, [%a];
st.global.u32 [%y], %v; add.u32 %i, %i, 64; setp.lt.u32 %q, %i, 1600; @%q bra COPY;`

// TestManyCopiesWaitForTheUnit: a warp that issues more copies than the unit has places waits, and each is done.
func TestManyCopiesWaitForTheUnit(t *testing.T) {
	job, out := copyJob(t, 1, 1, manyCopies)
	m, err := New(built("h100"), job)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 6400)
	m.Read(out, b)
	for i := range uint32(1600) {
		if got := binary.LittleEndian.Uint32(b[4*i:]); got != i {
			t.Fatalf("word %d is %d", i, got)
		}
	}
}

// TestCopiesAreForgotten: a state of before the first copy, loaded while copies are under way, has none of them.
func TestCopiesAreForgotten(t *testing.T) {
	job, _ := copyJob(t, 1, 1, manyCopies)
	m, err := New(built("h100"), job)
	if err != nil {
		t.Fatal(err)
	}
	begin := m.Save(nil)
	ends := uint64(0)
	for _, stop := range []uint64{0, 600, 1200, 2400} {
		m.Load(begin)
		if _, err := m.Advance(sim.Cycle(stop)); err != nil {
			t.Fatal(err)
		}
		m.Load(begin)
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		if got := uint64(m.Cycles()); ends != 0 && got != ends {
			t.Errorf("after a state of cycle %d it takes %d cycles, and %d at first", stop, got, ends)
		} else {
			ends = got
		}
	}
}
