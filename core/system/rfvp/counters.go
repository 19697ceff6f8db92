package rfvp

import "github.com/burstscope/burstscope/core/stat"

// Counters of a policy that predicts. Package sm counts the training requests and the lanes that read a wrong line.
const (
	ApproximateMisses = stat.FirstPlace + iota
	ApproximateUntrained
	PredictedLanes
	PredictedExactLanes
	PredictorBits
)

var counters = []stat.Group{
	{First: ApproximateMisses, After: stat.L1Prefetches, Infos: []stat.Info{
		{Name: "approximateMisses", Unit: "lines",
			Doc: "Load lines of approximate loads that L1 did not hold."},
		{Name: "approximateUntrained", Unit: "lines",
			Doc: "Of these: lines that were drawn to be dropped, but the load had no row in the predictor."},
	}},
	{First: PredictedLanes, After: stat.ApproximateTrainings, Infos: []stat.Info{
		{Name: "predictedLanes", Unit: "values",
			Doc: "Values that predicted lines gave to the lanes of the load that missed."},
		{Name: "predictedExactLanes", Unit: "values",
			Doc: "Of these: values equal to those of L2 and DRAM."},
	}},
	{First: PredictorBits, After: stat.InexactHitLanes, Infos: []stat.Info{
		{Name: "predictorBits", Unit: "bits",
			Doc: "Bits of the predictor's rows that were read and written."},
	}},
}
