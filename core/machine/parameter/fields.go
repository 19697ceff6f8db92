package parameter

import (
	"slices"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// Parameter describes a value of a GPU. Its path is the Go path of the value
// with the first letters in lower case, as scenarios and describe write it.
type Parameter struct {
	Path      string
	Unit      string
	Low, High int64 // bounds of a number
	Doc       string
}

// fields names every value of a GPU except the arrays of timing, which
// timingFields names. A value of a GPU without an entry here, or an entry here
// without a source in a preset, fails the tests of this package.
var fields = slices.Concat([]Parameter{
	{"sms", "SMs", 1, 192, "streaming multiprocessors"},
	{"coreMHz", "MHz", 1, 10_000, "clock of SMs"},
	{"xbarMHz", "MHz", 0, 20_000, "clock of the crossbars, whose ports move one flit a clock; 0 = that of the SMs"},
	{"l2MHz", "MHz", 0, 20_000, "clock of the L2 slices, which take one request a clock; 0 = that of the SMs"},
	{"xbar.inputQueues", "", 0, 0, "packets of an input of a crossbar that can move: the oldest (fifo), or the oldest for each output (voq)"},
	{"dramMHz", "MHz", 1, 10_000, "command clock of DRAM"},
	{"requestLatencyCycles", "core cycles", 2, 4096, "latency from an SM to an L2 slice without load"},
	{"replyLatencyCycles", "core cycles", 2, 4096, "latency from an L2 slice to an SM without load"},
	{"l2LatencyCycles", "core cycles", 0, 4096, "pipeline in front of an L2 slice"},
	{"hostLink", "", 0, 0, "link between host and GPU, over which data of copies come and values are read back; none = " +
		"they take no time"},
	{"launchGapCycles", "core cycles", 0, 1_000_000, "between the end of a launch and the start of the next"},
	{"ctaIntervalMillicycles", "core cycles / 1000", 0, 1_000_000, "between the starts of two CTAs, on all SMs together; 0 = each SM starts one in each cycle"},
	{"controllers", "controllers", 1, 64, "memory controllers"},
	{"channels", "channels", 1, 16, "memory channels of a controller, each behind an L2 slice"},
	{"memoryBytes", "bytes", 1 << 20, 1 << 40, "device memory"},
	{"placement", "", 0, MaxPlacement, "where buffers lie: 0 = each behind the " +
		"one before it; another number is an arrangement with gaps, to see how far a result depends on addresses"},
	{"compile", "", 0, 0, "order of the instructions of a block: that of the PTX (asWritten), or that of a list " +
		"scheduler, which moves loads up as a driver's compiler does (scheduled); or as in the PTX, with one load for each " +
		"element of a vector from global memory (scalarLoads)"},
	{"addressMap", "", 0, 0, "address bits of rows (R), banks (B), columns (C) and bytes (S) in a channel"},
	{"addressHash", "", 0, 0, "address bits that are hashed into bank and channel numbers"},

	{"sm.warps", "warps", 1, sm.MaxWarps, "resident warps of an SM"},
	{"sm.ctas", "CTAs", 1, 64, "resident CTAs of an SM"},
	{"sm.registers", "registers", 32, 1 << 20, "32-bit registers of an SM"},
	{"sm.registerUnit", "registers", 1, 4096, "registers of a warp are allocated in multiples of this"},
	{"sm.warpUnit", "warps", 1, 8, "the number of warps that fit into the registers is rounded down to a multiple of this"},
	{"sm.sharedBytes", "bytes", 0, 1 << 20, "shared memory of an SM"},
	{"sm.sharedUnit", "bytes", 1, 4096, "shared memory of a CTA is allocated in multiples of this"},
	{"sm.schedulers", "schedulers", 1, sm.MaxSchedulers, "warp schedulers of an SM"},
	{"sm.policy", "", 0, 0, "how a scheduler chooses a warp: greedy then oldest (gto), in turn (lrr), in turn among active warps (two-level)"},
	{"sm.activeWarps", "warps", 1, 64, "active warps of a scheduler under two-level"},
	{"sm.issueWidth", "instructions", 1, 2, "instructions of one warp that a scheduler issues in a cycle, to different units"},
	{"sm.pipelineCycles", "core cycles", 0, 64, "stages that every result passes beside those of its unit"},
	{"sm.fetch.width", "instructions", 0, 8, "instructions a fetch brings into a warp's buffer; 0 = fetching takes no time"},
	{"sm.fetch.perCycle", "warps", 1, 8, "warps that are served in a cycle"},
	{"sm.fetch.latencyCycles", "core cycles", 0, 64, "from a fetch to the first issue of its instructions"},
	{"sm.fetch.instructionBytes", "bytes", 1, 16, "size of an instruction"},
	{"sm.fetch.cache.sets", "sets", 0, 4096, "sets of an instruction cache; 0 = every fetch hits"},
	{"sm.fetch.cache.ways", "ways", 1, 256, "ways of an instruction cache"},
	{"sm.fetch.cache.lineBytes", "bytes", 32, 128, "line of an instruction cache"},
	{"sm.fetch.cache.mshrs", "lines", 1, 8, "lines an instruction cache has on order"},
	{"sm.constant.latencyCycles", "core cycles", 0, 1024, "from issue to data of .param and .const on a hit; 0 = the time of a move, without a cache"},
	{"sm.constant.launchCycles", "core cycles", 0, 100000,
		"for which a launch's first read of .param keeps the load/store unit, without a constant cache"},
	{"sm.constant.cache.sets", "sets", 0, 4096, "sets of a constant cache; 0 = every read hits"},
	{"sm.constant.cache.ways", "ways", 1, 256, "ways of a constant cache"},
	{"sm.constant.cache.lineBytes", "bytes", 32, 128, "line of a constant cache"},
	{"sm.constant.cache.mshrs", "lines", 1, 8, "lines a constant cache has on order"},
	{"sm.texture.sets", "sets", 1, 4096, "sets of a texture cache"},
	{"sm.texture.ways", "ways", 1, 256, "ways of a texture cache"},
	{"sm.texture.mshrs", "lines", 1, 4096, "lines a texture cache has on order"},
	{"sm.texture.latencyCycles", "core cycles", 1, 1024, "from lookup in the texture cache to the filtered result of a hit"},
	{"sm.texture.lanesPerCycle", "lanes", 1, 32, "lanes whose texels the texture unit filters in a cycle"},
	{"sm.texture.queueDepth", "fetches", 1, 64, "texture instructions that the texture unit holds"},
	{"sm.banks", "banks", 1, sm.MaxBanks, "banks of shared memory, four bytes wide"},
	{"sm.sharedLatency", "core cycles", 1, 1024, "from issue to data of shared memory without conflicts"},
	{"sm.queueDepth", "instructions", 1, 64, "memory instructions the load/store unit holds"},
	{"sm.flitBytes", "bytes", 1, 1024, "flit of the request crossbar"},
	{"sm.l1Loads", "", 0, 0, "global loads use L1"},
	{"sm.wholeSegments", "", 0, 0, "stores and atomics move whole aligned segments of 32, 64 or 128 bytes, not the sectors that they touch"},
	{"sm.atomics", "", 0, 0, "requests of an atomic instruction: one for each line (lines), or for each " +
		"line of half a warp, where lanes of the same bytes have requests of their own (halves)"},
	{"sm.warpInstructionLimit", "instructions", 1, 1 << 40, "limit for one warp; beyond it the run ends with an error, as an endless loop"},
	{"sm.l1.sets", "sets", 1, 4096, "sets of an L1"},
	{"sm.l1.ways", "ways", 1, 256, "ways of an L1"},
	{"sm.l1.index", "", 0, 0, "how an address chooses its set of L1"},
	{"sm.l1.sectored", "", 0, 0, "a miss in L1 asks only for the sectors that it needs"},
	{"sm.l1.mshrs", "lines", 1, 4096, "lines an L1 has on order"},
	{"sm.l1.merges", "loads", 1, 16, "loads that can wait for one line"},
	{"sm.l1.local", "", 0, 0, "stores to local memory that hit L1: they go on to L2 (through), or stay until the line leaves (back)"},
	{"sm.l1.stores", "", 0, 0, "what a store does to its line in L1 on the way to L2: the line leaves (drop), or takes the bytes (keep); an L1 with a scheme drops it"},
	{"sm.l1.acquire", "", 0, 0, "what an acquire or a fence of scope .gpu or .sys does: L1 drops its lines of global memory (forget), or keeps them, so that later loads may see older bytes (keep)"},
	{"sm.l1.launches", "", 0, 0, "lines of L1 between two launches: all leave (forget), or those stay whose " +
		"bytes are those of memory (keep)"},
	{"sm.l1.passCycles", "core cycles", 0, 1024, "time that misses and stores take to pass L1 on the way to L2"},
	{"sm.l1.latencyCycles", "core cycles", 1, 1024, "from lookup in L1 to data in the register file"},

	{"tlb.on", "", 0, 0, "whether translating addresses takes time: behind L1, by a TLB in each SM, one that all " +
		"share, and page walks"},
	{"tlb.l1.entries", "entries", 0, 4096, "entries of the fully associative TLB of an SM; 0 = not known of this GPU"},
	{"tlb.l1.pageBytes", "bytes", 0, 1 << 30, "memory that an entry of an SM's TLB covers"},
	{"tlb.l1.misses", "pages", 0, cache.MaxTLBMisses, "pages that an SM's TLB has on order"},
	{"tlb.l2.entries", "entries", 0, 1 << 16, "entries of the TLB that all SMs share"},
	{"tlb.l2.ways", "ways", 0, 4096, "ways of the shared TLB"},
	{"tlb.l2.pageBytes", "bytes", 0, 1 << 32, "memory that an entry of the shared TLB covers"},
	{"tlb.l2.latencyCycles", "core cycles", 0, 4096, "from a miss in an SM's TLB to the translation, if the shared " +
		"TLB has it"},
	{"tlb.walkers", "walks", 0, 1024, "page walks at once"},
	{"tlb.walkCycles", "core cycles", 0, 65536, "time of a page walk"},
	{"tlb.arithmeticCycles", "core cycles", 0, 1024, "added to each translation of a page whose sectors a storage " +
		"places, as with entries behind a link"},

	{"l2.sets", "sets", 1, 1 << 16, "sets of an L2 slice"},
	{"l2.ways", "ways", 1, 256, "ways of an L2 slice"},
	{"l2.index", "", 0, 0, "how a line's place in its channel chooses its set of L2"},
	{"l2.mshrs", "blocks", 1, 4096, "blocks an L2 slice has on order"},
	{"l2.merges", "requests", 1, 64, "requests that can wait for one block"},
	{"l2.flitBytes", "bytes", 1, 1024, "flit of the reply crossbar"},
	{"l2.sectorFill", "", 0, 0, "L2 reads only the requested sectors"},
	{"l2.writeMiss", "", 0, 0, "what a store that misses L2 does: it takes a line without reading it (allocate), or goes to DRAM while the line is read (fetch)"},
	{"l2.farCycles", "core cycles", 0, 1024, "how much later the other half of L2 answers, until the SM's own half has " +
		"a copy of the line; 0 = no halves; only under allocate"},
	{"l2.missQueueBlocks", "blocks", 1, 64, "requests to DRAM that wait inside a slice; only under fetch"},
	{"l2.dramQueueBlocks", "blocks", 1, 1024, "requests between a slice and its memory channel"},
	{"l2.requestQueuePackets", "packets", 0, 1024, "requests that have passed the pipeline and wait in front of a slice; 0 = bounded with those in the pipeline"},
	{"l2.replyQueuePackets", "packets", 1, 1024, "replies that wait between a slice and the crossbar"},
	{"l2.sectorAcks", "", 0, 0, "each sector of a store gets an acknowledgement packet of its own"},

	{"controller.schedule", "", 0, 0, "drain: reads and writes wait in two queues, and writes are drained in batches; joint: both wait in one queue"},
	{"controller.queueBlocks", "blocks", 1, 1024, "requests that no bank has taken, per channel (schedule joint)"},
	{"controller.readQueueBlocks", "blocks", 1, 4096, "block reads that wait for DRAM, per channel (schedule drain)"},
	{"controller.writeQueueBlocks", "blocks", 1, 4096, "block writes that wait for DRAM, per channel (schedule drain)"},
	{"controller.returnQueueBlocks", "blocks", 1, 4096, "blocks that were read and have not reached L2"},
	{"controller.writeHighBlocks", "blocks", 1, 4096, "writes go first when this many wait (schedule drain)"},
	{"controller.writeLowBlocks", "blocks", 0, 4096, "reads go first again when this many writes are left (schedule drain)"},
	{"controller.rowHitCapBlocks", "blocks", 1, 4096, "younger row hits that may pass the oldest block of a bank (schedule drain)"},
	{"controller.rowPolicy", "", 0, 0, "when to close a row that no block waits for"},
	{"controller.rowTimeoutCycles", "DRAM cycles", 0, 4096, "time that a row stays open after its last burst (policies timeout and adaptive)"},
	{"controller.fixedLatencyCycles", "core cycles", 0, 4096, "the way between L2 and DRAM: added to each reply (schedule drain) or before a request enters the queue (schedule joint)"},
	// A line of a metadata cache is up to four of memory, which may all be written back at once.
	{"controller.metadataQueueLines", "lines", 4, 4096, "metadata lines in flight, reads and writes each"},
	{"controller.metadataBytes", "bytes", 0, 1 << 20, "metadata cache of a controller; 0 = unlimited"},
	{"controller.metadataWays", "ways", 1, 64, "ways of the metadata cache"},
	{"controller.metadataLookupCycles", "DRAM cycles", 0, 1024, "latency of a lookup in the metadata cache"},
}, dramFields(), []Parameter{
	{"energy.registerFemtojoules", "fJ", 0, mostFemtojoules, "an operand of a thread read from or written to the register file"},
	{"energy.sharedFemtojoules", "fJ", 0, mostFemtojoules, "a warp's access to shared memory"},
	{"energy.l1Femtojoules", "fJ", 0, mostFemtojoules, "a line of a warp's access in L1, or past it"},
	{"energy.flitFemtojoules", "fJ", 0, mostFemtojoules, "a flit through a crossbar"},
	{"energy.l2SectorFemtojoules", "fJ", 0, mostFemtojoules, "32 bytes into or out of L2"},
	{"energy.metadataFemtojoules", "fJ", 0, mostFemtojoules, "a lookup in the metadata cache"},
	{"energy.dramActivateFemtojoules", "fJ", 0, mostFemtojoules, "opening and closing a row"},
	{"energy.dramReadFemtojoules", "fJ", 0, mostFemtojoules, "a byte read from an open row"},
	{"energy.dramWriteFemtojoules", "fJ", 0, mostFemtojoules, "a byte written to an open row"},
	{"energy.dramIOFemtojoules", "fJ", 0, mostFemtojoules, "a byte between DRAM and GPU"},
	{"energy.dramRefreshFemtojoules", "fJ", 0, mostFemtojoules, "refreshing all banks of a channel once"},
	{"energy.dramOpenMilliwatts", "mW", 0, mostMilliwatts, "a channel of DRAM while a row is open"},
	{"energy.dramClosedMilliwatts", "mW", 0, mostMilliwatts, "a channel of DRAM while no row is open"},
	{"energy.staticMilliwatts", "mW", 0, mostMilliwatts, "constant power of the GPU"},
})

// dramFields are the constants of DRAM, whose table is in package dram.
func dramFields() []Parameter {
	var list []Parameter
	for _, c := range dram.Constants {
		list = append(list, Parameter{"dram." + c.Path, c.Unit, c.Low, c.High, c.What})
	}
	return list
}

// The largest legal values of energy and power [ours]: far above those of any part.
const (
	mostFemtojoules = 1_000_000_000_000
	mostMilliwatts  = 1_000_000
)

// ClassNames are the names of instruction classes in paths.
var ClassNames = [ptx.NumClasses]string{
	ptx.ClassMove: "move", ptx.ClassIntAdd: "intAdd", ptx.ClassIntMax: "intMax", ptx.ClassIntMul: "intMul",
	ptx.ClassIntMad: "intMad", ptx.ClassIntDiv: "intDiv", ptx.ClassFloatAdd: "floatAdd", ptx.ClassFloatMax: "floatMax",
	ptx.ClassFloatMul: "floatMul", ptx.ClassFloatMad: "floatMad", ptx.ClassFloatDiv: "floatDiv",
	ptx.ClassDoubleAdd: "doubleAdd", ptx.ClassDoubleMax: "doubleMax", ptx.ClassDoubleMul: "doubleMul",
	ptx.ClassDoubleMad: "doubleMad", ptx.ClassDoubleDiv: "doubleDiv", ptx.ClassSpecial: "special", ptx.ClassDivApprox: "divApprox",
	ptx.ClassShuffle: "shuffle", ptx.ClassBranch: "branch", ptx.ClassBarrier: "barrier", ptx.ClassMemory: "memory",
	ptx.ClassMatrix: "matrix",
}

// timingFields are the values of each class in sm.timing.
var timingFields = []Parameter{
	{"unit", "", 0, 0, "the unit that executes"},
	{"latencyCycles", "core cycles", 1, 4096, "until a dependent instruction may issue, of"},
	{"initiationCycles", "core cycles", 1, 4096, "for which the unit takes no other warp, of"},
}

// Parameters describes every value of a GPU, with the arrays spelled out.
func All() []Parameter {
	all := append([]Parameter(nil), fields...)
	for _, class := range ClassNames {
		for _, f := range timingFields {
			f.Path = "sm.timing." + class + "." + f.Path
			f.Doc += " " + class + " instructions"
			all = append(all, f)
		}
	}
	for _, class := range ClassNames {
		all = append(all, Parameter{"laneFemtojoules." + class, "fJ", 0, mostFemtojoules, "a thread's " + class + " instruction without its operands"})
	}
	return all
}
