package claim

import (
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// seeded takes as many seconds as its seed without compression, and one with it. A seed may have no result.
type seeded struct {
	none
	without uint64
}

func (s seeded) Run(j *Job) *experiment.Result {
	switch {
	case j.Scenario.Seed == s.without:
		return nil
	case j.Scenario.Memory.Codec() == "none":
		return &experiment.Result{Seconds: float64(j.Scenario.Seed)}
	}
	return &experiment.Result{Seconds: 1}
}

// TestSpreads: a figure on several inputs has its own input's values, and beside each the mean and the ends over all;
// its runs are those of every seed. Where an input has no result there is no spread, and the figure names the run.
func TestSpreads(t *testing.T) {
	f := &Figure{Name: "SLC-0", Inputs: 4, Panels: []Panel{
		{Set: "SLC9", Mean: "geometric", Series: []Series{
			{Label: "a", Value: "v('speedup', 'E2MC16', w, over='NONE')"}}}}}
	d, jobs, err := NewLedger(seeded{}, Suite).Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	s := d.Panels[0].Series[0]
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	for c, name := range d.Panels[0].Categories { // the mean over programs is the last
		if x := s.Spreads[c]; *s.Values[c] != 1 || x == nil || x.Low != 1 || !near(x.High, 4) || !near(x.Mean, 2.5) {
			t.Errorf("%s: %g, %+v", name, *s.Values[c], x)
		}
	}
	seeds := map[uint64]int{}
	for _, j := range jobs {
		if j.Scenario.Machine.Overrides == nil { // those with more bandwidth say whether DRAM holds a program up
			seeds[j.Scenario.Seed]++
		}
	}
	for seed := uint64(1); seed <= 4; seed++ {
		if seeds[seed] != 18 {
			t.Errorf("%d runs of seed %d", seeds[seed], seed)
		}
	}
	if len(d.Runs) != 18 || d.Inputs != 4 {
		t.Errorf("the values name %d runs, %d inputs", len(d.Runs), d.Inputs)
	}

	if d, _, err = NewLedger(seeded{without: 3}, Suite).Draw(f); err != nil {
		t.Fatal(err)
	}
	if s := d.Panels[0].Series[0]; s.Values[0] == nil || s.Spreads[0] != nil || len(d.Missing) == 0 {
		t.Errorf("with an input without results: %v, missing %v", s.Spreads[0], d.Missing)
	}
}

// TestInputsOfAFigure: one input has no spread, and there is a limit.
func TestInputsOfAFigure(t *testing.T) {
	const text = "figure: SLC-0\ntitle: a\ninputs: N\npanels: [{title: b, points: [1], series: [{label: c, value: x}]}]\n"
	for inputs, legal := range map[string]bool{"1": false, "2": true, "20": true, "21": false, "-3": false} {
		v, err := authoring.ParseTree("f.yaml", []byte(strings.Replace(text, "N", inputs, 1)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseFigure(v, shipped("SLC"))
		if legal != (err == nil) || err != nil && !strings.Contains(err.Error(), "write 2 to 20, or leave the key out") {
			t.Errorf("inputs: %s: %v", inputs, err)
		}
	}
}
