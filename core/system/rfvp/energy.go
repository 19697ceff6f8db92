package rfvp

import "github.com/burstscope/burstscope/core/energy"

// bitFemtojoules is the energy of one bit of a predictor's row. RFVP computed it with CACTI and gives no figure, so
// this is Dally's 50 pJ for 256 bits of an 8 KB SRAM, which is about the size of the table (energy/README.md).
const bitFemtojoules = 50_000 / 256

// charges returns the energy of the predictor, a part of L1's. Its additions and its random register cost too little to
// count [ours].
func charges() []energy.Charge {
	return []energy.Charge{{
		Part: "l1", Counter: PredictorBits, Path: "loads.predictor", Femtojoules: bitFemtojoules, If: PredictorBits,
		Source: "table 7 of doi 10.1186/s12859-018-2389-6 (Dally): 50 pJ for 256 bits of an 8 KB SRAM; " +
			"RFVP names CACTI and gives no figure",
	}}
}
