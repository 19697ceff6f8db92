package slc

import "github.com/burstscope/burstscope/core/system"

// source is what metrics name as theirs.
const source = "SLC (DATE 2019)"

// inputs are the numbers of a report that formulas may name.
var inputs = []system.Input{
	{Name: "mostSymbols", Unit: "symbols"},
	{Name: "mostBytesOverBudget", Unit: "bytes"},
}

// metrics are the rows of the table of metrics.
var metrics = []system.Metric{
	{
		Name: "excessBitsPerBlock", Title: "Bits cut beyond need", Unit: "bits",
		Formula: "excessBits / (blocksReadLossy + blocksWrittenLossy)",
		About:   "Bits that a lossy block lost beyond what the budget needed, in the mean.",
		Source:  source, Format: "{ratio}", Better: system.Lower, Claim: "excess_bits",
	},
	{
		Name: "mostSymbols", Title: "Most symbols cut", Unit: "symbols", Formula: "mostSymbols",
		About:  "Most symbols that were cut from one block.",
		Source: source, Format: "{count}", Claim: "max_approx_symbols",
	},
	{
		Name: "mostBytesOverBudget", Title: "Farthest above the budget", Unit: "bytes", Formula: "mostBytesOverBudget",
		About:  "Bytes by which the code of the largest block that was approximated exceeded its budget.",
		Source: source, Format: "{count}", Claim: "max_lossy_bytes_over_budget",
	},
}
