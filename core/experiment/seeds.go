package experiment

import (
	"fmt"
	"math"
	"slices"

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
	// SpeedupOver and TrafficOver are the mean over the seeds and the deviation of one seed from it.
	SpeedupOver OverSeeds `json:"speedupOverSeeds"`
	TrafficOver OverSeeds `json:"trafficOverSeeds"`
}

// OverSeeds is the mean of a value and its standard deviation, estimated from a sample (divided by n - 1).
type OverSeeds struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
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
		speedup.add(Ratio(float64(base.Cycles), float64(own.Cycles)))
		traffic.add(Ratio(baseBytes, ownBytes))
	}
	return SeedSpread{cycles.relative(), bytes.relative(), speedup.relative(), traffic.relative(), speedup.over(), traffic.over()}, nil
}

// spread holds the values of some seeds.
type spread struct{ values []float64 }

func (s *spread) add(v float64) { s.values = append(s.values, v) }

// relative is the highest value over the lowest, less 1; 0 for values that are all 0.
func (s *spread) relative() float64 {
	low, high := slices.Min(s.values), slices.Max(s.values)
	if high == 0 {
		return 0
	}
	return Ratio(high, low) - 1
}

// over is the mean and the deviation of at least two values.
func (s *spread) over() OverSeeds {
	mean, squares := 0.0, 0.0
	for _, v := range s.values {
		mean += v
	}
	mean /= float64(len(s.values))
	for _, v := range s.values {
		squares += float64((v - mean) * (v - mean))
	}
	return OverSeeds{mean, math.Sqrt(squares / float64(max(len(s.values)-1, 1)))}
}
