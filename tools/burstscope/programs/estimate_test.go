package programs

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestEstimateVerb: the estimate of a program that only reads its inputs is its run, in both formats.
func TestEstimateVerb(t *testing.T) {
	args := []string{"estimate", "vecadd", "--set", "machine.preset=mini", "--set", "workload.size=16384", "--to", "memory.mag=64", "--check"}
	var r estimateReport
	if err := json.Unmarshal([]byte(mustCall(t, append(args, "--format", "json")...)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Run == nil || r.Run.BurstsRead == 0 || r.Estimate.BurstsRead != r.Run.BurstsRead || math.Abs(r.Estimate.Ratio/r.Run.Ratio-1) > 1e-9 || r.ScenarioHash == r.RecordedHash {
		t.Errorf("%+v, run %+v", r, r.Run)
	}
	// SCENARIO is a shipped scenario, as in burstscope run, and not the program of that name.
	if r.Run.Ratio < 1.5 {
		t.Errorf("effective ratio %v: the shipped scenario compresses", r.Run.Ratio)
	}
	text := mustCall(t, args...)
	for _, want := range []string{"Estimate, not a result", "bursts read", "  =\n", "error of stored data"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

func TestEstimateVerbRefuses(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"estimate", cli.ExitUsage, "no scenario"},
		{"estimate vecadd", cli.ExitUsage, "nothing to estimate"},
		{"estimate vecadd --to workload.size=4096", cli.ExitFault, "which blocks move"},
		{"estimate vecadd --to memory.mag=33", cli.ExitFault, "33"},
		{"estimate vecadd --set machine.preset=mini --set workload.size=4096 --set memory.codec=none --set backing.kind=pinned --to memory.mag=64", cli.ExitFault, "backing"},
	} {
		if status, _, errs := call(strings.Fields(c.args)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d: %s", c.args, status, errs)
		}
	}
}
