package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// BenchmarkRun reports warp instructions per second of the simulate phase, with
// the full timing model, on gtx480.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct {
		label, name string
		size        int
		memory      func(*scheme.Memory)
	}{
		{"vecadd-262144", "vecadd", 262144, func(*scheme.Memory) {}},
		{"transpose-512", "transpose", 512, func(*scheme.Memory) {}},
		{"matmul-128", "matmul", 128, func(*scheme.Memory) {}},
		{"dct-512-tslc", "dct", 512, func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-opt") }},
	} {
		b.Run(c.label, func(b *testing.B) {
			s := scenario.Default(c.name)
			s.Machine.Preset, s.Workload.Size = "gtx480", c.size
			c.memory(&s.Memory)
			simulate(b, s)
		})
	}
}

// BenchmarkAccount runs the programs of the account in core/BENCHMARKS.md, which says where their
// time goes: a profile of one of them, by package.
func BenchmarkAccount(b *testing.B) {
	schemes := []struct {
		name   string
		memory func(*scheme.Memory)
	}{
		{"none", func(m *scheme.Memory) { m.Put("codec", "none", "approximation", "none") }},
		{"e2mc16", func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "none") }},
		{"tslc-opt", func(m *scheme.Memory) { m.Put("codec", "e2mc16", "approximation", "tslc-opt") }},
	}
	for _, preset := range []string{"gtx480", "gtx580b", "a100"} {
		for _, program := range []struct {
			name string
			size int
		}{{"vecadd", 262_144}, {"matmul", 128}, {"dct", 512}, {"spmv", 4096}, {"transpose", 512}} {
			for _, c := range schemes {
				b.Run(program.name+"/"+preset+"/"+c.name, func(b *testing.B) {
					s := scenario.Default(program.name)
					s.Machine.Preset, s.Workload.Size = preset, program.size
					c.memory(&s.Memory)
					simulate(b, s)
				})
			}
		}
	}
}

// BenchmarkPage runs programs as the page does: with a tap, a recording for estimates, and in slices.
func BenchmarkPage(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"vecadd", 262_144}, {"matmul", 128}, {"dct", 256}, {"transpose", 256}} {
		for _, preset := range []string{"gtx480", "gtx580b"} {
			b.Run(c.name+"/"+preset, func(b *testing.B) {
				s := scenario.Default(c.name)
				s.Machine.Preset, s.Workload.Size = preset, c.size
				tap := probe.NewTap(1 << 18)
				simulateWith(b, s, Options{Tap: tap, Record: true}, func(m *machine.Machine) (done bool, err error) {
					done, err = m.Advance(m.Now() + 256)
					tap.Take(func([]probe.Event) {})
					return done, err
				})
			})
		}
	}
}

// simulate reports the warp instructions per second of the simulate phase of s.
func simulate(b *testing.B, s *scenario.Scenario) {
	b.Helper()
	simulateWith(b, s, Options{}, func(m *machine.Machine) (bool, error) { return true, m.Run() })
}

func simulateWith(b *testing.B, s *scenario.Scenario, o Options, advance func(m *machine.Machine) (done bool, err error)) {
	b.Helper()
	p, err := PlanOf(s)
	if err != nil {
		b.Fatal(err)
	}
	study, err := NewStudy(p)
	if err != nil {
		b.Fatal(err)
	}
	instructions := uint64(0)
	for b.Loop() {
		b.StopTimer()
		r := study.Run(p, o)
		for r.Phase() != PhaseSimulate {
			if _, err := r.Step(1 << 30); err != nil {
				b.Fatal(err)
			}
		}
		b.StartTimer()
		for done := false; !done; {
			var err error
			if done, err = advance(r.machine); err != nil {
				b.Fatal(err)
			}
		}
		instructions += r.machine.WarpInstructions()
	}
	b.ReportMetric(float64(instructions)/b.Elapsed().Seconds(), "warp-instr/s")
}
