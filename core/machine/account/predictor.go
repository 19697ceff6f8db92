package account

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// predictorFemtojoules is the energy of one bit of a predictor's row. RFVP computed it with
// CACTI and gives no figure, so this is Dally's 50 pJ for 256 bits of an 8 KB SRAM, which is
// about the size of the table (energy/README.md).
const predictorFemtojoules = 50_000 / 256

// predictor adds the energy of a predictor of load values to that of L1. Its additions and
// its random register cost too little to count [ours].
func (a *accounting) predictor(s *stat.Set) {
	if s[stat.PredictorBits] == 0 {
		return
	}
	t := energy.Events(stat.Describe(stat.PredictorBits).Name, s[stat.PredictorBits], "loads.predictor", predictorFemtojoules)
	t.Source = "table 7 of doi 10.1186/s12859-018-2389-6 (Dally): 50 pJ for 256 bits of an 8 KB SRAM; RFVP names CACTI and gives no figure"
	a.add("l1", t)
}
