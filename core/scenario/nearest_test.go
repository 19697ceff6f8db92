package scenario

import (
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/scheme"
)

// Every combination of entries, approximations, MAGs and probabilities on presets of each kind is legal, or every fault of it is
// that of a rule and the nearest legal settings are a few changes away, also if the group that was chosen last is kept.
func TestNearestLegal(t *testing.T) {
	legal, refused, most := 0, 0, 0
	rules := map[string]bool{}
	try := func(sets ...string) {
		t.Helper()
		s := Default("vecadd")
		for _, one := range sets {
			path, value, _ := strings.Cut(one, "=")
			if err := s.Set(path, value); err != nil {
				t.Fatal(err)
			}
		}
		s.Compare = &Compare{Scheme: s.Scheme.Clone()}
		faults := s.settingFaults()
		if len(faults) == 0 {
			legal++
			return
		}
		refused++
		for _, f := range faults {
			if len(f.Fixes) == 0 {
				t.Errorf("%v: %s has no way out", sets, f.String())
			}
			rules[f.Path] = true
		}
		for _, keep := range []string{"", "backing", "machine", "memory.mag", "memory.approximation"} {
			fixes := s.NearestLegal(keep)
			c := s.clone()
			for _, x := range fixes {
				if err := c.Set(x.Path, x.Value); err != nil {
					t.Fatal(err)
				}
			}
			if len(fixes) == 0 || len(c.settingFaults()) > 0 {
				t.Errorf("%v: no legal settings behind %v", sets, fixes)
			}
			most = max(most, len(fixes))
		}
	}
	choices := []string{"l1.store", "loads.policy", "memory.codec", "backing.kind"}
	machines := []string{"gtx580b", "gtx480v3", "mini", "p100", "h200"}
	if testing.Short() {
		machines = machines[:1] // WebAssembly decides the same
	}
	for _, machine := range machines {
		for i, path := range choices {
			group, _, _ := strings.Cut(path, ".")
			for _, entry := range scheme.Find(group).Names() {
				if entry == "plugin" {
					continue // it needs a module, which no setting names
				}
				for _, mag := range []string{"16", "32", "64"} {
					try("machine.preset="+machine, path+"="+entry, "memory.mag="+mag, "memory.threshold="+mag)
				}
				for _, other := range choices[i+1:] {
					group, _, _ := strings.Cut(other, ".")
					for _, second := range scheme.Find(group).Names() {
						try("machine.preset="+machine, path+"="+entry, other+"="+second)
					}
				}
				for _, lossy := range scheme.Approximations() {
					try("machine.preset="+machine, path+"="+entry, "memory.approximation="+lossy)
				}
				try("machine.preset="+machine, "memory.codec=e2mc16", path+"="+entry, "memory.probabilities=online")
			}
		}
	}
	t.Logf("%d legal, %d refused, of faults at %d paths; at most %d changes", legal, refused, len(rules), most)
	if legal == 0 || refused == 0 {
		t.Error("nothing was tried")
	}
}

// The way out keeps what was chosen last: a press that undoes it would help nobody.
func TestNearestLegalKeepsTheChoice(t *testing.T) {
	for _, c := range []struct {
		sets       []string
		keep, want string
	}{
		{[]string{"memory.codec=bpc", "backing.kind=buddy"}, "backing", "machine.preset=p100"},
		{[]string{"memory.codec=bpc", "backing.kind=buddy"}, "machine", "backing.kind=none"},
		{[]string{"machine.preset=p100", "memory.codec=e2mc16", "memory.approximation=tslc-opt", "backing.kind=buddy"}, "backing", "memory.approximation=none"},
		{[]string{"machine.preset=p100", "memory.codec=e2mc16", "memory.approximation=tslc-opt", "backing.kind=buddy"}, "memory.approximation", "backing.kind=none"},
		{[]string{"memory.codec=e2mc16", "memory.approximation=tslc-opt", "backing.kind=buddy"}, "backing", "machine.preset=p100 memory.approximation=none"},
		{[]string{"memory.codec=bpc", "memory.approximation=tslc-opt"}, "memory.codec", "memory.approximation=none"},
		{[]string{"memory.codec=bpc", "memory.approximation=tslc-opt"}, "memory.approximation", "memory.codec=e2mc16"},
		{[]string{"machine.preset=v100", "memory.codec=bpc", "backing.kind=buddy"}, "", ""},
	} {
		s := Default("vecadd")
		for _, one := range c.sets {
			path, value, _ := strings.Cut(one, "=")
			if err := s.Set(path, value); err != nil {
				t.Fatal(err)
			}
		}
		var words []string
		for _, x := range s.NearestLegal(c.keep) {
			words = append(words, x.Path+"="+x.Value)
		}
		slices.Sort(words)
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%v, %s kept: %q, want %q", c.sets, c.keep, got, c.want)
		}
	}
}
