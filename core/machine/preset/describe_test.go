package preset

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/parameter"
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
			if f.Unit == "" && len(f.Choices) == 0 && f.Path != "addressMap" {
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

// TestPeakBandwidth compares the derived bandwidth with that of the papers.
func TestPeakBandwidth(t *testing.T) {
	document, err := os.ReadFile("../../VALIDATION.md")
	if err != nil {
		t.Fatal(err)
	}
	bandwidths := map[string]string{"gtx480": "177.4", "gtx480v3": "177.4", "gtx580v4": "192.4", "gtx580a": "192.4", "gtx580b": "96.2", "gtx580c": "192.4", "mini": "48.1", "p100": "896.0", "v100": "870.4", "rtx2060": "336.0", "a100": "1555.2", "h100": "3351.0", "h200": "4812.8"}
	for _, name := range Names() {
		want, ok := bandwidths[name]
		if !ok {
			t.Errorf("%s: give its bandwidth here", name)
		}
		s, err := GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Describe(s) {
			if f.Path == "derived.peakBandwidth" && f.Value != want {
				t.Errorf("%s: %s GB/s, want %s", name, f.Value, want)
			}
			if f.Path == "derived.peakBandwidth" {
				if row := fmt.Sprintf("| %s | %s |", name, f.Value); !strings.Contains(string(document), row) {
					t.Errorf("core/VALIDATION.md does not say %q: correct it", row)
				}
			}
		}
	}
}
