package execute

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// sanitizedBulk copies a block into shared memory and back, and uses the memory again.
const sanitizedBulk = `@%p mbarrier.init.shared.b64 [%m], 1;
bar.sync 0;
@%p mbarrier.arrive.expect_tx.shared.b64 _, [%m], 512;
@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%a], 512, [%m];
WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;
@!%q bra WAIT;
shl.b32 %r0, %t, 2; add.u32 %r0, %r0, %s;
ld.shared.u32 %r1, [%r0];
st.shared.u32 [%r0], %t;
fence.proxy.async.shared::cta;
bar.sync 0;
@%p cp.async.bulk.global.shared::cta.bulk_group [%b], [%s], 512;
@%p cp.async.bulk.commit_group;
@%p cp.async.bulk.wait_group 0;
bar.sync 0;
st.shared.u32 [%r0], %r1;
ld.global.u32 %r1, [%b];
bar.sync 0;
@%p mbarrier.inval.shared.b64 [%m];
`

// sanitizedCluster lets the CTAs of a cluster write to each other's shared memory.
const sanitizedCluster = `@%p mbarrier.init.shared.b64 [%m], 1;
@%p mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive; barrier.cluster.wait;
xor.b32 %r0, %rank, 1;
mapa.shared::cluster.u32 %r1, %s, %r0;
mapa.shared::cluster.u32 %r2, %m, %r0;
@%p st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1+512], %t, [%r2];
@%p cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%s+768], 0, [%r2];
@%p mbarrier.complete_tx.shared.b64 [%m], 12;
WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;
@!%q bra WAIT;
ld.shared.u32 %r3, [%s+512];
st.shared::cluster.u32 [%r1], %t;
barrier.cluster.arrive; barrier.cluster.wait;
`

// sanitizedAdds has two reductions by copies of one thread to one place of the other CTA.
const sanitizedAdds = `@%p mbarrier.init.shared.b64 [%m], 1;
@%p mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;
fence.mbarrier_init.release.cluster;
barrier.cluster.arrive; barrier.cluster.wait;
xor.b32 %r0, %rank, 1;
mapa.shared::cluster.u32 %r1, %s, %r0;
mapa.shared::cluster.u32 %r2, %m, %r0;
@%p cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32 [%r1], [%s+512], 64, [%r2];
@%p cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r1], [%s+768], 64, [%r2];
WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;
@!%q bra WAIT;
ld.shared.u32 %r3, [%s];
barrier.cluster.arrive; barrier.cluster.wait;
`

const sanitizedTile = "st.shared.v4.b32 [%r4], {%r5, %r5, %r5, %r5};\n"

// sanitizedGroup stores tiles, multiplies, and uses the tiles again.
const sanitizedGroup = `shl.b32 %r4, %r1, 4; mov.b32 %r5, 0x3c003c00;
st.shared.v4.b32 [%r4], {%r5, %r5, %r5, %r5};
setp.lt.u32 %p2, %r1, 16;
@%p2 st.shared.v4.b32 [%r4+2048], {%r5, %r5, %r5, %r5};
fence.proxy.async;
bar.sync 0;
wgmma.fence.sync.aligned;
` + groupMma + groupCommit + groupWait + sanitizedTile + `add.f32 %f0, %f0, %f1;
wgmma.fence.sync.aligned; // again
fence.proxy.async; bar.sync 0;
` + groupMma + groupCommit + groupWait + groupStore

// sanitizedMap changes a tensor map in global memory and copies with it.
const sanitizedMap = `@%p mbarrier.init.shared.b64 [%m], 1;
bar.sync 0;
@%p tensormap.replace.tile.global_dim.global.b1024.b32 [%b], 0, 64;
bar.sync 0;
fence.proxy.tensormap::generic.acquire.gpu [%b], 128;
@%p mbarrier.arrive.expect_tx.shared.b64 _, [%m], 64;
@%p cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%b, {0}], [%m];
WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;
@!%q bra WAIT;
ld.shared.u32 %r1, [%s];
`

// runSanitized runs a body in a cluster of two CTAs of four warps, with a tensor map at the start of out.
func runSanitized(t *testing.T, source string, sanitize bool) error {
	t.Helper()
	m, err := compile.Load("test.ptx", []byte(source))
	if err != nil {
		t.Fatalf("%v in\n%s", err, source)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
	a, _ := image.Alloc("in", 4096)
	b, _ := image.Alloc("out", 4096)
	l := &ptx.Launch{Kernel: loadKernel(t, m, m.Entries()[0], image), Grid: [3]uint32{2, 1, 1},
		Cluster: [3]uint32{2, 1, 1}, Block: [3]uint32{128, 1, 1}}
	box := ptx.TensorMap{Type: 2, Rank: 1, Address: a.Base, Dims: [5]uint64{128}, Box: [5]uint32{16},
		ElementStrides: [5]uint32{1}}
	image.Write(b.Base, box.Encode())
	if l.Params = binary.LittleEndian.AppendUint64(nil, a.Base); l.Kernel.ParamBytes > 8 {
		l.Params = binary.LittleEndian.AppendUint64(l.Params, b.Base)
	}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxWarpInstructions: 1 << 16, Sanitize: sanitize})
	return err
}

// sanitizedPrograms are right programs by name.
var sanitizedPrograms = map[string]string{
	"bulk": clusterHead + sanitizedBulk + "ret; }\n", "cluster": clusterHead + sanitizedCluster + "ret; }\n",
	"map": clusterHead + sanitizedMap + "ret; }\n", "adds": clusterHead + sanitizedAdds + "ret; }\n",
	"wgmma": groupKernel(sanitizedGroup),
}

// sanitizerFaults break a right program: old becomes new, and the statement that begins with at is named.
var sanitizerFaults = []struct{ program, name, old, new, at, want string }{
	{"bulk", "a copy is not waited for", "WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;\n@!%q bra WAIT;\n",
		"bar.sync 0;\n",
		"ld.shared", "the copy of line 14 writes"},
	{"bulk", "no fence before a copy reads", "fence.proxy.async.shared::cta;\n", "", "@%p cp.async.bulk.global",
		"line 19 has written the bytes"},
	{"bulk", "a fence of other memory", "async.shared::cta;", "async.global;", "@%p cp.async.bulk.global",
		"must execute fence.proxy.async"},
	{"bulk", "one thread has a fence", "fence.proxy.async.shared::cta", "@%p fence.proxy.async.shared::cta",
		"@%p cp.async.bulk.global", "must execute fence.proxy.async"},
	{"bulk", "the source is overwritten", "@%p cp.async.bulk.wait_group 0;\n", "", "st.shared.u32 [%r0], %r1",
		"wait with cp.async.bulk.wait_group before they are overwritten"},
	{"bulk", "only the source has been waited for", "wait_group 0", "wait_group.read 0", "ld.global",
		"the copy of line 22 writes"},
	{"bulk", "a group too many is open", "wait_group 0", "wait_group 1", "st.shared.u32 [%r0], %r1",
		"line 22 may still"},
	{"bulk", "no commit", "@%p cp.async.bulk.commit_group;\n", "", "st.shared.u32 [%r0], %r1",
		"line 22 may still read"},
	{"bulk", "another thread waits", "@%p cp.async.bulk.wait_group", "@!%p cp.async.bulk.wait_group",
		"st.shared.u32 [%r0], %r1", "line 22 may still read"},
	{"bulk", "two copies into one place", "WAIT:", "@%p mbarrier.expect_tx.shared.b64 [%m], 16;\n" +
		"@%p cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%s+16], [%a], 16, [%m];\nWAIT:",
		"@%p cp.async.bulk.shared::cta", "no thread has waited for it"},
	{"bulk", "an mbarrier is overwritten", "bar.sync 0;\n@%p mbarrier.inval", "@%p st.shared.u32 [%m+4], %t;\n" +
		"@%p mbarrier.inval", "@%p st.shared.u32 [%m", "belong to the mbarrier of line 11"},
	{"bulk", "an mbarrier is initialized twice", "bar.sync 0;\n@%p mbarrier.inval",
		"@%p mbarrier.init.shared.b64 [%m], 2;\n@%p mbarrier.inval", "@%p mbarrier.init.shared.b64 [%m], 2",
		"has been initialized in line 11"},
	{"bulk", "data instead of an mbarrier", "st.shared.u32 [%r0], %r1",
		"@%p mbarrier.expect_tx.shared.b64 [%s+16], 16;\n" + "st.shared.u32 [%r0], %r1",
		"@%p mbarrier.expect_tx.shared.b64 [%s", "is not initialized"},
	{"bulk", "no fence before a copy overwrites", "bar.sync 0;\n", "st.shared.u32 [%s], %t;\nbar.sync 0;\n",
		"@%p cp.async.bulk.shared", "this overwrites them by the asynchronous proxy"},
	{"bulk", "no barrier behind mbarrier.init", "bar.sync 0;\n", "", "WAIT:", "warp 0 initializes the mbarrier at"},
	{"bulk", "no barrier between a read and a write", "st.shared.u32 [%r0], %t;", "xor.b32 %r0, %r0, 128;\n" +
		"st.shared.u32 [%r0], %t;", "ld.shared", "in line 20, and nothing orders the two"},
	{"bulk", "no barrier between a write and a read", "ld.global", "xor.b32 %r0, %r0, 128;\nld.shared.u32 %r2, " +
		"[%r0];\nld.global", "st.shared.u32 [%r0], %r1", "in line 28, and nothing orders the two"},
	{"bulk", "a copy in no group", "@%p mbarrier.inval", "@%p cp.async.bulk.global.shared::cta.bulk_group " +
		"[%b], [%s+512], 512;\n@%p mbarrier.inval", "ret;", "the copy of line 29 is in no group"},
	{"bulk", "a part of a warp at an aligned barrier", "bar.sync 0;\n@%p mbarrier.arrive", "and.b32 %r3, %t, 31;\n" +
		"setp.lt.u32 %q, %r3, 16;\n@%q bra ELSE;\nbar.sync 0;\nELSE: bar.sync 0;\n@%p mbarrier.arrive", "bar.sync 0",
		"16 threads of the warp execute an .aligned instruction"},
	{"bulk", "setmaxnreg without a number of registers", "bar.sync 0;\n",
		"setmaxnreg.dec.sync.aligned.u32 40;\nbar.sync 0;\n", "setmaxnreg", "give it .maxnreg, .maxntid or .reqntid"},
	{"bulk", "a lane outside of its member mask", "bar.sync 0;\n", "elect.sync _|%q, 0xffff0000;\nbar.sync 0;\n",
		"elect.sync", "not in the member mask"},
	{"cluster", "an mbarrier that the cluster does not see", "fence.mbarrier_init.release.cluster;\n" +
		"barrier.cluster.arrive;", "barrier.cluster.arrive.relaxed;", "@%p st.async",
		"fence.mbarrier_init.release.cluster or"},
	{"cluster", "the other CTA may not have begun", "fence.mbarrier_init", "xor.b32 %r0, %rank, 1;\n" +
		"mapa.shared::cluster.u32 %r1, %s, %r0;\nst.shared::cluster.u32 [%r1], %t;\nfence.mbarrier_init",
		"st.shared::cluster", "of the cluster may not have begun"},
	{"cluster", "an asynchronous store to the own CTA", "%r0, %rank, 1", "%r0, %rank, 0", "@%p st.async",
		"goes to another CTA"},
	{"cluster", "an asynchronous store is not waited for",
		"WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;\n@!%q bra WAIT;\n", "barrier.cluster.arrive; " +
			"barrier.cluster.wait;\n", "ld.shared", "the copy of line 18 writes"},
	{"adds", "a reduction is not waited for",
		"WAIT: mbarrier.try_wait.parity.shared.b64 %q, [%m], 0;\n@!%q bra WAIT;\n", "", "ld.shared",
		"the copy of line 19 writes"},
	{"adds", "a copy over a reduction",
		"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32",
		"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "@%p cp.async",
		"the copy of line 18 writes"},
	{"adds", "the source of a copy to another CTA is overwritten", "WAIT:", "@%p st.shared.u32 [%s+512], %t;\nWAIT:",
		"@%p st.shared", "line 18 may still read"},
	{"cluster", "an mbarrier of another CTA", "%t, [%r2]", "%t, [%m]", "@%p st.async",
		"the destination in another one's"},
	{"map", "a changed map", "fence.proxy.tensormap::generic.acquire.gpu [%b], 128;\n", "", "@%p cp.async.bulk.tensor",
		"line 13 has changed the tensor map"},
	{"map", "one thread copies a map", "@%p tensormap.replace", "@%p tensormap.cp_fenceproxy.global." +
		"shared::cta.tensormap::generic.release.gpu.sync.aligned [%a], [%s], 128;\n@%p tensormap.replace",
		"@%p tensormap.cp_fenceproxy", "1 threads of the warp execute an .aligned instruction"},
	{"wgmma", "no wgmma.fence", "wgmma.fence.sync.aligned;\n", "", "wgmma.mma_async",
		"no wgmma.fence has been executed"},
	{"wgmma", "no second wgmma.fence", "wgmma.fence.sync.aligned; // again\n", "", "wgmma.mma_async",
		"line 21 uses a register"},
	{"wgmma", "a register is written behind the fence", "wgmma.fence.sync.aligned;\n",
		"wgmma.fence.sync.aligned;\nadd.f32 %f2, %f3, %f3;\n", "wgmma.mma_async", "line 17 uses a register"},
	{"wgmma", "no fence.proxy.async", "fence.proxy.async;\n", "", "wgmma.mma_async", "must execute fence.proxy.async"},
	{"wgmma", "no barrier behind the tile", "fence.proxy.async;\nbar.sync 0;\n", "fence.proxy.async;\n",
		"wgmma.mma_async", "in line 13, and nothing orders the two"},
	{"wgmma", "a tile is overwritten", groupWait + sanitizedTile, sanitizedTile + groupWait, "st.shared.v4.b32 [%r4]",
		"wait with wgmma.wait_group before they are overwritten"},
}

// TestSanitizer: a right program has no fault; each broken one has none without the sanitizer, since a GPU goes on in
// silence, and with it one that names CTA, warp and line.
func TestSanitizer(t *testing.T) {
	for name, source := range sanitizedPrograms {
		if err := runSanitized(t, source, true); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	for _, c := range sanitizerFaults {
		source := strings.Replace(sanitizedPrograms[c.program], c.old, c.new, 1)
		if source == sanitizedPrograms[c.program] {
			t.Fatalf("%s: no %q", c.name, c.old)
		}
		if err := runSanitized(t, source, false); err != nil {
			t.Errorf("%s: without a sanitizer: %v", c.name, err)
		}
		err := runSanitized(t, source, true)
		var f *Fault
		if !errors.As(err, &f) || !strings.Contains(f.Message, c.want) || !strings.Contains(f.Error(), "CTA (") {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
			continue
		}
		at := strings.Index(source, "\n"+c.at)
		if c.name == "no second wgmma.fence" || c.name == "a tile is overwritten" {
			at = strings.LastIndex(source, "\n"+c.at)
		}
		if line := 2 + strings.Count(source[:at], "\n"); f.Line != line {
			t.Errorf("%s: %v; want line %d", c.name, err, line)
		}
	}
}

// TestSanitizerLaunches: a launch that may begin before the one in front of it has ended waits before it reads.
func TestSanitizerLaunches(t *testing.T) {
	const write, read = "st.global.u32 [%b], %t;\n", "ld.global.u32 %r0, [%b];\n"
	for _, c := range []struct {
		body   string
		before bool
		line   int
	}{{read, true, 11}, {read, false, 0}, {"griddepcontrol.wait;\n" + read, true, 0},
		{"@%p griddepcontrol.wait;\nbar.sync 0;\n" + read, true, 0},
		{"griddepcontrol.launch_dependents;\n" + read, true, 12}} {
		m, err := compile.Load("test.ptx", []byte(clusterHead+write+"ret; }\n"))
		if err != nil {
			t.Fatal(err)
		}
		next, err := compile.Load("test.ptx", []byte(clusterHead+c.body+"ret; }\n"))
		if err != nil {
			t.Fatal(err)
		}
		image, _ := mem.NewImage(mem.DefaultBase, 1<<20)
		b, _ := image.Alloc("out", 4096)
		l := &ptx.Launch{Kernel: loadKernel(t, m, "test", image), Grid: [3]uint32{1, 1, 1},
			Block: [3]uint32{64, 1, 1}}
		l.Params = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, b.Base), b.Base)
		f, err := NewFunctional(l, image, FunctionalOptions{Sanitize: true})
		if err == nil {
			_, err = f.Step(1 << 20)
		}
		if err != nil {
			t.Fatal(err)
		}
		o := FunctionalOptions{Sanitize: true}
		if c.before {
			o.Before = f.Marks()
		}
		l.Kernel = loadKernel(t, next, "test", image)
		_, err = RunFunctional(l, image, o)
		var fault *Fault
		if errors.As(err, &fault) != (c.line > 0) || fault != nil && fault.Line != c.line {
			t.Errorf("%q: %v; want line %d", c.body, err, c.line)
		}
	}
}
