package scheme

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/slc"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// TestTableIsComplete: every group has a none and texts for people; every value of
// Memory has a setting, with the default that DefaultMemory gives.
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
		if v := m.value(f.Name); !f.Optional && v != f.Value() {
			t.Errorf("%s: the default is %v, the setting says %v", f.Name, v, f.Value())
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
	read := regexp.MustCompile(`\bp\.(?:Int|Word)\("(\w+)"\)`)
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
