package preset

import (
	"github.com/burstscope/burstscope/core/machine/parameter"
	"math"
	"testing"
)

// TestDRAMEnergies computes the energies of DRAM from the currents of DRAMsim3's
// files with its formulas, and from the picojoules a bit of Buddy Compression.
func TestDRAMEnergies(t *testing.T) {
	gddr5 := func(milliampCycles float64) float64 { return 1.5 * milliampCycles * 0.667 * 1000 } // fJ
	hbm2 := func(milliampCycles float64) float64 { return 1.2 * milliampCycles * 1 * 1000 }
	g, h, a := presetGTX580v4().spec().Energy, presetP100().spec().Energy, presetA100().spec().Energy
	for _, c := range []struct {
		name string
		got  uint64
		want float64
	}{
		{"GDDR5 activate", g.DRAMActivateFemtojoules, gddr5(490*60 - 450*42 - 250*18)},
		{"GDDR5 read", g.DRAMReadFemtojoules, gddr5((1080-450)*2) / 32},
		{"GDDR5 write", g.DRAMWriteFemtojoules, gddr5((1160-450)*2) / 32},
		{"GDDR5 refresh", g.DRAMRefreshFemtojoules, gddr5((450 - 450) * 98)},
		{"GDDR5 open", g.DRAMOpenMilliwatts, 1.5 * 450},
		{"GDDR5 closed", g.DRAMClosedMilliwatts, 1.5 * 250},
		{"GDDR5 pins", g.DRAMIOFemtojoules, 8 * 1.5 * 1.5 / (60 + 40) / 2 / 3.7e9 * 1e15},
		{"HBM2 activate", h.DRAMActivateFemtojoules, 909_000},
		{"HBM2 read", h.DRAMReadFemtojoules, 8 * 1510},
		{"HBM2 pins", h.DRAMIOFemtojoules, 8 * 1970},
		{"HBM2 refresh", h.DRAMRefreshFemtojoules, hbm2((250 - 55) * 260)},
		{"HBM2 open", h.DRAMOpenMilliwatts, 1.2 * 55},
		{"HBM2 closed", h.DRAMClosedMilliwatts, 1.2 * 40},
		{"pseudo-channel refresh", a.DRAMRefreshFemtojoules, hbm2((250-55)*260) / 2},
	} {
		if math.Abs(float64(c.got)-c.want) > 0.015*c.want+0.5 {
			t.Errorf("%s: %d, want %.0f", c.name, c.got, c.want)
		}
	}
}

// TestLaneEnergies: the energies of a thread's instructions cover every class,
// and take off their operands no more than they have.
func TestLaneEnergies(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range laneEnergies() {
		seen[parameter.ClassNames[e.class]] = true
		if e.picojoules <= e.operands*registerPicojoules || e.source == "" {
			t.Errorf("%s: %+v", parameter.ClassNames[e.class], e)
		}
	}
	if len(seen) != len(parameter.ClassNames) {
		t.Errorf("energies for %d of %d classes", len(seen), len(parameter.ClassNames))
	}
}
