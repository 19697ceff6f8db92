package machine

import (
	"strings"
	"testing"
)

// gtx480, gtx580 and mini are the presets most tests run on.
func gtx480() *Spec { return presetGTX480().spec() }
func gtx580() *Spec { return presetGTX580().spec() }
func mini() *Spec   { return presetMini().spec() }

// presets builds all of them.
func presets() []preset {
	var list []preset
	for _, n := range named {
		list = append(list, n.make())
	}
	return list
}

// TestEveryValueIsDescribed: whoever adds a value to Spec, or to a structure in
// it, adds a row to fields and one with its source to the presets.
func TestEveryValueIsDescribed(t *testing.T) {
	infos := allFields()
	known := map[string]bool{}
	for _, f := range infos {
		low := strings.ToLower(f.path)
		if known[low] {
			t.Errorf("%s stands twice in fields", f.path)
		}
		known[low] = true
		if f.doc == "" || f.low > f.high {
			t.Errorf("%s: no description, or no number between %d and %d", f.path, f.low, f.high)
		}
	}
	found := map[string]bool{}
	for _, l := range leaves(new(Spec)) {
		found[l.path] = true
		if !known[l.path] {
			t.Errorf("the value %s of Spec has no row in fields (fields.go): give it a path, a unit, a range and a description", l.path)
		}
	}
	for _, f := range infos {
		if !found[strings.ToLower(f.path)] {
			t.Errorf("fields has a row for %s, which Spec does not have", f.path)
		}
		for _, p := range presets() {
			r := p.row(f.path)
			if r == nil || r.source == "" {
				t.Errorf("preset %s gives no value with a source to %s", p.name, f.path)
			}
		}
	}
	for i, p := range presets() {
		if p.name != PresetNames()[i] || p.title == "" || p.source == "" {
			t.Errorf("preset %q lacks a name, a title or a source", p.name)
		}
		p.spec()
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
	s := mini()
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
	for name, want := range map[string]string{"gtx480": "177.4", "gtx580": "192.4", "mini": "48.1", "p100": "896.0", "v100": "870.4", "a100": "1555.2"} {
		s, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range Describe(s) {
			if f.Path == "derived.peakBandwidth" && f.Value != want {
				t.Errorf("%s: %s GB/s, want %s", name, f.Value, want)
			}
		}
	}
}
