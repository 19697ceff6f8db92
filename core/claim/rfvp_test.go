package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/system/rfvp/study"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// ratedResults are results of RFVP whose loss is a tenth of the drop rate, and which take as many
// seconds less as thousandths are dropped.
type ratedResults struct{ lacking int }

func (r ratedResults) Run(j *Job) *experiment.Result {
	s := j.Scenario
	res := &experiment.Result{Seconds: 2000, Energy: &energy.Account{Joules: 1}, Stats: map[string]uint64{}}
	if s.Loads["policy"] != nil {
		drop := s.Loads.Int("drop")
		if s.Loads.Word("policy") == rfvp.Perforation {
			drop = s.Loads.Int("skip")
		}
		if r.lacking > 0 && drop == r.lacking {
			return nil
		}
		loss := float64(drop) / 10000
		if s.Workload.Name == "gaussian" && s.Workload.Size >= 512 || s.Seed == 3 {
			loss *= 2
		}
		if s.Loads.Word("predictor") == "zero" {
			loss = 1
		}
		res.Loss, res.Seconds = &loss, 2000-float64(drop)
		predicted := &rfvp.Report{}
		for _, n := range []uint64{10, 40, 0, 50} {
			predicted.Loads = append(predicted.Loads, rfvp.LoadCounted{Tally: rfvp.Tally{Misses: n}})
		}
		res.LoadsReport = predicted
	}
	return res
}

func (ratedResults) Traffic(*Job) *experiment.Traffic { return nil }

func rfvpValue(t *testing.T, results Results, text string) (float64, *session) {
	t.Helper()
	s := &session{Ledger: Reading{}.Ledger(results), paper: "RFVP"}
	v, err := s.evaluate("test", text)
	if err != nil {
		t.Fatal(err)
	}
	var f float64
	if _, err := fmt.Sscan(v.String(), &f); err != nil {
		t.Fatalf("%s is %s", text, v)
	}
	return f, s
}

// TestLossTargets: q chooses the highest drop rate within the loss, for the value of any metric.
func TestLossTargets(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{"v('speedup', 'RFVP', 'GS', over='NONE', q=0.1)", 2000. / 1100},  // 90 %
		{"v('speedup', 'RFVP', 'GS', over='NONE', q=0.05)", 2000. / 1500}, // 50 %
		{"v('speedup', 'RFVP', 'GS', over='NONE', q=0.03)", 2000. / 1750}, // 25 %
		{"v('err', 'RFVP', 'GS', q=0.07)", 0.0625},
		{"v('err', 'RFVP', 'GS', drop=0.125)", 0.0125},
		{"v('err', 'RFVP', 'GS', q=0.001)", 0}, // no rate
		{"v('speedup', 'RFVP', 'GS', over='NONE', q=0.1, pred='ZV')", 1},
		{"v('speedup', 'PERF', 'GS', over='NONE', q=0.1)", 2000. / 1500},  // every second iteration
		{"v('speedup', 'PERF', 'GS', over='NONE', q=0.04)", 2000. / 1750}, // every fourth
		{"v('speedup', 'PERF', 'BP', over='NONE', q=0.1)", 1},
		{"v('speedup', 'RFVP+E2MC16+LATTE', 'GS', over='NONE', drop=0.5)", 2000. / 1500},
		{"v('miss_cdf', 'NONE', 'GS', top=1)", 0.5},
		{"v('miss_cdf', 'NONE', 'GS', top=2)", 0.9},
		{"v('miss_cdf', 'NONE', 'GS', top=6)", 1},
		{"ned(32, 2)", 0.05 * 1500 / 2000},
	} {
		got, s := rfvpValue(t, ratedResults{}, c.text)
		if math.Abs(got-c.want) > 1e-9 || len(s.missing) > 0 {
			t.Errorf("%s is %v, missing %v; want %v", c.text, got, s.missing, c.want)
		}
		if none := strings.Contains(c.text, "q=0.001") || strings.Contains(c.text, "ZV"); none != slices.ContainsFunc(s.notes, func(n string) bool { return strings.Contains(n, "no drop rate") }) {
			t.Errorf("%s notes %q", c.text, s.notes)
		}
	}
	_, s := rfvpValue(t, ratedResults{lacking: 125}, "v('err', 'RFVP', 'GS', q=0.1)")
	if len(s.missing) != 1 || !strings.Contains(s.missing[0], "RFVP drop 12.5 %") || len(s.jobs) != len(study.DropRates())-1 {
		t.Errorf("without one rate: missing %q, %d jobs", s.missing, len(s.jobs))
	}
}

// TestLossIsThatOfTheReading: at the paper's size the rate is one that keeps the loss at that size. On another input it
// is the first input's.
func TestLossIsThatOfTheReading(t *testing.T) {
	l := Reading{}.Ledger(ratedResults{})
	c, _ := find("RFVP-01")
	at := slices.IndexFunc(l.otherReadings(&c), func(r *otherReading) bool { return r.sizes != "" })
	if at < 0 {
		t.Fatal("RFVP-01 has no reading of sizes")
	}
	sized := draw{reading: l.otherReadings(&c)[at]}
	reseeded := draw{Draw: experiment.Draw{Seed: 2}} // the scenario has 1
	for _, one := range []struct {
		under draw
		want  float64
	}{{draw{}, 0.05}, {sized, 0.05}, {reseeded, 0.1}} {
		s := &session{Ledger: l, paper: "RFVP", under: one.under}
		v, err := s.evaluate("test", "v('err', 'RFVP', 'GS', q=0.05)")
		if err != nil || len(s.missing) > 0 || v.String() != fmt.Sprint(one.want) {
			t.Errorf("under %+v: a loss of %v, missing %v, %v; want %v", one.under, v, s.missing, err, one.want)
		}
	}
}

// wholeLoss are ratedResults but for BP at one size, whose loss is whole at every rate.
type wholeLoss struct {
	ratedResults
	size int
}

func (r wholeLoss) Run(j *Job) *experiment.Result {
	res := r.ratedResults.Run(j)
	if w := j.Scenario.Workload; res.Loss != nil && w.Name == "backprop" && w.Size == r.size {
		*res.Loss = 1
	}
	return res
}

// TestRemarksAreOfTheReading: what is remarked of the runs of a number stands beside it, and beside no other one.
func TestRemarksAreOfTheReading(t *testing.T) {
	const none = "BP: no drop rate keeps the loss within 10 %"
	for _, size := range []int{16384, 262144} { // of the row's own reading, and of table I
		o, err := Reading{}.Of("RFVP").Ledger(wholeLoss{size: size}).Evaluate(claimOf(t, "RFVP-01"))
		if err != nil || o.AsRun == nil {
			t.Fatalf("%+v, %v", o, err)
		}
		here, own := slices.Contains(o.Remarks, none), slices.Contains(o.Own().Remarks, none)
		if here == own || own != (size == 16384) {
			t.Errorf("BP loses at %d: remarks %q, of the row's own reading %q", size, o.Remarks, o.Own().Remarks)
		}
	}
}

// TestRFVPSystems compares the scenarios of systems with values by hand.
func TestRFVPSystems(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"v('err', 'RFVP', 'HW', drop=0.25, pred='LV')", []string{"loads.drop 250", "loads.predictor last-value", "loads.force on", "preset gtx480v3"}},
		{"v('err', 'RFVP', 'SRED', nodrop=1)", []string{"loads.drop 500", "loads.requests sent", "loads.which srad1_reduce:marked"}},
		{"v('err', 'RFVP', 'SR2K', gap='random', entries=32, groups=8)", []string{"loads.gaps random", "loads.entries 32", "loads.groups 8"}},
		{"v('err', 'NONE', 'GS', bw=0.5)", []string{"dramMHz 462"}},
		{"v('err', 'NONE', 'GS', bw=8)", []string{"dramMHz 7392"}},
		{"v('err', 'L1PLUS', 'GS')", []string{"sm.l1.sets 16", "sm.l1.ways 15"}},
		{"v('err', 'L2PLUS', 'GS')", []string{"l2.ways 20"}},
		{"v('err', 'PERF', 'GS', drop=0.25)", []string{"loads.policy perforation", "loads.skip 250"}},
		{"v('err', 'PERFECT', 'GS')", []string{"dramMHz 10000", "l2LatencyCycles 0"}},
	} {
		_, s := rfvpValue(t, nil, c.text)
		if len(s.jobs) != 1 {
			t.Errorf("%s: %d jobs, missing %q", c.text, len(s.jobs), s.missing)
			continue
		}
		sc := s.jobs[0].Scenario
		words := []string{"preset " + sc.Machine.Preset}
		for key, v := range sc.Loads {
			words = append(words, fmt.Sprintf("loads.%s %v", key, v))
		}
		for path, v := range sc.Machine.Overrides {
			words = append(words, fmt.Sprintf("%s %v", path, v))
		}
		for _, want := range c.want {
			if !slices.Contains(words, want) {
				t.Errorf("%s: no %q in %q", c.text, want, words)
			}
		}
	}
	for _, text := range []string{"v('err', 'RFVP', 'GS', drop=1.5)", "v('err', 'RFVP', 'GS', pred='3D')", "v('err', 'RFVP+NOTHING', 'GS')", "v('err', 'RFVP', 'GS', q=10)"} {
		if _, s := rfvpValue(t, nil, text); len(s.missing) == 0 {
			t.Errorf("%s lacks nothing", text)
		}
	}
	_, s := rfvpValue(t, nil, "v('err', 'L1PLUS', 'GS')")
	spec, err := s.jobs[0].Scenario.Machine.Spec()
	if err != nil || spec.SM.L1.Bytes() != 30<<10 {
		t.Errorf("L1PLUS: %v, %v", spec, err)
	}
}

// TestPerforablePrograms: the programs of the list have a loop that can skip, and the others do not.
func TestPerforablePrograms(t *testing.T) {
	for _, id := range SetOf("RFVP10") {
		w, err := Reading{}.Ledger(nil).reading.Workload("RFVP", id)
		if err != nil {
			t.Fatal(err)
		}
		info, err := programs.Describe(w.Name)
		if err != nil {
			t.Fatal(err)
		}
		s := scenario.Default(w.Name)
		s.Workload.Name, s.Workload.Size = w.Name, info.Sizes[0]
		s.Scheme = scheme.Default()
		s.Machine.Preset = shipped("RFVP").Machine
		if err := s.Set("loads.policy", rfvp.Perforation); err != nil {
			t.Fatal(err)
		}
		plan, err := experiment.PlanOf(s)
		if err != nil {
			t.Fatal(err)
		}
		study, err := experiment.NewStudy(plan)
		if err != nil {
			t.Fatal(err)
		}
		listed := slices.Contains(systemOf("PERF").search.programs, id)
		if err := study.Rewritable(plan); (err == nil) != listed {
			t.Errorf("%s: listed %v, and %v", id, listed, err)
		}
	}
}

// TestRowsOfRFVP: only named things are missing beside runs.
func TestRowsOfRFVP(t *testing.T) {
	absent := map[string]string{"RFVP-62": "approx_loads"}
	ledger := Reading{}.Ledger(ratedResults{})
	for _, c := range All() {
		if c.Paper != "RFVP" || c.Tier == "T3" {
			continue
		}
		o, err := ledger.Evaluate(c)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, what := range o.Missing {
			if want := absent[c.ID]; (want == "" || !strings.Contains(what, want)) && !strings.Contains(what, " of ") {
				t.Errorf("%s misses %s", c.ID, what)
			}
		}
	}
}

// TestBandwidthIsMonotonic: a faster DRAM makes programs faster, and perfect memory is the
// fastest. Other orders of warps and rows can cost 2 %; a larger L1 and L2 cost no more either.
func TestBandwidthIsMonotonic(t *testing.T) {
	const noise = 1.02
	for id, size := range map[string]int{"SR2K": 128, "SRED": 128, "GS": 64} {
		cycles := func(system string, set settings) float64 {
			l := Reading{}.Ledger(nil).AtSizes(map[string]int{id: size})
			s := &session{Ledger: l, paper: "RFVP"}
			p, err := s.point(system, id, set)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := experiment.PlanOf(p.run.Scenario)
			if err != nil {
				t.Fatal(err)
			}
			r, err := experiment.New(plan, experiment.Options{})
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Finish()
			if err != nil {
				t.Fatal(err)
			}
			return float64(res.Cycles)
		}
		plain := defaultSettings()
		half := plain
		half.clock = 50
		last := cycles("NONE", half)
		base := cycles("NONE", plain)
		for factor := 1; factor <= 8; factor *= 2 {
			set := plain
			set.bw = factor
			c := cycles("NONE", set)
			if c > last*noise {
				t.Errorf("%s: %v cycles at %d times the bandwidth, %v at half of that", id, c, factor, last)
			}
			last = c
		}
		if perfect := cycles("PERFECT", plain); perfect >= last {
			t.Errorf("%s: perfect memory takes %v cycles, eight times the bandwidth %v", id, perfect, last)
		}
		for _, system := range []string{"L1PLUS", "L2PLUS"} {
			if c := cycles(system, plain); c > base*noise {
				t.Errorf("%s: %s takes %v cycles, the machine %v", id, system, c, base)
			}
		}
	}
}
