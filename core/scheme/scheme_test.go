package scheme

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/setting"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/slc"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// TestTableIsComplete: every group has a none, a place in a scheme, and texts for people.
func TestTableIsComplete(t *testing.T) {
	for _, d := range Describe() {
		if d.Key == "" || d.Title == "" || d.About == "" || len(d.Entries) == 0 || d.Entries[0].Name != system.None {
			t.Errorf("%+v: incomplete, or its first entry is not none", d)
		}
		settings := d.Settings
		for _, e := range d.Entries {
			if e.Title == "" {
				t.Errorf("%s %s has no title", d.Group, e.Name)
			}
			settings = append(settings, e.Settings...)
		}
		for _, f := range settings {
			if f.Title == "" || f.About == "" || f.Words == nil && f.Numbers == nil && f.Low > f.High {
				t.Errorf("%+v: incomplete", f)
			}
		}
		s := Default()
		if s.Part(d.Group) == nil {
			t.Errorf("group %s has no place in a Scheme", d.Group)
		}
	}
}

// TestMemoryIsWrittenAsBefore: a memory has every setting of its group, in the order and with the defaults of the first
// version of scenarios, and without those that can be left out.
func TestMemoryIsWrittenAsBefore(t *testing.T) {
	m := DefaultMemory()
	full := m.With("codec", "plugin", "module", setting.Binary("\x00a"), "latency", "1/1", "header", "literal")
	full = full.With("sample", 7)
	const middle = `"probabilities":"offline","decodingWays":4,"mag":32,"approximation":"none","threshold":16`
	var read map[string]any
	for want, of := range map[string]Memory{
		`{"codec":"none",` + middle + `}`: m,
		`{"codec":"plugin","module":"AGE=",` + middle + `,"latency":"1/1","header":"literal","sample":7}`: full,
	} {
		if text, err := of.MarshalJSON(); string(text) != want || err != nil || json.Unmarshal(text, &read) != nil {
			t.Errorf("%s, want %s", text, want)
		}
	}
	names := []string{"codec"}
	for i := range memorySettings {
		names = append(names, memorySettings[i].Name)
	}
	for _, name := range names {
		if !slices.Contains(written, name) {
			t.Errorf("memory.%s has no place in the order of what is written", name)
		}
	}
	if m.Equal(full) || !m.Equal(DefaultMemory()) {
		t.Error("With changes the memory that it is called on")
	}
	odd := Memory{"codec": "\"\\\x01é"}
	if text, _ := odd.MarshalJSON(); json.Unmarshal(text, &read) != nil || read["codec"] != odd.Codec() {
		t.Errorf("%s reads as %q", text, read["codec"])
	}
}

// TestSettingsWithoutEffect: what has no effect is at its default in the form that a hash covers, and nothing else is.
func TestSettingsWithoutEffect(t *testing.T) {
	set := DefaultMemory().With("probabilities", "online", "decodingWays", 8, "mag", 64, "threshold", 9, "latency", "1/1")
	set.Put("header", "literal", "sample", 7)
	for _, c := range []struct{ codec, approximation, want string }{
		{"none", "none", "[4 64 16]"},
		{"bdi", "none", "[4 64 16 1/1]"},
		{"sc", "none", "[online 4 64 16 1/1 7]"},
		{"e2mc16", "none", "[online 8 64 16 1/1 7]"},
		{"e2mc16", "tslc-opt", "[online 8 64 9 1/1 literal 7]"},
	} {
		m := set.With("codec", c.codec, "approximation", c.approximation).Effective()
		var got []any
		for _, key := range m.Keys() {
			if key != "codec" && key != "approximation" && m[key] != any("offline") {
				got = append(got, m[key])
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s %s: %v, want %s", c.codec, c.approximation, got, c.want)
		}
	}
	same := DefaultMemory().With("codec", "e2mc16", "approximation", "tslc-opt", "probabilities", "online")
	same.Put("header", "fixed32", "prediction", "parity", "sample", 20)
	if m := same.Effective(); m["header"] != nil || m["prediction"] != nil || m["sample"] != nil {
		t.Errorf("defaults of what may be left out are written: %v", m)
	}
}

// TestOptionalWordsOfEntries: an entry's part has an optional word only with another value than the default, so that
// schemes from before the word keep their form.
func TestOptionalWordsOfEntries(t *testing.T) {
	found := 0
	for i := range Table {
		g := &Table[i]
		for _, e := range g.List() {
			for _, f := range e.Settings {
				if !f.Sparse() {
					continue
				}
				found++
				for word, want := range map[string]any{"": nil, f.Words[0]: nil, f.Words[1]: f.Words[1]} {
					s := Default()
					p := s.Part(g.Name)
					p.Put(g, g.Key, e.Name)
					if len(*p) != len(e.Settings) || (*p)[f.Name] != nil {
						t.Errorf("a new part of %s has %v", e.Name, *p)
					}
					p.Put(g, f.Name, word)
					effective := s.Effective()
					if got := (*effective.Part(g.Name))[f.Name]; got != want {
						t.Errorf("%s.%s: %q is written as %v, want %v", g.Name, f.Name, word, got, want)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("no entry has an optional word")
	}
}

// TestLatencyPattern: programs that have only the pattern take the latencies that Latencies takes.
func TestLatencyPattern(t *testing.T) {
	pattern := regexp.MustCompile(latencyPattern)
	const tried = "0/0,1/2500,2500/2499,2501/1,1/2510,01/1,1,1/2/3,a/1,-1/1,999/1000,1999/2000,3000/1,10000/1,/1,1/, 1/1"
	for text := range strings.SplitSeq(tried, ",") {
		if err := checkLatencies(text); pattern.MatchString(text) != (err == nil) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if codecs.MaxLatencyCycles != 2500 {
		t.Errorf("the pattern ends at 2500, the codecs at %d", codecs.MaxLatencyCycles)
	}
}

// TestSettingsAreThoseOfTheCodecs holds the table against the packages that take the
// values.
func TestSettingsAreThoseOfTheCodecs(t *testing.T) {
	ways := memorySettings[slices.IndexFunc(memorySettings, func(s system.Setting) bool { return s.Name == "decodingWays" })].Numbers
	for n := range 20 {
		if legal := e2mc.CheckWays(n) == nil; legal != slices.Contains(ways, n) {
			t.Errorf("%d decoding ways: e2mc takes them: %v", n, legal)
		}
	}
	for _, word := range slc.Headers {
		if _, err := tslc.ParseHeader(word); err != nil {
			t.Error(err)
		}
	}
	for _, word := range slc.Predictions {
		if p, err := tslc.ParsePrediction(word); err != nil || p != slc.PredictionOf(word) {
			t.Errorf("%s: %d, %v", word, p, err)
		}
	}
	simple := DefaultMemory().With("codec", "e2mc16", "approximation", "tslc-simp", "prediction", "literal")
	if m := simple.Effective(); m["prediction"] != nil {
		t.Errorf("what predicts nothing has a prediction: %v", m)
	}
	for _, name := range Approximations()[1:] {
		if row := codecs.Find(name); row == nil || row.Over == "" {
			t.Errorf("%s is no lossy codec", name)
		}
	}
}

// TestSettingsThatAreReadExist: a part has 0 and no word for a setting that its entry lacks, so a name that no entry has
// would read as one of them. Every name that this package and the systems read is one of a setting.
func TestSettingsThatAreReadExist(t *testing.T) {
	names := map[string]bool{}
	for i := range Table {
		names[Table[i].Key] = true
		for _, f := range Table[i].Settings {
			names[f.Name] = true
		}
		for _, e := range Table[i].List() {
			for _, f := range e.Settings {
				names[f.Name] = true
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := filepath.Glob("../system/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, rooms...)
	read := regexp.MustCompile(`\b(?:p|system\.Part\(m\))\.(?:Int|Word|Bytes)\("(\w+)"\)`)
	count := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, found := range read.FindAllStringSubmatch(string(text), -1) {
			if count++; !names[found[1]] {
				t.Errorf("%s reads the setting %s, which no entry has", name, found[1])
			}
		}
	}
	if count < 26 {
		t.Errorf("%d settings are read", count)
	}
}
