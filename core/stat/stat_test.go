package stat

import (
	"slices"
	"strings"
	"testing"
)

// TestZeroIsNoCounter: what a map or an array has for a missing name is no counter, has no name, is in no result, and
// counting with it is an error. Every other counter has a name of its own, a unit and a sentence.
func TestZeroIsNoCounter(t *testing.T) {
	var missing Counter
	if missing != Invalid || Describe(missing) != (Info{}) {
		t.Errorf("the zero value is %d, %+v", missing, Describe(missing))
	}
	if c, ok := ByName(""); ok || c != Invalid {
		t.Errorf("the empty name is counter %d", c)
	}
	var s Set
	for _, c := range List() {
		s[c] = uint64(c)
		i := Describe(c)
		if found, ok := ByName(i.Name); !ok || found != c || i.Unit == "" || i.Doc == "" {
			t.Errorf("counter %d: %+v; its name finds %d", c, i, found)
		}
	}
	if values := s.Values(); len(values) != len(List()) || values["warpInstructions"] != uint64(WarpInstructions) {
		t.Errorf("%d values, want %d", len(values), len(List()))
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s[missing]++
	if s.Check() == nil {
		t.Error("counting with no counter is no error")
	}
}

// TestGroups: the counters of systems have names and values as those of every machine have, and lists have them after
// the counter that they name. Two with one place or one name, and a place that is none, are refused with both names or
// the bounds.
func TestGroups(t *testing.T) {
	t.Cleanup(func() { Extend(nil) })
	info := func(name string) []Info { return []Info{{name, "toys", "A toy."}} }
	first := Group{FirstPlace + 7, L1Hits, append(info("a"), info("b")...)}
	Extend([]Group{first, {FirstPlace, L1Hits, info("c")}, {NumCounters - 1, L1Accesses, info("d")}})
	list := List()
	at := slices.Index(list, L1Accesses)
	want := []Counter{L1Accesses, NumCounters - 1, L1Hits, FirstPlace + 7, FirstPlace + 8, FirstPlace, L1Misses}
	if got := list[at : at+len(want)]; !slices.Equal(got, want) {
		t.Errorf("the list is %v, want %v", got, want)
	}
	var s Set
	s[FirstPlace+8] = 5
	if c, ok := ByName("b"); !ok || c != FirstPlace+8 || Describe(c).Unit != "toys" || s.Values()["b"] != 5 {
		t.Errorf("b is counter %d, %+v", c, Describe(c))
	}
	if len(s.Values()) != len(list) || len(list) != int(FirstPlace-First)+4 {
		t.Errorf("%d values, %d in the list", len(s.Values()), len(list))
	}
	for want, groups := range map[string][]Group{
		"counters b and e have one place: the first free one is FirstPlace + 9": {first, {FirstPlace + 8, L1Hits, info("e")}},
		"two counters are called a":                        {first, {FirstPlace, L1Hits, info("a")}},
		"two counters are called l1Hits":                   {{FirstPlace, L1Hits, info("l1Hits")}},
		"counter e: its place is none":                     {{FirstPlace - 1, L1Hits, info("e")}},
		"counter f: its place is none":                     {{NumCounters - 1, L1Hits, append(info("e"), info("f")...)}},
		"not after a counter of every machine":             {{FirstPlace, Invalid, info("e")}},
		"counter e: its place is none, or it is not after": {first, {FirstPlace, FirstPlace + 7, info("e")}}, // of a system
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, want) {
					t.Errorf("%+v: %q, want %q", groups, text, want)
				}
			}()
			Extend(groups)
		}()
	}
}
