package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
)

// sweepArgs is a sweep of four short runs.
func sweepArgs(store string, more ...string) []string {
	return append([]string{"sweep", "vecadd", "--set", "machine.preset=mini", "--set", "workload.size=16384",
		"--vary", "memory.codec=none,bdi", "--vary", "memory.mag=32,64", "--set", "memory.approximation=none", "--store", store}, more...)
}

// contents of a store, by name.
func contents(t *testing.T, store string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(store, experiment.Version, "*"))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a running sweep has renamed it since it was listed
		}
		if err != nil {
			t.Fatal(err)
		}
		m[filepath.Base(f)] = string(b)
	}
	return m
}

func TestSweepRunsEveryCombinationOnce(t *testing.T) {
	dir := t.TempDir()
	if out := mustCall(t, sweepArgs(dir, "--dry-run")...); !strings.Contains(out, "4 runs to do, 0 in the store") {
		t.Error(out)
	}
	mustCall(t, sweepArgs(dir)...)
	first := contents(t, dir)
	if len(first) != 4 {
		t.Fatalf("%d results of 4 runs", len(first))
	}
	if out := mustCall(t, sweepArgs(dir)...); !strings.Contains(out, "0 runs done, 4 were in the store, 0 failed") {
		t.Error(out)
	}
	// Half of it in each of two stores, merged, is the same store.
	parts := []string{t.TempDir(), t.TempDir()}
	mustCall(t, sweepArgs(parts[0], "--shard", "0/2")...)
	mustCall(t, sweepArgs(parts[1], "--shard", "1/2", "--jobs", "1")...)
	whole := t.TempDir()
	mustCall(t, append([]string{"sweep", "merge", "--store", whole}, parts...)...)
	if got := contents(t, whole); !maps.Equal(got, first) {
		t.Errorf("two shards together have %v, one sweep %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(first)))
	}
	// A file holds the result of the scenario of its name.
	for key, text := range first {
		var e entry
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.Key+entrySuffix != key || e.Result.ScenarioHash != e.Key || e.Result.Cycles == 0 {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// A sweep killed (SIGKILL) at any moment leaves only whole results. Every run that it
// reported is stored, so only the runs in flight are lost. A second sweep completes the
// same store.
func TestKilledSweepGoesOn(t *testing.T) {
	if dir := os.Getenv("BURSTSCOPE_SWEEP"); dir != "" {
		os.Exit(run(sweepArgs(dir, "--jobs", "2"), os.Stdout, os.Stderr))
	}
	want := t.TempDir()
	mustCall(t, sweepArgs(want)...)
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
		before := len(contents(t, dir))
		for end := time.Now().Add(5 * time.Second); len(contents(t, dir)) == before && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(moment.IntN(30)) * time.Millisecond) // any moment of the next run
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // killed, or finished a moment before
		for name, text := range contents(t, dir) {
			key, isResult := strings.CutSuffix(name, entrySuffix)
			if _, err := parseEntry([]byte(text), key); isResult && err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		there := slices.Sorted(maps.Keys(contents(t, dir)))
		for line := range strings.Lines(said.String()) {
			fields := strings.Fields(line)
			if len(fields) > 4 && fields[len(fields)-1] == "done" && !slices.ContainsFunc(there, func(name string) bool { return strings.HasPrefix(name, fields[3]) }) {
				t.Errorf("reported and not there: %s", line)
			}
		}
	}
	mustCall(t, sweepArgs(dir)...)
	got := contents(t, dir)
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	if !maps.Equal(got, contents(t, want)) {
		t.Error("a sweep that was killed and taken up again has another store")
	}
}

func TestSweepRefuses(t *testing.T) {
	for _, args := range [][]string{{}, {"nothing"}, {"vecadd", "--shard", "2/2"}, {"vecadd", "--vary", "memory.mag"}, {"vecadd", "--vary", "memory.mag=31"}, {"merge"}, {"merge", "nowhere"}, {"claims", "--paper", "SLD"}, {"vecadd", "--jobs", "0"}} {
		var out, errs bytes.Buffer
		if status := run(append([]string{"sweep", "--store", t.TempDir()}, args...), &out, &errs); status == 0 || errs.Len() == 0 {
			t.Errorf("%v: status %d, %q", args, status, errs.String())
		}
	}
}

// The evaluation succeeds whatever it finds, and fails if a result cannot be read.
func TestClaimsOfAnEmptyAndABrokenStore(t *testing.T) {
	dir := t.TempDir()
	out := mustCall(t, "claims", "--paper", "slc", "--tier", "T1", "--format", "json", "--store", dir)
	var report claimsReport
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
	if err := writeStored(openStore(dir).path(key), []byte("{")); err != nil {
		t.Fatal(err)
	}
	var report2, errs bytes.Buffer
	if status := run([]string{"claims", "--paper", "SLC", "--store", dir}, &report2, &errs); status != exitFault || !strings.Contains(errs.String(), "delete it and sweep again") {
		t.Errorf("status %d, %s", status, errs.String())
	}
}
