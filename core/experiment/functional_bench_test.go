package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// BenchmarkFunctional reports warp instructions per second without a machine,
// loading included.
func BenchmarkFunctional(b *testing.B) {
	for _, name := range []string{"vecadd", "matmul"} {
		b.Run(name, func(b *testing.B) {
			p, err := PlanOf(scenario.Default(name))
			if err != nil {
				b.Fatal(err)
			}
			instructions := uint64(0)
			for b.Loop() {
				s, err := NewStudy(p)
				if err != nil {
					b.Fatal(err)
				}
				if err := s.RunFunctional(); err != nil {
					b.Fatal(err)
				}
				instructions += s.WarpInstructions()
			}
			b.ReportMetric(float64(instructions)/b.Elapsed().Seconds(), "warp-instr/s")
		})
	}
}
