package experiment

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// TestSeedsMatterWhereTheDataSteer: the time of a search depends on its graph; a ramp is the same
// for every seed, so nothing moves.
func TestSeedsMatterWhereTheDataSteer(t *testing.T) {
	spreadOf := func(name string, size int) SeedSpread {
		s := scenario.Default(name)
		s.Machine.Preset, s.Workload.Size = "mini", size
		s.Memory.Put("codec", "e2mc16")
		got, err := SpreadOfSeeds(s, 3)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := spreadOf("transpose", 64)
	if got.SpeedupOver.Mean <= 0 || got.TrafficOver.Mean < 1 {
		t.Errorf("a ramp has no means: %+v", got)
	}
	got.SpeedupOver.Mean, got.TrafficOver.Mean = 0, 0
	if got != (SeedSpread{}) || got.Matters() {
		t.Errorf("a ramp moves with the seed: %+v", got)
	}
	if got := spreadOf("bfs1", 512); !got.Matters() || got.Cycles == 0 {
		t.Errorf("a search does not move with its graph: %+v", got)
	}
}

func TestSpreadIsHighestOverLowest(t *testing.T) {
	var s spread
	for _, v := range []float64{100, 98, 103} {
		s.add(v)
	}
	if got, want := s.relative(), 103.0/98-1; math.Abs(got-want) > 1e-15 {
		t.Errorf("spread %v, want %v", got, want)
	}
	// The squares of -1/3, -7/3 and 8/3 have the sum 38/3.
	if got, want := s.over(), (OverSeeds{301.0 / 3, math.Sqrt(19.0 / 3)}); math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.Deviation-want.Deviation) > 1e-12 {
		t.Errorf("mean and deviation %v, want %v", got, want)
	}
	if got := (SeedSpread{Traffic: 0.0201}).Matters(); !got {
		t.Error("2.01 % does not matter")
	}
	if got := (SeedSpread{Cycles: 0.0199}).Matters(); got {
		t.Error("1.99 % matters")
	}
}
