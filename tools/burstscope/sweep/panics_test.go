package sweep

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
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
	o := NewSweep(OpenStore(t.TempDir()))
	o.Status, o.Jobs = io.Discard, 2
	o.points = []sweepPoint{{"my file.yaml", []cli.Assignment{{Path: "memory.codec", Value: "bpc"}}, bad[0]}}
	var out bytes.Buffer
	err := o.Run([]*claim.Job{good[0], bad[0], good[1], bad[1], bad[2], good[2], good[3]}, &out)
	if !errors.As(err, new(failedRuns)) || !GoesOn(err) || strings.Count(err.Error(), "internal error: ") != 3 || !strings.Contains(out.String(), "4 runs done, 0 were in the store, 3 failed") {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, j := range good {
		if there, fault := o.Store.Has(j.Key); !there || fault != nil {
			t.Errorf("%s is not stored: %v", j, fault)
		}
	}
	for _, j := range bad {
		file := o.Store.faultPath(j.Key)
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
	if err := o.Run(good, &out); err != nil || !strings.Contains(out.String(), "0 runs done, 4 were in the store") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if m, err := OpenStore(t.TempDir()).merge(o.Store.dir); err != nil || m.added != 4 || len(m.skipped)+len(m.faults) != 0 {
		t.Errorf("merge: %+v, %v", m, err)
	}
}
