package correlate

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/tools/golden"
)

// committedReport is what compare --format json wrote, as far as the tests read it.
type committedReport struct {
	Preset    string
	Overrides map[string]any
	Programs  Summary
	Long      Summary `json:"longPrograms"`
	Launch    struct{ AloneMeasuredNs, NextMeasuredNs float64 }
	Cases     []struct {
		Kind                Kind
		Name                string
		Size                int
		Data                string
		Measured, Simulated float64
		LaunchBound         bool
	}
}

// regenerate is the command that writes the comparison again.
const regenerate = "go run ./tools/burstscope correlate compare core/machine/testdata/silicon/h200.csv --preset h200 --only '^program/|/launch/' --format json > core/machine/testdata/silicon/h200-compared.json"

func readReport(t *testing.T, name string) committedReport {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name))
	var r committedReport
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatalf("%v: write it with %s", err, regenerate)
	}
	return r
}

// validation is the document with the figures of these tests.
const validation = "../../../core/VALIDATION.md"

// TestCommittedComparison: the measured times are those of the recording, and the figures
// are those of the rows. The document shows both.
func TestCommittedComparison(t *testing.T) {
	checkCommitted(t, "h200", "all", "not bound by launches")
	r := readReport(t, "h200-compared.json")
	golden.Words(t, validation, fmt.Sprintf("%.0f ns for the first launch of a program and %.0f ns for each further one", r.Launch.AloneMeasuredNs, r.Launch.NextMeasuredNs))
}

// TestHeldOutComparison: so are those of programs that were recorded when most of the preset's
// values stood, and of further sizes of all programs, recorded after its last change.
func TestHeldOutComparison(t *testing.T) {
	checkCommitted(t, "h200-heldout", "recorded later, all", "recorded later, not bound by launches")
	checkCommitted(t, "h200-later", "other sizes, all", "other sizes, not bound by launches")
	checkCommitted(t, "h200-formats", "today's formats, all", "today's formats, not bound by launches")
}

func checkCommitted(t *testing.T, file, all, long string) {
	t.Helper()
	r := readReport(t, file+"-compared.json")
	measured := map[Case]float64{}
	for _, row := range readRecording(t, filepath.Join(folder, file+".csv")) {
		measured[row.Case] = row.Nanoseconds
	}
	var list []Comparison
	ratios := map[string][]float64{}
	var names []string
	for _, c := range r.Cases {
		if c.Kind != Program {
			continue
		}
		key := Case{c.Kind, c.Name, c.Size, c.Data}
		if c.Measured != measured[key] {
			t.Errorf("%s: %v ns measured, %v in the recording: %s", key.Key(), c.Measured, measured[key], regenerate)
		}
		one := Comparison{Row: Row{Case: key, Nanoseconds: c.Measured, Cycles: c.Measured}, Simulated: &Simulated{Nanoseconds: c.Simulated, ClockMHz: 1000}, LaunchBound: c.LaunchBound}
		one.SimulatedNs, one.Ratio = c.Simulated, c.Simulated/c.Measured
		list = append(list, one)
		if ratios[c.Name] == nil {
			names = append(names, c.Name)
		}
		ratios[c.Name] = append(ratios[c.Name], one.Ratio)
	}
	for _, s := range []struct {
		name      string
		committed Summary
		keep      func(*Comparison) bool
	}{
		{all, r.Programs, func(*Comparison) bool { return true }},
		{long, r.Long, func(c *Comparison) bool { return !c.LaunchBound }},
	} {
		got := Summarise(list, s.keep)
		// Clocks of single rows differ from each other by 1 %, so cycles correlate slightly differently.
		if got.Cases != s.committed.Cases || math.Abs(got.MeanError-s.committed.MeanError) > 1e-6 || math.Abs(got.Correlation-s.committed.Correlation) > 1e-3 {
			t.Errorf("%s: the rows give %+v, the file says %+v", s.name, got, s.committed)
		}
		sum := s.committed
		golden.Rows(t, validation, "silicon", []string{s.name, strconv.Itoa(sum.Cases), fmt.Sprintf("%.1f %%", 100*sum.MeanError),
			fmt.Sprintf("%.4f", sum.Correlation), fmt.Sprintf("%.4f", sum.LogCorrelation)})
	}
	for _, name := range names {
		if len(ratios[name]) == 1 {
			continue
		}
		golden.Rows(t, validation, "ratios", []string{name, strconv.Itoa(len(ratios[name])),
			fmt.Sprintf("%.2f to %.2f", slices.Min(ratios[name]), slices.Max(ratios[name]))})
	}
}

// TestScheduledComparison: the committed times under compile: scheduled are of the same runs as those of the written
// order, and the document shows both. The scheduler makes the mean error smaller.
func TestScheduledComparison(t *testing.T) {
	var reports [2]committedReport
	reports[0], reports[1] = readReport(t, "h200-formats-compared.json"), readReport(t, "h200-formats-scheduled.json")
	if o := reports[1].Overrides["compile"]; o != "scheduled" || len(reports[0].Cases) != len(reports[1].Cases) {
		t.Fatalf("compile is %v in the file, with %d cases, and %d as written", o, len(reports[1].Cases),
			len(reports[0].Cases))
	}
	span := func(list []float64) string { return fmt.Sprintf("%.2f to %.2f", slices.Min(list), slices.Max(list)) }
	ratios := map[string]*[2][]float64{}
	names := []string{"all"}
	ratios["all"] = new([2][]float64)
	for i := range reports[0].Cases {
		for order := range reports {
			c, w := &reports[order].Cases[i], &reports[0].Cases[i]
			if c.Name != w.Name || c.Size != w.Size || c.Data != w.Data || c.Measured != w.Measured {
				t.Fatalf("case %d is %s %d, as written %s %d", i, c.Name, c.Size, w.Name, w.Size)
			}
			if c.Kind != Program {
				continue
			}
			if ratios[c.Name] == nil {
				ratios[c.Name] = new([2][]float64)
				names = append(names, c.Name)
			}
			for _, name := range []string{c.Name, "all"} {
				ratios[name][order] = append(ratios[name][order], c.Simulated/c.Measured)
			}
		}
	}
	for _, name := range append(names[1:], "all") {
		r := ratios[name]
		golden.Rows(t, validation, "scheduled", []string{name, strconv.Itoa(len(r[0])), span(r[0]), span(r[1]),
			fmt.Sprintf("%.1f %%", 100*meanError(r[0])), fmt.Sprintf("%.1f %%", 100*meanError(r[1]))})
	}
	if r := ratios["all"]; meanError(r[1]) >= meanError(r[0]) {
		t.Errorf("the mean error is %.3f scheduled and %.3f as written", meanError(r[1]), meanError(r[0]))
	}
}

// TestScheduledPrograms: the order of the list scheduler makes no program of the first recording take more than 3 %
// longer than the written one.
func TestScheduledPrograms(t *testing.T) {
	written, scheduled := readReport(t, "h200-compared.json"), readReport(t, "h200-scheduled.json")
	if o := scheduled.Overrides["compile"]; o != "scheduled" || len(written.Cases) < len(scheduled.Cases) {
		t.Fatalf("compile is %v in the file, with %d cases, and %d as written", o, len(scheduled.Cases), len(written.Cases))
	}
	type program struct {
		name, data string
		size       int
	}
	before := map[program]float64{}
	for _, c := range written.Cases {
		if c.Kind == Program {
			before[program{c.Name, c.Data, c.Size}] = c.Simulated
		}
	}
	var mean [2][]float64
	shortest, longest := 1.0, 1.0
	for _, c := range scheduled.Cases {
		was := before[program{c.Name, c.Data, c.Size}]
		if c.Kind != Program || was == 0 {
			continue
		}
		mean[0], mean[1] = append(mean[0], was/c.Measured), append(mean[1], c.Simulated/c.Measured)
		r := c.Simulated / was
		shortest, longest = min(shortest, r), max(longest, r)
		if r > 1.03 {
			t.Errorf("%s %d takes %.3f of its time as written", c.Name, c.Size, r)
		}
	}
	if len(mean[0]) != len(before) || len(before) != 87 {
		t.Errorf("%d programs of %d", len(mean[0]), len(before))
	}
	golden.Words(t, validation, fmt.Sprintf("none takes more than %.1f %% longer; some take down to %.2f of the time",
		100*(longest-1), shortest))
	golden.Words(t, validation, fmt.Sprintf("the mean error of the 87 is %.1f %% in place of %.1f %%",
		100*meanError(mean[1]), 100*meanError(mean[0])))
}

func meanError(ratios []float64) (sum float64) {
	for _, x := range ratios {
		sum += math.Abs(x-1) / float64(len(ratios))
	}
	return sum
}

// TestComparisonHolds runs the short programs again: the committed simulated times are those
// of this simulator.
func TestComparisonHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	r := readReport(t, "h200-compared.json")
	again := regexp.MustCompile(`^program/(vecadd/16384|transpose/256|matmul/64|blackscholes/40000|jmeint/12000|nn/60000)/|/launch/(1|65)/`)
	var rows []Row
	for _, row := range readRecording(t, filepath.Join(folder, "h200.csv")) {
		if again.MatchString(row.Key()) {
			rows = append(rows, row)
		}
	}
	list, launches := Compare(rows, Machine{Preset: r.Preset}, CompareOptions{Jobs: 1, Done: func(*Comparison) {}})
	if !launches.Known || len(list) != 8 {
		t.Fatalf("%d cases, launches %+v", len(list), launches)
	}
	for i := range list {
		c := &list[i]
		if c.Err != nil {
			t.Fatal(c.Err)
		}
		for _, committed := range r.Cases {
			if committed.Kind == Program && c.Case == (Case{committed.Kind, committed.Name, committed.Size, committed.Data}) && math.Abs(c.SimulatedNs/committed.Simulated-1) > 1e-9 {
				t.Errorf("%s takes %.1f ns now, %.1f in the committed comparison: %s", c.Key(), c.SimulatedNs, committed.Simulated, regenerate)
			}
		}
	}
}
