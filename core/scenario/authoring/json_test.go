package authoring

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
)

// Syntax that only YAML has is refused with its place; syntax that only JSON has is read.
func TestJSONIsNotYAML(t *testing.T) {
	for text, want := range map[string]string{
		`{workload: {name: tp}}`:                             "f.json:1:2: 'w' where a key in double quotes should be",
		"workload: {name: tp}":                               "f.json:1:1:",
		"{\n\"seed\": 01, \"workload\": {\"name\": \"tp\"}}": "f.json:2:9: '0' where a number without leading zeros should be",
		`{"workload": {'name': "tp"}}`:                       "f.json:1:15:",
		`{"workload": {"name": "tp"},}`:                      "f.json:1:29: '}' where a key in double quotes should be",
		`{"workload": {"name": "tp"}, "seed": 0x10}`:         "f.json:1:39:",
		`{"workload": {"name": "tp"}} # tp`:                  "text follows the scenario",
		`{"workload": {"name": "tp"}, "title": "\ud83d"}`:    "does not stand for a character",
		// A lesson's texts are checked too, as in the other formats.
		`{"workload": {"name": "tp"}, "lesson": {"steps": [{"title": "x"}]}}`: "f.json:1:",
		strings.Repeat(" ", scenario.MaxJSONBytes+1):                          "at most 25165824 are read",
	} {
		s, err := ParseJSON("f.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "f.json") {
			t.Errorf("%.60q: %+v %v, want %q", text, s, err, want)
		}
	}
	s, err := ParseJSON("f.json", []byte(`{"title": "\ud83d\ude00", "workload": {"name": "tp"}}`))
	if err != nil || s.Title != "😀" {
		t.Errorf("a pair of surrogates: %+v %v", s, err)
	}
}

// Every accepted text is JSON for the standard library too, and comes back the same.
func FuzzParseJSON(f *testing.F) {
	for _, name := range []string{"vecadd", "dct"} {
		f.Add(ToJSON(scenario.Default(name)))
	}
	f.Add([]byte(`{"title": "\ud83d\ude00", "workload": {"name": "tp"}, "lesson": {"title": "T", "minutes": 1, "steps": [{"title": "a", "text": "b"}]}}`))
	f.Add([]byte(`{workload: {name: tp}, "seed": 01}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseJSON("fuzz", b)
		if err != nil {
			return
		}
		if !json.Valid(b) {
			t.Fatalf("%q is not JSON", b)
		}
		again, err := ParseJSON("again", ToJSON(s))
		if err != nil || !bytes.Equal(Marshal(again), Marshal(s)) {
			t.Fatalf("%q becomes %s: %v", b, ToJSON(s), err)
		}
	})
}
