package scheme

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/tslc"
	"github.com/burstscope/burstscope/core/fault"
)

// TestTableIsComplete: every group has a none and texts for people; every value of
// Memory has a setting, with the default that DefaultMemory gives.
func TestTableIsComplete(t *testing.T) {
	for _, d := range Describe() {
		if d.Key == "" || d.Title == "" || d.About == "" || len(d.Entries) == 0 || d.Entries[0].Name != None {
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
		if d.Group == "memory" {
			continue
		}
		s := Default()
		if s.Part(d.Group) == nil {
			t.Errorf("group %s has no place in a Scheme", d.Group)
		}
	}
	m := DefaultMemory()
	names := []string{"codec"}
	for i := range memorySettings {
		f := &memorySettings[i]
		names = append(names, f.Name)
		if v := m.value(f.Name); !f.Optional && v != f.value() {
			t.Errorf("%s: the default is %v, the setting says %v", f.Name, v, f.value())
		}
	}
	tagged := reflect.TypeFor[Memory]()
	for i := range tagged.NumField() {
		if key, _, _ := strings.Cut(tagged.Field(i).Tag.Get("msgpack"), ","); !slices.Contains(names, key) {
			t.Errorf("memory.%s has no setting", key)
		}
	}
	if len(names) != tagged.NumField() {
		t.Errorf("%d settings for %d values", len(names), tagged.NumField())
	}
}

// TestSettingsAreThoseOfTheCodecs holds the table against the packages that take the
// values.
func TestSettingsAreThoseOfTheCodecs(t *testing.T) {
	ways := find(memorySettings, "decodingWays").Numbers
	for n := range 20 {
		if legal := e2mc.CheckWays(n) == nil; legal != slices.Contains(ways, n) {
			t.Errorf("%d decoding ways: e2mc takes them: %v", n, legal)
		}
	}
	for _, word := range headers {
		if _, err := tslc.ParseHeader(word); err != nil {
			t.Error(err)
		}
	}
	for _, name := range Approximations()[1:] {
		if row := codecs.Find(name); row == nil || row.Over == "" {
			t.Errorf("%s is no lossy codec", name)
		}
	}
}

// TestEveryRuleCanFail: each rule refuses a scheme whose values are legal alone, and
// none refuses the default.
func TestEveryRuleCanFail(t *testing.T) {
	broken := []Scheme{
		{Memory: Memory{Codec: "bdi", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "tslc-opt", Threshold: 16}},
		{Memory: Memory{Codec: "plugin", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "none", Threshold: 16}},
		{Memory: Memory{Codec: "none", Probabilities: "offline", DecodingWays: 4, MAG: 16, Approximation: "none", Threshold: 17}},
		{Memory: Memory{Codec: "e2mc16", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "tslc-opt", Threshold: 0}},
		{Memory: DefaultMemory(), Backing: Part{"kind": "buddy"}},
		{Memory: Memory{Codec: "bpc", Probabilities: "offline", DecodingWays: 4, MAG: 32, Approximation: "none", Threshold: 16}, Backing: Part{"kind": "pinned"}},
	}
	if len(broken) != len(Rules) {
		t.Fatalf("%d rules, %d cases: write one for each", len(Rules), len(broken))
	}
	for i, r := range Rules {
		s := Default()
		if message, _ := r.Broken(&s); message != "" {
			t.Errorf("rule %d refuses the default: %s", i, message)
		}
		s = broken[i].Clone()
		s.Complete()
		var e fault.Errors
		s.Validate(&e, "compare.")
		if len(e.List) != 1 || e.List[0].Path != "compare."+r.Path || e.List[0].Mend == "" || strings.Contains(e.List[0].Mend, "{}") {
			t.Errorf("rule %d: %+v", i, e.List)
		}
		for _, g := range r.Groups {
			if Find(g) == nil {
				t.Errorf("rule %d is about group %s, which there is not", i, g)
			}
		}
	}
}
