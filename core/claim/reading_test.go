package claim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// readingOf is a reading by the words of its parts.
func readingOf(t *testing.T, words ...string) Reading {
	t.Helper()
	var r Reading
	for i := 0; i < len(words); i += 2 {
		if err := r.Set(words[i], words[i+1]); err != nil {
			t.Fatalf("%s: %v", words[i], err)
		}
	}
	return r
}

// TestReadingWords: every word of every part can be set and is read back, and the default words
// together are the reading of the committed results.
func TestReadingWords(t *testing.T) {
	var first Reading
	for _, c := range Choices() {
		for _, word := range c.Words {
			if r := readingOf(t, c.Flag, word); r.Word(c.Flag) != word {
				t.Errorf("--%s %s reads back as %q", c.Flag, word, r.Word(c.Flag))
			}
		}
		if err := first.Set(c.Flag, c.Words[0]); err != nil {
			t.Error(err)
		}
		if err := first.Set(c.Flag, "moon"); err == nil || !strings.Contains(err.Error(), c.Words[len(c.Words)-1]) {
			t.Errorf("--%s moon: %v", c.Flag, err)
		}
	}
	if first != (Reading{}) || !first.IsDefault() || !(Reading{Data: Calibrated}).IsDefault() || !(Reading{Data: Suite}).IsDefault() || (Reading{Data: Natural}).IsDefault() {
		t.Errorf("%+v is not the default", first)
	}
	r := readingOf(t, "machine", "gtx580v4", "data", "natural", "sizes", "claim", "error", "own")
	if r.Label() != "gtx580v4-natural-claim-error=own" || r.String() != "gtx580v4, natural inputs, claim sizes, error own" {
		t.Errorf("%q, %q", r.Label(), r)
	}
}

// TestReadingOfVersion030: the runs of version 0.3.0 are those of a reading.
func TestReadingOfVersion030(t *testing.T) {
	r := readingOf(t, "machine", "gtx580v4", "data", "natural", "sizes", "claim", "online", "sample", "error", "own")
	for _, j := range r.Ledger(nil).Jobs(claimOf(t, "SLC-44")) {
		s := j.Scenario
		info, err := programs.Describe(s.Workload.Name)
		if err != nil || s.Machine.Preset != "gtx580v4" || s.Workload.Size != info.StudySize || s.Workload.Data == "suite" {
			t.Errorf("%s runs on %s", j, s.Machine.Preset)
		}
	}
}

// TestReadingOfRuns: machine, data and sizes of the runs that a row asks for.
func TestReadingOfRuns(t *testing.T) {
	r := readingOf(t, "machine", "gtx580c", "data", "suite", "sizes", "study")
	data := map[string]string{}
	for _, paper := range []string{"SLC", "E2MC"} {
		for _, id := range SetOf(map[string]string{"SLC": "SLC9", "E2MC": "E2MC15"}[paper]) {
			w, err := r.Workload(paper, id)
			if err != nil {
				t.Fatal(err)
			}
			data[paper+" "+id] = w.Data
			run, known := programs.StudyOf(w.Name, paper)
			if !known || w.Data != run.Data {
				t.Errorf("%s, %s: %s on %s", paper, id, w.Name, w.Data)
			}
			if reduced := programOf(paper, id).Study; w.Size != either(reduced, run.Size) {
				t.Errorf("%s, %s: size %d", paper, id, w.Size)
			}
		}
	}
	// Two papers state other inputs for one program.
	if data["SLC FWT"] != "suite" || data["E2MC FWT"] != "walsh8" || data["E2MC SCAN"] != "runs" || data["E2MC KM"] != "suite" {
		t.Error(data)
	}
	for _, j := range r.Ledger(nil).Jobs(claimOf(t, "SLC-44")) {
		if j.Scenario.Machine.Preset != "gtx580c" || !strings.Contains(j.String(), "on gtx580c") {
			t.Errorf("%s runs on %s", j, j.Scenario.Machine.Preset)
		}
	}
}

// TestStudySizes: a reduction is smaller than the study, is a size of its program, keeps the buffers above
// three times L2 (local memory of LIB included).
func TestStudySizes(t *testing.T) {
	const l2, localBytes = 768 << 10, 3584 // SLC table II; of a thread of LIB
	ids := slices.Concat(SetOf("SLC9"), SetOf("E2MC15"))
	reductions := 0
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		size := programOf("E2MC", id).Study
		if size == 0 {
			continue
		}
		reductions++
		info, err := programs.Describe(id)
		if err != nil {
			t.Fatal(err)
		}
		run, known := programs.StudyOf(info.Name, "E2MC")
		if !known {
			run, known = programs.StudyOf(info.Name, "SLC")
		}
		if !known || size >= run.Size {
			t.Errorf("%s: %d instead of %d", id, size, run.Size)
		}
		p, err := programs.Build(info.Name, programs.Params{Size: size, Data: run.Data})
		if err != nil {
			t.Fatal(err)
		}
		bytes := p.FootprintBytes()
		if id == "LIB" {
			bytes += uint64(size) * localBytes
		}
		if bytes < 3*l2 {
			t.Errorf("%s at %d has %d bytes", id, size, bytes)
		}
	}
	if reductions != 12 {
		t.Errorf("%d reductions", reductions)
	}
}

// TestBandwidthByChannels: eight times the bandwidth by the clock or by the channels, with an L2 of the
// same size.
func TestBandwidthByChannels(t *testing.T) {
	for _, machine := range []string{"gtx580v4", "gtx580b"} {
		for by, paths := range map[string][]string{"clock": {"dramMHz"}, "channels": {"channels", "l2.sets"}} {
			var base, wide uint64
			var l2 [2]int
			for _, j := range readingOf(t, "machine", machine, "bandwidth", by).Ledger(nil).Jobs(claimOf(t, "E2MC-01")) {
				spec, err := j.Scenario.Machine.Spec()
				if err != nil {
					t.Fatal(err)
				}
				if len(j.Scenario.Machine.Overrides) == 0 {
					base, l2[0] = spec.PeakBytesPerSecond(), spec.L2Bytes()
					continue
				}
				wide, l2[1] = spec.PeakBytesPerSecond(), spec.L2Bytes()
				for path := range j.Scenario.Machine.Overrides {
					if !slices.Contains(paths, path) {
						t.Errorf("%s: %s is replaced", by, path)
					}
				}
			}
			if wide != 8*base || base == 0 || l2[0] != l2[1] {
				t.Errorf("%s by %s: %d and %d bytes a second, L2 of %v bytes", machine, by, base, wide, l2)
			}
		}
	}
	// A predicate can ask for channels by itself.
	c := claimOf(t, "E2MC-01")
	c.Check = "v('speedup', 'NONE', 'TP', over='NONE', channels=4) > 1"
	jobs := NewLedger(nil, Suite).Jobs(c)
	if len(jobs) != 3 || jobs[0].Scenario.Machine.Overrides["channels"] != int64(4) {
		t.Errorf("%v", jobs)
	}
}

// TestMachineOfAValue: machine= names the machine of a system and its base, whatever that of the reading; such
// a value says nothing of the programs that do not wait for DRAM on the reading's machine. An unknown machine
// is named with those that exist.
func TestMachineOfAValue(t *testing.T) {
	c := claimOf(t, "E2MC-01")
	for check, want := range map[string][]string{
		"v('speedup', 'NONE', 'TP', over='NONE', machine='gtx580v4', clock=800, over_clock=100) > 0": {"gtx580v4 8016", "gtx580v4 <nil>"},
		"v('speedup', 'NONE', 'TP', over='NONE', machine='gtx580a', channels=2) > 0":                 {"gtx580a <nil>", "gtx580a <nil>"},
		"v('seconds', 'NONE', 'TP', over='NONE', over_machine='gtx580c') > 0":                        {"gtx580b <nil>", "gtx580c <nil>", "gtx580b 8016"},
	} {
		c.Check = check
		var got []string
		for _, j := range NewLedger(nil, Suite).Jobs(c) {
			got = append(got, fmt.Sprint(j.Scenario.Machine.Preset, " ", j.Scenario.Machine.Overrides["dramMHz"]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s runs on %v, want %v", check, got, want)
		}
	}
	for _, word := range []string{"'moon'", "8", "''"} {
		c.Check = "v('speedup', 'NONE', 'TP', over='NONE', machine=" + word + ") > 0"
		o, err := NewLedger(gains{}, Suite).Evaluate(c)
		if err != nil || o.Verdict != NotYetMeasured || len(o.Missing) != 1 || !strings.Contains(o.Missing[0], "machine") || !strings.Contains(o.Missing[0], "use one of") || !strings.Contains(o.Missing[0], "gtx580v4") {
			t.Errorf("machine=%s: %+v %v", word, o, err)
		}
	}
}

// TestMachinesOfAFigure: a figure whose runs are on another machine than the reading's names all of them.
func TestMachinesOfAFigure(t *testing.T) {
	for value, want := range map[string][]string{
		"v('speedup', 'NONE', 'TP', over='NONE', bw=x)":                                    nil,
		"v('speedup', 'NONE', 'TP', over='NONE', bw=x, machine='gtx580b')":                 nil,
		"v('speedup', 'NONE', 'TP', over='NONE', machine='gtx580c')":                       {"gtx580c"},
		"v('seconds', 'NONE', 'TP', over='NONE', bw=x, over_machine='gtx580v4')":           {"gtx580b", "gtx580v4"},
		"v('cr_raw', 'BDI', 'TP', machine='gtx580v4') + v('dram_bytes', 'NONE', 'TP') * x": {"gtx580v4", "gtx580b"},
	} {
		f := &Figure{Name: "E2MC-99", Panels: []Panel{{Points: []int{2}, Series: []Series{{Label: "a", Value: value}}}}}
		d, _, err := NewLedger(gains{}, Suite).Draw(f)
		if err != nil || !slices.Equal(d.Machines, want) {
			t.Errorf("%s: machines %v, want %v, %v", value, d.Machines, want, err)
		}
	}
}

// TestOnlineAndErrors: the table of online probabilities and the average of errors follow the reading, and
// a row that asks for one of them by name keeps it.
func TestOnlineAndErrors(t *testing.T) {
	c := claimOf(t, "E2MC-04")
	for word, want := range map[string]string{"sample": "online", "copies": "online-copies"} {
		c.Check = "v('seconds', 'E2MC16', 'TP', prob='on') > 0"
		jobs := readingOf(t, "online", word).Ledger(nil).Jobs(c)
		if got := jobs[0].Scenario.Memory.Probabilities(); got != want {
			t.Errorf("--online %s runs %s", word, got)
		}
		c.Check = "v('seconds', 'E2MC16', 'TP', prob='off') > 0"
		if got := readingOf(t, "online", word).Ledger(nil).Jobs(c)[0].Scenario.Memory.Probabilities(); got != "offline" {
			t.Errorf("offline runs %s", got)
		}
	}
	for word, want := range map[string]float64{"own": 4, "capped": 0.5} {
		c.Check, c.Value = "v('mre', 'TSLC-OPT', 'NN') > 0", ""
		o, err := readingOf(t, "error", word).Ledger(wrong{}).Evaluate(c)
		if err != nil || o.Measured == nil || *o.Measured != want {
			t.Errorf("--error %s: %+v %v", word, o, err)
		}
		c.Check = "v('err', 'TSLC-OPT', 'JM') > 0" // a miss rate, whatever the reading
		if o, err = readingOf(t, "error", word).Ledger(wrong{}).Evaluate(c); err != nil || o.Measured == nil || *o.Measured != 0.25 {
			t.Errorf("--error %s of JM: %+v %v", word, o, err)
		}
	}
}

// wrong has results with a mean relative error of 4, 0.5 if capped, and a miss rate of 0.25.
type wrong struct{ none }

func (wrong) Run(j *Job) *experiment.Result {
	return &experiment.Result{Error: 0.25, ErrorMetric: "miss rate", MRE: 4, Elements: &workload.Elements{Outputs: 10, Relative: 40, Capped: 5}}
}

// TestNotBoundByMemory: rows about time name the programs that gain less than 5 % from eight times the
// bandwidth, with the figure; rows about sizes name none. A reading that is not the default has a label.
func TestNotBoundByMemory(t *testing.T) {
	c := claimOf(t, "SLC-44")
	c.Check = "gm('speedup', 'TSLC-OPT', ['NN', 'TP', 'BS'], over='E2MC16') > 0"
	r := readingOf(t, "machine", "gtx580c")
	o, err := r.Ledger(gains{}).Evaluate(c)
	if err != nil || len(o.NotBound) != 1 || o.NotBound[0].Program != "TP" || o.NotBound[0].Gain != 1.04 || o.Reading != r.Label() {
		t.Errorf("%+v %v", o, err)
	}
	if o, err = NewLedger(gains{}, Suite).Evaluate(c); err != nil || len(o.NotBound) != 1 || o.Reading != "" {
		t.Errorf("%+v %v", o, err)
	}
	wide := 0
	for _, j := range r.Ledger(nil).Jobs(c) {
		if j.Scenario.Machine.Overrides["dramMHz"] == int64(8016) {
			wide++
		}
	}
	if wide != 3 {
		t.Errorf("%d of 3 programs are run with eight times the bandwidth", wide)
	}
	c.Check = "gm('cr_mag', 'TSLC-OPT', ['NN', 'TP', 'BS']) > 0"
	if o, err = r.Ledger(gains{}).Evaluate(c); err != nil || o.NotBound != nil {
		t.Errorf("%+v %v", o, err)
	}
}

// gains has results in which eight times the bandwidth makes transpose 1.04 times as fast and other
// programs twice as fast.
type gains struct{ none }

func (gains) Run(j *Job) *experiment.Result {
	seconds := 1.04
	if j.Scenario.Workload.Name != "transpose" {
		seconds = 2
	}
	if len(j.Scenario.Machine.Overrides) > 0 {
		seconds = 1
	}
	return &experiment.Result{Seconds: seconds}
}
