package scenario_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

func TestParseJSONReadsEveryForm(t *testing.T) {
	for _, s := range variants(t) {
		text := authoring.ToJSON(s)
		var spaced bytes.Buffer
		if err := json.Indent(&spaced, text, "\r\n", "\t"); err != nil {
			t.Fatal(err)
		}
		for _, form := range [][]byte{text, spaced.Bytes()} {
			got, err := scenario.ParseJSON("page", form)
			if err != nil || !reflect.DeepEqual(got, s) {
				t.Errorf("%v\n%s", err, form)
			}
		}
	}
	s, err := scenario.ParseJSON("page", []byte(`{"title":"\u00e4\ud83d\ude00\"\\\/\n\té","\u0077orkload":{"name":"dct"},"notes":"","seed":-0}`))
	if err != nil || s.Title != "ä😀\"\\/\n\té" || s.Workload.Name != "dct" || s.Seed != 0 {
		t.Errorf("%v %+v", err, s)
	}
}

func TestJSONRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "f.json:1:1: the text ends where a value should be",
		" \n ":                                "f.json:2:2: the text ends",
		"5":                                   "f.json:1:1: want a map, not the number 5",
		"null":                                "want a map, not nothing",
		"{}":                                  "workload.name: the value is missing",
		"{\n \"workload\": {\"nam\": \"x\"}}": `f.json:2:22: workload.nam: no such key: did you mean "name"?`,
		`{"title":"ääää","seed":true}`:        "f.json:1:24: seed: want a whole number, not a truth value",
		`{"seed":1.5}`:                        "f.json:1:9: seed: want a whole number, not the number 1.5",
		`{"seed":1e3}`:                        "not the number 1e3",
		`{"seed":99999999999999999999}`:       "is not a whole number",
		`{"seed":01}`:                         `f.json:1:9: '0' where a number without leading zeros should be`,
		`{"seed":-}`:                          "number without leading zeros",
		`{"seed":1.}`:                         "'}' where a digit should be",
		`{"seed":1e+}`:                        "'}' where a digit should be",
		`{"seed":+1}`:                         "'+' where a value should be",
		`{"seed":NaN}`:                        "'N' where a value should be",
		`{"seed":tru}`:                        "'t' where a value should be",
		`{"seed":1,}`:                         "'}' where a key in double quotes should be",
		`{"seed":1 "title":""}`:               `'"' where a comma or '}' should be`,
		`{"seed" 1}`:                          "'1' where a colon should be",
		`{seed:1}`:                            "'s' where a key",
		`{'seed':1}`:                          `'\'' where a key`,
		`{"seed":1}}`:                         "f.json:1:11: text follows the scenario",
		`{"seed":1} // one`:                   "text follows the scenario",
		`{"seed":[1,2}`:                       "'}' where a comma or ']' should be",
		`{"seed":[`:                           "the text ends",
		`{"seed":1`:                           "the text ends where a comma",
		`{"title":"x`:                         "f.json:1:12: the text ends where the end of a text should be",
		`{"title":"x\`:                        "the text ends where an escape",
		`{"title":"\x"}`:                      "f.json:1:11: the escape does not stand for a character",
		`{"title":"\u12g4"}`:                  "does not stand for a character",
		`{"title":"\u12`:                      "does not stand for a character",
		`{"title":"\ud83d"}`:                  "does not stand for a character",
		`{"title":"\ud83dx"}`:                 "does not stand for a character",
		`{"title":"\ud83d\u0041"}`:            "does not stand for a character",
		`{"title":"\ude00"}`:                  "does not stand for a character",
		"{\"title\":\"\x01\"}":                "control character 0x01 in a text",
		"{\"title\":\"a\nb\"}":                "control character 0x0a",
		"{\"title\":\"\xff\"}":                "not UTF-8",
		"\xef\xbb\xbf{}":                      "where a value should be",
		`{"seed":1,"seed":2}`:                 "f.json:1:18: seed: the key is given twice, first at f.json:1:9",
		`{"workload":{"name":"dct","image":"***"}}`:  "not base64",
		strings.Repeat("[", 1<<20):                   "f.json:1:14: nested more than 12 deep",
		strings.Repeat(`{"a":`, 1<<17):               "nested more than 12 deep",
		`{"x":[` + strings.Repeat("1,", 300000):      "more than 4096 values",
		"{" + strings.Repeat(`"a":1,`, 50000):        "more than 4096 values",
		strings.Repeat(" ", scenario.MaxJSONBytes+1): "at most 25165824 are read",
	} {
		s, err := scenario.ParseJSON("f.json", []byte(text))
		if err == nil {
			t.Errorf("%.80q was read: %+v", text, s)
			continue
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "f.json") {
			t.Errorf("%.80q: %.300v, want %q", text, err, want)
		}
	}
}

// Numbers of all lengths are packed as the library packs them, even numbers that only an
// invalid scenario has.
func TestCanonicalIsWhatTheLibraryWrites(t *testing.T) {
	for _, length := range []int{0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536} {
		s := scenario.Default("dct")
		s.Title = strings.Repeat("x", length)
		s.Workload.PTX = &scenario.PTX{Grid: make([]int, length), Args: []scenario.Arg{{Data: make([]byte, length)}}}
		if !bytes.Equal(s.Canonical(), authoring.Marshal(s)) {
			t.Errorf("length %d", length)
		}
	}
	for shift := range 64 {
		for _, offset := range []int64{-1, 0, 1} {
			for _, sign := range []int64{1, -1} {
				n := sign * (1<<shift + offset)
				s := scenario.Default("dct")
				s.Version, s.Seed = int(n), uint64(n)
				if !bytes.Equal(s.Canonical(), authoring.Marshal(s)) {
					t.Errorf("number %d", n)
				}
			}
		}
	}
	s := scenario.Default("dct")
	s.Seed = math.MaxUint64
	if !bytes.Equal(s.Canonical(), authoring.Marshal(s)) {
		t.Error("the largest number")
	}
}

// Every accepted text is JSON for the standard library too, with the same texts in it.
func FuzzParseJSON(f *testing.F) {
	for _, s := range variants(f) {
		f.Add(authoring.ToJSON(s))
	}
	f.Add([]byte(`{"title":"\u00e4\ud83d\ude00\"","workload":{"name":"dct"},"seed":-0,"memory":{"mag":32}}`))
	f.Add([]byte(`{"a":[1.5e-3,{"b":null}],"a":tru`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s *scenario.Scenario
		var err error
		// Nodes are bounded, text and messages are proportional.
		if n := allocated(func() { s, err = scenario.ParseJSON("fuzz", b) }); n > 4<<20+16*uint64(len(b)) {
			t.Errorf("%d bytes allocated for %d", n, len(b))
		}
		if err != nil {
			return
		}
		if !json.Valid(b) {
			t.Fatalf("%q is no JSON", b)
		}
		var twin struct{ Title, Notes string }
		if err := json.Unmarshal(b, &twin); err != nil || twin.Title != s.Title || twin.Notes != s.Notes {
			t.Fatalf("%q: the library reads %+v, %v, we read %+v", b, twin, err, s)
		}
		roundTrip(t, s)
	})
}

// TestJSONHoldsWhatMsgpackHolds: a scenario whose data fill most of the packed form is read from JSON too,
// to the same hash.
func TestJSONHoldsWhatMsgpackHolds(t *testing.T) {
	data := bytes.Repeat([]byte{1, 2, 3, 0xff}, 15<<18) // 15 MiB, the most that the page's editor runs
	text := `{"workload":{"ptx":{"source":".version 6.0","entry":"k","args":[{"spec":"in:a","data":"` + base64.StdEncoding.EncodeToString(data) + `"}]}}}`
	if len(text) <= scenario.MaxTextBytes {
		t.Fatal("the text is short")
	}
	s, err := scenario.ParseJSON("f.json", []byte(text))
	if err != nil {
		t.Fatalf("%.300v", err)
	}
	again, err := scenario.ParseMsgpack(s.Canonical())
	if err != nil || again.Hash() != s.Hash() {
		t.Errorf("packed and read again: %.300v", err)
	}
}
