package rfvp

import "github.com/burstscope/burstscope/core/system"

// source is what metrics name as theirs.
const source = "RFVP (TACO 12(4))"

// inputs are the numbers of a report that formulas may name.
var inputs = []system.Input{
	{Name: "loadLanes", Unit: "values"},
	{Name: "approximateLanes", Unit: "values"},
}

// metrics are the rows of the table of metrics.
var metrics = []system.Metric{
	{
		Name: "droppedShare", Title: "Requests dropped", Row: "dropped", Unit: "share",
		Formula: "l1Answered / approximateMisses",
		About: "Share of the misses of approximate loads that were answered with predicted values. The " +
			"others were not drawn, or the predictor had no row.",
		Source: source, Format: "{percent}",
		Also: []string{"approximateMisses", "approximateUntrained", "approximateTrainings"},
	},
	{
		Name: "predictionAccuracy", Title: "Exact predictions", Unit: "share",
		Formula: "predictedExactLanes / predictedLanes",
		About:   "Share of the predicted values that equal those of L2 and DRAM.",
		Source:  source, Format: "{percent}", Better: system.Higher,
		Also: []string{"predictorBits"}, Claim: "pred_exact",
	},
	{
		Name: "inexactLoads", Title: "Loads that got wrong values", Unit: "share",
		Formula: "(predictedLanes - predictedExactLanes + inexactHitLanes) / loadLanes",
		About: "Share of all values loaded from global and local memory that were predicted and wrong, " +
			"also those read later from a predicted line in L1.",
		Source: source, Format: "{percent}", Better: system.Lower, Claim: "approx_load_frac",
	},
	{
		Name: "exactAssignment", Title: "Approximate loads that got exact values", Unit: "share",
		Formula: "1 - (predictedLanes - predictedExactLanes + inexactHitLanes) / approximateLanes",
		About:   "Share of the values of approximate loads, hits in L1 included, that are exact.",
		Source:  source, Format: "{percent}", Better: system.Higher, Claim: "approx_exact_prob",
	},
}
