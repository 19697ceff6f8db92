package formula_test

import (
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/lesson/formula"
)

// fixed answers every figure of both sides: 8 and 3.
func fixed(side byte, name string) (float64, bool) {
	if name == "nothing" {
		return 0, false
	}
	return map[byte]float64{'A': 8, 'B': 3}[side], true
}

func TestFormulas(t *testing.T) {
	for text, want := range map[string]float64{
		"1 + 2 * 3":                         7,
		"(1 + 2) * 3":                       9,
		"8 - 4 - 2":                         2,
		"8 / 4 / 2":                         1,
		"-A.cycles + 2":                     -6,
		"--2":                               2,
		"ceil(71 / 32) * 32":                96,
		"floor(2.9) + round(2.5) + abs(-1)": 6,
		"A.cycles / B.cycles":               8.0 / 3,
		"A.cycles > B.cycles and 1 < 2":     1,
		"A.cycles<B.cycles or 1>=2":         0,
		"1 < 2 == 1":                        1,
		"1 != 1":                            0,
		"0.1 + 0.2":                         0.30000000000000004,
	} {
		if got, err := formula.Evaluate(text, fixed); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                              "ends",
		"1 +":                           "ends",
		"1 2":                           "operator",
		"(1":                            ")",
		"1)":                            "operator",
		"C.cycles":                      "not a figure",
		"cycles":                        "not a figure",
		"A.nothing":                     "no figure",
		"0x10":                          "not a number",
		"1e5":                           "not a number",
		"1.2.3":                         "not a number",
		"ceil 2":                        "(",
		"1 / 0":                         "no finite value",
		"0 / 0":                         "no finite value",
		"1 = 1":                         "operator",
		"A.cycles; B.cycles":            "operator",
		strings.Repeat("(", 300):        "deep",
		strings.Repeat("-", 300) + "1":  "deep",
		strings.Repeat("1+", 300) + "1": "bytes of formula",
		"A.cycles.cycles.valueOf":       "",
		"__proto__":                     "",
		"constructor(1)":                "",
		"A.\x00":                        "",
	} {
		v, err := formula.Evaluate(text, func(side byte, name string) (float64, bool) {
			if name != "cycles" {
				return 0, false
			}
			return fixed(side, name)
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q = %v, %v; want %q", text, v, err, want)
		}
	}
}

func TestFill(t *testing.T) {
	for text, want := range map[string]string{
		"no figures":                     "no figures",
		"{A.cycles * 1000000} cycles":    "8,000,000 cycles",
		"{A.cycles / B.cycles}":          "2.667",
		"{A.cycles / B.cycles|.1} times": "2.7 times",
		"{B.cycles / A.cycles|%0}":       "38 %",
		"{-A.cycles * 125}{B.cycles|.2}": "-1,0003.00",
		"{A.cycles * 12345.678|.1}":      "98,765.4",
	} {
		if got, err := formula.Fill(text, fixed); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"{", "}", "{A.cycles", "{A.nothing}", "{A.cycles|}}", "{A.cycles|9}", "{{A.cycles}}"} {
		if got, err := formula.Fill(text, fixed); err == nil {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func FuzzFormula(f *testing.F) {
	for _, s := range []string{"1 + 2 * (A.cycles - 3) / ceil(B.error)", "A.cycles <= B.cycles and 1 or 0", "-(-1.5)", "{A.cycles|%2} of {B.cycles}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := formula.Evaluate(s, fixed); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Fatalf("%q = %v", s, v)
		}
		_, _ = formula.Fill(s, fixed)
	})
}
