package arithmetic

import (
	"fmt"
	"strings"
	"testing"
)

func lookup(name string) (float64, error) {
	if v, ok := map[string]float64{"x": 3, "y": 4, "A.cycles": 10}[name]; ok {
		return v, nil
	}
	return 0, fmt.Errorf("no %s", name)
}

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]float64{
		"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "-x - -y": 1, "x / y": 0.75, "8 / 2 / 2": 2, "7 - 2 - 1": 4,
		"min(x, y) + max(x, y * 2)": 11, "ceil(x / 2) + floor(y / 3)": 3, "round(2.5) + abs(-x)": 6,
		"x < y and y < x or A.cycles == 10": 1, "x >= y": 0, "max(min(x, y), 1 + 1)": 3,
	} {
		if got, err := Evaluate(text, lookup); err != nil || got != want {
			t.Errorf("%s = %g, %v, want %g", text, got, err, want)
		}
	}
}

func TestFaultsNameTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"x +": "ends where", "x y": "at byte 2", "min(x)": `")" where , should be`, "ceil x": "( should be", "z": "no z", "1e3": "is not a number",
		"(x": "ends where ) should be", strings.Repeat("(", 40): "nested more than", strings.Repeat("1+", 300) + "1": "use at most",
	} {
		if _, err := Evaluate(text, lookup); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v, want %q", text, err, want)
		}
	}
}
