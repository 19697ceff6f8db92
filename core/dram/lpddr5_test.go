package dram

import "testing"

// lpddr5Pins are cases with the numbers of JESD209-5B at 6400 Mb/s, and of the constraints of lpddr5Rows.
func lpddr5Pins() []pin {
	open := []step{{Activate, 0, 1, 0}, {Activate, 1, 1, 100}, {Activate, 4, 1, 200}}
	after := func(s ...step) []step { return append(open[:3:3], s...) }
	return []pin{
		{"RCD", LPDDR5(), 32, []step{{Activate, 0, 1, 0}}, step{Read, 0, 1, 0}, 15},
		// ACT-1 and ACT-2 hold the command bus for two clocks.
		{"command bus", LPDDR5(), 32, after(), step{Read, 0, 1, 0}, 202},
		{"command bus", LPDDR5(), 32, after(), step{Write, 0, 1, 0}, 202},
		{"command bus", LPDDR5(), 32, after(), step{Precharge, 0, 1, 0}, 202},
		{"PPD", LPDDR5(), 32, after(step{Precharge, 0, 1, 300}), step{Precharge, 1, 1, 0}, 302},
		{"RTW", LPDDR5(), 32, after(step{Read, 0, 1, 300}), step{Write, 1, 1, 0}, 312},
		{"WTR_S", LPDDR5(), 32, after(step{Write, 0, 1, 300}), step{Read, 1, 1, 0}, 316},
		{"WTR_L", LPDDR5(), 32, after(step{Write, 0, 1, 300}), step{Read, 4, 1, 0}, 323},
		{"RFCPB", LPDDR5(), 32, []step{{RefreshBank, 0, 0, 0}}, step{Activate, 0, 1, 0}, 112},
		{"RREFD", LPDDR5(), 32, []step{{RefreshBank, 0, 0, 0}}, step{Activate, 1, 1, 0}, 6},
		{"pbR2pbR", LPDDR5(), 32, []step{{RefreshBank, 0, 0, 0}}, step{RefreshBank, 1, 0, 0}, 72},
	}
}

// TestLPDDR5: 6.4 and 8.5 Gb/s on 16 pins are 12.8 and 17.1 GB/s a channel. The faster one has at least the nanoseconds of
// the slower, and the read and write latencies of JESD209-5B.
func TestLPDDR5(t *testing.T) {
	slow, fast := LPDDR5(), LPDDR5X()
	if a, b := slow.BytesPerCommandClock*800, fast.BytesPerCommandClock*1066; a != 12_800 || b != 17_056 {
		t.Errorf("%d and %d MB/s", a, b)
	}
	if fast.CL != 23 || fast.WL != 12 {
		t.Errorf("read latency %d, write latency %d", fast.CL, fast.WL)
	}
	for _, c := range Constants {
		if c.Time && *c.of(&fast)*800 < *c.of(&slow)*1066 {
			t.Errorf("%s: %d clocks, %d at 800 MHz", c.Symbol, *c.of(&fast), *c.of(&slow))
		}
	}
}
