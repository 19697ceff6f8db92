package correlate

import (
	"testing"

	"github.com/burstscope/burstscope/core/workload/programs"
)

// TestEveryProgramHasCases: all sizes are those that the program takes.
func TestEveryProgramHasCases(t *testing.T) {
	found := map[string]bool{}
	for _, c := range Cases() {
		if c.Kind != Program {
			continue
		}
		found[c.Name] = true
		if err := programs.Check(c.Name, programs.Params{Size: c.Size, Data: c.Data}); err != nil {
			t.Errorf("%s: %v", c.Key(), err)
		}
	}
	for _, name := range programs.Names() {
		if !found[name] {
			t.Errorf("%s has no case", name)
		}
	}
}
