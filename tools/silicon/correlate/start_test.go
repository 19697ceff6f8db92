package correlate

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
)

// TestStartOfAKernel: kernels of one launch that time a chain of instructions take longer on the H200 than an empty
// kernel and their chain do, by what sm.constant.launchCycles of the preset stands for: all read parameters first,
// and their instructions are in the instruction caches, since each ran before.
func TestStartOfAKernel(t *testing.T) {
	rows := readRecording(t, filepath.Join(folder, "h200.csv"))
	find := func(c Case) *Row {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Key() == c.Key() })
		if i < 0 {
			t.Fatalf("no row for %s", c.Key())
		}
		return &rows[i]
	}
	var empty float64
	var rests []float64
	for _, c := range Cases() {
		if c.Name == "launch" && c.Size == 1 {
			empty = find(c).Nanoseconds
		}
		if c.Name != "latency.instruction" && c.Name != "latency.shared" {
			continue
		}
		s, err := Machine{Preset: "h200"}.Simulate(c)
		if err != nil {
			t.Fatal(err)
		}
		r := find(c)
		if ratio := r.Figure / s.Figure.Value; math.Abs(ratio-1) < 0.005 {
			rests = append(rests, r.Nanoseconds-empty-s.Nanoseconds*ratio)
		}
	}
	slices.Sort(rests)
	// The driver's events have a resolution of 32 ns.
	if rest := rests[len(rests)/2]; len(rests) < 20 || math.Abs(rest) > 16 {
		t.Errorf("%d kernels take %.0f ns more than the simulator says, in the median", len(rests), rest)
	}
}
