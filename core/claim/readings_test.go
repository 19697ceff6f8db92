package claim

import (
	"reflect"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
)

// roomResults are runs of a compressed L1 that gains when a line gets its room at the fill, with raw lines too.
type roomResults struct{}

func (roomResults) Run(j *Job) *experiment.Result {
	seconds := 1.0
	switch l1 := j.Scenario.L1; {
	case l1.Word("room") == "fill" && l1.Word("store") == "raw":
		seconds = 0.9
	case l1.Word("room") == "fill":
		seconds = 0.8
	}
	if _, one := j.Scenario.Machine.Overrides["sm.ctas"]; one {
		return nil
	}
	return &experiment.Result{Seconds: seconds}
}

func (roomResults) Traffic(*Job) *experiment.Traffic { return nil }

// A row gives its number under every reading, keeps the verdict of its own, and says that another differs.
func TestReadingsStandSideBySide(t *testing.T) {
	c, _ := find("LATTE-71")
	o, err := Reading{}.Of("LATTE").Ledger(roomResults{}).Evaluate(c)
	if err != nil {
		t.Fatal(err)
	}
	if o.Verdict != DoesNotHold || o.Measured == nil || *o.Measured != 0 || !o.DependsOnReading() {
		t.Errorf("the row itself: %s, %v, depends %v", o.Verdict, o.Measured, o.DependsOnReading())
	}
	want := []struct {
		part    string
		verdict Verdict
		number  float64
	}{
		{"when a line of L1 gets its room", Holds, 25},
		{"when a line of L1 gets its room", HoldsInOrder, 0.9/0.8*100 - 100},
		{"CTAs of Mars' programs on an SM", NotYetMeasured, 0},
		{"CTAs of Mars' programs on an SM", NotYetMeasured, 0},
		{"loads of Mars' vectors of four floats", DoesNotHold, 0},
		{"the queue of a mode that no hit used in a phase", DoesNotHold, 0},
		{"dedicated sets of a mode", DoesNotHold, 0},
	}
	if len(o.Readings) != len(want) {
		t.Fatalf("%d readings, want %d", len(o.Readings), len(want))
	}
	for i, r := range o.Readings {
		w := want[i]
		measured := r.Measured != nil && *r.Measured > w.number-1e-9 && *r.Measured < w.number+1e-9
		if w.part != r.Part || r.Why == "" || (w.verdict == NotYetMeasured) != (r.Measured == nil) {
			t.Errorf("%s %s: %v", r.Part, r.Word, r.Measured)
		}
		if w.verdict != NotYetMeasured && (!measured || r.Verdict != w.verdict && w.verdict == Holds) {
			t.Errorf("%s %s: %s, %v, want %s, %g", r.Part, r.Word, r.Verdict, r.Measured, w.verdict, w.number)
		}
	}
}

// A reading changes what a scenario has, and leaves out settings of other schemes.
func TestReadingsChangeOnlyWhatIsThere(t *testing.T) {
	s := scenario.Default("vecadd")
	plain := s.Hash()
	for _, a := range [][2]string{{"l1.room", "fill"}, {"memory.header", "literal"}} {
		changed, err := change(s, [][2]string{a})
		if err != nil || changed.Hash() != plain {
			t.Errorf("%s changes a machine without such a scheme: %v", a[0], err)
		}
	}
	changed, err := change(s, [][2]string{{"machine.overrides.l2.writeMiss", "allocate"}})
	if err != nil || changed.Hash() == plain || s.Hash() != plain {
		t.Errorf("a value of the machine does not change, or the scenario itself did: %v", err)
	}
}

// sizeResults are runs in which SC costs time at the size that the paper states, and none at a smaller one.
type sizeResults struct{ lacking bool } // runs at the paper's size

func (r sizeResults) Run(j *Job) *experiment.Result {
	seconds := 1.0
	if j.Scenario.Workload.Size == 256 {
		if r.lacking {
			return nil
		}
		if j.Scenario.L1.Word("store") == "static-sc" {
			seconds = 1.6
		}
	}
	return &experiment.Result{Seconds: seconds}
}

func (sizeResults) Traffic(*Job) *experiment.Traffic { return nil }

// The reading that the text states decides a row, if it was measured; what the row's own runs say is kept. Judging the
// written row again gives the same.
func TestStatedReadingDecides(t *testing.T) {
	c, _ := find("LATTE-13")
	l := Reading{}.Of("LATTE").Ledger(sizeResults{lacking: true})
	o, err := l.Evaluate(c)
	if err != nil || o.AsRun != nil || o.Under != "" || o.Verdict != DoesNotHold {
		t.Fatalf("without the stated runs: %+v, %v", o, err)
	}
	l = Reading{}.Of("LATTE").Ledger(sizeResults{})
	for _, from := range []*Outcome{nil, o} {
		got := from
		if got == nil {
			got, err = l.Evaluate(c)
		} else {
			err = l.AddFurther(got) // later
		}
		decided := err == nil && got.Verdict == Holds && got.Under == "those of table III"
		if !decided || got.Measured == nil || *got.Measured <= 0 {
			t.Fatalf("%+v, %v", got, err)
		}
		own := got.Own()
		if got.AsRun.Verdict != DoesNotHold || own.Verdict != DoesNotHold || *own.Measured != 0 || !got.DependsOnReading() {
			t.Errorf("its own: %+v, %+v", got.AsRun, own)
		}
		// Beside a number stand the runs that made it.
		stated := got.Readings[slices.IndexFunc(got.Readings, func(r *OtherReading) bool { return r.Stated })].Runs
		if len(stated) == 0 || !slices.Equal(got.Runs, stated) || !slices.Equal(own.Runs, got.AsRun.Runs) ||
			len(own.Runs) == 0 || slices.Equal(own.Runs, stated) {
			t.Errorf("runs %q, of the reading %q, of the row itself %q", got.Runs, stated, own.Runs)
		}
		if len(l.FurtherJobs(got)) > 0 {
			t.Error("a row with all of its numbers asks for runs")
		}
		again, err := l.Again([]Claim{c}, []*Outcome{got})
		if err != nil || !reflect.DeepEqual(again[0], got) {
			t.Errorf("again: %+v, %v, want %+v", again, err, got)
		}
		// So do its written numbers under another predicate.
		slower := c
		slower.Check = "v('speedup', 'L1-SC', 'FW', over='L1-NONE', capacity='off') < 0.5"
		again, err = l.Again([]Claim{slower}, []*Outcome{got})
		if err != nil || again[0].AsRun == nil || again[0].Verdict != DoesNotHold || *again[0].Measured != *got.Measured ||
			!slices.Equal(again[0].Runs, got.Runs) {
			t.Errorf("under another predicate: %+v, %v", again, err)
		}
	}
}

// As many CTAs of Mars' programs as fit are those that the shared memory of its mappers allows: MarsLib.cu takes five
// words for each of 256 threads.
func TestSharedMemoryOfMarsLeavesAllCTAs(t *testing.T) {
	g, err := preset.GPU("gtx480v3")
	if err != nil {
		t.Fatal(err)
	}
	const threads = 256
	byWarps, byShared := g.SM.Warps*32/threads, g.SM.SharedBytes/(threads*5*4)
	if byWarps != 6 || byShared != 9 {
		t.Errorf("%d CTAs by warps and %d by shared memory: paper.yaml of LATTE says 6 and 9", byWarps, byShared)
	}
}

// What the papers leave open has a reading of the rows with its reason, and rows that are measured under the others. No
// row has two readings that the text states: it would need their runs together.
func TestOpenPartsAreWhole(t *testing.T) {
	stated := map[string]string{}
	for _, p := range heads() {
		for _, part := range p.open {
			part.checkSets()
			for _, id := range part.ids {
				if stated[id] != "" && part.text != "" {
					t.Errorf("%s: the text states %s and %s", id, stated[id], part.text)
				}
				stated[id] += part.text
			}
			if len(part.ids) == 0 || part.why == "" {
				t.Errorf("%s: %s names no rows or no reason", p.Name, part.name)
			}
		}
		for _, fault := range p.faults {
			t.Error(fault)
		}
	}
}

// The paper's sizes are a reading of single rows, and of a whole reproduction; a program without one keeps the size
// that its paper's rows have.
func TestPaperSizesAreAReading(t *testing.T) {
	c, _ := find("LATTE-13")
	l := Reading{}.Of("LATTE").Ledger(nil)
	jobs := l.readingJobs(&Outcome{Claim: c})
	if len(jobs) == 0 {
		t.Fatal("LATTE-13 asks for no runs at the paper's sizes")
	}
	for _, j := range jobs {
		if w := j.Scenario.Workload; w.Name != "floydwarshall" || w.Size != 256 {
			t.Errorf("LATTE-13 at the paper's sizes runs %s of %d", w.Name, w.Size)
		}
	}
	for _, one := range []struct {
		paper, id string
		size      int
	}{{"LATTE", "FW", 256}, {"LATTE", "STC", 4096}, {"RFVP", "GS", 512}, {"RFVP", "SS", 128}} {
		r := Reading{}.Of(one.paper)
		if err := r.Set("sizes", "paper"); err != nil {
			t.Fatal(err)
		}
		if w, err := r.Ledger(nil).workloadOf(one.paper, one.id); err != nil || w.Size != one.size {
			t.Errorf("%s of %s: a size of %d, %v; want %d", one.id, one.paper, w.Size, err, one.size)
		}
	}
}

// A row that has numbers under all readings asks for no run again; one whose number is missing asks for its runs alone.
func TestFurtherMakesWhatIsMissing(t *testing.T) {
	c, _ := find("LATTE-71")
	l := Reading{}.Of("LATTE").Ledger(roomResults{})
	o, err := l.Evaluate(c)
	if err != nil {
		t.Fatal(err)
	}
	asked := l.readingJobs(&Outcome{Claim: c})
	missing := l.readingJobs(o)
	if len(missing) == 0 || len(missing) >= len(asked) {
		t.Errorf("%d runs are asked for, %d of them again", len(asked), len(missing))
	}
	for _, j := range missing {
		if _, one := j.Scenario.Machine.Overrides["sm.ctas"]; !one {
			t.Errorf("%s has a number and is made again", j)
		}
	}
	before := o.Readings[0]
	if err := l.AddFurther(o); err != nil || o.Readings[0] != before {
		t.Errorf("a number that was there changes: %v", err)
	}
}

// boundResults are runs in which compression helps HOT and PTH alone.
type boundResults struct{}

func (boundResults) Run(j *Job) *experiment.Result {
	w := j.Scenario.Workload.Name
	if j.Scenario.Memory.Codec() == "none" || w != "hotspot" && w != "pathfinder" {
		return &experiment.Result{Seconds: 1}
	}
	return &experiment.Result{Seconds: 0.5}
}

func (boundResults) Traffic(*Job) *experiment.Traffic { return nil }

// A reading can put the programs of another set in the place of a row's.
func TestReadingsOfSets(t *testing.T) {
	c, _ := find("E2MC-87")
	o, err := Reading{}.Of("E2MC").Ledger(boundResults{}).Evaluate(c)
	if err != nil || len(o.Readings) != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	r := o.Readings[0]
	if r.Measured == nil || *r.Measured != 0 || r.Settings != "CB is UNBOUND" || len(r.Runs) != 12 {
		t.Errorf("%+v", r)
	}
	if o.Under != r.Word || o.AsRun == nil || *o.AsRun.Measured < 50 {
		t.Errorf("under %q, as run %+v", o.Under, o.AsRun)
	}
}
