package parameter

import (
	"strings"
	"testing"
)

// TestEveryValueIsDescribed: whoever adds a value to GPU, or to a structure in it,
// adds a row to fields.
func TestEveryValueIsDescribed(t *testing.T) {
	infos := All()
	known := map[string]bool{}
	for _, f := range infos {
		low := strings.ToLower(f.Path)
		if known[low] {
			t.Errorf("%s stands twice in fields", f.Path)
		}
		known[low] = true
		if f.Doc == "" || f.Low > f.High {
			t.Errorf("%s: no description, or no number between %d and %d", f.Path, f.Low, f.High)
		}
	}
	found := map[string]bool{}
	for _, l := range places() {
		found[l.path] = true
		if !known[l.path] {
			t.Errorf("the value %s of GPU has no row in fields (fields.go): give it a path, a unit, a range and a description", l.path)
		}
	}
	for _, f := range infos {
		if !found[strings.ToLower(f.Path)] {
			t.Errorf("fields has a row for %s, which GPU does not have", f.Path)
		}
	}
}
