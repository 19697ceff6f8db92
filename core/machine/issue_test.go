package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
)

// ideal is mini with what fetching and the pipeline cost taken out, so that an
// instruction takes the time of its class.
func ideal() *parameter.GPU {
	s := bare()
	s.SM.Fetch.Width, s.SM.Constant.LatencyCycles, s.SM.PipelineCycles = 0, 0, 0
	return s
}

// spent returns the cycles that n further copies of a piece of code take.
func spent(t *testing.T, spec *parameter.GPU, head, piece string, n int) uint64 {
	t.Helper()
	cycles := func(n int) uint64 {
		m, err := run(t, spec, head+strings.Repeat(piece, n))
		if err != nil {
			t.Fatal(err)
		}
		return uint64(m.Cycles())
	}
	return cycles(2*n) - cycles(n)
}

// TestLatencyBinds: a chain of dependent instructions takes each one's latency and
// the pipeline's stages.
func TestLatencyBinds(t *testing.T) {
	for _, stages := range []int{0, 6} {
		spec := ideal()
		spec.SM.PipelineCycles = stages
		for class, piece := range map[ptx.Class]string{
			ptx.ClassIntAdd: "add.u32 %r, %r, 1;\n", ptx.ClassIntMad: "mad.lo.u32 %r, %r, 3, 1;\n",
			ptx.ClassIntDiv: "div.u32 %r, %r, %t;\n", ptx.ClassFloatMad: "fma.rn.f32 %f, %f, %f, %f;\n",
			ptx.ClassSpecial: "sin.approx.f32 %f, %f;\n", ptx.ClassDoubleAdd: "add.f64 %d, %d, %d;\n",
		} {
			// Two warps take turns in units they share.
			want := 20 * uint64(max(int(spec.SM.Timing[class].LatencyCycles)+stages, 2*int(spec.SM.Timing[class].InitiationCycles)))
			if got := spent(t, spec, ".reg .f32 %f;\n.reg .f64 %d;\n", piece, 20); got != want {
				t.Errorf("%d stages: 20 dependent %s take %d cycles, want %d", stages, piece, got, want)
			}
		}
	}
}

// TestSharedLatency: a chain of loads from shared memory.
func TestSharedLatency(t *testing.T) {
	for _, name := range preset.Names() {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		head := ".shared .align 4 .b8 buf[4];\nmov.u32 %r, buf;\nst.shared.u32 [buf], %r;\n"
		want := 10 * uint64(1+spec.SM.SharedLatency)
		if got := spent(t, withoutFetches(spec), head, "ld.shared.u32 %r, [%r];\n", 10); got != want {
			t.Errorf("%s: 10 dependent loads from shared memory take %d cycles, want %d", name, got, want)
		}
	}
}

// TestFetchBinds: a fetch brings two instructions, and the next can follow two
// cycles after the second has been issued; a taken branch throws the other away.
func TestFetchBinds(t *testing.T) {
	spec := bare()
	spec.SM.PipelineCycles = 0
	for i := range spec.SM.Timing {
		spec.SM.Timing[i].LatencyCycles = 1
	}
	if got := spent(t, spec, "", "add.u32 %r, %t, 1;\nadd.u32 %r, %t, 2;\n", 20); got != 20*3 {
		t.Errorf("20 pairs of instructions take %d cycles, want 3 each", got)
	}
	if got := spent(t, spec, "", "{ bra L; add.u32 %r, %t, 1; L: }\n", 20); got != 20*3 {
		t.Errorf("20 branches over an instruction take %d cycles, want 3 each", got)
	}
	spec.SM.Fetch.Width = 0
	if got := spent(t, spec, "", "add.u32 %r, %t, 1;\nadd.u32 %r, %t, 2;\n", 20); got != 20*2 {
		t.Errorf("20 pairs that need no fetch take %d cycles, want 2 each", got)
	}
}

// TestInitiationBinds: independent instructions follow each other in a unit after
// its initiation interval; two warps share the units of the SM, not the ALUs of
// their schedulers.
func TestInitiationBinds(t *testing.T) {
	regs := ".reg .f32 %f<8>;\n.reg .f64 %d<8>;\n.reg .u32 %s<8>;\n"
	for class, form := range map[ptx.Class]string{
		ptx.ClassIntAdd: "add.u32 %%s%d, %%t, 1;\n", ptx.ClassIntMul: "mul.lo.u32 %%s%d, %%t, 3;\n",
		ptx.ClassFloatMax: "max.f32 %%f%d, %%f7, %%f6;\n", ptx.ClassDoubleMul: "mul.f64 %%d%d, %%d7, %%d7;\n",
	} {
		spec := ideal()
		timing := &spec.SM.Timing[class]
		timing.LatencyCycles = 1
		for _, interval := range []int{1, 3, 8} {
			timing.InitiationCycles = uint16(interval)
			var piece strings.Builder
			for i := range 6 {
				fmt.Fprintf(&piece, form, i)
			}
			want := uint64(10 * 6 * interval)
			if timing.Unit != sm.UnitALU {
				want *= 2
			}
			if got := spent(t, spec, regs, piece.String(), 10); got != want {
				t.Errorf("60 x %s at an interval of %d take %d cycles, want %d", strings.TrimSpace(form), interval, got, want)
			}
		}
	}
}

// TestDualIssue: two instructions of a warp go in one cycle where they use
// different units and do not depend on each other.
func TestDualIssue(t *testing.T) {
	regs := ".reg .f32 %f<8>;\n.reg .f64 %d<8>;\n"
	for _, c := range []struct {
		name, piece   string
		single, dual  uint64
		differentUnit bool
	}{
		{"different units", "add.u32 %r, %t, 1;\nadd.f64 %d0, %d1, %d1;\n", 2, 1, true},
		{"one unit", "add.u32 %r, %t, 1;\nadd.f32 %f0, %f1, %f1;\n", 2, 2, false},
	} {
		spec := ideal()
		for i := range spec.SM.Timing {
			spec.SM.Timing[i].LatencyCycles, spec.SM.Timing[i].InitiationCycles = 1, 1
		}
		spec.SM.Timing[ptx.ClassDoubleAdd].Unit = sm.UnitDouble
		spec.SM.Schedulers = 1
		for _, width := range []int{1, 2} {
			spec.SM.IssueWidth = width
			m, err := run(t, spec, regs+strings.Repeat(c.piece, 40))
			if err != nil {
				t.Fatal(err)
			}
			s := m.Stats()
			together := s[stat.WarpInstructions] - s[stat.SlotIssued]
			if want := width == 2 && c.differentUnit; (together >= 40) != want {
				t.Errorf("%s, width %d: %d of %d instructions went with another", c.name, width, together, s[stat.WarpInstructions])
			}
			checkSlots(t, m, c.name)
		}
	}
}

// TestPolicies: greedy stays with a warp as long as it can, round robin does not;
// two-level keeps to its active warps.
func TestPolicies(t *testing.T) {
	// Each thread notes when its warp has gone through a row of independent
	// instructions: warp 0 of a scheduler before the next under gto, at the same
	// time under lrr.
	body := `.reg .u32 %s<8>; .reg .u64 %o;
	` + strings.Repeat("add.u32 %s0, %t, 1; add.u32 %s1, %t, 2; add.u32 %s2, %t, 3; add.u32 %s3, %t, 4; add.u32 %s4, %t, 5;\n", 16) +
		"mov.u32 %r, %clock; mul.wide.u32 %o, %t, 4; add.u64 %a, %p, %o; st.global.u32 [%a], %r;"
	gap := func(policy sm.Policy, active int) int {
		spec := ideal()
		spec.SM.Schedulers, spec.SM.Policy, spec.SM.ActiveWarps = 1, policy, active
		for i := range spec.SM.Timing { // nothing makes a warp wait
			spec.SM.Timing[i].LatencyCycles = 1
		}
		m, err := run(t, spec, body)
		if err != nil {
			t.Fatal(err)
		}
		var b [256]byte
		m.Read(m.Image().Allocations()[0].Base, b[:])
		return int(b[128]) + int(b[129])<<8 - int(b[0]) - int(b[1])<<8
	}
	if g := gap(sm.PolicyGreedy, 0); g < 80 {
		t.Errorf("gto: the second warp is %d cycles behind the first", g)
	}
	if g := gap(sm.PolicyRoundRobin, 0); g < 0 || g > 4 {
		t.Errorf("lrr: the second warp is %d cycles behind the first", g)
	}
	if g := gap(sm.PolicyTwoLevel, 2); g < 0 || g > 4 {
		t.Errorf("two-level with both active: the second warp is %d cycles behind the first", g)
	}
	if g := gap(sm.PolicyTwoLevel, 1); g < 80 {
		t.Errorf("two-level with one active: the second warp is %d cycles behind the first", g)
	}
}

// TestOccupancy compares with the CUDA occupancy calculator: threads of a CTA,
// registers of a thread and shared bytes of a CTA to resident CTAs.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		preset             string
		threads, registers int
		shared             int
		ctas               int
		limit              string
	}{
		{"gtx480", 256, 16, 4096, 6, "warps"}, // the calculator's own example: 48 of 48 warps
		{"gtx480", 192, 20, 2048, 8, "CTAs"},
		{"gtx480", 256, 31, 2048, 4, "registers"}, // as ptxas and GPGPU-Sim have it for matmul_tiled
		{"gtx480", 96, 48, 0, 6, "registers"},     // 21 warps fit, counted in pairs 20
		{"gtx480", 512, 63, 0, 1, "registers"},
		{"gtx480", 64, 10, 16384, 3, "shared memory"},
		{"gtx480", 32, 8, 0, 8, "CTAs"},
		{"p100", 256, 32, 0, 8, "warps"},
		{"p100", 256, 64, 0, 4, "registers"},
		{"p100", 128, 40, 8192, 8, "shared memory"},
		{"p100", 32, 16, 0, 32, "CTAs"},
		{"a100", 1024, 32, 0, 2, "warps"},
		{"a100", 96, 128, 0, 5, "registers"},
	} {
		spec, err := preset.GPU(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		module, err := compile.Load("k.ptx", []byte(".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k() { ret; }\n"))
		if err != nil {
			t.Fatal(err)
		}
		k, err := compile.Kernel(module, "k", nil)
		if err != nil {
			t.Fatal(err)
		}
		l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{uint32(c.threads), 1, 1}, DynamicSharedBytes: c.shared, Registers: c.registers}
		if n, limit := spec.SM.Occupancy(l); n != c.ctas || limit != c.limit {
			t.Errorf("%s: %d threads, %d registers, %d bytes: %d CTAs by %s, want %d by %s", c.preset, c.threads, c.registers, c.shared, n, limit, c.ctas, c.limit)
		}
	}
}

// TestLittle: the mean number of lines under way is their rate times their mean
// latency; the two sides are counted apart.
func TestLittle(t *testing.T) {
	for name, body := range programs {
		m, err := run(t, mini(), body)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Stats()
		if s[stat.L1OutstandingCycles] != s[stat.L1MissLatencyCycles] {
			t.Errorf("%s: %d line cycles under way, but %d cycles of latency", name, s[stat.L1OutstandingCycles], s[stat.L1MissLatencyCycles])
		}
		if name == "loads" && (s[stat.L1MissLatencyCycles] < 2*182 || s[stat.L1Misses] != 2) {
			t.Errorf("%s: %d misses took %d cycles", name, s[stat.L1Misses], s[stat.L1MissLatencyCycles])
		}
	}
}
