package machine

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/tools/golden"
)

// stream adds up every n-th word, four loads under way, past L1: lines of L1 that
// wait for their bytes would bound what is under way (its sets have four ways).
const stream = `.version 7.0
.target sm_50
.address_size 64
.visible .entry stream(.param .u64 in, .param .u64 out, .param .u32 rounds)
{
	.reg .u64 %p, %q, %a, %step;
	.reg .u32 %c, %b, %t, %g, %n, %i;
	.reg .f32 %s, %v<4>;
	.reg .pred %again;
	ld.param.u64 %p, [in];
	ld.param.u64 %q, [out];
	ld.param.u32 %n, [rounds];
	mov.u32 %c, %ctaid.x;
	mov.u32 %b, %ntid.x;
	mov.u32 %t, %tid.x;
	mad.lo.u32 %i, %c, %b, %t;
	mov.u32 %g, %nctaid.x;
	mul.lo.u32 %g, %g, %b;
	mul.wide.u32 %step, %g, 4;
	mul.wide.u32 %a, %i, 4;
	add.u64 %q, %q, %a;
	add.u64 %a, %p, %a;
	mov.f32 %s, 0f00000000;
AGAIN:
	ld.global.cg.f32 %v0, [%a];
	add.u64 %a, %a, %step;
	ld.global.cg.f32 %v1, [%a];
	add.u64 %a, %a, %step;
	ld.global.cg.f32 %v2, [%a];
	add.u64 %a, %a, %step;
	ld.global.cg.f32 %v3, [%a];
	add.u64 %a, %a, %step;
	add.f32 %s, %s, %v0;
	add.f32 %s, %s, %v1;
	add.f32 %s, %s, %v2;
	add.f32 %s, %s, %v3;
	sub.u32 %n, %n, 1;
	setp.ne.u32 %again, %n, 0;
	@%again bra AGAIN;
	st.global.f32 [%q], %s;
	ret;
}
`

// streaming builds a machine that runs a version of stream on all its SMs.
func streaming(t *testing.T, spec *parameter.GPU, source string) *Machine {
	t.Helper()
	const threads, rounds = 256, 24
	ctas := uint64(spec.SMs * spec.SM.Warps * ptx.MaxLanes / threads)
	words := ctas * threads * 4 * rounds
	module, err := compile.Load("stream.ptx", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := compile.Kernel(module, "stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	in, err := image.Alloc("in", words*4)
	if err != nil {
		t.Fatal(err)
	}
	out, err := image.Alloc("out", ctas*threads*4)
	if err != nil {
		t.Fatal(err)
	}
	params := binary.LittleEndian.AppendUint64(nil, in.Base)
	params = binary.LittleEndian.AppendUint64(params, out.Base)
	params = binary.LittleEndian.AppendUint32(params, rounds)
	m, err := New(spec, Job{
		Launches: []*ptx.Launch{{Kernel: kernel, Grid: [3]uint32{uint32(ctas), 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params}},
		Image:    image, Scheme: codec.NewRaw(32),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestStreamingReadsReachPeak: a program that reads memory from end to end keeps nearly
// all of every preset's data buses busy once it has started, and the rest of the time is
// accounted for to the cycle. Refreshes that stop all banks cost a tenth. The fabric of
// GPGPU-Sim 3.2.1 gets less: the bank groups of a stream are the same for 2 KB or more, and
// 32 MSHRs bound the lines under way.
func TestStreamingReadsReachPeak(t *testing.T) {
	t.Parallel()
	least, most := 1.0, 0.0
	least3, most3 := 1.0, 0.0
	leastStopped, mostStopped := 1.0, 0.0 // refreshes that stop all banks
	for _, name := range presets() {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		m := streaming(t, spec, stream)
		const from, until = 4000, 16000 // core cycles; the shortest run takes 25,000
		if _, err := m.Advance(from); err != nil {
			t.Fatal(err)
		}
		before := m.Stats()
		done, err := m.Advance(until)
		if err != nil || done {
			t.Fatalf("%s: ended before cycle %d: %v", name, until, err)
		}
		s := m.Stats()
		for i := range s {
			s[i] -= before[i]
		}
		share := func(c stat.Counter) float64 { return float64(s[c]) / float64(s[stat.DRAMCycles]) }
		t.Logf("%s: read %.3f, turnaround %.3f, refresh %.3f, banks %.3f, idle %.3f", name,
			share(stat.BusReadCycles), share(stat.BusTurnaroundCycles), share(stat.BusRefreshCycles), share(stat.BusBankCycles), share(stat.BusIdleCycles))
		got := share(stat.BusReadCycles)
		floor := 0.989
		switch {
		case spec.L2.WriteMiss == cache.WriteFetch:
			least3, most3, floor = min(least3, got), max(most3, got), 0.53
		case spec.DRAM.REFI > 0 && spec.DRAM.Refresh == dram.RefreshAllBanks:
			leastStopped, mostStopped, floor = min(leastStopped, got), max(mostStopped, got), 0.87
		case spec.DRAM.Name == "orin":
			floor = 0.97 // reads wait for a bank that is being refreshed
			least, most = min(least, got), max(most, got)
		default:
			least, most = min(least, got), max(most, got)
		}
		if got < floor {
			t.Errorf("%s: %.3f of the peak", name, got)
		}
		sum := s[stat.BusReadCycles] + s[stat.BusWriteCycles] + s[stat.BusTurnaroundCycles] + s[stat.BusRefreshCycles] +
			s[stat.BusBankCycles] + s[stat.BusIdleCycles] + s[stat.BusPendingCycles]
		if sum != s[stat.DRAMCycles]+s[stat.BusAheadCycles] {
			t.Errorf("%s: the data buses account for %d cycles of %d", name, sum, s[stat.DRAMCycles])
		}
	}
	if testing.Short() {
		return // the figures are of all presets
	}
	golden.Words(t, validation, fmt.Sprintf("keeps %.2f to %.2f of the data buses of every preset with GPGPU-Sim 4's fabric busy", least, most))
	golden.Words(t, validation, fmt.Sprintf("%.2f to %.2f on those with 3.2.1's", least3, most3))
	golden.Words(t, validation, fmt.Sprintf(
		"%.2f to %.2f on `rtx2060`, `rtx3070`, `rtx3090`, `rtx4090`, `h100` and `h200`", leastStopped, mostStopped))
}

// TestStreamingThroughL1: the same program through L1 gets less on the Fermi presets. A
// line takes its way in L1 when it is asked for, and four ways a set bound the misses
// under way.
func TestStreamingThroughL1(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	for _, name := range []string{"mini", "gtx480", "gtx580v4"} {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		m := streaming(t, spec, strings.ReplaceAll(stream, "ld.global.cg", "ld.global.ca"))
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		s := m.Stats()
		golden.Words(t, validation, fmt.Sprintf("%.2f on `%s`", float64(s[stat.BusReadCycles])/float64(s[stat.DRAMCycles]), name))
	}
}
