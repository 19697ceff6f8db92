package preset

import (
	"reflect"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/tools/golden"
)

// presets builds all of them.
func presets() []preset {
	var list []preset
	for _, n := range named {
		list = append(list, n.make())
	}
	return list
}

// TestEveryValueHasASource: whoever adds a parameter gives the presets a row with
// its value and source.
func TestEveryValueHasASource(t *testing.T) {
	all := presets()
	for _, f := range parameter.All() {
		for _, p := range all {
			r := p.row(f.Path)
			if r == nil || r.source == "" {
				t.Errorf("preset %s gives no value with a source to %s", p.name, f.Path)
			}
		}
	}
	for i, p := range all {
		if p.name != Names()[i] || p.title == "" || p.source == "" {
			t.Errorf("preset %q lacks a name, a title or a source", p.name)
		}
		p.spec()
	}
}

// TestGPUIsACopy: whoever changes a value of a GPU changes no GPU that others get, in any part.
func TestGPUIsACopy(t *testing.T) {
	for _, p := range presets() {
		first, err := GPU(p.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range first.Values().Entries() {
			for _, other := range append(e.Choices(), "1", "2", "off", "on") {
				if e.Text() == other || e.Set(other) != nil {
					continue
				}
				break
			}
		}
		second, err := GPU(p.name)
		if err != nil {
			t.Fatal(err)
		}
		if want := p.spec(); !reflect.DeepEqual(second, want) || reflect.DeepEqual(first, want) {
			t.Errorf("%s: a change of one GPU is seen in the next, or changed nothing", p.name)
		}
	}
}

// TestDescribe: every preset lists all its values with unit, source and, for
// what is derived, the formula; what differs from the preset says so.
func TestDescribe(t *testing.T) {
	for _, p := range presets() {
		s := p.spec()
		for _, f := range Describe(s) {
			if f.Path == "" || f.Value == "" || f.Doc == "" || f.Source == "" || f.Derived != (f.Formula != "") || f.Preset != "" {
				t.Errorf("%s: incomplete: %+v", p.name, f)
			}
			if f.Unit == "" && len(f.Choices) == 0 && f.Path != "addressMap" &&
				f.Path != "placement" { // a number that counts nothing
				t.Errorf("%s: %s has no unit", p.name, f.Path)
			}
		}
	}
	s := presetMini().spec()
	s.SM.L1.Ways = 8
	for _, f := range Describe(s) {
		want := map[string]string{"sm.l1.ways": "4"}[f.Path]
		if f.Preset != want {
			t.Errorf("%s: the preset's value is %q, want %q", f.Path, f.Preset, want)
		}
	}
}

// TestPeakBandwidth keeps the derived bandwidths in a table of core/VALIDATION.md, each beside the source that states it.
func TestPeakBandwidth(t *testing.T) {
	var rows [][]string
	for _, name := range Names() {
		s, err := GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Describe(s) {
			if f.Path == "derived.peakBandwidth" {
				rows = append(rows, []string{name, f.Value})
			}
		}
	}
	golden.Table(t, "../../VALIDATION.md", "bandwidths", []string{"preset", "GB/s", "source"}, rows)
}
