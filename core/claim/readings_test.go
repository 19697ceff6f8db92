package claim

import (
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
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

// What the papers leave open has a reading of the rows with its reason, and rows that are measured under the others.
func TestOpenPartsAreWhole(t *testing.T) {
	for _, p := range heads() {
		for _, part := range p.open {
			if len(part.ids) == 0 || part.why == "" {
				t.Errorf("%s: %s names no rows or no reason", p.Name, part.name)
			}
		}
	}
}
