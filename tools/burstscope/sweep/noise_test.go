package sweep

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
)

func TestNoiseComparesAllDraws(t *testing.T) {
	args := []string{"noise", "vecadd", "--set", "machine.preset=mini", "--set", "workload.size=4096",
		"--set", "memory.codec=bdi", "--store", t.TempDir()}
	status, out, errs := call(append(args, "--format", "json")...)
	if status != 0 {
		t.Fatal(errs)
	}
	var r noiseReport
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Draws) != experiment.NoiseSeeds+experiment.NoisePlacements-1 {
		t.Errorf("%d draws", len(r.Draws))
	}
	for _, d := range r.Draws {
		own := float64(d.A) / float64(d.B)
		if own < r.Noise.Own.Low || own > r.Noise.Own.High || d.A != d.Plain || d.Null == 0 {
			t.Errorf("%+v lies outside of %v, or its A is not the plain machine", d, r.Noise.Own)
		}
	}
	if _, text, _ := call(args...); !strings.Contains(text, "distinguishable") {
		t.Errorf("it does not say whether the difference is one: %s", text)
	}
}
