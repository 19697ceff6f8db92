package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
)

// TestCostsOfThePage: the page's table has the default program and machine, and names machines that exist.
func TestCostsOfThePage(t *testing.T) {
	dir := t.TempDir()
	if err := packCosts("../..", dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "costs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var costs struct {
		Rows [][]any           `json:"rows"`
		MB   map[string][2]int `json:"mb"`
	}
	if err := json.Unmarshal(text, &costs); err != nil {
		t.Fatal(err)
	}
	programs := map[any]int{}
	for _, row := range costs.Rows {
		programs[row[0]]++
	}
	first := scenario.Default(defaultProgram)
	if programs[defaultProgram] == 0 || costs.MB[first.Machine.Preset][1] == 0 {
		t.Errorf("%d rows of %s, memory of %s: %v", programs[defaultProgram], defaultProgram, first.Machine.Preset, costs.MB)
	}
	for name, mb := range costs.MB {
		if !slices.Contains(preset.Names(), name) || mb[0] > mb[1] {
			t.Errorf("%s: %v MB", name, mb)
		}
	}
}
