package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

var runEverything = flag.Bool("reproduce", false, "run again every run of the committed data, not only the cheapest")

const howToUpdate = "run: go run ./tools/burstscope reproduce --format json --out assets/figures/data"

// The committed data of the page were made by this program: the version, figures,
// claims and runs are the same, and runs made again give the same results.
func TestCommittedDataAreCurrent(t *testing.T) {
	dir := filepath.Join("..", "..", "assets", "figures", "data")
	r, err := wholeReproduction(openStore(t.TempDir()), claim.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := r.jobs()
	if err != nil {
		t.Fatal(err)
	}
	var runs reproducedRuns
	readJSON(t, filepath.Join(dir, "runs.json"), &runs)
	if runs.Version != experiment.Version {
		t.Fatalf("data of version %s, the program is %s: %s", runs.Version, experiment.Version, howToUpdate)
	}
	lacking := 0
	for _, j := range jobs {
		one := runs.Runs[j.Key]
		if one == nil {
			t.Fatalf("%s is not among the runs: %s", j, howToUpdate)
		}
		s, err := scenario.ParseJSON("runs.json", one.Scenario)
		if err != nil || claim.NewJob(s, one.Kind == "traffic").Key != j.Key {
			t.Fatalf("%s: another scenario, %v: %s", j, err, howToUpdate)
		}
		if one.Result == "" {
			lacking++
		}
	}
	var index reproductionIndex
	readJSON(t, filepath.Join(dir, "index.json"), &index)
	if index.Lacking != lacking {
		t.Errorf("%d runs lack a result, the index says %d: %s", lacking, index.Lacking, howToUpdate)
	}
	if lacking > 0 {
		t.Logf("%d of %d runs lack a result: %s", lacking, len(jobs), howToUpdate)
	}
	if len(jobs) != len(runs.Runs) {
		t.Errorf("%d runs of %d: %s", len(runs.Runs), len(jobs), howToUpdate)
	}
	for _, m := range r.modes {
		for _, f := range m.figures {
			var d stampedFigure
			readJSON(t, filepath.Join(dir, string(m.data), strings.ToLower(f.Name)+".json"), &d)
			if lacking == 0 && len(d.Missing) > 0 || d.Digest != runs.digest(f.source, d.Runs) {
				t.Errorf("%s, %s: made from another figure or other results, missing %v: %s", f.Name, m.data, d.Missing, howToUpdate)
			}
		}
		var report claimsReport
		readJSON(t, filepath.Join(dir, string(m.data), "claims.json"), &report)
		var used []string
		for _, o := range report.Outcomes {
			used = append(used, o.Runs...)
			if o.Tier == "T1" && m.data == claim.Suite && slices.Contains(m.papers, o.Paper) {
				if o.Verdict == claim.NotYetMeasured {
					t.Errorf("%s is not yet measured: %v", o.ID, o.Missing)
				}
				if o.Verdict == claim.DoesNotHold && o.Analysis == "" {
					t.Errorf("%s does not hold and has no analysis", o.ID)
				}
			}
		}
		if len(report.Outcomes) != len(m.claims()) || report.Digest != runs.digest(claim.Source(m.papers...), used) {
			t.Errorf("claims, %s: made from another table or other results: %s", m.data, howToUpdate)
		}
	}
	// Results may change with the model although the version did not.
	again := 0
	for _, j := range jobs {
		w, m := j.Scenario.Workload, j.Scenario.Memory
		cheap := w.Name == "transpose" && w.Data == "suite" && !j.Traffic && m.Codec == "e2mc16" && m.Probabilities == "offline" && m.DecodingWays == 4 && m.MAG == 32 && m.Threshold == 16 &&
			(m.Approximation == "none" || m.Approximation == "tslc-opt") && m.Latency == "" && m.Header == "" && j.Scenario.Machine.Overrides == nil
		if !cheap && !*runEverything || runs.Runs[j.Key].Result == "" {
			continue
		}
		o := newSweep(openStore(t.TempDir()))
		if err := o.run([]*claim.Job{j}, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		again++
		got := (&reproduction{store: o.store}).describe([]*claim.Job{j}).Runs[j.Key].Result
		if got != runs.Runs[j.Key].Result {
			t.Errorf("%s comes to %s, in the data it is %s: change experiment.Version and %s", j, scenario.ShortHash(got), scenario.ShortHash(runs.Runs[j.Key].Result), howToUpdate)
		}
	}
	if again == 0 {
		t.Error("no run was made again")
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: %s", err, howToUpdate)
	}
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%s: %v: %s", path, err, howToUpdate)
	}
}
