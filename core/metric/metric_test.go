package metric

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/arithmetic"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
)

// namesIn lists the names in a formula.
func namesIn(formula string) (names []string) {
	_, _ = arithmetic.Evaluate(formula, func(name string) (float64, error) { // TestTable reports faults
		names = append(names, name)
		return 1, nil
	})
	return names
}

// Every row can be read and computed: its formula names only what a result has, without
// a circle, its format is known, and it has a title, a unit, a sentence and a source.
func TestTable(t *testing.T) {
	kinds := []string{"count", "short", "bytes", "ratio", "share", "percent", "tenths", "seconds", "joules"}
	given := func(name string) (float64, bool) {
		_, counter := stat.ByName(name)
		return 3, counter || isInput(name)
	}
	seen := map[string]bool{}
	for _, m := range Table {
		if seen[m.Name] {
			t.Errorf("two metrics are named %s", m.Name)
		}
		seen[m.Name] = true
		if m.Title == "" || m.Unit == "" || m.Source == "" || !strings.HasSuffix(m.About, ".") {
			t.Errorf("%s is not described: %+v", m.Name, m)
		}
		if v, ok := Value(m.Name, given); !ok {
			t.Errorf("%s has no value: %g from %s", m.Name, v, m.Formula)
		}
		for _, name := range append(namesIn(m.Formula), m.Also...) {
			if !Known(name) {
				t.Errorf("%s names %s, which is no counter, input or metric", m.Name, name)
			}
		}
		if _, counter := stat.ByName(m.Name); counter {
			t.Errorf("%s is a counter as well", m.Name)
		}
		_, kind, _ := strings.Cut(m.Format, "{")
		kind, _, _ = strings.Cut(kind, "}")
		if !slices.Contains(kinds, kind) || !slices.Contains([]string{"", system.Lower, system.Higher}, m.Better) || !slices.Contains([]string{"", "speedup", "change", "mag", "measure"}, m.Compare) {
			t.Errorf("%s: format %q, better %q, compare %q", m.Name, m.Format, m.Better, m.Compare)
		}
	}
	for _, in := range Inputs {
		if _, counter := stat.ByName(in.Name); counter || in.Unit == "" {
			t.Errorf("input %s is a counter or has no unit", in.Name)
		}
	}
}

// A value is missing if an input is, and is not a number if nothing happened.
func TestValueWithoutInputs(t *testing.T) {
	zero := func(name string) (float64, bool) {
		_, counter := stat.ByName(name)
		return 0, counter
	}
	if v, ok := Value("l1HitRate", zero); ok || !math.IsNaN(v) {
		t.Errorf("L1 hits of no accesses are %g, %t", v, ok)
	}
	if v, ok := Value("ipc", zero); ok || v != 0 {
		t.Errorf("instructions per cycle without cycles are %g, %t", v, ok)
	}
	if v, ok := Value("dramBytes", zero); !ok || v != 0 {
		t.Errorf("bytes of an idle memory are %g, %t", v, ok)
	}
	with := func(name string) (float64, bool) {
		_, counter := stat.ByName(name)
		return 1, counter || name == "deviceBytes"
	}
	if _, ok := Value("buddyAccessShare", zero); ok {
		t.Error("a run without Buddy Compression has a share of buddy accesses")
	}
	if v, ok := Value("buddyAccessShare", with); !ok || v != 1 {
		t.Errorf("buddy accesses of two in two are %g, %t", v, ok)
	}
	if _, ok := Value("nothing", zero); ok {
		t.Error("an unknown name has a value")
	}
}

// A formula that uses itself through another has no value and does not run for ever.
func TestCircle(t *testing.T) {
	old := Table
	defer func() { Table = old }()
	Table = append(old[:len(old):len(old)], Metric{Name: "a", Formula: "b + 1"}, Metric{Name: "b", Formula: "a + 1"})
	if v, ok := Value("a", func(string) (float64, bool) { return 0, false }); ok {
		t.Errorf("a circle has the value %g", v)
	}
}

// Where the output is exact, no other measure of its error says anything, not even AxBench's, which counts its
// zeros; elsewhere each number stands once.
func TestOtherErrors(t *testing.T) {
	names := func(values map[string]float64) string {
		var list []string
		for _, m := range OtherErrors(func(name string) (float64, bool) { v, ok := values[name]; return v, ok }) {
			list = append(list, m.Name)
		}
		return strings.Join(list, " ")
	}
	output := func(own, mre, zeros, wrong, sum, capped float64) map[string]float64 {
		return map[string]float64{"error": own, "mre": mre, "outputElements": 100, "outputZeros": zeros, "outputNonzeros": 100 - zeros, "outputZerosWrong": wrong, "relativeErrorSum": sum, "cappedErrorSum": capped}
	}
	decisions := output(0.25, 0.3, 0, 0, 30, 20)
	decisions["decisions"], decisions["decisionsWrong"] = 100, 25
	for _, c := range []struct {
		name   string
		values map[string]float64
		want   string
	}{
		{"exact, without zeros", output(0, 0, 0, 0, 0, 0), ""},
		{"exact, with zeros that AxBench counts", output(0, 0, 3, 0, 0, 0), ""},
		{"one number for all", output(0.1, 0.1, 0, 0, 10, 10), ""},
		{"NRMSE, nothing capped, no zeros", output(0.2, 0.1, 0, 0, 10, 10), "mre"},
		{"NRMSE, and errors above 1", output(0.2, 0.1, 0, 0, 10, 5), "mre mreCapped"},
		{"a zero that is wrong", output(0.2, 0.11, 1, 1, 10, 10), "mre mreCappedNonzero"},
		{"zeros that are right", output(0.2, 0.1, 10, 0, 10, 5), "mre mreCapped mreCappedNonzero mreNonzero axbenchError"},
		{"decisions, measured by their miss rate", decisions, "mre mreCapped"},
		{"no measure of its own", output(0, 0.1, 0, 0, 10, 10), "mre"},
		{"no output", nil, ""},
	} {
		if got := names(c.values); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Row, JSON and the page's glossary state one rule for exact zeros, and every relative error
// that does not leave them out keeps it.
func TestOneRuleForZeros(t *testing.T) {
	words, err := os.ReadFile("../../site/src/results/glossary.ts")
	if err != nil || !strings.Contains(string(words), ZeroRule) {
		t.Errorf("the glossary does not say %q (%v)", ZeroRule, err)
	}
	for _, name := range []string{"mre", "mreCapped"} {
		if m := Find(name); !strings.Contains(m.About, ZeroRule) {
			t.Errorf("%s: %q does not say %q", name, m.About, ZeroRule)
		}
	}
	for _, m := range Table {
		if m.Under != "" && (Find(m.Under) == nil || m.Poster) {
			t.Errorf("%s stands under %q, on posters %t", m.Name, m.Under, m.Poster)
		}
	}
}

// The measures of errors on one output of four values: an exact 0 that is met, one that is
// not, an error of a half and one of three times the value.
func TestErrorsOfTheLiterature(t *testing.T) {
	given := func(name string) (float64, bool) {
		v, ok := map[string]float64{
			"outputElements": 4, "outputZeros": 2, "outputNonzeros": 2, "outputZerosWrong": 1, "relativeErrorSum": 3.5, "cappedErrorSum": 1.5,
			"decisions": 4, "decisionsWrong": 3,
		}[name]
		return v, ok
	}
	for name, want := range map[string]float64{
		"mreCapped":        2.5 / 4, // the zero that is not met counts 1
		"mreCappedNonzero": 1.5 / 2,
		"mreNonzero":       3.5 / 2,
		"axbenchError":     3.5 / 4, // both zeros count 1
		"missRate":         3. / 4,
	} {
		if got, ok := Value(name, given); !ok || got != want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	// A program without decisions has no miss rate.
	if v, ok := Value("missRate", func(name string) (float64, bool) { return 0, isInput(name) }); ok {
		t.Errorf("the miss rate of no decisions is %g", v)
	}
}
