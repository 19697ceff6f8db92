package sweep

import (
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestPlannedPartsMakeTheSweep runs the parts that a plan prints, as Slurm's shell would, and compares their
// results with those of the whole sweep. The name of the store needs quotes.
func TestPlannedPartsMakeTheSweep(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("SKIPPED: the lines of a plan were not run, because there is no sh")
	}
	whole, parts := t.TempDir(), filepath.Join(t.TempDir(), "Ann's $results")
	mustCall(t, clitest.SweepArgs(whole)...)
	args := clitest.SweepArgs(parts)
	plan := mustCall(t, append([]string{"sweep", "plan"}, append(args[1:], "--shards", "2", "--jobs", "1")...)...)
	for _, want := range []string{"4 runs to do, 0 in the store", "core-hours", "parts: 2, each with --jobs 1"} {
		if !strings.Contains(plan, want) {
			t.Errorf("no %q in\n%s", want, plan)
		}
	}
	for i, line := range []string{clitest.PlanLine(t, plan, "sbatch"), strings.Replace(clitest.PlanLine(t, plan, "seq"), "seq 0 1 | parallel -j 1", "sbatch", 1)} {
		task := []string{"0", "1"}[i]
		script := `burstscope() { printf '%s\n' "$@"; }; SLURM_ARRAY_TASK_ID=` + task + `; sbatch() { for word; do :; done; eval "$word"; }; ` + strings.ReplaceAll(line, "{}", task)
		words, err := exec.Command("sh", "-c", script).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		mustCall(t, strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")...)
	}
	if !maps.Equal(clitest.Contents(t, whole), clitest.Contents(t, parts)) {
		t.Error("the planned parts give another store")
	}
	if out := mustCall(t, append([]string{"sweep", "plan"}, args[1:]...)...); !strings.HasPrefix(out, "0 runs to do, 4 in the store") {
		t.Error(out)
	}
}

// A small sweep takes a part of a core-hour, and the plan says which.
func TestCoreHours(t *testing.T) {
	for seconds, want := range map[float64]string{3600 * 12.345: "12.35", 3600: "1.00", 360: "0.10", 36: "0.010", 1.7: "0.00047", 0.001: "0.000000"} {
		if got := coreHours(seconds); got != want {
			t.Errorf("%g s are %s core-hours, want %s", seconds, got, want)
		}
	}
}

func TestPlanRefusesNonsense(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"sweep plan":                         "nothing to run",
		"sweep plan vecadd --shards -1":      "give 1 to 100000",
		"sweep plan vecadd --shards 1000000": "give 1 to 100000",
		"sweep vecadd --shards 2":            "it belongs to sweep plan",
	} {
		if status, out, errs := call(strings.Fields(args)...); status != cli.ExitUsage ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: status %d\n%s%s", args, status, out, errs)
		}
	}
}
