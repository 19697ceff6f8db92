package metric

import "github.com/burstscope/burstscope/core/system"

// Who defines what a metric means.
const (
	counted    = "counted by the simulator"
	slcAndE2MC = "SLC (DATE 2019) and E2MC (IPDPS 2017)"
	slc        = "SLC (DATE 2019)"
	e2mc       = "E2MC (IPDPS 2017)"
	// AxBench's measure of numbers, applications/blackscholes/scripts/qos.py (fft and
	// inversek2j have the same rule): |x-x'| / |x| of each value, 1 if it exceeds 1 or is
	// not a number, and 1 wherever x is 0.
	axbench = "AxBench (IEEE Design & Test 2017), its scripts qos.py"
	// SLC reports the share of incorrect decisions of JM; applications/jmeint/scripts/qos.py
	// of AxBench counts the values that differ.
	missRates = "SLC (DATE 2019), section IV-B; AxBench's qos.py of jmeint"
)

const (
	lower  = system.Lower
	higher = system.Higher
)

// ofMachine are the metrics that every run has, the most important first.
var ofMachine = []Metric{
	{
		Name: "cycles", Title: "Cycles", Row: "cycles", Poster: true, Unit: "core cycles", Formula: "cycles",
		About:  "Core clock cycles until the last store has left the chip.",
		Source: counted, Format: "{count}", Better: lower, Compare: "speedup", Also: []string{"warpInstructions"},
	},
	{
		Name: "seconds", Title: "Simulated time", Unit: "s", Formula: "seconds",
		About:  "The cycles divided by the core clock.",
		Source: counted, Format: "{seconds}", Better: lower, Compare: "speedup",
	},
	{
		Name: "dramBytes", Title: "Bytes moved", Row: "bytes moved", Poster: true, Unit: "bytes", Formula: "dramReadBytes + dramWriteBytes",
		About:  "All bytes that crossed the DRAM buses, metadata included.",
		Source: counted, Format: "{bytes}", Better: lower, Compare: "change", Also: []string{"burstsRead", "burstsWritten", "burstsMetadata"}, Claim: "dram_bytes",
	},
	{
		Name: "blocksMoved", Title: "Blocks moved", Unit: "blocks",
		Formula: "blocksReadRaw + blocksReadLossless + blocksReadLossy + blocksWrittenRaw + blocksWrittenLossless + blocksWrittenLossy",
		About:   "Blocks of 128 bytes that were read from DRAM or written to it.",
		Source:  counted, Format: "{short}",
	},
	{
		Name: "compressionRatioRaw", Title: "Raw compression ratio", Row: "raw ratio", Term: "raw ratio", Unit: "x", Formula: "blocksMoved * 1024 / (blockReadBits + blockWriteBits)",
		About:  "Bits of the blocks divided by bits of their codes. This ignores rounding to whole bursts, so it overstates the bandwidth saved.",
		Source: slcAndE2MC, Format: "{ratio}", Better: higher, Claim: "cr_raw",
	},
	{
		Name: "compressionRatioEffective", Title: "Effective compression ratio", Row: "effective ratio", Term: "effective ratio", Poster: true, Unit: "x",
		Formula: "blocksMoved * 128 / ((blocksMoved * 128 / mag - burstsSaved) * mag)",
		About:   "The ratio after every block is rounded up to whole bursts: a code of 71 B moves 96 B at a MAG of 32 B.",
		Source:  slcAndE2MC, Format: "{ratio}", Better: higher, Compare: "mag", Also: []string{"burstsRead", "burstsWritten"}, Claim: "cr_mag",
	},
	{
		Name: "burstsSavedShare", Title: "Bursts saved", Row: "bursts saved", Term: "burst", Poster: true, Unit: "share", Formula: "burstsSaved / (burstsRead + burstsWritten + burstsSaved)",
		About:  "Share of the bursts that an uncompressed memory would move for the same blocks.",
		Source: counted, Format: "{share}", Better: higher,
	},
	{
		Name: "lossyShare", Title: "Blocks approximated", Row: "approximated", Term: "approximation", Poster: true, Unit: "share", Formula: "(blocksReadLossy + blocksWrittenLossy) / blocksMoved",
		About:  "Share of the blocks whose code was a few bytes above a burst and had symbols cut to fit.",
		Source: slc, Format: "{share}", Also: []string{"truncatedSymbols", "excessBits"},
	},
	{
		Name: "metadataHitRate", Title: "Metadata hits", Row: "metadata hits", Term: "metadata cache", Unit: "share", Formula: "metadataHits / metadataAccesses", Claim: "md_hit",
		About:  "How often the controller knew a block's burst count without reading it from DRAM.",
		Source: e2mc, Format: "{share}", Better: higher, Also: []string{"metadataMisses", "metadataReads", "metadataWritebacks"},
	},
	{
		Name: "rowHitRate", Title: "Row hits", Row: "row hits", Unit: "share", Formula: "rowHits / (burstsRead + burstsWritten + burstsMetadata)",
		About:  "Share of the bursts that found their DRAM row open.",
		Source: counted, Format: "{share}", Better: higher, Also: []string{"activates", "precharges"},
	},
	{
		Name: "joules", Title: "Energy", Row: "energy", Unit: "J", Formula: "joules",
		About:  "Sum over all parts of the machine: events times the energy of one event, and power times time.",
		Source: "the values of the machine, each with its own source", Format: "{joules}", Better: lower, Compare: "change",
		Also: []string{"cycles", "activates", "dramReadBytes", "dramWriteBytes"}, Claim: "energy",
	},
	{
		Name: "edpJouleSeconds", Title: "Energy × delay", Row: "EDP", Term: "EDP", Unit: "J s", Formula: "edpJouleSeconds",
		About:  "Energy times the time of the run: lower means less energy, less time or both.",
		Source: counted, Format: "{joules}·s", Better: lower, Compare: "change", Also: []string{"joules", "seconds"}, Claim: "edp",
	},
	{
		Name: "error", Title: "Output error", Row: "output error", Poster: true, Unit: "share", Formula: "error",
		About:  "How far the output is from the exact output, by the program's own measure. Lossless schemes have exactly 0.",
		Source: "the measure that each paper uses for the program", Format: "{percent}", Better: lower, Compare: "measure", Claim: "err",
	},
	{
		Name: "mre", Title: "Mean relative error", Row: "MRE", Term: "MRE", Under: "error", Unit: "share", Formula: "mre",
		About:  "Mean relative error of the output values, without a bound. A value below a millionth of the mean exact value divides by that millionth. " + ZeroRule,
		Source: slc + "; the rule for zeros is ours", Format: "{percent}", Better: lower, Also: []string{"outputZerosWrong"},
	},
	{
		Name: "mreCapped", Title: "MRE, capped at 1", Row: "MRE, capped", Term: "MRE", Under: "error", Unit: "share", Formula: "(cappedErrorSum + outputZerosWrong) / outputElements",
		About:  "Mean over all output values of the relative error, at most 1 each. " + ZeroRule,
		Source: axbench + "; the rule for zeros is ours", Format: "{percent}", Better: lower, Also: []string{"outputZeros"}, Claim: "mre_capped",
	},
	{
		Name: "mreCappedNonzero", Title: "MRE, capped, no exact zeros", Row: "capped, no 0", Term: "MRE", Under: "error", Unit: "share", Formula: "cappedErrorSum / outputNonzeros",
		About:  "Mean of the relative error, at most 1 each, over the output values whose exact value is not 0.",
		Source: axbench, Format: "{percent}", Better: lower, Also: []string{"outputZerosWrong"}, Claim: "mre_capped_nonzero",
	},
	{
		Name: "mreNonzero", Title: "MRE, no exact zeros", Row: "MRE, no 0", Term: "MRE", Under: "error", Unit: "share", Formula: "relativeErrorSum / outputNonzeros",
		About:  "Mean of the relative error, without a bound, over the output values whose exact value is not 0.",
		Source: slc + "; leaving out zeros is ours", Format: "{percent}", Better: lower, Also: []string{"outputZerosWrong"}, Claim: "mre_nonzero",
	},
	{
		Name: "missRate", Title: "Miss rate", Row: "miss rate", Term: "miss rate", Under: "error", Unit: "share", Formula: "decisionsWrong / decisions",
		About:  "Share of the output values that differ, of a program whose outputs are decisions, classes or counts.",
		Source: missRates, Format: "{percent}", Better: lower, Claim: "miss_rate",
	},
	{
		Name: "axbenchError", Title: "AxBench's error", Row: "AxBench", Term: "MRE", Under: "error", Unit: "share", Formula: "(cappedErrorSum + outputZeros) / outputElements",
		About:  "The capped error as AxBench's scripts compute it: every element whose exact value is 0 counts 1, even if the output is 0 too. An exact run of a program with zeros has this error as well.",
		Source: axbench, Format: "{percent}", Better: lower, Also: []string{"outputZeros", "outputZerosWrong"}, Claim: "axbench_error",
	},
	{
		Name: "ipc", Title: "Instructions per cycle", Unit: "instructions", Formula: "warpInstructions / cycles / sms",
		About:  "Warp instructions that each SM issued in a cycle.",
		Source: counted, Format: "ipc {ratio}", Better: higher, Also: []string{"smActiveCycles", "stallMemoryCycles", "stallPipelineCycles"},
	},
	{
		Name: "l1HitRate", Title: "L1 hits", Unit: "share", Formula: "l1Hits / l1Accesses",
		About:  "Share of the load lines that the SM found in its own cache.",
		Source: counted, Format: "{percent}", Better: higher, Also: []string{"l1Misses", "l1Merged", "l1Writes", "l1Bypasses"}, Claim: "l1_hit",
	},
	{
		Name: "l1LinesMissed", Title: "L1 misses", Unit: "lines", Formula: "l1Misses",
		About:  "Load lines that L1 asked L2 for. Loads that wait for a line on order are not among them.",
		Source: counted, Format: "{short}", Better: lower, Also: []string{"l1Merged"}, Claim: "l1_misses",
	},
	{
		Name: "textureHitRate", Title: "Texture cache hits", Row: "texture hits", Unit: "share", Formula: "textureHits / textureAccesses",
		About:  "Share of the lines of texture instructions that the texture cache held or had on order. Without textures there are none.",
		Source: counted, Format: "{percent}", Better: higher, Also: []string{"textureFetches", "textureMerged", "textureMisses", "textureBlocked"},
	},
	{
		Name: "textureLines", Title: "Lines asked of the texture cache", Unit: "lines", Formula: "textureHits + textureMisses",
		About:  "Lines of 128 bytes that texture instructions touched, after coalescing.",
		Source: counted, Format: "{short}", Also: []string{"textureAccesses"},
	},
	{
		Name: "tlbHitRate", Title: "TLB hits", Row: "TLB hits", Unit: "share", Formula: "tlbHits / tlbAccesses",
		About:  "Share of the packets behind L1 whose page the TLB of their SM had. With tlb.on off there are none.",
		Source: counted, Format: "{percent}", Better: higher, Also: []string{"tlbMerged", "tlbMisses",
			"tlbArithmeticCycles"},
	},
	{
		Name: "l2TLBHitRate", Title: "Shared TLB hits", Unit: "share", Formula: "l2TLBHits / l2TLBAccesses",
		About:  "Share of the pages asked of the TLB of all SMs that it had.",
		Source: counted, Format: "{percent}", Better: higher, Also: []string{"l2TLBMerged", "l2TLBMisses"},
	},
	{
		Name: "pageWalkCount", Title: "Page walks", Unit: "walks", Formula: "pageWalks",
		About:  "Walks of the page table, for pages that no TLB had.",
		Source: counted, Format: "{short}", Better: lower, Also: []string{"pageWalkCycles", "pageWalkQueueCycles"},
	},
	{
		Name: "tlbWait", Title: "Wait for a translation", Unit: "core cycles", Formula: "tlbWaitCycles / tlbAccesses",
		About: "Mean time that a packet behind L1 waited for its translation, hits included, and then for its " +
			"place in the crossbar.",
		Source: counted, Format: "{short} cycles", Better: lower,
	},
	{
		Name: "l2HitRate", Title: "L2 hits", Unit: "share", Formula: "l2Hits / l2Accesses",
		About:  "Share of the requests that L2 served without reading DRAM. A store that only fills its line counts as one.",
		Source: counted, Format: "{percent}", Better: higher, Also: []string{"l2Misses", "l2Merged", "l2Writebacks"},
	},
	{
		Name: "bandwidthShare", Title: "DRAM bandwidth used", Unit: "share", Formula: "dramBytes / (peakBytesPerSecond * seconds)",
		About:  "Bytes moved, divided by the bytes that the DRAM buses could move in the time of the run.",
		Source: counted, Format: "{percent} of peak",
	},
	{
		Name: "busBusy", Title: "DRAM bus in use", Unit: "share", Formula: "dataBusBusyCycles / dramCycles",
		About:  "Share of the DRAM cycles in which a data bus carried data.",
		Source: counted, Format: "{percent} of peak", Also: []string{"activates", "refreshes"},
	},
	{
		Name: "savedBytes", Title: "Saved by compression", Unit: "bytes", Formula: "burstsSaved * mag",
		About:  "Bytes of the blocks moved that did not have to cross the bus.",
		Source: counted, Format: "{bytes}", Better: higher,
	},
	{
		Name: "lines", Title: "Lines asked of L1", Unit: "lines", Formula: "l1Accesses + l1Writes + l1Bypasses + atomicLines",
		About:  "Lines of 128 bytes that the SMs touched after coalescing.",
		Source: counted, Format: "{short}",
	},
	{
		Name: "requests", Title: "Requests to L2", Unit: "lines", Formula: "l2Accesses",
		About:  "Requests that crossed the crossbar to L2.",
		Source: counted, Format: "{short}", Also: []string{"xbarRequestPackets", "xbarReplyPackets", "xbarRequestFlits", "xbarReplyFlits"},
	},
	{
		Name: "requestBytes", Title: "Bytes from the SMs to L2", Unit: "bytes", Formula: "xbarRequestFlits * requestFlitBytes",
		About:  "Bytes of requests and of the data of stores on the crossbar.",
		Source: counted, Format: "{bytes}",
	},
	{
		Name: "xbarBytes", Title: "Bytes over the crossbar", Unit: "bytes", Formula: "requestBytes + xbarReplyFlits * replyFlitBytes",
		About:  "Bytes of both ways between SMs and L2, headers included.",
		Source: counted, Format: "{bytes}", Also: []string{"xbarRequestPackets", "xbarReplyPackets"},
	},
	{
		Name: "xbarBusy", Title: "Crossbar in use", Unit: "share", Formula: "max(xbarRequestFlits, xbarReplyFlits) / (cycles * xbarClocks) / min(sms, slices)",
		About:  "Flits of the busier direction, divided by what the ports of the side with fewer ports could carry.",
		Source: counted, Format: "{percent} of peak",
	},
	{
		Name: "readQueue", Title: "Read queue of a channel", Unit: "blocks", Formula: "readQueueOccupancy / cycles / channels",
		About:  "Mean number of block reads that waited in a controller for DRAM.",
		Source: counted, Format: "queue {tenths}", Better: lower,
	},
	{
		Name: "blockBytes", Title: "Blocks asked of the controllers", Unit: "bytes", Formula: "(controllerReads + controllerWrites) * 128",
		About:  "Bytes that would cross the DRAM bus without compression, in whole blocks.",
		Source: counted, Format: "{bytes}", Also: []string{"controllerForwards"},
	},
}
