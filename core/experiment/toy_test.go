package experiment

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/testdata/toy"
)

// TestASystemIsAFolderAndARow: an L1 that nobody knows, one folder and one row of the table, appears in scenarios, in the
// lists of the page and the command line, in what is idle, and in results with a report, a log and a search.
func TestASystemIsAFolderAndARow(t *testing.T) {
	files, err := os.ReadDir("../system/testdata/toy")
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder has %d files, %v", len(files), err)
	}
	addSystem(t, toy.System)

	s := smallScenario(t, "bfs1", 512, "gtx480v3", "none", "l1.store=toy", "l1.every=2")
	if back, err := authoring.ParseJSON("toy.json", authoring.ToJSON(s)); err != nil || back.Hash() != s.Hash() || back.L1.Int("cycles") != 10 {
		t.Errorf("the scenario comes back as %+v, %v", back, err)
	}
	if back, err := scenario.ParseMsgpack(s.Canonical()); err != nil || back.Hash() != s.Hash() {
		t.Errorf("the scenario comes back as %+v, %v", back, err)
	}
	if label := s.Label(); label != ", l1 toy L1 (every 2 hits)" {
		t.Errorf("its label is %q", label)
	}
	lists, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := json.Marshal(lists); err != nil || !strings.Contains(string(text), `"path":"l1.every","title":"every","unit":"hits"`) {
		t.Errorf("the page has no setting l1.every (%v)", err)
	} else if !strings.Contains(string(text), `"name":"toyLateShare"`) {
		t.Error("the page has no row for the metric")
	}
	wrong := *s
	wrong.Scheme = s.Scheme.Clone()
	set(t, &wrong, "l1.every", "101")
	if err := wrong.Validate(); err == nil || !strings.Contains(err.Error(), "l1.every: 101 is out of range: use 1 to 100 hits") {
		t.Errorf("a setting out of range: %v", err)
	}

	res := toyResult(t, s)
	report := Reported[toy.Report](res)
	if report == nil || report.Late == 0 || report.Late > report.Hits/2 || uint64(len(report.Times)) != report.Late {
		t.Fatalf("the report is %+v", report)
	}
	if v, ok := res.Value("toyLate"); !ok || v != float64(report.Late) {
		t.Errorf("the input of metrics is %g, %v", v, ok)
	}
	if v, ok := res.Value("toyLateShare"); !ok || v <= 0 || v > 0.5 {
		t.Errorf("the metric is %g, %v", v, ok)
	}
	set(t, s, "l1.cycles", "0")
	plain := toyResult(t, s)
	if plain.Cycles >= res.Cycles || len(plain.Idle) != 1 || plain.Idle[0].Text != "Toy L1 did nothing: its hits take no longer." {
		t.Errorf("%d cycles with late hits, %d without; idle: %+v", res.Cycles, plain.Cycles, plain.Idle)
	}

	// A result that was read from JSON holds the report again.
	text, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	back.Scheme = res.Scheme
	if err := back.Retype(func(from, to any) error {
		b, err := json.Marshal(from)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, to)
	}); err != nil || Reported[toy.Report](&back).Hits != report.Hits {
		t.Errorf("the report is read as %+v, %v", back.L1Report, err)
	}
}

// addSystem gives the table of systems one more row for a test.
func addSystem(t *testing.T, row system.System) {
	systems := scheme.Systems
	assemble := func(list []system.System) {
		scheme.Systems = list
		scheme.Table = scheme.Assemble()
		scheme.Charges = scheme.Count()
		metric.Table, metric.Inputs = metric.Assemble()
	}
	t.Cleanup(func() { assemble(systems) })
	assemble(append(slices.Clone(systems), row))
}

// toyResult is a result with logs. A search comes before the run.
func toyResult(t *testing.T, s *scenario.Scenario) *Result {
	t.Helper()
	p, err := PlanOf(s)
	if err != nil {
		t.Fatal(err)
	}
	p.Logs = true
	r, err := New(p, Options{})
	searched := false
	for done := false; err == nil && !done; {
		done, err = r.Step(stepCycles)
		searched = searched || r.Phase() == PhaseProfile && r.Profiler() == r.Machine() && r.Machine() != nil
	}
	if err != nil || !searched {
		t.Fatalf("searched: %v; %v", searched, err)
	}
	return r.Result()
}
