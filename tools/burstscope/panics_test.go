package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system"
)

// smallJob is a run of a small program on mini.
func smallJob(change func(s *scenario.Scenario)) *claim.Job {
	s := scenario.Default("vecadd")
	s.Machine.Preset, s.Workload.Size = "mini", 4096
	change(s)
	return claim.NewJob(s, false)
}

// panicking is a run that panics, because nobody has checked the settings of its predictor.
func panicking() *claim.Job {
	return smallJob(func(s *scenario.Scenario) {
		s.Loads = system.Part{"policy": "rfvp"}
		s.Memory.Put("codec", "bpc")
	})
}

// TestAPanicEndsOneRun: of several runs one panics, beside others of its batch and in a batch of its own. The others are
// stored, and the error names the scenario and how to repeat it.
func TestAPanicEndsOneRun(t *testing.T) {
	codec := func(name string) *claim.Job {
		return smallJob(func(s *scenario.Scenario) { s.Memory.Put("codec", name) })
	}
	alone := panicking()
	alone.Scenario.Memory.Put("mag", 64)
	alone = claim.NewJob(alone.Scenario, false)
	early := smallJob(func(s *scenario.Scenario) { s.Memory.Put("mag", 0) }) // panics before any run of its batch
	bad := []*claim.Job{panicking(), alone, early}
	good := []*claim.Job{codec("bdi"), codec("none"), codec("bpc"), smallJob(func(s *scenario.Scenario) { s.Seed = 2 })}
	o := newSweep(openStore(t.TempDir()))
	o.status, o.jobs = io.Discard, 2
	o.points = []sweepPoint{{"my file.yaml", []assignment{{"memory.codec", "bpc"}}, bad[0]}}
	var out bytes.Buffer
	err := o.run([]*claim.Job{good[0], bad[0], good[1], bad[1], bad[2], good[2], good[3]}, &out)
	if !errors.As(err, new(failedRuns)) || !goesOn(err) || strings.Count(err.Error(), "internal error: ") != 3 || !strings.Contains(out.String(), "4 runs done, 0 were in the store, 3 failed") {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, j := range good {
		if there, fault := o.store.has(j.Key); !there || fault != nil {
			t.Errorf("%s is not stored: %v", j, fault)
		}
	}
	for _, j := range bad {
		file := o.store.faultPath(j.Key)
		repeat := "burstscope run " + file
		if j == bad[0] {
			repeat = `burstscope run "my file.yaml" --set memory.codec=bpc)`
		}
		for _, word := range []string{j.String() + ": ", "burstscope " + experiment.Version, file, repeat, "these calls: core/"} {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("the error does not say %q: %v", word, err)
			}
		}
		b, readErr := os.ReadFile(file)
		if readErr != nil {
			t.Fatal(readErr)
		}
		s, parseErr := scenario.ParseJSON(file, b)
		if j != early && (parseErr != nil || claim.NewJob(s, false).Key != j.Key) && j.Scenario.Validate() == nil {
			t.Errorf("%s has another scenario: %v", file, parseErr)
		}
	}
	// The others count as made, and merge leaves the folder of faults out.
	if err := o.run(good, &out); err != nil || !strings.Contains(out.String(), "0 runs done, 4 were in the store") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if m, err := openStore(t.TempDir()).merge(o.store.dir); err != nil || m.added != 4 || len(m.skipped)+len(m.faults) != 0 {
		t.Errorf("merge: %+v, %v", m, err)
	}
}

// TestVerbsGoOnWithoutARun: a page is written without the value of a run that fails, and the status is 1.
func TestVerbsGoOnWithoutARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	mustCall(t, "paper", "new", "MINE", "--dir", dir)
	first := filepath.Join(dir, "scenarios", "first.yaml")
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	// Its kernel has no loop that could skip iterations, which only the run finds out.
	text := strings.Replace(string(b), "version: 1", "version: 2\nloads: {policy: perforation}", 1)
	if err := os.WriteFile(first, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call("paper", "page", dir, "--store", t.TempDir())
	if status != exitFault || !strings.Contains(errs, "loads.which: ") || !strings.Contains(out, "runs were not made: the values that need them are empty") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "page", "index.html")); err != nil {
		t.Error(err)
	}
}

// TestAPanicNamesItsCalls: the error of a panic says where it arose.
func TestAPanicNamesItsCalls(t *testing.T) {
	p := (*fault.Panic)(nil)
	err := fault.Guard(func() error { panic("in the grader") })
	if !errors.As(err, &p) {
		t.Fatal(err)
	}
	if text := ofPanic(p, "this submission").Error(); !strings.Contains(text, "internal error: in the grader: this is a fault of burstscope") || !strings.Contains(text, "tools/burstscope.TestAPanicNamesItsCalls") {
		t.Error(text)
	}
}

// TestWorkers: no more runs at a time than there are, or than memory holds; no number is too large.
func TestWorkers(t *testing.T) {
	for _, c := range []struct{ jobs, units, most int }{{1, 5, 1}, {3, 2, 2}, {1 << 62, 7, 7}, {1_000_000_000, 1, 1}, {4, 0, 1}} {
		if n := workers(c.jobs, c.units, io.Discard); n < 1 || n > c.most {
			t.Errorf("--jobs %d of %d: %d at a time", c.jobs, c.units, n)
		}
	}
	var status bytes.Buffer
	if free := freeBytes(); free > 0 {
		if n := workers(1<<62, 1<<30, &status); n > int(free/bytesOfRun)+8 || !strings.Contains(status.String(), "MB of memory are free") {
			t.Errorf("%d at a time with %d MB\n%s", n, free>>20, status.String())
		}
	}
	if n := availableOf(strings.NewReader("MemTotal:       24 kB\nMemAvailable:   2048 kB\n")); n != 2<<20 {
		t.Errorf("%d bytes", n)
	}
	for _, jobs := range []string{"1000000000", "9223372036854775807"} {
		out := mustCall(t, append(sweepArgs(t.TempDir()), "--jobs", jobs)...)
		if !strings.Contains(out, "4 runs done") {
			t.Errorf("--jobs %s: %s", jobs, out)
		}
	}
	for _, verb := range [][]string{{"sweep", "vecadd"}, {"reproduce"}, {"paper", "page", t.TempDir()}, {"correlate", "compare", "x.csv", "--preset", "mini"}} {
		for _, jobs := range []string{"0", "-1", "99999999999999999999"} {
			if status, _, errs := call(append(verb, "--jobs", jobs)...); status != exitUsage {
				t.Errorf("%v --jobs %s: status %d, %s", verb, jobs, status, errs)
			}
		}
	}
}
