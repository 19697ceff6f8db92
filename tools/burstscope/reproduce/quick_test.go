package reproduce

import (
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// quickCores and quickSeconds are what --quick promises.
const (
	quickCores   = 2
	quickSeconds = 12 * 60
	// quickMargin is for machines that take longer than the one of costs.csv: a third of the
	// time is spare.
	quickMargin = 1.5
)

func quickReproduction(t *testing.T) (*reproduction, []*claim.Job) {
	t.Helper()
	r, err := wholeReproduction(sweep.OpenStore(t.TempDir()), claim.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	r.quick, r.modes = true, r.modes[:1]
	if quickJobs == nil {
		if quickJobs, err = r.jobs(); err != nil {
			t.Fatal(err)
		}
	}
	return r, quickJobs
}

var quickJobs []*claim.Job // listed once for all tests

// The quick reproduction stays below its time by the measured costs, and its help says what
// it makes.
func TestQuickStaysBelowItsTime(t *testing.T) {
	_, jobs := quickReproduction(t)
	seconds := sweep.EstimatedSeconds(jobs, quickCores)
	t.Logf("%d runs, %.0f s by costs.csv", len(jobs), seconds)
	if seconds*quickMargin > quickSeconds || len(jobs) < 100 {
		t.Errorf("%d runs take %.0f s on %d cores: use smaller sizes in quickSizes", len(jobs), seconds, quickCores)
	}
	for _, want := range []string{"12 minutes on two cores", "JM 100000", "SPMV 8192", "memory.mag 32", "memory.threshold 16"} {
		if !strings.Contains(reproduceHelp(), want) {
			t.Errorf("the help does not say %q", want)
		}
	}
	for line := range strings.Lines(quickHelp()) {
		if len(line) > cli.HelpWidth+1 {
			t.Errorf("%d characters: %s", len(line), line)
		}
	}
}

// Every program of both papers that exists has a size, every size is used and legal, and
// each line of the settings leaves something out.
func TestQuickTable(t *testing.T) {
	_, jobs := quickReproduction(t)
	for _, id := range slices.Concat(claim.SetOf("SLC9"), claim.SetOf("E2MC15")) {
		w, err := claim.Reading{}.Workload("", id)
		if err != nil {
			continue
		}
		used := slices.ContainsFunc(jobs, func(j *claim.Job) bool {
			return j.Scenario.Workload.Name == w.Name && j.Scenario.Workload.Size == quickSizes[id]
		})
		if !used {
			t.Errorf("%s: no run at the size %d of the table", id, quickSizes[id])
		}
	}
	for _, j := range jobs {
		if err := j.Scenario.Validate(); err != nil {
			t.Errorf("%s: %v", j, err)
		}
		if !j.Traffic && (len(j.Scenario.Machine.Overrides) > 0 || j.Scenario.Machine.Preset != claim.DefaultMachine) {
			t.Errorf("%s is on another machine", j)
		}
	}
	r, err := wholeReproduction(nil, claim.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.jobs()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range quickSettings {
		if !slices.ContainsFunc(all, func(j *claim.Job) bool { return !q.keeps(&j.Scenario.Memory) }) {
			t.Errorf("%s %s leaves no run out", q.setting, q.value)
		}
	}
}

// The files of a quick reproduction come from its own runs; the missing ones are named.
func TestQuickFilesNameWhatIsMissing(t *testing.T) {
	r, jobs := quickReproduction(t)
	index, err := r.files(false)
	if err != nil {
		t.Fatal(err)
	}
	if index.Lacking != len(jobs) || index.runs != len(jobs) || len(index.Claims) != 1 {
		t.Errorf("%d of %d runs are missing, and %d jobs", index.Lacking, index.runs, len(jobs))
	}
}
