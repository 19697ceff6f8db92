package experiment

import (
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
)

// matrixSchemes are the memory schemes of the matrix: every codec, every approximation,
// and offline and online probabilities.
func matrixSchemes() []scheme.Memory {
	var list []scheme.Memory
	add := func(change func(*scheme.Memory)) {
		m := scheme.DefaultMemory()
		change(&m)
		list = append(list, m)
	}
	for _, name := range scheme.Codecs() {
		add(func(m *scheme.Memory) { m.Codec = name })
	}
	for _, name := range scheme.Approximations() {
		if name != "none" {
			add(func(m *scheme.Memory) { m.Codec, m.Approximation = "e2mc16", name })
		}
	}
	add(func(m *scheme.Memory) { m.Codec, m.Probabilities = "e2mc16", "online" })
	add(func(m *scheme.Memory) { m.Codec, m.Probabilities = "e2mc16", "online-copies" })
	return list
}

// TestMatrix runs every preset with every memory scheme and logs the hashes of the
// results, which site/e2e compares with those of the same test in WebAssembly.
// Outputs are exact without approximation.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("the matrix takes some seconds")
	}
	for _, preset := range preset.Names() {
		s := scenario.Default("transpose")
		s.Workload.Size, s.Machine.Preset = 64, preset
		plan, err := PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		study, err := NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range matrixSchemes() {
			res, err := study.Run(plan.With(scheme.Scheme{Memory: m}), Options{}).Finish()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("matrix %s %s %s %s: %s %d", preset, m.Codec, m.Approximation, m.Probabilities, res.ResultHash, res.Energy.TotalFemtojoules)
			if res.Error > 0 && m.Approximation == "none" {
				t.Errorf("%s %s: output error %g", preset, m.Codec, res.Error)
			}
		}
	}
}
