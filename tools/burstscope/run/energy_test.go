package run

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestEnergyIsReported: all formats have the energy and its parts, which add up.
func TestEnergyIsReported(t *testing.T) {
	var r experiment.Result
	if err := json.Unmarshal([]byte(mustCall(t, clitest.Small("--format", "json")...)), &r); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(mustCall(t, clitest.Small("--format", "csv")...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]string{}
	for i, name := range rows[0] {
		column[name] = rows[1][i]
	}
	text := mustCall(t, clitest.Small()...)
	sum := uint64(0)
	for _, p := range r.Energy.Parts {
		sum += p.Femtojoules
		if column[p.Name+"Femtojoules"] == "" || !strings.Contains(text, p.Title) || !strings.Contains(text, joules(p.Femtojoules)) {
			t.Errorf("part %s is not in every format", p.Name)
		}
	}
	if sum != r.Energy.TotalFemtojoules || sum == 0 || !strings.Contains(text, joules(sum)) {
		t.Errorf("parts of %d, total %d", sum, r.Energy.TotalFemtojoules)
	}
}

// The checks of a run do not change its result.
func TestRunChecked(t *testing.T) {
	plain := mustCall(t, clitest.Small("--format", "json")...)
	for _, flags := range [][]string{{"--check-dram"}, {"--paranoid"}, {"--check-dram", "--paranoid"}} {
		if checked := mustCall(t, clitest.Small(append(flags, "--format", "json")...)...); checked != plain {
			t.Errorf("%v changes the run", flags)
		}
	}
}
