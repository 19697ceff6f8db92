package experiment

import (
	"fmt"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// SeedsMatterFrom is the spread from which a result is taken as a mean over seeds [ours].
const SeedsMatterFrom = 0.02

// SeedSpread says how far the figures of a program move with the seed of its inputs: the
// largest over the smallest value, less 1.
type SeedSpread struct {
	Cycles    float64 `json:"cycles"`    // without compression
	DRAMBytes float64 `json:"dramBytes"` // without compression
	Speedup   float64 `json:"speedup"`   // of the scenario's scheme
	Traffic   float64 `json:"traffic"`   // saved by the scheme: bytes without it over bytes with it
}

// Matters reports whether a figure moves by more than SeedsMatterFrom.
func (s SeedSpread) Matters() bool {
	return max(s.Cycles, s.DRAMBytes, s.Speedup, s.Traffic) > SeedsMatterFrom
}

// SpreadOfSeeds runs a scenario under the seeds 1 to n, each without and with its scheme.
func SpreadOfSeeds(s *scenario.Scenario, n int) (SeedSpread, error) {
	var cycles, bytes, speedup, traffic spread
	for seed := range n {
		sc := *s
		sc.Seed = uint64(seed) + 1
		plan, err := PlanOf(&sc)
		if err != nil {
			return SeedSpread{}, err
		}
		study, err := NewStudy(plan)
		if err != nil {
			return SeedSpread{}, err
		}
		base, err := study.Run(plan.With(scheme.Default()), Options{}).Finish()
		if err != nil {
			return SeedSpread{}, fmt.Errorf("seed %d without compression: %w", sc.Seed, err)
		}
		own, err := study.Run(plan, Options{}).Finish()
		if err != nil {
			return SeedSpread{}, fmt.Errorf("seed %d: %w", sc.Seed, err)
		}
		baseBytes, ownBytes := float64(base.DRAMReadBytes+base.DRAMWriteBytes), float64(own.DRAMReadBytes+own.DRAMWriteBytes)
		cycles.add(float64(base.Cycles))
		bytes.add(baseBytes)
		speedup.add(ratio(float64(base.Cycles), float64(own.Cycles)))
		traffic.add(ratio(baseBytes, ownBytes))
	}
	return SeedSpread{cycles.relative(), bytes.relative(), speedup.relative(), traffic.relative()}, nil
}

// spread is the range of some values.
type spread struct {
	low, high float64
	some      bool
}

func (s *spread) add(v float64) {
	if !s.some {
		*s = spread{v, v, true}
	}
	s.low, s.high = min(s.low, v), max(s.high, v)
}

// relative is the highest value over the lowest, less 1; 0 for values that are all 0.
func (s *spread) relative() float64 {
	if s.high == 0 {
		return 0
	}
	return ratio(s.high, s.low) - 1
}
