package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// TestEveryRowOfBuddy: the rows of Buddy Compression lack nothing but runs, except for those named here.
func TestEveryRowOfBuddy(t *testing.T) {
	want := map[string]string{}
	for id, name := range map[string]string{"BUDDY-85": "footprint", "BUDDY-86": "transition", "BUDDY-87": "thr"} {
		want[id] = name + "() takes the parameters of the paper's models of mini-batches, which it does not print"
	}
	ledger := NewLedger(nil, "")
	for _, c := range All() {
		if c.Paper != "BUDDY" || c.Tier == "T3" {
			continue
		}
		o, err := ledger.Evaluate(c)
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
		if o.Reading != "p100-suite-study" {
			t.Errorf("%s is read as %q", c.ID, o.Reading)
		}
	}
}

// TestSystemsOfBuddy: each system and setting asks for the machine, the scheme and the sizes that it means.
func TestSystemsOfBuddy(t *testing.T) {
	s := &session{Ledger: NewLedger(nil, ""), paper: "BUDDY"}
	point := func(system string, keys ...any) *point {
		t.Helper()
		set := defaultSettings()
		for i := 0; i < len(keys); i += 2 {
			if err := set.set(keys[i].(string), keys[i+1]); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.point(system, "AlexNet", set)
		if err != nil {
			t.Fatal(err)
		}
		if v := p.run.Scenario; v.Machine.Preset != "p100" || v.Workload.Name != "dlproxy" || v.Workload.Data != "alexnet" || v.Machine.Overrides["l2.sets"] != int64(16) {
			t.Errorf("%s runs %+v on %+v", system, v.Workload, v.Machine)
		}
		return p
	}
	for _, c := range []struct {
		system string
		keys   []any
		codec  string
		want   map[string]any
	}{
		{"IDEAL", nil, "none", nil},
		{"BWONLY", nil, "bpc", map[string]any{"kind": "bandwidth", "metadataKB": int64(12)}},
		{"BWONLY", []any{"codec_lat", 0}, "bpc", map[string]any{"kind": "bandwidth"}},
		{"PINNED", []any{"link", 50}, "none", map[string]any{"kind": "pinned", "gbPerSecond": int64(50)}},
		{"BUDDY", nil, "bpc", map[string]any{"kind": "buddy", "metadataKB": int64(12), "gbPerSecond": int64(150), "threshold": int64(30), "profile": "zero-page", "latency": int64(2)}},
		{"BUDDY", []any{"link", 50, "bt", 40, "opt", "naive", "lat_factor", 1, "mdc", 16}, "bpc",
			map[string]any{"metadataKB": int64(3), "gbPerSecond": int64(50), "threshold": int64(40), "profile": "naive", "latency": int64(1)}},
		{"UM", []any{"oversub", 0.5}, "none", map[string]any{"kind": "unified", "share": int64(50), "gbPerSecond": int64(75), "pageKB": int64(64), "fault": int64(20), "batch": int64(16)}},
		{"UM", []any{"oversub", 10}, "none", map[string]any{"kind": "unified", "share": int64(90)}},
		{"BUDDY", []any{"mdc", "perfect", "opt", "alloc"}, "bpc", map[string]any{"metadataKB": int64(0), "profile": "per-allocation"}},
	} {
		v := point(c.system, c.keys...).run.Scenario
		if v.Memory.Codec() != c.codec {
			t.Errorf("%s %v: codec %s", c.system, c.keys, v.Memory.Codec())
		}
		for name, want := range c.want {
			if v.Backing[name] != want {
				t.Errorf("%s %v: %s is %v, want %v", c.system, c.keys, name, v.Backing[name], want)
			}
		}
	}
	if a, b := point("BUDDY"), point("BUDDY", "link", 150, "bt", 30, "opt", "zero", "mdc", 64, "lat_factor", 2); a.run.Key != b.run.Key {
		t.Error("the paper's values are another run than none")
	}
	if v := point("BWONLY", "codec_lat", 0).run.Scenario; v.Memory.Latency() != "0/0" {
		t.Errorf("latency %q", v.Memory.Latency())
	}
	for _, bad := range [][2]any{{"link", 0}, {"bt", 101}, {"opt", "best"}, {"mdc", "none"}, {"codec_lat", 5}, {"oversub", 1.5}, {"oversub", 100}} {
		set := defaultSettings()
		if err := set.set(bad[0].(string), bad[1]); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}

// entries gives every run of a proxy the same snapshots: a program of two sizes that halves.
type entries struct{}

func (entries) Run(j *Job) *experiment.Result {
	e := &buddy.EntrySizes{Grown: 50, ChangedShare: 0.25, Correlation: [16]float64{0.5, 0.1, 0.75}, Variance: 4, WithinVariance: 1}
	e.Codecs, e.Map[11] = []buddy.CodecSizes{{Codec: "bdi+fpc", Counts: profile.Counts{0, 0, 0, 5, 5}}, {Codec: "zvc", Counts: profile.Counts{7: 4}}}, 2.5
	for k := range profile.Snapshots {
		e.Snapshots = append(e.Snapshots, profile.Counts{uint64(90 - 10*k), 7: uint64(10 + 10*k)})
	}
	r := &experiment.Result{
		WarpInstructions: 1000, Seconds: 1, Stats: map[string]uint64{"burstsRead": 300, "controllerReads": 100},
		Launches:      []experiment.LaunchResult{{Blocks: 100, Linked: 10}, {Blocks: 50, Linked: 15}, {}},
		BackingReport: &buddy.Report{Entries: e, SizeBytes: 128 * 64, Allocations: []buddy.AllocationReport{{Name: "a", Bytes: 128 * 20, Target: "2"}, {Name: "b", Bytes: 128 * 30, Target: "16"}, {Name: "c", Bytes: 128 * 14, Target: "2"}}},
		Energy:        &energy.Account{Parts: []energy.Part{{Name: "dramRead", Femtojoules: 6}, {Name: "link", Femtojoules: 3}, {Name: "static", Femtojoules: 100}}},
	}
	if j.Scenario.Memory.Codec() == "none" {
		r.Seconds, r.Energy = 0.5, &energy.Account{Parts: []energy.Part{{Name: "dramRead", Femtojoules: 12}}}
	}
	return r
}

func (entries) Traffic(*Job) *experiment.Traffic { return nil }

// TestMetricsOfBuddy: metrics of snapshots, targets and energy, by hand.
func TestMetricsOfBuddy(t *testing.T) {
	for _, c := range []struct {
		check string
		value float64
	}{
		{"v('cr8', 'BPC', 'VGG16')", 1000. / 550},
		{"v('cr8', 'BDIFPC', 'VGG16')", 1280. / (5*32 + 5*64)},
		{"v('cr8', 'ZVC', 'VGG16')", 1},
		{"v('size_frac', 'BPC', 'VGG16', lo=4)", 0.55},
		{"v('size_frac', 'BDIFPC', 'VGG16', lo=2)", 0.5},
		{"v('map_sectors', 'BUDDY', 'VGG16', lo=12)", 2.5},
		{"v('map_kept', 'BUDDY', 'VGG16', lo=1)", 2},     // entries 0 and 1 of a: two of four sectors
		{"v('map_kept', 'BUDDY', 'VGG16', lo=11)", 0.25}, // 8 bytes of entries 20 and 21
		{"v('buddy_frac_launch', 'BUDDY', 'VGG16', lo=2)", 0.3},
		{"v('buddy_frac_cv_time', 'BUDDY', 'VGG16')", 0.5}, // 0.1 around 0.2
		{"batch_gb('VGG16', 100)", (138*12 + 100*14*8) / 1e3},
		{"batch_rate('VGG16', 96)", 0.75},
		{"snap('cr8', 'BPC', 'VGG16', 0)", 10},
		{"snap('cr8', 'BPC', 'VGG16', 9)", 1},
		{"v('entry_size_change_frac', 'BPC', 'VGG16')", 0.25},
		{"v('overflow_rate', 'BPC', 'VGG16')", 0.05},
		{"v('size_autocorr1', 'BPC', 'VGG16')", 0.5},
		{"v('size_periodicity', 'BPC', 'VGG16')", 0.25},
		{"v('size_var_within', 'BPC', 'VGG16') / v('size_var_total', 'BPC', 'VGG16')", 0.25},
		{"v('modal_target', 'BUDDY', 'VGG16')", 2},
		{"v('sectors_per_req', 'IDEAL', 'VGG16')", 3},
		{"v('mem_energy', 'BUDDY', 'VGG16', over='IDEAL')", 0.75},
		{"v('slowdown', 'BUDDY', 'VGG16')", 2},
		{"len(top_sizes(2))", 2},
		{"top_sizes(1)[0] + top_sizes(2)[1]", 128}, // more raw entries than zeros
		// (12 GB - 138 M x 12 B) / (14 M x 8 B) is 92, of 24 GB 199.
		{"maxbatch('VGG16', 12)", 80},
		{"maxbatch('VGG16', 12, ratio=2.0)", 192},
	} {
		s := &session{Ledger: NewLedger(entries{}, ""), paper: "BUDDY"}
		v, err := s.evaluate("test", "float("+c.check+")")
		if err != nil || len(s.missing) > 0 {
			t.Errorf("%s: %v %v", c.check, err, s.missing)
			continue
		}
		if got, ok := starlark.AsFloat(v); !ok || math.Abs(got-c.value) > 1e-9 {
			t.Errorf("%s is %v, want %v", c.check, got, c.value)
		}
	}
}

// TestCopiesOfTheHost: with a link, a system without compression has the copies of the host, and so has its base, with the
// paper's link; without one, it is the base of all rows. Only the program that the paper names has copies.
func TestCopiesOfTheHost(t *testing.T) {
	c := claimOf(t, "BUDDY-72")
	var links []any
	for _, j := range NewLedger(nil, "").Jobs(c) {
		if v := j.Scenario; v.Backing.Word("kind") == "copies" && v.Backing.Int("copyKB") == 571 && v.Workload.Data == "hpgmg" {
			links = append(links, v.Backing["gbPerSecond"])
		}
	}
	if !slices.Equal(links, []any{int64(50), int64(150)}) {
		t.Errorf("%s runs links of %v", c.ID, links)
	}
	s := &session{Ledger: NewLedger(nil, ""), paper: "BUDDY"}
	if _, err := s.evaluate("test", "v('speedup', 'IDEAL', '352.ep', over='IDEAL', link=50)"); err != nil || !slices.Contains(s.missing, "copies of the host of ep") {
		t.Errorf("%v %v", err, s.missing)
	}
}

// TestCircularRowsAreNoEvidence: a row whose statement the proxies were made to fit is input-calibrated, and
// names no other row.
func TestCircularRowsAreNoEvidence(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range shipped("BUDDY").made {
		for _, id := range a.ids {
			if claimOf(t, id).Paper != "BUDDY" || seen[id] || a.text == "" {
				t.Errorf("%s: %q", id, a.text)
			}
			seen[id] = true
		}
	}
	o, err := NewLedger(entries{}, "").Evaluate(claimOf(t, "BUDDY-08"))
	if err != nil || o.Verdict != InputCalibrated || !slices.ContainsFunc(o.Remarks, func(r string) bool { return strings.Contains(r, "355.seismic") }) {
		t.Errorf("%+v %v", o, err)
	}
	if o, err := NewLedger(entries{}, "").Evaluate(claimOf(t, "BUDDY-10")); err != nil || o.Verdict != Holds || !slices.Contains(o.Remarks, "measured on proxies, not on the paper's programs") {
		t.Errorf("%+v %v", o, err)
	}
}

// neighbourResults are runs whose metadata hit often where a sector has neighbours in memory, except for two programs.
type neighbourResults struct{}

func (neighbourResults) Run(j *Job) *experiment.Result {
	s := j.Scenario
	hits := uint64(50)
	if s.Backing.Word("neighbours") == "address" && s.Workload.Data != "palm" && s.Workload.Data != "seismic" {
		hits = 95
	}
	return &experiment.Result{Stats: map[string]uint64{"metadataHits": hits, "metadataAccesses": 100}}
}

func (neighbourResults) Traffic(*Job) *experiment.Traffic { return nil }

// A row without a number has a verdict under each reading, asks for the runs of its predicate, and not for them again.
func TestReadingsOfRowsWithoutNumber(t *testing.T) {
	c, _ := find("BUDDY-30")
	l := Reading{}.Of("BUDDY").Ledger(neighbourResults{})
	if jobs := l.readingJobs(&Outcome{Claim: c}); len(jobs) != 16 {
		t.Errorf("%d runs, want one of each proxy", len(jobs))
	}
	o, err := l.Evaluate(c)
	if err != nil || len(o.Readings) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	if r := o.Readings[0]; r.Verdict != Holds || r.Measured != nil || r.Settings != "backing.neighbours=address" {
		t.Errorf("%+v", r)
	}
	if len(l.readingJobs(o)) != 0 {
		t.Error("a row that has its verdict asks for its runs again")
	}
}
