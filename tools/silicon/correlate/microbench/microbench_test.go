package microbench_test

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
)

// TestEveryBenchmarkCompiles: all kernels that a launch names are in the module and take its
// arguments.
func TestEveryBenchmarkCompiles(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range microbench.All() {
		if seen[b.Key()] {
			t.Errorf("%s is there twice", b.Key())
		}
		seen[b.Key()] = true
		if found := microbench.Find(b.Name, b.Size, b.Data); found == nil || found.Key() != b.Key() {
			t.Errorf("%s is not found", b.Key())
		}
		if b.Unit == "" || b.Doc == "" {
			t.Errorf("%s has no unit or no description", b.Key())
		}
		p := b.Program()
		module, err := compile.Load(p.File, p.PTX)
		if err != nil {
			t.Errorf("%s: %v", b.Key(), err)
			continue
		}
		for i := range p.Launches {
			l := &p.Launches[i]
			k, err := compile.Kernel(module, l.Entry, nil)
			if err != nil {
				t.Errorf("%s: %v", b.Key(), err)
				continue
			}
			for j, a := range l.Args {
				if len(l.Args) != len(k.Params) || a.Bytes != k.Params[j].Bytes {
					t.Errorf("%s: launch %d of %s: argument %d does not fit", b.Key(), i, l.Entry, j)
					break
				}
			}
		}
	}
}

// TestThePresetsLatenciesAreMeasured: the microbenchmarks find on the simulated A100 what its
// table says.
func TestThePresetsLatenciesAreMeasured(t *testing.T) {
	spec, err := preset.GPU("a100")
	if err != nil {
		t.Fatal(err)
	}
	levels := parameter.UnloadedLatencies(spec)
	timing := func(c ptx.Class) float64 {
		return float64(int(spec.SM.Timing[c].LatencyCycles) + spec.SM.PipelineCycles)
	}
	for _, c := range []struct {
		name      string
		size      int
		data      string
		want      float64
		tolerance float64 // of the loop around the chain, and of its begin
	}{
		{"latency.shared", 1, "lanes on a bank", float64(spec.SM.SharedLatency) + 1, 0.02},
		{"latency.shared", 32, "lanes on a bank", float64(spec.SM.SharedLatency) + 32, 0.03},
		{"rate.shared", 8, "lanes on a bank", 8, 0.01},
		{"latency.l1", 16384, "stride 128", float64(levels[0].Cycles), 0.01},
		{"latency.l2", 1 << 20, "scattered 128", float64(levels[2].Cycles), 0.01},
		{"latency.instruction", 32, "fma.rn.f32", timing(ptx.ClassFloatMad), 0.1},
		{"latency.instruction", 32, "add.f64", timing(ptx.ClassDoubleAdd), 0.1},
		{"latency.instruction", 32, "ex2.approx.f32", timing(ptx.ClassSpecial), 0.1},
		{"latency.instruction", 32, "shfl.sync", timing(ptx.ClassShuffle), 0.1},
	} {
		s, err := correlate.Machine{Preset: "a100"}.Simulate(correlate.Case{Kind: correlate.Microbenchmark, Name: c.name, Size: c.size, Data: c.data})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Figure.Value-c.want) > c.tolerance {
			t.Errorf("%s of %d, %s: %.3f cycles, want %.0f", c.name, c.size, c.data, s.Figure.Value, c.want)
		}
	}
}

// TestAValueOfTheMachineShowsInItsBenchmark: one cycle more of a latency is one cycle more
// measured.
func TestAValueOfTheMachineShowsInItsBenchmark(t *testing.T) {
	c := correlate.Case{Kind: correlate.Microbenchmark, Name: "latency.shared", Size: 1, Data: "lanes on a bank"}
	figure := func(m correlate.Machine) float64 {
		s, err := m.Simulate(c)
		if err != nil {
			t.Fatal(err)
		}
		return s.Figure.Value
	}
	base := figure(correlate.Machine{Preset: "a100"})
	longer := figure(correlate.Machine{Preset: "a100", Overrides: scenario.Overrides{"sm.sharedLatency": float64(32)}})
	if math.Abs(longer-base-10) > 0.01 {
		t.Errorf("%.3f cycles with 22, %.3f with 32", base, longer)
	}
}

func TestAFigureNeedsTheBenchmarksOutputs(t *testing.T) {
	b := microbench.Find("latency.shared", 1, "lanes on a bank")
	for name, outputs := range map[string][][]byte{
		"none": nil, "too short": {make([]byte, 8)}, "no time": {make([]byte, 32)},
	} {
		if _, err := b.Figure(microbench.Observation{Outputs: outputs}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
