package experiment

import "testing"

// The size of the steps changes neither a measurement nor its hash.
func TestTrafficInSteps(t *testing.T) {
	whole, err := MeasureTraffic(trafficPlan(t, "none"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewTraffic(trafficPlan(t, "none"))
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for done := false; !done; {
		if done, err = r.Step(777); err != nil {
			t.Fatal(err)
		}
		if s := r.Sized(); s < last || s > 1 || done != (s == 1) {
			t.Fatalf("%.3f of the sizing is done after %.3f, over: %v", s, last, done)
		} else {
			last = s
		}
	}
	if got, want := r.Traffic().Hash(), whole.Hash(); got != want || got == "" {
		t.Errorf("in steps %s, at once %s", got, want)
	}
	if r.Traffic().EntropyRatio16 != whole.EntropyRatio16 {
		t.Error("the entropy depends on the steps")
	}
	// A change of any count changes the hash.
	before := whole.Hash()
	whole.Codecs[3].Bytes[17]++
	if whole.Hash() == before {
		t.Error("the hash leaves out the sizes")
	}
}
