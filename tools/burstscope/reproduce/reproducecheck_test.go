package reproduce

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// writeRuns makes cheap runs and writes them as reproduce does.
func writeRuns(t *testing.T, dir string, codecs ...string) {
	t.Helper()
	var jobs []*claim.Job
	for _, codec := range codecs {
		s := scenario.Default("vecadd")
		s.Machine.Preset, s.Workload.Size = "mini", 16384
		s.Memory.Put("codec", codec)
		jobs = append(jobs, claim.NewJob(s, codec == "fpc"))
	}
	runs := sweep.NewSweep(sweep.OpenStore(t.TempDir()))
	runs.Jobs, runs.Status = 1, t.Output()
	if err := runs.Run(jobs, t.Output()); err != nil {
		t.Fatal(err)
	}
	if err := disk.WriteStored(filepath.Join(dir, "runs.json"), compactJSON((&reproduction{store: runs.Store}).describe(jobs))); err != nil {
		t.Fatal(err)
	}
}

// --check makes runs of written files again, in the folder and those in it, and names each whose result is another one.
func TestReproduceCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeRuns(t, dir, "none", "bdi", "fpc")
	writeRuns(t, filepath.Join(dir, "other"), "e2mc16")
	check := func(n int) (status int, out, errs string) {
		return call("reproduce", "--check", fmt.Sprint(n), "--out", dir, "--store", t.TempDir(), "--jobs", "1")
	}
	if status, out, errs := check(9); status != 0 || out != fmt.Sprintf("4 of 4 runs of %s made again, 1 program: 4 have the same result\n", dir) {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if status, out, errs := check(2); status != 0 || !strings.Contains(out, "2 of 4 runs") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	file := filepath.Join(dir, "other", "runs.json")
	text := clitest.ReadText(t, file)
	result := text[strings.Index(text, `"result":"`)+len(`"result":"`):]
	for _, c := range []struct{ old, new, want string }{
		{result[:12], "0123456789ab", "other: vecadd 16384"},
		{result[:12], "0123456789ab", "comes to " + result[:12] + ", and runs.json states 0123456789ab"},
		{`"version":"` + experiment.Version, `"version":"0.0.1`, "its runs are of version 0.0.1"},
		{`"seed":1`, `"seed":2`, "of another run"},
		{`"runs"`, `"runs`, "it is not what reproduce writes"},
	} {
		if err := os.WriteFile(file, []byte(strings.Replace(text, c.old, c.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := check(9); status != cli.ExitFault || !strings.Contains(errs, c.want) || !strings.Contains(errs, "other") {
			t.Errorf("%s: status %d\n%swant %s", c.new, status, errs, c.want)
		}
	}
	for _, args := range []string{"--check -1", "--check 2 --quick", "--check 2 --as-is", "--check 2 --paper RFVP", "--check 2 --machine gtx480v3"} {
		if status, _, errs := call(append([]string{"reproduce"}, strings.Fields(args)...)...); status != cli.ExitUsage || !strings.Contains(errs, "give the number of runs") {
			t.Errorf("%s: status %d\n%s", args, status, errs)
		}
	}
	if status, _, errs := call("reproduce", "--check", "2", "--out", filepath.Join(dir, "none")); status != cli.ExitFault || !strings.Contains(errs, "no runs to check") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// The runs of a check are spread over the papers and their programs, and they are the same each time.
func TestCheckedRunsAreSpread(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "assets", "reproduction")
	all, err := writtenRuns(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := writtenRuns(dir)
	if err != nil || len(all) < 2000 {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	some, folders, programs := chosen(all, 60), map[string]bool{}, map[string]bool{}
	for i, r := range some {
		folders[r.folder], programs[r.job.Scenario.Workload.Name] = true, true
		if other := chosen(again, 60)[i]; other.job.Key != r.job.Key {
			t.Errorf("run %d is %s, and the second time %s", i, r.job, other.job)
		}
	}
	if every := chosen(all, len(all)); len(every) != len(all) {
		t.Errorf("all %d runs are %d", len(all), len(every))
	}
	if len(some) != 60 || len(folders) != 4 || len(programs) < 30 {
		t.Errorf("%d runs, of %d folders and %d programs", len(some), len(folders), len(programs))
	}
	if got := spread([]int{0, 1, 2, 3, 4, 5}, 3); !slices.Equal(got, []int{1, 3, 5}) {
		t.Errorf("3 of 6 are %v", got)
	}
}
