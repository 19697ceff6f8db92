package sweep

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

func TestSweepRunsEveryCombinationOnce(t *testing.T) {
	dir := t.TempDir()
	if out := mustCall(t, clitest.SweepArgs(dir, "--dry-run")...); !strings.Contains(out,
		"4 runs to do, 0 in the store") {
		t.Error(out)
	}
	mustCall(t, clitest.SweepArgs(dir)...)
	first := clitest.Contents(t, dir)
	if len(first) != 4 {
		t.Fatalf("%d results of 4 runs", len(first))
	}
	if out := mustCall(t, clitest.SweepArgs(dir)...); !strings.Contains(out,
		"0 runs done, 4 were in the store, 0 failed") {
		t.Error(out)
	}
	// Half of it in each of two stores, merged, is the same store.
	parts := []string{t.TempDir(), t.TempDir()}
	mustCall(t, clitest.SweepArgs(parts[0], "--shard", "0/2")...)
	mustCall(t, clitest.SweepArgs(parts[1], "--shard", "1/2", "--jobs", "1")...)
	whole := t.TempDir()
	mustCall(t, append([]string{"sweep", "merge", "--store", whole}, parts...)...)
	if got := clitest.Contents(t, whole); !maps.Equal(got, first) {
		t.Errorf("two shards together have %v, one sweep %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(first)))
	}
	// A file holds the result of the scenario of its name.
	for key, text := range first {
		var e Entry
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.Key+EntrySuffix != key || e.Result.ScenarioHash != e.Key || e.Result.Cycles == 0 {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// A sweep killed (SIGKILL) at any moment leaves only whole results. Every run that it
// reported is stored, so only the runs in flight are lost. A second sweep completes the
// same store.
func TestKilledSweepGoesOn(t *testing.T) {
	if dir := os.Getenv("BURSTSCOPE_SWEEP"); dir != "" {
		os.Exit(cli.Run([]cli.Verb{Sweep}, clitest.SweepArgs(dir, "--jobs", "2"), os.Stdout, os.Stderr))
	}
	want := t.TempDir()
	mustCall(t, clitest.SweepArgs(want)...)
	dir := t.TempDir()
	moment := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		c := exec.Command(os.Args[0], "-test.run", "^TestKilledSweepGoesOn$")
		c.Env = append(os.Environ(), "BURSTSCOPE_SWEEP="+dir)
		var said bytes.Buffer
		c.Stdout = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		before := len(clitest.Contents(t, dir))
		for end := time.Now().Add(5 * time.Second); len(clitest.Contents(t, dir)) == before && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(moment.IntN(30)) * time.Millisecond) // any moment of the next run
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // killed, or finished a moment before
		for name, text := range clitest.Contents(t, dir) {
			key, isResult := strings.CutSuffix(name, EntrySuffix)
			if _, err := ParseEntry([]byte(text), key); isResult && err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		there := slices.Sorted(maps.Keys(clitest.Contents(t, dir)))
		for line := range strings.Lines(said.String()) {
			fields := strings.Fields(line)
			if len(fields) > 4 && fields[len(fields)-1] == "done" && !slices.ContainsFunc(there, func(name string) bool { return strings.HasPrefix(name, fields[3]) }) {
				t.Errorf("reported and not there: %s", line)
			}
		}
	}
	mustCall(t, clitest.SweepArgs(dir)...)
	got := clitest.Contents(t, dir)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	if !maps.Equal(got, clitest.Contents(t, want)) {
		t.Error("a sweep that was killed and taken up again has another store")
	}
}

func TestSweepRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"nothing"}, {"vecadd", "--shard", "2/2"}, {"vecadd", "--vary", "memory.mag"}, {"vecadd", "--vary", "memory.mag=31"}, {"merge"}, {"merge", "nowhere"}, {"claims", "--paper", "SLD"}, {"vecadd", "--jobs", "0"}} {
		if status, _, errs := call(append([]string{"sweep", "--store", t.TempDir()}, args...)...); status == 0 || errs == "" {
			t.Errorf("%v: status %d, %q", args, status, errs)
		}
	}
}
