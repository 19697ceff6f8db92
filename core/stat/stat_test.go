package stat

import "testing"

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
	for c := First; c < NumCounters; c++ {
		s[c] = uint64(c)
		i := Describe(c)
		if found, ok := ByName(i.Name); !ok || found != c || i.Unit == "" || i.Doc == "" {
			t.Errorf("counter %d: %+v; its name finds %d", c, i, found)
		}
	}
	if values := s.Values(); len(values) != int(NumCounters-First) || values["warpInstructions"] != uint64(WarpInstructions) {
		t.Errorf("%d values, want %d", len(values), NumCounters-First)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	s[missing]++
	if s.Check() == nil {
		t.Error("counting with no counter is no error")
	}
}
