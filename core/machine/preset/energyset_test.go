package preset

import (
	"strings"
	"testing"
)

// Every value of a set fits a value of the machine and names its source. On gtx580v4 the set
// has the proportions of its source, scaled to 40 nm.
func TestEnergySetFitsTheMachine(t *testing.T) {
	for _, gpu := range []string{"gtx580v4", "gtx480"} {
		list, err := EnergyValues("budget28", gpu)
		if err != nil {
			t.Fatal(err)
		}
		s, err := GPU(gpu)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			e := s.Values().Find(v.Path)
			if e == nil || v.Source == "" {
				t.Fatalf("%s: %+v", gpu, v)
			}
			if f := e.Set(v.Value); f != nil {
				t.Errorf("%s: %s: %s", gpu, v.Path, f.Message)
			}
		}
		e := s.Energy
		// 50 pJ for 32 bytes of SRAM and 320 pJ for 40 bytes over 10 mm at 28 nm; 16 nJ a line.
		if e.L2SectorFemtojoules != 50_000*40/28 || e.FlitFemtojoules != 320_000*40/28 || e.DRAMReadFemtojoules*128 != 16_000_000 || e.DRAMWriteFemtojoules != e.DRAMReadFemtojoules {
			t.Errorf("%s: %+v", gpu, e)
		}
		if e.DRAMActivateFemtojoules != 0 || e.DRAMIOFemtojoules != 0 {
			t.Errorf("%s: a line's 16 nJ are counted twice", gpu)
		}
	}
	for _, bad := range [][2]string{{"none", "gtx580v4"}, {"budget28", "nothing"}, {"budget28", "v100"}} {
		if list, err := EnergyValues(bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), ": use ") {
			t.Errorf("%v: %v, %v", bad, list, err)
		}
	}
}
