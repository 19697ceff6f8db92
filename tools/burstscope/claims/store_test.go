package claims

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// The evaluation succeeds whatever it finds, and fails if a result cannot be read.
func TestClaimsOfAnEmptyAndABrokenStore(t *testing.T) {
	dir := t.TempDir()
	out := mustCall(t, "claims", "--paper", "slc", "--tier", "T1", "--format", "json", "--store", dir)
	var report ClaimsReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Outcomes) != 38 || report.Counts[0].Counts["not yet measured"] != 38 {
		t.Errorf("%v %+v", err, report.Counts)
	}
	if text := mustCall(t, "claims", "--paper", "SLC", "--store", dir); !strings.Contains(text, "missing: run of jmeint 400000 suite, tslc-opt threshold 16 B") {
		t.Error(text)
	}
	if table := mustCall(t, "claims", "--format", "csv", "--store", dir); strings.Count(table, "\nRFVP-") != 83 {
		t.Error("csv does not have all claims")
	}
	var key string
	for _, c := range claim.All() {
		if c.ID == "SLC-37" {
			key = claim.NewLedger(nil, claim.Suite).Jobs(c)[0].Key
		}
	}
	if err := disk.WriteStored(sweep.OpenStore(dir).Path(key), []byte("{")); err != nil {
		t.Fatal(err)
	}
	status, _, errs := call("claims", "--paper", "SLC", "--store", dir)
	if status != cli.ExitFault || !strings.Contains(errs, "delete it and sweep again") {
		t.Errorf("status %d, %s", status, errs)
	}
}
