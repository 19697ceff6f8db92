package claim

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/workload"
)

// exact gives some programs an error of exactly 0, the others one of 2 %.
type exact struct {
	invented
	programs []string
}

func (e exact) Run(j *Job) *experiment.Result {
	r := e.invented.Run(j)
	if slices.Contains(e.programs, j.Scenario.Workload.Name) {
		r.MRE, r.Error, r.Elements = 0, 0, &workload.Elements{Outputs: 100}
	}
	return r
}

// A geometric mean of errors says how many of its values are exactly 0, and what the
// mean of the others is.
func TestZerosOfAClaim(t *testing.T) {
	for _, c := range []struct {
		programs []string
		mean     float64 // in per cent
		remark   string
	}{
		{nil, 2, "geometric mean of mre under TSLC-OPT: none of 9 values is exactly 0"},
		{[]string{"dct"}, 100 * math.Exp((8*math.Log(0.02)+math.Log(1e-9))/9), "1 of 9 values is exactly 0 and counts as 1e-09; the mean of the other 8 is 0.02"},
		{[]string{"dct", "nn"}, 100 * math.Exp((7*math.Log(0.02)+2*math.Log(1e-9))/9), "2 of 9 values are exactly 0 and count as 1e-09; the mean of the other 7 is 0.02"},
	} {
		o := evaluated(t, "SLC-57", exact{programs: c.programs})
		if !near(o.Measured, c.mean) || !slices.ContainsFunc(o.Remarks, func(r string) bool { return strings.Contains(r, c.remark) }) {
			t.Errorf("%v: %v, want %g; %v", c.programs, *o.Measured, c.mean, o.Remarks)
		}
	}
}

// The mean of a figure has the same beside it, whether the panel forms it or gm does;
// other values have no such remark.
func TestZerosOfAFigure(t *testing.T) {
	f := &Figure{Name: "SLC-0", Panels: []Panel{
		{Set: "SLC9", Mean: "geometric", Series: []Series{{Label: "a", Value: "v('mre', 'TSLC-OPT', w)"}, {Label: "speedup", Value: "v('speedup', 'TSLC-OPT', w, over='E2MC16')"}}},
		{Points: []int{8, 16}, Axis: "threshold", Series: []Series{{Label: "b", Value: "gm('mre', 'TSLC-OPT', SLC9, thr=x)"}}},
	}}
	d, _, err := NewLedger(exact{programs: []string{"dct"}}, Suite).Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	want := Zeros{Zeros: 1, Of: 9}
	check := func(z *Zeros) {
		t.Helper()
		if z == nil || z.Zeros != want.Zeros || z.Of != want.Of || !near(z.Without, 0.02) {
			t.Errorf("%v", z)
		}
	}
	errors := d.Panels[0].Series[0]
	for i := range 9 {
		if errors.Zeros[i] != nil {
			t.Errorf("a single value has %v", errors.Zeros[i])
		}
	}
	check(errors.Zeros[9])
	if z := d.Panels[0].Series[1].Zeros; z != nil {
		t.Errorf("speedups have %v", z)
	}
	check(d.Panels[1].Series[0].Zeros[0])
	check(d.Panels[1].Series[0].Zeros[1])
	if words := d.Panels[1].ZeroWords(); len(words) != 2 || !strings.HasPrefix(words[0], "b, 8: 1 of 9 values is exactly 0") {
		t.Errorf("%q", words)
	}
}

// All zeros have no mean without them.
func TestAllZeros(t *testing.T) {
	mean, z := geometric([]float64{0, 0}, "mre")
	if math.Abs(mean/1e-9-1) > 1e-9 || z.Without != nil || z.String() != "all 2 values are exactly 0 and count as 1e-09" {
		t.Errorf("%g, %v", mean, z)
	}
	if _, z := geometric([]float64{1, 2}, "speedup"); z != nil {
		t.Errorf("no errors and no zeros, but %v", z)
	}
	if _, z := geometric([]float64{1, math.NaN()}, "mre"); z != nil {
		t.Errorf("a missing value, but %v", z)
	}
}
