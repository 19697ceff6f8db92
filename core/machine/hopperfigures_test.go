package machine

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/tools/golden"
)

// onlyKernel compiles kernel k.
func onlyKernel(t *testing.T, source string) *ptx.Kernel {
	t.Helper()
	module, err := compile.Load("k.ptx", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// hopperCycles runs a body on `machine` and returns what the first thread of each CTA has left in %r9, the cycles of
// what the body measures. %b is the CTA's part of the input, %o its word of the output, %t the thread, %s a tile of
// 64 KiB, %m an mbarrier with one arrival.
func hopperCycles(t *testing.T, ctas, threads, cluster, mhz uint32, body string) []uint32 {
	t.Helper()
	return cyclesOn(t, hopperAt(mhz), ctas, threads, cluster, body)
}

// hopperAt is h100 with its SMs at a clock. Crossbars and L2 keep theirs where that of the SMs is locked: their clock
// there has not been published [ours].
func hopperAt(mhz uint32) *parameter.GPU {
	spec := withoutFetches(built("h100"))
	full := spec.CoreMHz
	spec.CoreMHz, spec.XbarMHz, spec.L2MHz = uint64(mhz), full, full
	for _, c := range []*int{&spec.RequestLatencyCycles, &spec.ReplyLatencyCycles, &spec.L2LatencyCycles} {
		*c = *c * int(mhz) / int(full)
	}
	return spec
}

// cyclesOn is hopperCycles on a machine.
func cyclesOn(t *testing.T, spec *parameter.GPU, ctas, threads, cluster uint32, body string) []uint32 {
	t.Helper()
	source := `.version 8.3
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
.reg .b64 %b, %o, %x, %c<4>; .reg .b32 %t, %s, %m, %k, %rank, %to, %bar, %r<10>; .reg .pred %p, %q;
.shared .align 128 .b8 tile[65536]; .shared .align 8 .b64 bar;
ld.param.u64 %b, [in]; ld.param.u64 %o, [out]; mov.u32 %k, %ctaid.x; mul.wide.u32 %x, %k, 32768; add.u64 %b, %b, %x;
mul.wide.u32 %x, %k, 4; add.u64 %o, %o, %x; mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %m, bar;
mov.u32 %rank, %cluster_ctarank; setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared::cta.b64 [%m], 1;
fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
` + body + `
@%p st.global.u32 [%o], %r9;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; ret; }`
	k := onlyKernel(t, source)
	image, err := mem.NewImage(mem.DefaultBase, 1<<26)
	if err != nil {
		t.Fatal(err)
	}
	in, err := image.Alloc("in", uint64(ctas)*32768)
	if err != nil {
		t.Fatal(err)
	}
	out, err := image.Alloc("out", uint64(ctas)*4)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, in.Base), out.Base)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{threads, 1, 1},
		Cluster: [3]uint32{cluster, 1, 1}, NonPortable: true, Params: params}
	m, err := New(spec, Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4*ctas)
	m.Read(out.Base, b)
	words := make([]uint32, ctas)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

const fg = "FlashGPU-Sim, H100"

// Parts of bodies: %c0 and %c1 become the clock, %r9 their difference.
const (
	clockBegin = "mov.u64 %c0, %clock64;\n"
	clockEnd   = "mov.u64 %c1, %clock64; sub.u64 %c1, %c1, %c0; cvt.u32.u64 %r9, %c1;\n"
)

// tmaCopies copies some blocks of 16 KiB and waits for them, in the phase of a parity.
func tmaCopies(n, parity int) (text string) {
	text = fmt.Sprintf("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%m], %d;\n", n*16384)
	for i := range n {
		text += fmt.Sprintf("add.u32 %%r1, %%s, %d; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "+
			"[%%r1], [%%b+%d], 16384, [%%m];\n", i*16384, i*16384)
	}
	return text + fmt.Sprintf("W%d: mbarrier.try_wait.parity.shared::cta.b64 %%q, [%%m], %d; @!%%q bra W%d;\n", parity,
		parity, parity)
}

// figures are those of TestHopperFigures.
type figures struct {
	*testing.T
	rows [][]string
}

// within wants a figure within 10 % of what its source says.
func (f *figures) within(what string, got, want float64, source string) {
	f.Helper()
	off := got/want - 1
	f.rows = append(f.rows, []string{what, fmt.Sprintf("%.4g", want), fmt.Sprintf("%.4g", got),
		fmt.Sprintf("%+.1f", 100*off), source})
	if math.Abs(off) > 0.1 {
		f.Errorf("%s: %.4g, want %.4g of %s within 10 %%", what, got, want, source)
	}
}

// TestHopperFigures compares the machine with public microbenchmarks, and a table of HOPPER.md with both.
func TestHopperFigures(t *testing.T) {
	f := &figures{T: t}
	f.products()
	f.copies()
	f.parts()
	f.network()
	f.barriers()
	golden.Table(t, "HOPPER.md", "figures", []string{"figure", "source", "here", "off, %", "of"}, f.rows)
}

// products are cycles of wgmma by shape, ten more of them.
func (f *figures) products() {
	const luo = "Luo et al., H800"
	for _, c := range []struct {
		n         int
		registers bool
		want      float64
		source    string
	}{{256, false, 128, luo}, {128, false, 64, luo}, {64, false, 32, luo}, {256, true, 128, luo}, {32, true, 16, fg}} {
		text := groupOperation(c.n, c.registers)
		more := groupCycles(f.T, 128, strings.Repeat(text, 30)+groupEnds) -
			groupCycles(f.T, 128, strings.Repeat(text, 20)+groupEnds)
		a := map[bool]string{false: "in shared memory", true: "in registers"}[c.registers]
		f.within(fmt.Sprintf("one more wgmma m64n%dk16 of f16, A %s, cycles", c.n, a), float64(more)/10, c.want, c.source)
	}
	alone := groupCycles(f.T, 128, groupOperation(256, false)+groupEnds) - groupCycles(f.T, 128, groupEnds)
	f.within("one wgmma m64n256k16 until its wait returns, cycles", float64(alone), 17+128+65, fg)
}

func meanOf(v []uint32) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x)
	}
	return sum / float64(len(v))
}

// copies are what copies in bulk take.
func (f *figures) copies() {
	t := f.T
	cold := clockBegin + tmaCopies(2, 0) + clockEnd
	warm := tmaCopies(2, 0) + clockBegin + tmaCopies(2, 1) + clockEnd
	f.within("two copies of 16 KiB from HBM, 128 CTAs, cycles", meanOf(hopperCycles(t, 128, 1, 1, 1500, cold)), 2275, fg)
	f.within("two copies of 16 KiB from L2, 128 CTAs, cycles", meanOf(hopperCycles(t, 128, 1, 1, 1500, warm)), 1280, fg)

	small := func(parity int) string {
		return fmt.Sprintf("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%m], 16; cp.async.bulk.shared::cluster.global."+
			"mbarrier::complete_tx::bytes [%%s], [%%b], 16, [%%m];\nW%d: mbarrier.try_wait.parity.shared::cta.b64 %%q, "+
			"[%%m], %d; @!%%q bra W%d;\n", parity, parity, parity)
	}
	load := "ld.global.cg.u32 %r1, [%b]; add.u32 %r2, %r1, 1;\n"
	copied := meanOf(hopperCycles(t, 1, 1, 1, 1980, small(0)+clockBegin+small(1)+clockEnd))
	loaded := meanOf(hopperCycles(t, 1, 1, 1, 1980, load+clockBegin+load+clockEnd))
	f.within("a copy from L2 takes more than a load, cycles", copied-loaded, 170, "Luo et al., H800")
	begun := func(n int) float64 {
		text := load + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], " + fmt.Sprint(16*n) + ";\n" + clockBegin
		for range n {
			text += "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%b], 16, [%m];\n"
		}
		return meanOf(hopperCycles(t, 1, 1, 1, 1980, text+"W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; "+
			"@!%q bra W;\n"+clockEnd))
	}
	f.within("one more copy of 16 bytes, cycles", (begun(30)-begun(10))/20, 33, fg)
}

// parts are loads from both parts of L2, of lines that no SM has loaded, and from the memory behind them.
func (f *figures) parts() {
	const of = "Luo et al., H800; with l2.farCycles 156"
	spec := hopperAt(1980)
	spec.L2.FarCycles = 156
	hit := "prefetch.global.L2 [%x]; mov.u64 %c2, %clock64; WAIT: mov.u64 %c3, %clock64; sub.u64 %c3, %c3, %c2; " +
		"setp.lt.u64 %q, %c3, 4000; @%q bra WAIT;\n"
	var hits, misses []float64
	for line := range 32 {
		at := fmt.Sprintf("add.u64 %%x, %%b, %d;\n", 1024*line)
		load := clockBegin + "ld.global.cg.u32 %r1, [%x]; add.u32 %r2, %r1, 1;\n" + clockEnd
		hits = append(hits, meanOf(cyclesOn(f.T, spec, 1, 1, 1, at+hit+load)))
		misses = append(misses, meanOf(cyclesOn(f.T, spec, 1, 1, 1, at+load)))
	}
	between := (slices.Min(hits) + slices.Max(hits)) / 2
	for i, part := range []struct {
		name      string
		hit, miss float64
	}{{"near", 258, 555.5}, {"far", 414, 743.7}} {
		var group [2][]float64
		for k := range hits {
			if hits[k] > between == (i == 1) {
				group[0], group[1] = append(group[0], hits[k]), append(group[1], misses[k])
			}
		}
		for k, want := range []float64{part.hit, part.miss} {
			slices.Sort(group[k])
			what := []string{"a load that hits the %s part of L2", "a load from memory of the %s part"}[k]
			f.within(fmt.Sprintf(what+", cycles", part.name), group[k][len(group[k])/2], want, of)
		}
	}
}

// network is shared memory of another CTA.
func (f *figures) network() {
	const dsm = "dsm_bw, H200"
	t := f.T
	other := "xor.b32 %to, %rank, 1; mapa.shared::cluster.u32 %to, %s, %to;\n"
	chain := func(n int) float64 {
		load := strings.Repeat("ld.shared::cluster.u32 %r1, [%to]; add.u32 %to, %to, %r1;\n", n)
		return meanOf(hopperCycles(t, 2, 1, 2, 1785, other+clockBegin+load+clockEnd))
	}
	latency := (chain(12) - chain(2)) / 10
	f.within("load from another CTA, cycles", latency, 193, dsm)
	f.within("load from another CTA, cycles", latency, 180, "Luo et al., H800")

	for _, c := range []struct {
		what, text string
		one, both  float64
	}{
		{"loads", "ld.shared::cluster.v4.u32 {%r1, %r2, %r3, %r4}, [%to];\n", 19.87, 15.37},
		{"stores", "st.shared::cluster.v4.u32 [%to], {%r1, %r2, %r3, %r4};\n", 18.87, 18.12},
	} {
		for _, way := range []struct {
			who   string
			ctas  int
			bytes float64
		}{{"setp.ne.u32 %q, %rank, 0; @%q bra END;\n", 1, c.one}, {"", 2, c.both}} {
			text := other + "shl.b32 %r5, %t, 4; add.u32 %to, %to, %r5; mov.u32 %r6, 0;\n" + way.who + clockBegin + "LOOP:\n"
			text += strings.Repeat(c.text, 8)
			text += "add.u32 %r6, %r6, 1; setp.lt.u32 %q, %r6, 16; @%q bra LOOP;\nbar.sync 0;\n" +
				clockEnd +
				"END:\n"
			cycles := meanOf(hopperCycles(t, 2, 1024, 2, 1785, text)[:way.ctas])
			f.within(fmt.Sprintf("%s, %d of 2 CTAs, bytes a cycle", c.what, way.ctas), 1024*16*8*16/cycles, way.bytes, dsm)
		}
	}
	copies := func(who string) float64 {
		text := other + "xor.b32 %r1, %rank, 1; mapa.shared::cluster.u32 %bar, %m, %r1;\n" +
			"@%p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 262144;\n" + clockBegin + who
		for i := range 8 {
			text += fmt.Sprintf("@%%p cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%%to+%d], [%%s], "+
				"32768, [%%bar];\n", i%2*32768)
		}
		text += "END:\n"
		wait := "W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%m], 0; @!%q bra W;\n" + clockEnd
		if who != "" {
			text += "setp.eq.u32 %q, %rank, 0; @%q bra OUT;\n" + wait + "OUT:\n"
		} else {
			text += wait
		}
		words := hopperCycles(t, 2, 1, 2, 1785, text)
		return 262144 / float64(slices.Max(words))
	}
	f.within("copies, 1 of 2 CTAs, bytes a cycle", copies("setp.ne.u32 %q, %rank, 0; @%q bra END;\n"), 21.25, dsm)
	f.within("copies, 2 of 2 CTAs, bytes a cycle", copies(""), 20.29, dsm)
}

// barriers are the instructions of an mbarrier.
func (f *figures) barriers() {
	t := f.T
	arrive := "mbarrier.arrive.shared::cta.b64 %x, [%m]; add.u64 %c2, %x, 1;\n"
	cycles := func(text string) float64 {
		return meanOf(hopperCycles(t, 1, 1, 1, 1500, clockBegin+text+clockEnd)) -
			meanOf(hopperCycles(t, 1, 1, 1, 1500, clockBegin+clockEnd))
	}
	f.within("mbarrier.arrive to its state, cycles", cycles(arrive), 29, fg)
	wait := "mbarrier.test_wait.parity.shared::cta.b64 %q, [%m], 1; selp.u32 %r2, 1, 0, %q;\n"
	f.within("wait to its predicate, cycles", cycles(wait), 36, fg)
}

// TestClustersStayInAGPC: the CTAs of clusters of 16 run on the 16 or 18 SMs of a GPC, all of them at once.
func TestClustersStayInAGPC(t *testing.T) {
	body := "mov.u32 %r9, %smid; add.u32 %r9, %r9, 1;\n"
	words := hopperCycles(t, 16*9, 32, 16, 1980, body)
	for c := 0; c < len(words); c += 16 {
		seen := map[uint32]bool{}
		for _, w := range words[c : c+16] {
			seen[w] = true
		}
		least, most := slices.Min(words[c:c+16]), slices.Max(words[c:c+16])
		if len(seen) != 16 || most-least > 17 {
			t.Errorf("cluster %d: SMs %v", c/16, words[c:c+16])
		}
	}
}
