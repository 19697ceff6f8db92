package experiment

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/lesson/formula"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/stat"
)

// A result holds every metric and every input; metrics follow from counters as computed
// here by hand.
func TestMetricsOfARun(t *testing.T) {
	s := scenario.Default("transpose")
	s.Workload.Size, s.Machine.Preset = 64, "mini"
	s.Memory.Put("codec", "bdi")
	plan, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	run, err := New(plan, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range metric.Inputs {
		// The run has a plain L1, predicts no load and has no targets of allocations.
		without := strings.HasPrefix(in.Name, "tolerance") || slices.Contains([]string{"loadLanes", "approximateLanes", "allocationBytes", "deviceBytes"}, in.Name)
		if _, ok := r.Value(in.Name); ok == without {
			t.Errorf("the input %s: has a value: %t, want %t", in.Name, ok, !without)
		}
	}
	n := func(c stat.Counter) float64 { return float64(r.Stats[stat.Describe(c).Name]) }
	blocks := n(stat.BlocksReadRaw) + n(stat.BlocksReadLossless) + n(stat.BlocksWrittenRaw) + n(stat.BlocksWrittenLossless)
	bursts := n(stat.BurstsRead) + n(stat.BurstsWritten)
	for name, want := range map[string]float64{
		"dramBytes":                 (bursts + n(stat.BurstsMetadata)) * 32,
		"compressionRatioRaw":       blocks * 1024 / (n(stat.BlockReadBits) + n(stat.BlockWriteBits)),
		"compressionRatioEffective": blocks * 4 / bursts,
		"burstsSavedShare":          1 - bursts/(blocks*4),
		"l1HitRate":                 n(stat.L1Hits) / n(stat.L1Accesses),
		"bandwidthShare":            r.Metrics["dramBytes"] / (float64(r.Machine.PeakBytesPerSecond) * r.Seconds),
		"ipc":                       n(stat.WarpInstructions) / float64(r.Cycles) / float64(r.Machine.SMs),
		"joules":                    r.Energy.Joules,
	} {
		if got, ok := r.Metrics[name]; !ok || math.Abs(got-want) > 1e-12*want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	// A result that comes out of a file is the same.
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := json.Unmarshal(b, &again); err != nil {
		t.Fatal(err)
	}
	for name, want := range r.Metrics {
		if got, ok := again.Value(name); !ok || got != want {
			t.Errorf("%s of the stored result is %g, was %g", name, got, want)
		}
	}
}

// A new metric is one row: results hold it, lessons and claims may name it.
func TestAMetricIsOneRow(t *testing.T) {
	old := metric.Table
	defer func() { metric.Table = old }()
	metric.Table = append(old[:len(old):len(old)], metric.Metric{Name: "toyRatio", Title: "Toy", Formula: "l1Hits / l2Hits", Format: "{ratio}"})
	r := &Result{Stats: map[string]uint64{"l1Hits": 3, "l2Hits": 4}}
	if got := r.metrics()["toyRatio"]; got != 0.75 {
		t.Errorf("the new metric is %g", got)
	}
	v, err := formula.Evaluate("A.toyRatio * 2", func(_ byte, name string) (float64, bool) { return r.Figure(name) })
	if err != nil || v != 1.5 {
		t.Errorf("in a lesson the new metric is %g: %v", v, err)
	}
}
