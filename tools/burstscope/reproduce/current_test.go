package reproduce

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

var runEverything = flag.Bool("reproduce", false, "run again every run of the committed data, not only the cheapest")

const howToUpdate = "run: go run ./tools/burstscope reproduce --format json --out assets/reproduction"

// committed is one folder of the page's data with the reproduction that makes it.
type committed struct {
	*reproduction
	dir    string
	update string // the command that makes the folder
	again  func(j *claim.Job) bool
}

// committedData lists the folders of the page's data: assets/reproduction is the reproduction without
// --paper, and each folder in it with an index is that of the paper of its name.
func committedData(t *testing.T) []*committed {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "assets", "reproduction")
	r, err := wholeReproduction(sweep.OpenStore(t.TempDir()), claim.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	list := []*committed{{reproduction: r, dir: dir, update: howToUpdate, again: isCheapSLC}}
	indexes, err := filepath.Glob(filepath.Join(dir, "*", "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range indexes {
		folder := filepath.Dir(index)
		name := filepath.Base(folder)
		paper := strings.ToUpper(name)
		r, err := paperReproduction(sweep.OpenStore(t.TempDir()), claim.Reading{}.Of(paper), paper)
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		update := strings.Replace(howToUpdate, "--format", "--paper "+paper+" --format", 1) + "/" + name
		list = append(list, &committed{reproduction: r, dir: folder, update: update, again: cheapRuns[paper]})
	}
	return list
}

func isCheapSLC(j *claim.Job) bool {
	w, m := j.Scenario.Workload, j.Scenario.Memory
	return w.Name == "transpose" && w.Data == "suite" && !j.Traffic && m.Codec() == "e2mc16" && m.Probabilities() == "offline" && m.DecodingWays() == 4 && m.MAG() == 32 && m.Threshold() == 16 &&
		(m.Approximation() == "none" || m.Approximation() == "tslc-opt") && m.Latency() == "" && m.Header() == "" && j.Scenario.Machine.Overrides == nil
}

// cheapRuns say which runs of a paper's folder the tests make again, each in about a second, where one run alone would
// show too little.
var cheapRuns = map[string]func(j *claim.Job) bool{
	"LATTE": func(j *claim.Job) bool {
		w, store := j.Scenario.Workload, j.Scenario.L1.Word("store")
		return w.Name == "similarity" && w.Size == 160 && j.Scenario.Machine.Overrides == nil && (store == "static-bdi" || store == "latte")
	},
	"RFVP": func(j *claim.Job) bool {
		s := j.Scenario
		return s.Workload.Name == "fwt" && s.Workload.Size == 1<<16 && s.Machine.Overrides == nil && s.Memory.Codec() == "none" && s.L1 == nil && (s.Loads == nil || s.Loads.Int("drop") == 125)
	},
	"BUDDY": func(j *claim.Job) bool {
		s := j.Scenario
		return s.Workload.Data == "lulesh" && (s.Memory.Codec() == "none" || s.Backing.Word("kind") == "buddy" && s.Backing.Int("gbPerSecond") == 50)
	},
}

// unmeasurable are the core rows that no run decides. RFVP's need loop perforation, for which the paper
// gives no rule; that of Buddy Compression needs parameters of networks that the paper does not print
// (core/claim/RFVP.md, BUDDY.md).
var unmeasurable = map[string]bool{"RFVP-55": true, "RFVP-56": true, "BUDDY-86": true}

// The committed data of the page were made by this program: the version, figures,
// claims and runs are the same, and runs made again give the same results.
func TestCommittedDataAreCurrent(t *testing.T) {
	owner := map[string]string{} // the folder of each paper
	for _, c := range committedData(t) {
		for _, paper := range c.modes[0].papers {
			if owner[paper] != "" {
				t.Errorf("%s has the data of %s, and so has %s", c.dir, paper, owner[paper])
			}
			owner[paper] = c.dir
		}
		t.Run(strings.Join(c.modes[0].papers, " "), c.isCurrent)
	}
	for _, paper := range claim.Papers {
		if owner[paper] == "" {
			t.Errorf("no folder of assets/reproduction has the claims of %s", paper)
		}
	}
}

func (c *committed) isCurrent(t *testing.T) {
	jobs, err := c.jobs()
	if err != nil {
		t.Fatal(err)
	}
	var runs reproducedRuns
	readJSON(t, filepath.Join(c.dir, "runs.json"), &runs)
	if runs.Version != experiment.Version {
		t.Fatalf("data of version %s, the program is %s: %s", runs.Version, experiment.Version, c.update)
	}
	lacking := 0
	for _, j := range jobs {
		one := runs.Runs[j.Key]
		if one == nil {
			t.Fatalf("%s is not among the runs: %s", j, c.update)
		}
		s, err := scenario.ParseJSON("runs.json", one.Scenario)
		if err != nil || claim.NewJob(s, one.Kind == "traffic").Key != j.Key {
			t.Fatalf("%s: another scenario, %v: %s", j, err, c.update)
		}
		if one.Result == "" {
			lacking++
		}
	}
	var index reproductionIndex
	readJSON(t, filepath.Join(c.dir, "index.json"), &index)
	if index.Lacking != lacking {
		t.Errorf("%d runs lack a result, the index says %d: %s", lacking, index.Lacking, c.update)
	}
	if lacking > 0 {
		t.Logf("%d of %d runs lack a result: %s", lacking, len(jobs), c.update)
	}
	if len(jobs) != len(runs.Runs) {
		t.Errorf("%d runs of %d: %s", len(runs.Runs), len(jobs), c.update)
	}
	for _, m := range c.modes {
		for _, f := range m.figures {
			var d stampedFigure
			readJSON(t, filepath.Join(c.dir, string(m.data), strings.ToLower(f.Name)+".json"), &d)
			if lacking == 0 && len(d.Missing) > 0 || d.Digest != runs.stamp(f, d.Drawing) {
				t.Errorf("%s, %s: made from another figure or other results, missing %v: %s", f.Name, m.data, d.Missing, c.update)
			}
		}
		var report claims.ClaimsReport
		readJSON(t, filepath.Join(c.dir, string(m.data), "claims.json"), &report)
		var used []string
		for _, o := range report.Outcomes {
			used = append(used, o.Keys()...)
			if o.Tier != "T1" || m.data == claim.Calibrated || len(jobs) == 0 || lacking > 0 {
				continue
			}
			if o.Verdict == claim.NotYetMeasured && !unmeasurable[o.ID] {
				t.Errorf("%s is not yet measured: %v. Add it to unmeasurable if no run can decide it.", o.ID, o.Missing)
			}
			if o.Verdict.Diverges() && o.Analysis == "" {
				t.Errorf("%s %s and has no analysis", o.ID, o.Verdict)
			}
		}
		if len(report.Outcomes) != len(m.claims()) || report.Digest != runs.digest(claim.Source(m.papers...), used) {
			t.Errorf("claims, %s: made from another table or other results: %s", m.data, c.update)
		}
	}
	c.areEqualAgain(t, jobs, &runs)
}

// areEqualAgain makes the cheapest runs again: results may change with the model although the version did
// not.
func (c *committed) areEqualAgain(t *testing.T, jobs []*claim.Job, runs *reproducedRuns) {
	cheap := c.again
	if cheap == nil { // of a paper without a rule, the run that should take least
		least, seconds := (*claim.Job)(nil), math.Inf(1)
		for _, j := range jobs {
			took := sweep.EstimatedSeconds([]*claim.Job{j}, 1)
			if runs.Runs[j.Key].Result != "" && took < seconds {
				least, seconds = j, took
			}
		}
		cheap = func(j *claim.Job) bool { return j == least }
	}
	again, made := 0, 0
	for _, j := range jobs {
		if runs.Runs[j.Key].Result == "" {
			continue
		}
		made++
		if !*runEverything && !cheap(j) {
			continue
		}
		o := sweep.NewSweep(sweep.OpenStore(t.TempDir()))
		if err := o.Run([]*claim.Job{j}, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		again++
		got := (&reproduction{store: o.Store}).describe([]*claim.Job{j}).Runs[j.Key].Result
		if got != runs.Runs[j.Key].Result {
			t.Errorf("%s comes to %s, in the data it is %s: change experiment.Version and %s", j, scenario.ShortHash(got), scenario.ShortHash(runs.Runs[j.Key].Result), c.update)
		}
	}
	if again == 0 && made > 0 {
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
