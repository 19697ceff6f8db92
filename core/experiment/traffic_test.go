package experiment

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

func trafficPlan(t *testing.T, codec string) *Plan {
	t.Helper()
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size = "mini", 65536
	s.Memory.Put("codec", codec)
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The ratios measured on the traffic of a run without compression are those of a run with
// the codec: vecadd's blocks do not depend on timing.
func TestTrafficAgreesWithRuns(t *testing.T) {
	traffic, err := MeasureTraffic(trafficPlan(t, "none"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bdi", "fpc", "e2mc16"} {
		r, err := New(trafficPlan(t, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Finish()
		if err != nil {
			t.Fatal(err)
		}
		c := traffic.Find(name, 0, 0)
		if c == nil {
			t.Fatalf("%s was not measured", name)
		}
		if got, want := c.EffectiveRatio(32), res.Metrics["compressionRatioEffective"]; math.Abs(got-want) > 0.01 {
			t.Errorf("%s: effective ratio of the traffic %.4f, of the run %.4f", name, got, want)
		}
		if got, want := c.Ratio(), res.Metrics["compressionRatioRaw"]; got < want-0.01 {
			t.Errorf("%s: raw ratio of the traffic %.4f is below that of the run, %.4f, which stores some blocks raw", name, got, want)
		}
		sum := uint64(0)
		for _, n := range c.Bytes {
			sum += n
		}
		if sum != traffic.Blocks || c.ShareWithin(-1, 128) != 1 {
			t.Errorf("%s: %d blocks in the histogram, %d in the traffic", name, sum, traffic.Blocks)
		}
	}
	if e := traffic.Find("e2mc16", 1, 0); traffic.EntropyRatio16 < e.Ratio() {
		t.Errorf("E2MC16 compresses by %.3f, beyond the entropy bound %.3f", e.Ratio(), traffic.EntropyRatio16)
	}
	if traffic.Find("e2mc16", 3, 0) != nil || traffic.Find("none", 0, 0) != nil {
		t.Error("a setting was found that was not measured")
	}
}
