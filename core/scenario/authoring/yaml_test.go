package authoring

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scenario"
)

// faults parses a text that must be refused and returns its faults.
func faults(t *testing.T, err error) []fault.Fault {
	t.Helper()
	var e *fault.Errors
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want *Errors", err)
	}
	return e.List
}

// Every fault of an input shows at once, with path, line and what to do.
func TestYAMLFaults(t *testing.T) {
	_, err := ParseYAML("bad.yaml", []byte(`version: 4
machine: {preset: gtx5800}
workload:
  name: dct
  size: 500
  colour: red
memory:
  codec: e2mc8
  codec: none
  mag: "32"
  approximation: TSLC_OPT
  decodingWays: 9
  threshold: 40
seed: 1.5
`))
	want := []string{
		`bad.yaml:6:11: workload.colour: no such key: use one of name, size, data, image, ptx`,
		`bad.yaml:9:10: memory.codec: the key is given twice, first at bad.yaml:8:10: remove one of them`,
		`bad.yaml:10:8: memory.mag: "32" is not a whole number: use one of 16, 32, 64`,
		`bad.yaml:14:7: seed: want a whole number, not the number 1.5: give a whole number, without quotes`,
		`bad.yaml:1:10: version: version 4: this program reads versions 1 to 3`,
		`bad.yaml:2:19: machine.preset: unknown preset "gtx5800": did you mean "gtx580b"? (one of ` +
			strings.Join(preset.Names(), ", ") + ")",
		`bad.yaml:5:9: workload.size: dct has no size of 500 pixels on a side: use one of 256, 512, 1024, 2048: dct takes a multiple of 8 from 8 to 4096`,
		`bad.yaml:12:17: memory.decodingWays: no decoder has 9 ways: use one of 1, 2, 4, 8`,
		`bad.yaml:11:18: memory.approximation: unknown approximation "TSLC_OPT": did you mean "tslc-opt"? (one of none, tslc-simp, tslc-pred, tslc-opt)`,
		`bad.yaml:13:14: memory.threshold: 40 bytes is not between 0 and the MAG: use 0 to 32, or a larger memory.mag`,
	}
	got := map[string]bool{}
	for _, f := range faults(t, err) {
		got[f.String()] = true
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("not reported: %s", w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d faults, want %d:\n%v", len(got), len(want), err)
	}
}

func TestYAMLRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "empty",
		"# nothing":                        "empty",
		"5":                                "want a map",
		"[1]":                              "want a map",
		"workload: {}":                     "workload.name: the value is missing",
		"workload: {name: }":               "want text, not nothing",
		"workload: {name: trnspose}":       `did you mean "transpose"?`,
		"workload: {name: dct}\nseed: yes": "seed: want a whole number",
		"workload: {name: dct}\nseed: -1":  "from 0",
		"workload: {name: dct}\nseed: 18446744073709551615": "too large",
		"workload: {name: dct}\nseed: 99999999999999999999": "",
		"a: &x 1\nb: *x":                                    "anchors and aliases",
		"a: *x":                                             "",
		"workload: {<<: {name: dct}}":                       "merge keys",
		"workload: !thing {name: dct}":                      "",
		"workload: {name: !thing dct}":                      "tag",
		"? [a]\n: b":                                        "keys are text",
		"workload: {name: dct}\n---\na: 1":                  "second document",
		"workload: {name: dct":                              "correct the YAML",
		"\tworkload: 1":                                     "correct the YAML",
		"title: \x01\nworkload: {name: dct}":                "",
		"title: \"\\x01\"\nworkload: {name: dct}":           "control character",
		"workload: {name: dct, image: \"***\"}":             "not base64",
		"workload: {name: dct, image: aGVsbG8=}":            "not a PNG",
		"workload: {name: vecadd, image: aGVsbG8=}":         "takes no image",
		"workload: {name: dct, ptx: {source: x, entry: k}}": "a shipped workload and a program",
		"workload: {ptx: {source: x, entry: k, base: 12}}":  "device memory cannot start at 0xc",
		"workload: {ptx: {}}":                               "workload.ptx.entry: the kernel's name is missing",
		"workload: {ptx: {source: x, entry: k, grid: [0], block: [1,1,1,1], args: [{spec: u33}, {spec: 'in:x'}]}}": "workload.ptx.grid[0]",
		"workload: {name: dct}\nmemory: {codec: e2mc8, approximation: tslc-simp}":                                  "set memory.codec to e2mc16 or memory.approximation to none",
		"workload: {name: dct}\nmemory: {codec: e2mc16, approximation: tslc-opt, threshold: 0}":                    "approximates nothing",
		"workload: {name: dct}\ncompare: {memory: {mag: 48}}":                                                      "compare.memory.mag: no memory access granularity of 48",
		"title: " + strings.Repeat("x", 300) + "\nworkload: {name: dct}":                                           "300 bytes of text",
		strings.Repeat("[", 20000):                         "",
		"x: [" + strings.Repeat("a,", 300000) + "]":        "more than",
		strings.Repeat("- ", 20000):                        "",
		"x: " + strings.Repeat(" ", scenario.MaxTextBytes): "at most",
	} {
		s, err := ParseYAML("f.yaml", []byte(text))
		if err == nil {
			t.Errorf("%.80q was read: %+v", text, s)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, want %q", text, err, want)
		}
		if !strings.Contains(err.Error(), "f.yaml") {
			t.Errorf("%.80q: no file in %v", text, err)
		}
	}
}

// A syntax error names the line at which it is, wherever the map around it begins.
func TestYAMLLineOfAFault(t *testing.T) {
	const good = "version: 1\ntitle: \"two\n  lines\"\nworkload: {name: vecadd,\n  size: 1024}\nmemory:\n  codec: bdi\n  mag: 32\nseed: 1\n"
	if _, err := ParseYAML("f.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		old, new string
		line     int
	}{
		{"version: 1", "version 1", 2}, // the colon of line 2 follows a text of two lines
		{"lines\"", "lines", 2},        // the text begins there
		{"1024}", "1024", 4},           // likewise the map
		{"  mag: 32", " mag: 32", 8},
		{"  mag: 32", "  mag: {", 8},
		{"  mag: 32", "  mag: 32: 64", 8},
		{"seed: 1\n", "seed: 1\n- [\n", 10},
	} {
		_, err := ParseYAML("f.yaml", []byte(strings.Replace(good, c.old, c.new, 1)))
		if want := fmt.Sprintf("f.yaml:%d: ", c.line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", c.new, err, want)
		}
	}
	large := strings.Repeat("- {a: 1}\n- \"two\n  lines\"\n", 1500)
	if _, err := ParseTree("f.yaml", []byte(large+"- [\n")); err == nil || !strings.HasPrefix(err.Error(), "f.yaml:4501: ") {
		t.Error(err)
	}
}

// Whole numbers are read in each of their spellings, and what only looks like one is not.
func TestYAMLNumbers(t *testing.T) {
	for text, want := range map[string]uint64{
		"7": 7, "+7": 7, "-0": 0, "0": 0, "0x1f": 31, "0o17": 15, "017": 15, "0b11": 3, "1_000": 1000,
	} {
		s, err := ParseYAML("f.yaml", []byte("workload: {name: vecadd}\nseed: "+text+"\n"))
		if err != nil || s.Seed != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"1.0", "-0.0", "1e3", ".inf", ".nan", "1.", "!!float -0", "!!float 7", "'7'", "1:20", "2001-01-01", "0x", "0o9", "yes", "~"} {
		if s, err := ParseYAML("f.yaml", []byte("workload: {name: vecadd}\nseed: "+text+"\n")); err == nil || !strings.Contains(err.Error(), "f.yaml:2:7: seed: want a whole number") {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
}

// A text of prose is written on one line, however long, as authors have it in their files.
func TestYAMLKeepsLinesWhole(t *testing.T) {
	s := scenario.Default("vecadd")
	s.Notes = strings.TrimSpace(strings.Repeat("some words ", 40))
	if text := string(ToYAML(s)); !strings.Contains(text, "\nnotes: "+s.Notes+"\n") || !strings.Contains(text, "\n  name: vecadd\n") {
		t.Error(text)
	}
}

// The library expands aliases; a few lines must not become gigabytes.
func TestYAMLAliasBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	if _, err := ParseYAML("bomb", []byte(b.String())); err == nil || !strings.Contains(err.Error(), "anchors and aliases") {
		t.Errorf("%v", err)
	}
}

// A long program in a scenario is one text, whatever characters it has.
func TestLongProgramIsRead(t *testing.T) {
	source := strings.Repeat("add.f32 %f1, %f2, %f3; // [a] {b}: 'c' \"d\"\n", 10000)
	s := scenario.Default("")
	s.Workload = scenario.Workload{PTX: &scenario.PTX{Source: source, Entry: "k"}}
	for _, text := range [][]byte{ToYAML(s), ToJSON(s)} {
		if _, err := ParseYAML("long", text); err != nil {
			t.Errorf("%.200v", err)
		}
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// roundTrip checks that an accepted scenario is canonical and stable.
func roundTrip(t *testing.T, s *scenario.Scenario) {
	packed := Marshal(s)
	if !bytes.Equal(s.Canonical(), packed) {
		t.Fatalf("we pack %x, the library %x", s.Canonical(), packed)
	}
	again, err := scenario.ParseMsgpack(packed)
	if err != nil {
		t.Fatalf("the canonical form is refused: %v\n%s", err, ToYAML(s))
	}
	if !bytes.Equal(Marshal(again), packed) || again.Hash() != s.Hash() {
		t.Fatalf("not canonical:\n%s\n%s", ToYAML(s), ToYAML(again))
	}
	fromYAML, err := ParseYAML("again", ToYAML(s))
	if err != nil {
		t.Fatalf("the YAML form is refused: %v\n%s", err, ToYAML(s))
	}
	if !bytes.Equal(Marshal(fromYAML), packed) {
		t.Fatalf("YAML changes it:\n%s\n%s", ToYAML(s), ToYAML(fromYAML))
	}
}

func FuzzParseYAML(f *testing.F) {
	program := scenario.Default("")
	program.Workload = scenario.Workload{PTX: &scenario.PTX{
		Source: ".version 7.0\n", Entry: "k", Grid: []int{4, 2}, Repeat: 3, Base: 0xc0000000,
		Args: []scenario.Arg{{Spec: "in:a", Data: []byte{1, 2, 3, 4}}, {Spec: "@launch"}},
	}}
	for _, s := range []*scenario.Scenario{scenario.Default("vecadd"), scenario.Default("dct"), program} {
		f.Add(ToYAML(s))
		f.Add(ToJSON(s))
	}
	f.Add([]byte("a: &x 1\nb: *x\n--- \n- ? |\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := ParseYAML("fuzz", b); err == nil {
			roundTrip(t, s)
		}
	})
}
