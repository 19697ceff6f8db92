package experiment

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/system/testdata/recall"
)

// alone checks that a folder of test data has one file.
func alone(t *testing.T, name string) {
	t.Helper()
	if files, err := os.ReadDir("../system/testdata/" + name); err != nil || len(files) != 1 {
		t.Fatalf("the folder has %d files, %v", len(files), err)
	}
}

// energyOf adds the terms of a path.
func energyOf(r *Result, path string) (sum uint64) {
	for _, part := range r.Energy.Parts {
		for _, term := range part.Terms {
			if term.Path == path {
				sum += term.Femtojoules
			}
		}
	}
	return sum
}

// TestALoadPolicyIsAFolderAndARow: a load policy that nobody knows has settings, a counter, energy, a report, an input
// and a metric.
func TestALoadPolicyIsAFolderAndARow(t *testing.T) {
	alone(t, "recall")
	addSystem(t, recall.System)
	p, err := PlanOf(smallScenario(t, "similarity", 64, "gtx480v3", "none", "loads.policy=recall", "loads.period=3"))
	if err != nil {
		t.Fatal(err)
	}
	r, res := finish(t, p)
	checkExact(t, r, res)
	report := Reported[recall.Report](res)
	lines := res.Stats["recalledLines"]
	if report == nil || lines == 0 || lines > report.Asked/3 || lines != res.Stats["l1Answered"] {
		t.Fatalf("the report is %+v, %d lines recalled, %d answered", report, lines, res.Stats["l1Answered"])
	}
	if got := energyOf(res, "loads.recall"); got != 7*lines {
		t.Errorf("%d fJ for %d lines", got, lines)
	}
	if v, ok := res.Value("recalledShare"); !ok || v != float64(lines)/float64(report.Asked) {
		t.Errorf("the metric is %g, %v", v, ok)
	}
	if text, err := json.Marshal(res); err != nil || !strings.Contains(string(text), `"asked":`) {
		t.Errorf("the report is not in the result's JSON: %v", err)
	}
}
