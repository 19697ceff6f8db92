package dram

import "testing"

// TestGDDR6X: 19.5 and 21 Gb/s on 384 pins are 936 and 1008 GB/s, and no time of the array is shorter than in GDDR6.
func TestGDDR6X(t *testing.T) {
	slow, fast, plain := GDDR6X(), GDDR6X21(), GDDR6()
	if a, b := slow.BytesPerCommandClock*1219*24, fast.BytesPerCommandClock*1313*24; a != 936_192 || b != 1_008_384 {
		t.Errorf("%d and %d MB/s", a, b)
	}
	for _, c := range Constants {
		if c.Time && (*c.of(&slow)*1750 < *c.of(&plain)*1219 || *c.of(&fast)*1750 < *c.of(&plain)*1313) {
			t.Errorf("%s: %d and %d clocks, %d at 1750 MHz", c.Symbol, *c.of(&slow), *c.of(&fast), *c.of(&plain))
		}
	}
	if r := resolve(t, slow, 32); r.BurstCycles != 1 {
		t.Errorf("%+v", r)
	}
}
