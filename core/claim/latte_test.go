package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/latte/policy"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// TestEveryRowOfLATTE: the rows of LATTE-CC lack nothing but runs, except for one that says why.
func TestEveryRowOfLATTE(t *testing.T) {
	want := map[string]string{
		"LATTE-31": "gtx480v3 has an L2 of 6 slices with 16 ways, not of 12 banks; the preset gtx480v322 has 12",
	}
	for _, c := range All() {
		if c.Paper != "LATTE" {
			continue
		}
		o, err := NewLedger(nil, "").Evaluate(c)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range o.Missing {
			if !strings.HasPrefix(what, "run of ") && what != want[c.ID] {
				t.Errorf("%s: %s", c.ID, what)
			}
		}
		if what := want[c.ID]; what != "" && !slices.Contains(o.Missing, what) {
			t.Errorf("%s lacks %v", c.ID, o.Missing)
		}
		if o.Reading != "gtx480v3-suite-study" {
			t.Errorf("%s is read as %q", c.ID, o.Reading)
		}
	}
	// The preset of GPGPU-Sim 3.2.2 has the paper's banks and latencies.
	if o, err := readingOf(t, "machine", "gtx480v322").Ledger(nil).Evaluate(claimOf(t, "LATTE-31")); err != nil || o.Verdict != ArithmeticOnly {
		t.Errorf("%+v %v", o, err)
	}
}

// TestProgramsOfLATTE: every program of the paper has a size, which it accepts, and the data of its suite. Rows of
// other papers keep their own.
func TestProgramsOfLATTE(t *testing.T) {
	ids := SetOf("LALL")
	if n := len(shipped("LATTE").Programs); n != len(ids) {
		t.Errorf("%d sizes of %d programs", n, len(ids))
	}
	for _, id := range ids {
		w, err := Reading{}.Workload("LATTE", id)
		if err != nil || w.Size != shipped("LATTE").program(id).Study || w.Size == 0 {
			t.Errorf("%s: %+v %v", id, w, err)
		}
		if want := map[bool]string{true: "connections", false: "suite"}[id == "KM"]; w.Data != want {
			t.Errorf("%s runs on %s", id, w.Data)
		}
		s := scenario.Default(w.Name)
		s.Workload = w
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		size := w.Size
		if w, err = readingOf(t, "machine", "gtx480").Workload("LATTE", id); err != nil || w.Size != size {
			t.Errorf("%s on gtx480: %+v %v", id, w, err)
		}
	}
	for _, paper := range []string{"SLC", "E2MC"} {
		if r := (Reading{}); r.Of(paper) != r {
			t.Errorf("%s is read as %+v", paper, r.Of(paper))
		}
	}
	info, _ := programs.Describe("KM")
	w, err := Reading{Data: Natural, Sizes: ClaimSizes}.Workload("LATTE", "KM")
	if err != nil || w.Size != info.StudySize {
		t.Errorf("--sizes claim has other sizes: %+v %v", w, err)
	}
}

// TestSystemsOfL1: what each system and setting of LATTE-CC's rows changes. A size of L1 holds for the base too.
func TestSystemsOfL1(t *testing.T) {
	c := claimOf(t, "LATTE-05") // without other readings
	for check, want := range map[string][]string{
		"v('speedup', 'LATTE', 'SS', over='L1-NONE') > 0":               {"similarity 160 suite, no compression, L1 latte", "similarity 160 suite, no compression"},
		"v('speedup', 'L1-SC', 'SS', over='L1-NONE', capacity='off')>0": {"similarity 160 suite, no compression, L1 static-sc without capacity", "similarity 160 suite, no compression"},
		"v('seconds', 'L1-BDI', 'SS', decomp=0) > 0":                    {"similarity 160 suite, no compression, L1 static-bdi BDI in 0 cycles"},
		"v('seconds', 'L1-SC', 'SS', decomp=0) > 0":                     {"similarity 160 suite, no compression, L1 static-sc SC in 0 cycles"},
		"v('seconds', 'L1LAT', 'SS', extra=9) > 0":                      {"similarity 160 suite, no compression, L1 delayed +9 cycles"},
		"v('seconds', 'L1X4', 'SS') > 0":                                {"similarity 160 suite, no compression, L1 of 64 KB"},
		"v('speedup', 'AHC', 'SS', over='KOPT', l1=48) > 0":             {"similarity 160 suite, no compression, L1 adaptive-hit-count, L1 of 48 KB", "similarity 160 suite, no compression, L1 kernel-opt, L1 of 48 KB"},
		"v('cr_l1', 'BPC', 'SS') > 0":                                   {"similarity 160 suite, no compression, L1 raw"},
	} {
		c.Check = check
		var got []string
		for _, j := range NewLedger(nil, "").Jobs(c) {
			got = append(got, strings.TrimSuffix(j.String(), " on gtx480v3"))
			if j.Scenario.Machine.Preset != "gtx480v3" {
				t.Errorf("%s runs on %s", j, j.Scenario.Machine.Preset)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s asks for %q, want %q", check, got, want)
		}
	}
	for check, want := range map[string]string{
		"v('speedup', 'LATTE', 'SS', over='L1-NONE', l1=32) > 0": "setting l1=32 does not exist here",
		"v('cr_l1', 'E2MC16', 'SS') > 0":                         "lines of L1 are not measured under E2MC16",
	} {
		c.Check = check
		if o, err := NewLedger(nil, "").Evaluate(c); err != nil || !slices.Contains(o.Missing, want) {
			t.Errorf("%s lacks %v, %v", check, o.Missing, err)
		}
	}
}

// measuredL1 has results made by hand: L1-NONE takes 100 J, of which 30 move data, 50 are static and none is a
// codec's; LATTE-CC takes 20, 40 and 1 of 80 J.
type measuredL1 struct{ none }

func (measuredL1) Run(j *Job) *experiment.Result {
	parts := []energy.Part{{Name: "execution", Femtojoules: 20e15}, {Name: "l2", Femtojoules: 10e15}, {Name: "dramIO", Femtojoules: 20e15}, {Name: "static", Femtojoules: 45e15}, {Name: "dramBackground", Femtojoules: 5e15}, {Name: "codec"}}
	r := &experiment.Result{Seconds: 2, Stats: map[string]uint64{
		"l1Misses": 400, "l1PhaseSectors": 900, "l1PhaseRoomSectors": 1000, "l1RatioLines": 10, "l1RatioBitsBPC": 5120,
	}}
	switch j.Scenario.L1["store"] {
	case "latte":
		parts[0].Femtojoules, parts[2].Femtojoules, parts[3].Femtojoules, parts[5].Femtojoules = 19e15, 10e15, 35e15, 1e15
		r.Seconds, r.Stats["l1Misses"], r.Stats["l1PhaseSectors"] = 1.6, 300, 1800
		r.L1Report = &latte.Phases{Launches: [][policy.NumModes]uint64{{1, 7, 0}, {0, 0, 2}}}
	case "kernel-opt":
		r.L1Report = &latte.Phases{Plan: []string{"low", "none"}}
	}
	r.Energy = &energy.Account{Parts: parts}
	return r
}

// TestMetricsOfL1: the metrics of LATTE-CC's rows, by hand.
func TestMetricsOfL1(t *testing.T) {
	c := claimOf(t, "LATTE-04")
	c.Unit, c.PaperValue = "x", ""
	for value, want := range map[string]float64{
		"v('speedup', 'LATTE', 'SS', over='L1-NONE')":   1.25,
		"v('l1_misses', 'LATTE', 'SS', over='L1-NONE')": 0.75,
		"v('eff_cap', 'LATTE', 'SS')":                   2,
		"v('cr_l1', 'BPC', 'SS')":                       2,
		"v('kopt_agree', 'LATTE', 'SS')":                0.7,
		"v('esave_datamove', 'LATTE', 'SS')":            0.1,
		"v('esave_static', 'LATTE', 'SS')":              0.1,
		"v('esave_codec', 'LATTE', 'SS')":               -0.01,
		"v('esave_total', 'LATTE', 'SS')":               0.2,
		"v('e_codec_share', 'LATTE', 'SS')":             1. / 80,
	} {
		c.Check = value + " > -1"
		o, err := NewLedger(measuredL1{}, "").Evaluate(c)
		if err != nil || o.Verdict != Holds || o.Measured == nil || math.Abs(*o.Measured-want) > 1e-12 {
			t.Errorf("%s: %+v %v, want %g", value, o, err, want)
		}
	}
	// A row about fewer misses writes 1 - ratio, and its number is in per cent of the misses.
	c = claimOf(t, "LATTE-73")
	if o, err := NewLedger(measuredL1{}, "").Evaluate(c); err != nil || o.Verdict != Holds || !near(o.Measured, 25) {
		t.Errorf("%+v %v", o, err)
	}
	// Both runs are named if both are missing.
	c.Check = "v('kopt_agree', 'LATTE', 'SS') > 0"
	if o, err := NewLedger(nil, "").Evaluate(c); err != nil || len(o.Missing) != 2 || o.LackingRuns != 2 {
		t.Errorf("%+v %v", o, err)
	}
}

// Row LATTE-43 compares two policies of stores: every program runs under both.
func TestWritePoliciesOfL1(t *testing.T) {
	kept := 0
	jobs := Reading{}.Of("LATTE").Ledger(nil).Jobs(claimOf(t, "LATTE-43"))
	for _, j := range jobs {
		if j.Scenario.Machine.Overrides["sm.l1.stores"] == "keep" {
			kept++
		}
	}
	if len(jobs) != 44 || kept != 22 {
		t.Errorf("%d runs, %d of them with stores that stay: want 44 and 22", len(jobs), kept)
	}
}

// What a row without runs lacks is written with today's words, not with those of the file: LATTE-31 named the preset
// gtx480, which has other banks, long after its reason named the right one.
func TestReasonsWithoutRunsAreWrittenAgain(t *testing.T) {
	c := claimOf(t, "LATTE-31")
	l := Reading{}.Of("LATTE").Ledger(nil)
	old := &Outcome{Claim: c, Standing: Standing{Verdict: NotYetMeasured}, Missing: []string{"the preset gtx480 has 12"}}
	list, err := l.Again([]Claim{c}, []*Outcome{old})
	if err != nil || len(list[0].Missing) != 1 || !strings.Contains(list[0].Missing[0], "gtx480v322") {
		t.Errorf("%+v %v", list, err)
	}
}
