package sweep

import (
	"encoding/json"
	"strings"
	"testing"
)

// A row of --format jsonl has the setting as JSON has it, and a point that repeats another's run has a row too.
func TestSweepPrintsARowForEachPoint(t *testing.T) {
	t.Parallel()
	out := mustCall(t, "sweep", "vecadd", "--set", "machine.preset=mini", "--set", "workload.size=16384", "--set", "memory.approximation=none",
		"--vary", "memory.codec=none,bdi", "--vary", "memory.threshold=8,16", "--store", t.TempDir(), "--quiet", "--format", "jsonl")
	var rows []sweepRow
	for line := range strings.Lines(out) {
		var r sweepRow
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		rows = append(rows, r)
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows of 4 points", len(rows))
	}
	for i, r := range rows {
		if want := []string{"none", "none", "bdi", "bdi"}[i]; r.Scenario != "vecadd" || r.Settings["memory.codec"] != want || r.Settings["memory.threshold"] != []float64{8, 16}[i%2] || r.Result.Cycles == 0 {
			t.Errorf("row %d: %+v", i, r.Settings)
		}
	}
}
