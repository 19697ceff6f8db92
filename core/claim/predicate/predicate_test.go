package predicate

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// valueOf evaluates an expression without results.
func valueOf(t *testing.T, text string) string {
	t.Helper()
	e, err := Read("test", text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Value(Functions())
	if err != nil {
		return "error: " + err.Error()
	}
	return v.String()
}

// TestLanguage: the language has numbers, lists and functions of its own, and nothing without a bound.
func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"4 * KiB == 4096 and 2 < 3":                                                  "True",
		"min_w([3, 1, 2], lambda w: w)":                                              "1",
		"argmax_w(['a', 'b'], lambda w: {'a': 1, 'b': 2}[w])":                        `"b"`,
		"all_w([1, 2], lambda w: w > 1)":                                             "False",
		"any_w([1, 2], lambda w: w > 1)":                                             "True",
		"std_w([1, 3], lambda w: w)":                                                 "1.0",
		"corr_w([1, 3], lambda w: w, lambda w: -w)":                                  "-1.0",
		"argmax_s(lambda x: -x, [4, 2, 8])":                                          "2",
		"undominated(2, [1, 2], lambda x: (x, x))":                                   "0.0",
		"undominated(2, [1, 2], lambda x: (x, -x))":                                  "1.0",
		"[fetch(33, 32), fetch(128, 32), ceildiv(7, 2), bits_for(1024), pow(2, 10)]": "[64, 128, 4, 10, 1024]",
		"sum([1, 2.5, True])":                                                        "4.5",
		"canonical({'a': 1, 'b': 2})":                                                `{"a": "0", "b": "10"}`,
		"'a' + 'b'":                                                                  "error: ",
		"[x for x in range(101)]":                                                    "error: ",
		"[x for x in range(100) for y in range(100) for z in range(100)]":            "error: ",
		"float('inf')":                                                               "error: ",
	} {
		if got := valueOf(t, text); got != want && (want != "error: " || !strings.HasPrefix(got, want)) {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"print(1)", "v.x", "{x for x in [1]}", "1 << 3", "f(*[1])", "1 +", strings.Repeat("1+", TextBytesMax),
	} {
		if _, err := Read("test", text); err == nil {
			t.Errorf("%.40s is an expression", text)
		}
	}
}

// TestKnown: what is known decides a predicate where it can, and nothing else does.
func TestKnown(t *testing.T) {
	k := Known{"v('a')": starlark.Float(2)}
	for text, want := range map[string][2]bool{
		"v('a') > 1":                     {true, true},
		"v('a') > 3":                     {false, true},
		"abs(1 - v('a')) <= 1":           {true, true},
		"v('b') > 1":                     {false, false},
		"v('a') > 1 or v('b') > 1":       {true, true},
		"v('a') > 3 and v('b') > 1":      {false, true},
		"v('a') > 1 and v('b') > 1":      {false, false},
		"max(v('a'), v('b')) > 1":        {false, false},
		"v('a') / 0 > 1":                 {false, false},
		"not an expression at all here ": {false, false},
	} {
		if truth, decided := k.Truth(text); truth != want[0] || decided != want[1] {
			t.Errorf("%s: %v, %v", text, truth, decided)
		}
	}
}

// TestMeasured: the number of a predicate is the side of its first comparison that asks for results.
func TestMeasured(t *testing.T) {
	asks := func(name string) bool { return name == "v" }
	for text, want := range map[string]string{
		"v('a') > 1":                  "v('a')",
		"1 < 2 * v('a')":              "2 * v('a')",
		"1 < 2 and (v('b') > 1)":      "v('b')",
		"[v('a') > 1 for x in [1]]":   "",
		"1 < 2":                       "",
		"1 - v('a') < 0.5":            "1 - v('a')",
		"all([v(x) > 1 for x in []])": "",
	} {
		e, err := Parse("test", text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if m := Measured(e, asks); m != nil {
			got = Text(text, m)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	e, err := Parse("test", "1 - v('a')")
	if err != nil || Text("1 - v('a')", Remainder(e)) != "v('a')" {
		t.Error("the remainder", err)
	}
}
