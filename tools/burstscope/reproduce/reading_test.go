package reproduce

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// TestReadingOfAReproduction: a reproduction in another reading has a folder of its own data, and its
// index, its runs and every row name the machine, the data and the sizes.
func TestReadingOfAReproduction(t *testing.T) {
	reading := claim.Reading{Machine: "gtx580c", Data: claim.Natural, Sizes: claim.ClaimSizes}
	r, err := wholeReproduction(sweep.OpenStore(t.TempDir()), reading)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.modes) != 1 || r.modes[0].data != claim.Natural || len(r.modes[0].figures) < 10 {
		t.Fatalf("%d modes", len(r.modes))
	}
	r.modes[0].figures = r.modes[0].figures[:1]
	index, err := r.files(true)
	if err != nil {
		t.Fatal(err)
	}
	var report claims.ClaimsReport
	if err := json.Unmarshal(index.files["natural/claims.json"], &report); err != nil {
		t.Fatal(err)
	}
	if index.Reading == nil || *index.Reading != reading || report.Reading == nil || *report.Reading != reading || report.Data != claim.Natural {
		t.Errorf("index %+v, claims %+v on %s inputs", index.Reading, report.Reading, report.Data)
	}
	for _, o := range report.Outcomes {
		if o.Reading != "gtx580c-natural-claim" && o.Verdict != claim.ShownOnly {
			t.Errorf("%s: reading %q", o.ID, o.Reading)
		}
	}
	rows, err := csv.NewReader(bytes.NewReader(index.files["natural/claims.csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "machine")
	for _, row := range rows[1:] {
		if got := strings.Join(row[at:at+3], " "); got != "gtx580c natural claim" {
			t.Errorf("%s: %s", row[0], got)
		}
	}
	var runs reproducedRuns
	if err := json.Unmarshal(index.files["runs.json"], &runs); err != nil {
		t.Fatal(err)
	}
	for key, run := range runs.Runs {
		if !strings.Contains(string(run.Scenario), `"gtx580c"`) {
			t.Errorf("%s: %s", key, run.Scenario)
		}
	}
}

// TestStoreOfAReading: results of one reading do not lie among those of another, unless the command line
// says so; and the verbs take the same words.
func TestStoreOfAReading(t *testing.T) {
	t.Chdir(t.TempDir())
	out := mustCall(t, "figure", "SLC-1", "--machine", "gtx580c", "--sizes", "claim")
	if !strings.Contains(out, "(gtx580c-suite-claim)") {
		t.Errorf("the figure does not name its reading: %.200s", out)
	}
	jobs, err := figureJobsOf("SLC-1", &claim.Reading{Machine: "gtx580c", Sizes: claim.ClaimSizes})
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{"results": false, "results-gtx580c-suite-claim": true} {
		s := sweep.OpenStore(dir)
		if err := os.MkdirAll(s.Folder(), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path(jobs[0].Key), []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, _, errs := call("figure", "SLC-1", "--machine", "gtx580c", "--sizes", "claim")
		if got := strings.Contains(errs, s.Path(jobs[0].Key)); got != want {
			t.Errorf("reads %s: %v (%s)", dir, got, errs)
		}
	}
	for _, line := range []string{"claims --machine moon", "sweep claims --sizes huge", "reproduce --online maybe", "figure SLC-1 --error small", "claims --bandwidth bus"} {
		if status, _, errs := call(strings.Fields(line)...); status != 2 || !strings.Contains(errs, "use one of ") {
			t.Errorf("%s: status %d, %s", line, status, errs)
		}
	}
}

func figureJobsOf(name string, reading *claim.Reading) ([]*claim.Job, error) {
	f, err := sweep.LoadFigure(name)
	if err != nil {
		return nil, err
	}
	return sweep.FigureJobs(f, reading)
}

// The compute-bound programs of E2MC's rows are those that the ledger lists: more bandwidth makes them no faster.
func TestUnboundProgramsAreThoseOfTheLedger(t *testing.T) {
	var listed []string
	for _, c := range committedData(t) {
		if !slices.Contains(c.modes[0].papers, "E2MC") {
			continue
		}
		var report claims.ClaimsReport
		readJSON(t, filepath.Join(c.dir, string(c.modes[0].data), "claims.json"), &report)
		for _, o := range report.Outcomes {
			for _, b := range o.Own().NotBound {
				if o.Paper == "E2MC" && !slices.Contains(listed, b.Program) {
					listed = append(listed, b.Program)
				}
			}
		}
	}
	want := slices.Sorted(slices.Values(claim.SetOf("UNBOUND")))
	if slices.Sort(listed); !slices.Equal(listed, want) {
		t.Errorf("the ledger lists %v, the set has %v", listed, want)
	}
}
