package dram

import "testing"

// gddr6Pins are cases with the numbers of the data sheet that GDDR6 names, and of the constraints of gddr6Rows.
func gddr6Pins() []pin {
	open := []step{{Activate, 0, 1, 0}, {Activate, 1, 1, 100}, {Activate, 4, 1, 200}}
	after := func(s ...step) []step { return append(open[:3:3], s...) }
	return []pin{
		{"RCD", GDDR6(), 32, []step{{Activate, 0, 1, 0}}, step{Read, 0, 1, 0}, 27},
		{"RTW", GDDR6(), 32, after(step{Read, 0, 1, 300}), step{Write, 1, 1, 0}, 325},
		{"CCD_S", GDDR6(), 32, after(step{Read, 0, 1, 300}), step{Read, 1, 1, 0}, 302},
		{"CCD_L", GDDR6(), 32, after(step{Read, 0, 1, 300}), step{Read, 4, 1, 0}, 304},
		{"WTR_S", GDDR6(), 32, after(step{Write, 0, 1, 300}), step{Read, 1, 1, 0}, 317},
		{"WTR_L", GDDR6(), 32, after(step{Write, 0, 1, 300}), step{Read, 4, 1, 0}, 319},
		{"WR", GDDR6(), 32, after(step{Write, 0, 1, 300}), step{Precharge, 0, 1, 0}, 335},
		{"RFC", GDDR6(), 32, []step{{Refresh, 0, 0, 0}}, step{Activate, 0, 1, 0}, 211},
	}
}

// TestGDDR6: 14 Gb/s on 16 pins are 28 GB/s a channel, and the twelve channels of a 192-bit board 336 GB/s.
func TestGDDR6(t *testing.T) {
	s := GDDR6()
	if got := s.BytesPerCommandClock * 1750 * 12; got != 336_000 {
		t.Errorf("%d MB/s", got)
	}
	if r := resolve(t, s, 32); r.BurstCycles != 2 || r.CL != 24 || r.WL != 6 {
		t.Errorf("%+v", r)
	}
}
