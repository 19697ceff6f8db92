package latte

import "github.com/burstscope/burstscope/core/system"

// source is what metrics name as theirs.
const source = "LATTE-CC (HPCA 2018)"

// inputs are the numbers of a report that formulas may name.
var inputs = []system.Input{
	{Name: "toleranceP10", Unit: "core cycles"},
	{Name: "toleranceP90", Unit: "core cycles"},
}

// metrics are the rows of the table of metrics.
var metrics = []system.Metric{
	{
		Name: "l1Capacity", Title: "Effective capacity of L1", Row: "L1 capacity", Unit: "x",
		Formula: "l1PhaseSectors / l1PhaseRoomSectors",
		About: "Bytes of the lines that L1 holds, uncompressed, divided by its size: the mean over the " +
			"ends of experimental phases.",
		Source: source, Format: "{ratio}", Better: system.Higher,
		Also: []string{"l1PhasesNone", "l1PhasesLow", "l1PhasesHigh"}, Claim: "eff_cap",
	},
	{
		Name: "l1ShareLow", Title: "Phases with the codec of low latency", Unit: "share",
		Formula: "l1PhasesLow / (l1PhasesNone + l1PhasesLow + l1PhasesHigh)",
		About:   "Share of the experimental phases in which L1 compressed with the codec of low latency.",
		Source:  source, Format: "{percent}", Claim: "mode_share_bdi",
	},
	{
		Name: "l1ShareHigh", Title: "Phases with the codec of high capacity", Unit: "share",
		Formula: "l1PhasesHigh / (l1PhasesNone + l1PhasesLow + l1PhasesHigh)",
		About:   "Share of the experimental phases in which L1 compressed with the codec of high capacity.",
		Source:  source, Format: "{percent}", Claim: "mode_share_sc",
	},
	{
		Name: "toleranceP10", Title: "Latency tolerance, tenth percentile", Unit: "core cycles",
		Formula: "toleranceP10",
		About: "Latency that the warps hide: ready warps times the run of one warp. A tenth of the " +
			"experimental phases have at most this.",
		Source: source, Format: "{tenths}", Claim: "tol_p10",
	},
	{
		Name: "toleranceP90", Title: "Latency tolerance, ninetieth percentile", Unit: "core cycles",
		Formula: "toleranceP90",
		About:   "Latency that the warps hide. Nine tenths of the experimental phases have at most this.",
		Source:  source, Format: "{tenths}", Claim: "tol_p90",
	},
	{
		Name: "l1Queue", Title: "Queue of the decompressor", Unit: "lines",
		Formula: "l1QueuePositions / l1Decompressions",
		About:   "Lines in front of a line that enters the decompressor's queue, in the mean.",
		Source:  source, Format: "{tenths}", Better: system.Lower,
	},
	ratioOf("BDI", "BDI", "l1RatioLines", "cr_l1_bdi"),
	ratioOf("FPC", "FPC", "l1RatioLines", "cr_l1_fpc"),
	ratioOf("CPACKZ", "C-PACK+Z", "l1RatioLines", "cr_l1_cpackz"),
	ratioOf("BPC", "BPC", "l1RatioLines", "cr_l1_bpc"),
	ratioOf("SC", "SC", "l1RatioLinesSC", "cr_l1_sc"),
}

// ratioOf is the row of a codec that Ratios measures: name ends the names of the metric and of its counter of bits, and
// lines is the counter of lines.
func ratioOf(name, title, lines, claim string) system.Metric {
	return system.Metric{
		Name: "l1Ratio" + name, Title: "Lines of L1 under " + title, Unit: "x",
		Formula: lines + " * 1024 / l1RatioBits" + name,
		About: "Bits of the lines that entered L1, divided by the bits of their codes under " + title + ". A run " +
			"measures it with l1.ratios on.",
		Source: source, Format: "{ratio}", Better: system.Higher, Claim: claim,
	}
}
