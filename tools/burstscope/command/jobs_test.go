package command

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestNumbersOfJobs: no number is too large for a sweep, and every verb that takes one refuses the others.
func TestNumbersOfJobs(t *testing.T) {
	for _, jobs := range []string{"1000000000", "9223372036854775807"} {
		out := mustCall(t, append(clitest.SweepArgs(t.TempDir()), "--jobs", jobs)...)
		if !strings.Contains(out, "4 runs done") {
			t.Errorf("--jobs %s: %s", jobs, out)
		}
	}
	for _, verb := range [][]string{{"sweep", "vecadd"}, {"reproduce"}, {"paper", "page", t.TempDir()}, {"correlate", "compare", "x.csv", "--preset", "mini"}} {
		for _, jobs := range []string{"0", "-1", "99999999999999999999"} {
			if status, _, errs := call(append(verb, "--jobs", jobs)...); status != cli.ExitUsage {
				t.Errorf("%v --jobs %s: status %d, %s", verb, jobs, status, errs)
			}
		}
	}
}
