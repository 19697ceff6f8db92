package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// faults parses text that must be refused and returns what is said of it.
func faults(t *testing.T, err error) []Fault {
	t.Helper()
	var e *Errors
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want *Errors", err)
	}
	return e.List
}

// Every fault of an input shows at once, with path, line and what to do.
func TestYAMLFaults(t *testing.T) {
	_, err := ParseYAML("bad.yaml", []byte(`version: 2
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
		`bad.yaml:10:8: memory.mag: want a whole number, not the text "32": give a whole number, without quotes`,
		`bad.yaml:14:7: seed: want a whole number, not the number 1.5: give a whole number, without quotes`,
		`bad.yaml:1:10: version: version 2: this program reads version 1`,
		`bad.yaml:2:19: machine.preset: unknown preset "gtx5800": did you mean "gtx580"? (one of gtx580, gtx480, mini)`,
		`bad.yaml:5:9: workload.size: dct has no size of 500 pixels on a side: use one of 256, 512, 1024, 2048: dct takes a multiple of 8 from 8 to 4096`,
		`bad.yaml:12:17: memory.decodingWays: no decoder has 9 ways: use 1, 2, 4 or 8`,
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
		"workload: {}":                     "workload.name: nothing is named",
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
		"workload: {name: dct, ptx: {source: x, entry: k}}": "both a shipped workload and a program",
		"workload: {ptx: {source: x, entry: k, base: 12}}":  "device memory cannot start at 0xc",
		"workload: {ptx: {}}":                               "workload.ptx.entry: no kernel is named",
		"workload: {ptx: {source: x, entry: k, grid: [0], block: [1,1,1,1], args: [{spec: u33}, {spec: 'in:x'}]}}": "workload.ptx.grid[0]",
		"workload: {name: dct}\nmemory: {codec: e2mc8, approximation: tslc-simp}":                                  "set memory.codec to e2mc16 or memory.approximation to none",
		"workload: {name: dct}\nmemory: {codec: e2mc16, approximation: tslc-opt, threshold: 0}":                    "approximates nothing",
		"workload: {name: dct}\ncompare: {memory: {mag: 48}}":                                                      "compare.memory.mag: no memory access granularity of 48",
		"title: " + strings.Repeat("x", 300) + "\nworkload: {name: dct}":                                           "300 bytes of text",
		strings.Repeat("[", 20000):                  "",
		"x: [" + strings.Repeat("a,", 300000) + "]": "more than",
		strings.Repeat("- ", 20000):                 "",
		"x: " + strings.Repeat(" ", MaxTextBytes):   "at most",
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

// A long program in a scenario is text, however many signs it has.
func TestLongProgramIsRead(t *testing.T) {
	source := strings.Repeat("add.f32 %f1, %f2, %f3; // [a] {b}: 'c' \"d\"\n", 10000)
	s := Default("")
	s.Workload = Workload{PTX: &PTX{Source: source, Entry: "k"}}
	for _, text := range [][]byte{s.ToYAML(), s.ToJSON()} {
		if _, err := ParseYAML("long", text); err != nil {
			t.Errorf("%.200v", err)
		}
	}
}

func packed(v any) []byte {
	b, err := msgpack.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func TestMsgpackRefused(t *testing.T) {
	good := Default("dct").Marshal()
	workload := func(name any) map[string]any { return map[string]any{"workload": map[string]any{"name": name}} }
	twice := append([]byte{0x82}, bytes.Repeat([]byte("\xa4seed\x01"), 2)...)
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"empty", nil, "byte 0: msgpack: the input ends"},
		{"array bomb", []byte{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff}, "byte 8: msgpack: a map or list of 4294967295 values with 0 bytes left"},
		{"map bomb", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, "a map or list of 8589934590"},
		{"bin bomb", []byte{0xc6, 0xff, 0xff, 0xff, 0xff}, "a length of 4294967295"},
		{"str bomb", []byte{0xdb, 0xff, 0xff, 0xff, 0xff}, "a length of 4294967295"},
		{"deep bomb", bytes.Repeat([]byte{0x91}, MaxMsgpackBytes), "nested more than 12 deep"},
		{"deep map bomb", bytes.Repeat([]byte{0x81, 0xa1, 'a'}, 1<<20), "nested more than 12 deep"},
		{"many", packed(make([]int, 5000)), "a map or list of 5000"},
		{"many lists", append([]byte{0xdc, 0x0f, 0x00}, bytes.Repeat([]byte{0x92, 1, 1}, 0x0f00)...), "more than 4096 values"},
		{"too large", make([]byte, MaxMsgpackBytes+1), "at most 16777216 are read"},
		{"trailing", append(append([]byte(nil), good...), 0), "1 bytes follow the scenario"},
		{"cut", good[:len(good)-3], "byte "},
		{"extension", []byte{0x81, 0xa1, 'a', 0xd4, 0, 0}, "byte 3: msgpack: format 0xd4 is an extension"},
		{"time", packed(map[string]any{"a": []byte(nil), "b": 1.5}), "no such key"},
		{"never used", []byte{0xc1}, "0xc1"},
		{"number as key", []byte{0x81, 1, 1}, "byte 1: msgpack: a key that is the number 1"},
		{"list", []byte{0x90}, "want a map, not a list"},
		{"twice", twice, "seed: the key is given twice, first at byte 6"},
		{"unknown", packed(map[string]any{"sed": 1}), `sed: no such key: did you mean "seed"?`},
		{"nil", packed(workload(nil)), "workload.name: want text, not nothing"},
		{"float", packed(map[string]any{"seed": 1.0}), "seed: want a whole number"},
		{"bool", packed(map[string]any{"seed": true}), "seed: want a whole number"},
		{"not UTF-8", packed(workload("\xff\xfe")), "not UTF-8"},
		{"unknown workload", packed(workload("dctt")), `did you mean "dct"?`},
		{"negative", packed(map[string]any{"seed": -1}), "-1 is not a whole number"},
		{"wide", packed(map[string]any{"memory": map[string]any{"mag": 1 << 40}}), "memory.mag: the number 1099511627776"},
	} {
		if _, err := ParseMsgpack(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		} else if c.name != "too large" && !strings.Contains(err.Error(), "byte ") {
			t.Errorf("%s: no offset in %v", c.name, err)
		}
	}
}

// Hostile input costs memory in proportion to its length, whatever it claims.
func TestMsgpackAllocatesLittle(t *testing.T) {
	bombs := [][]byte{
		{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff},
		{0xdf, 0xff, 0xff, 0xff, 0xff},
		{0xc6, 0xff, 0xff, 0xff, 0xff},
		bytes.Repeat([]byte{0x91}, 1<<20),
		append([]byte{0xdd, 0, 0x10, 0, 0}, make([]byte, 1<<20)...),
	}
	for i, bomb := range bombs {
		if n := allocated(func() { _, _ = ParseMsgpack(bomb) }); n > 64<<10 {
			t.Errorf("bomb %d: %d bytes allocated", i, n)
		}
	}
	text := []byte("x: [" + strings.Repeat("a,", 500000) + "]")
	if n := allocated(func() { _, _ = ParseYAML("x", text) }); n > 16<<20 {
		t.Errorf("YAML list: %d bytes allocated", n)
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
func roundTrip(t *testing.T, s *Scenario) {
	packed := s.Marshal()
	again, err := ParseMsgpack(packed)
	if err != nil {
		t.Fatalf("the canonical form is refused: %v\n%s", err, s.ToYAML())
	}
	if !bytes.Equal(again.Marshal(), packed) || again.Hash() != s.Hash() {
		t.Fatalf("not canonical:\n%s\n%s", s.ToYAML(), again.ToYAML())
	}
	fromYAML, err := ParseYAML("again", s.ToYAML())
	if err != nil {
		t.Fatalf("the YAML form is refused: %v\n%s", err, s.ToYAML())
	}
	if !bytes.Equal(fromYAML.Marshal(), packed) {
		t.Fatalf("YAML changes it:\n%s\n%s", s.ToYAML(), fromYAML.ToYAML())
	}
}

func FuzzParseMsgpack(f *testing.F) {
	for _, s := range variants(f) {
		f.Add(s.Marshal())
	}
	f.Add([]byte{0x81, 0xa1, 'l', 0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add(bytes.Repeat([]byte{0x91}, 100))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s *Scenario
		var err error
		// Nodes are bounded, text and messages are proportional.
		if n := allocated(func() { s, err = ParseMsgpack(b) }); n > 4<<20+16*uint64(len(b)) {
			t.Errorf("%d bytes allocated for %d", n, len(b))
		}
		if err == nil {
			roundTrip(t, s)
		}
	})
}

func FuzzParseYAML(f *testing.F) {
	for _, s := range variants(f) {
		f.Add(s.ToYAML())
		f.Add(s.ToJSON())
	}
	f.Add([]byte("a: &x 1\nb: *x\n--- \n- ? |\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := ParseYAML("fuzz", b); err == nil {
			roundTrip(t, s)
		}
	})
}
