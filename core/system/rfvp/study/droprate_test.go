package study

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// searching returns a scenario whose loads are predicted.
func searching(t *testing.T, program string, size int, set ...string) *scenario.Scenario {
	t.Helper()
	s := scenario.Default(program)
	s.Workload.Size, s.Machine.Preset = size, "gtx480v3"
	s.Memory.Put("codec", "none", "approximation", "none")
	if err := Predicting(s); err != nil {
		t.Fatal(err)
	}
	for _, assignment := range set {
		path, value, _ := strings.Cut(assignment, "=")
		if err := s.Set(path, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// resultOf runs a program whose loads are predicted.
func resultOf(t *testing.T, program string, size int, set ...string) *experiment.Result {
	t.Helper()
	p, err := experiment.PlanOf(searching(t, program, size, set...))
	if err != nil {
		t.Fatal(err)
	}
	r, err := experiment.New(p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestDropRatesAgainstSingleRuns compares a search over all targets with runs of each rate and
// seed on their own.
func TestDropRatesAgainstSingleRuns(t *testing.T) {
	const inputs = 2
	s := searching(t, "fwt", 4096)
	d, err := NewDropSearch(s, inputs)
	if err != nil {
		t.Fatal(err)
	}
	loss := map[int]float64{}
	for _, rate := range DropRates() {
		for seed := range inputs {
			set := []string{fmt.Sprintf("loads.drop=%d", rate), fmt.Sprintf("seed=%d", seed+1)}
			loss[rate] += *resultOf(t, "fwt", 4096, set...).Loss / inputs
		}
	}
	targets := []float64{0.01, 0.03, 0.05, 0.10, 0.8, 0.9, 1e9} // the first four are those of RFVP's figure 7
	for _, target := range targets {
		c, err := d.Choose(target)
		if err != nil {
			t.Fatal(err)
		}
		want := DropStart
		for i := slices.Index(DropRates(), want); loss[want] > target; want = DropRates()[i] {
			i--
		}
		for i := slices.Index(DropRates(), want) + 1; want >= DropStart && i < len(DropRates()) && loss[DropRates()[i]] <= target; i++ {
			want = DropRates()[i]
		}
		if c.Point.Rate != want || math.Abs(c.Point.Loss.Mean-loss[want]) > 1e-12 {
			t.Errorf("target %g: rate %d with loss %g, want %d with %g", target, c.Point.Rate, c.Point.Loss.Mean, want, loss[want])
		}
		if (c.Unreached != "") != (want == 0) {
			t.Errorf("target %g, rate %d: %q", target, want, c.Unreached)
		}
	}
	if c, _ := d.Choose(1e9); c.Point.Rate != 900 || c.Point.Speedup.Mean <= 1 || c.Point.Traffic.Mean < 1 {
		t.Errorf("without a bound on the loss: %+v, want the highest rate", c.Point)
	}
	if p, err := d.At(0); err != nil || p.Loss != (Spread{}) || p.Speedup != (Spread{Mean: 1}) {
		t.Errorf("at a rate of 0: %+v, %v", p, err)
	}
}

// TestUnreachedTarget names the program, the metric, the kernel and the line.
func TestUnreachedTarget(t *testing.T) {
	d, err := NewDropSearch(searching(t, "stringmatch", 16, "loads.force=on"), 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.Choose(0.0001)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"no drop rate keeps the loss of stringmatch within 0.01 %", "by mismatch", "kernel match_", "(./stringmatch.cu:"} {
		if c.Point.Rate != 0 || !strings.Contains(c.Unreached, want) {
			t.Errorf("rate %d: %q, want %q", c.Point.Rate, c.Unreached, want)
		}
	}
	if _, err := d.At(123); err == nil {
		t.Error("a rate beside the grid was measured")
	}
}

func TestSpread(t *testing.T) {
	if s := spreadOf([]float64{2, 4, 4, 4, 5, 5, 7, 9}); s != (Spread{5, 2}) {
		t.Errorf("%+v, want 5 and 2", s)
	}
}
