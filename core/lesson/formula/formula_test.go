package formula_test

import (
	"encoding/json"
	"math"
	"os"
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

// cases is the table that Go and TypeScript run: formulas over the figure cycles, 8 of A and 3 of B, and texts.
func cases(t *testing.T) (c struct {
	Formulas map[string]float64
	Refused  []string
	Texts    map[string]string
}) {
	t.Helper()
	b, err := os.ReadFile("testdata/cases.json")
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil || len(c.Formulas) == 0 || len(c.Refused) == 0 || len(c.Texts) == 0 {
		t.Fatal(err)
	}
	return c
}

func TestFormulas(t *testing.T) {
	for text, want := range cases(t).Formulas {
		if got, err := formula.Evaluate(text, fixed); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range cases(t).Refused {
		if v, err := formula.Evaluate(text, onlyCycles); err == nil {
			t.Errorf("%q = %v; it should be refused", text, v)
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
		v, err := formula.Evaluate(text, onlyCycles)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q = %v, %v; want %q", text, v, err, want)
		}
	}
}

func onlyCycles(side byte, name string) (float64, bool) {
	if name != "cycles" {
		return 0, false
	}
	return fixed(side, name)
}

func TestFill(t *testing.T) {
	for text, want := range cases(t).Texts {
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
