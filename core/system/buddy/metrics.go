package buddy

import "github.com/burstscope/burstscope/core/system"

// source is what metrics name as theirs.
const source = "Buddy Compression (ISCA 2020)"

// inputs are the numbers of a report that formulas may name.
var inputs = []system.Input{
	{Name: "allocationBytes", Unit: "bytes"},
	{Name: "deviceBytes", Unit: "bytes"},
}

// metrics are the rows of the table of metrics.
var metrics = []system.Metric{
	{
		Name: "capacityRatio", Title: "Capacity ratio", Row: "capacity", Unit: "x",
		Formula: "allocationBytes / deviceBytes",
		About:   "Bytes of all allocations divided by the device memory that they take under their targets.",
		Source:  source, Format: "{ratio}", Better: system.Higher, Claim: "cap",
	},
	{
		Name: "buddyAccessShare", Title: "Buddy accesses", Row: "buddy accesses", Unit: "share",
		Formula: "(buddyReads + buddyWrites) / (controllerReads + controllerWrites)", Needs: "deviceBytes",
		About:  "Share of the blocks that the controllers read and write with a part in buddy memory.",
		Source: source, Format: "{percent}", Better: system.Lower,
		Also: []string{"buddyReadBytes", "buddyWriteBytes"}, Claim: "buddy_frac",
	},
	{
		Name: "linkUtilisation", Title: "Link utilisation", Row: "link", Unit: "share",
		Formula: "linkBusyCycles / linkCycles",
		About:   "Share of the time in which the channels of the link carried packets, both directions together.",
		Source:  source, Format: "{percent}",
		Also: []string{"linkOutBytes", "linkInBytes", "linkHeaderBytes", "linkWaitCycles"}, Claim: "link_util",
	},
}
