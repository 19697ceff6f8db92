package stat

// The counters of every machine, in the order of a request's path. Those of a system stand in its room (Group).
const (
	// Invalid is no counter. It is what a table of counters has for a name that it lacks, so a part
	// that counts with it counts nothing real, and Set.Check finds it.
	Invalid Counter = iota

	WarpInstructions
	ThreadInstructions
	SMActiveCycles
	StallMemoryCycles
	StallBarrierCycles
	StallPipelineCycles

	SchedulerCycles
	SlotIssued
	SlotUnit
	SlotQueue
	SlotShort
	SlotFetch
	SlotConstant
	SlotLong
	SlotBarrier
	SlotExited
	SlotIdle

	InstructionFetches
	InstructionMisses
	ConstantReads
	ConstantMisses

	TextureFetches
	TextureAccesses
	TextureHits
	TextureMerged
	TextureMisses
	TextureBlocked

	CTAs
	Barriers

	SharedAccesses
	SharedConflictCycles

	CopyParts

	GlobalLoadInstructions
	GlobalStoreInstructions
	AtomicInstructions
	GlobalLoadLines
	GlobalStoreLines
	AtomicLines

	L1Accesses
	L1Hits
	L1Misses
	L1Merged
	L1Answered
	L1Writes
	L1WritesKept
	L1Writebacks
	L1WriteEvicts
	L1Bypasses
	L1Evictions
	L1Blocked
	L1OutstandingCycles
	L1MissLatencyCycles
	L1Prefetches

	TLBAccesses
	TLBHits
	TLBMerged
	TLBMisses
	TLBWaitCycles
	TLBArithmeticCycles
	L2TLBAccesses
	L2TLBHits
	L2TLBMerged
	L2TLBMisses
	PageWalks
	PageWalkCycles
	PageWalkQueueCycles

	ApproximateTrainings
	InexactHitLanes

	XbarRequestFlits
	XbarReplyFlits
	XbarRequestPackets
	XbarReplyPackets

	L2Accesses
	L2Hits
	L2Misses
	L2Merged
	L2ReadAccesses
	L2ReadHits
	L2ReadMisses
	L2ReadMerged
	L2WriteAccesses
	L2WriteHits
	L2WriteMisses
	L2Atomics
	L2Fills
	L2RepairFills
	L2Evictions
	L2Writebacks
	L2Blocked
	L2Hints
	L2PrefetchFills
	L2Discards
	L2DirtyDiscards

	ControllerReads
	ControllerWrites
	ControllerForwards
	MetadataAccesses
	MetadataHits
	MetadataMisses
	MetadataReads
	MetadataWritebacks

	BlocksReadRaw
	BlocksReadLossless
	BlocksReadLossy
	BlocksWrittenRaw
	BlocksWrittenLossless
	BlocksWrittenLossy
	BlockReadBits
	BlockWriteBits
	TruncatedSymbols
	ExcessBits

	BurstsRead
	BurstsWritten
	BurstsMetadata
	BurstsSaved
	DRAMReadBytes
	DRAMWriteBytes
	Activates
	Precharges
	Refreshes
	RowHits
	DataBusBusyCycles
	DRAMCycles
	ReadQueueOccupancy

	BusReadCycles
	BusWriteCycles
	BusTurnaroundCycles
	BusRefreshCycles
	BusBankCycles
	BusIdleCycles
	BusPendingCycles
	BusAheadCycles

	ReadBlocksServed
	ReadLatencyCycles
	ReadMetadataCycles
	ReadQueueCycles
	ReadBankCycles
	ReadBusCycles
	ReadDecompressCycles

	RowsOpenCycles

	LinkOutBytes
	LinkInBytes
	LinkHeaderBytes
	LinkBusyCycles
	LinkWaitCycles
	LinkCycles

	numOwn
)

var infos = [numOwn]Info{
	WarpInstructions:    {"warpInstructions", "instructions", "PTX instructions issued, one for a warp whatever its active lanes."},
	ThreadInstructions:  {"threadInstructions", "instructions", "Sum of active lanes over the issued instructions; lanes whose guard predicate is false do not count."},
	SMActiveCycles:      {"smActiveCycles", "SM cycles", "Cycles in which an SM had a resident warp, summed over SMs."},
	StallMemoryCycles:   {"stallMemoryCycles", "SM cycles", "Active cycles without an issue in which a warp waited for memory."},
	StallBarrierCycles:  {"stallBarrierCycles", "SM cycles", "Active cycles without an issue in which all waiting warps stood at barriers."},
	StallPipelineCycles: {"stallPipelineCycles", "SM cycles", "Active cycles without an issue for any other reason: operand latency or a busy unit."},

	SchedulerCycles: {"schedulerCycles", "scheduler cycles", "Cycles of the run x SMs x schedulers: the sum of the slot counters."},
	SlotIssued:      {"slotIssued", "scheduler cycles", "Scheduler cycles with an issue."},
	SlotUnit:        {"slotUnit", "scheduler cycles", "Scheduler cycles without an issue because a warp had its operands and its unit took no other instruction yet."},
	SlotQueue:       {"slotQueue", "scheduler cycles", "Scheduler cycles without an issue because a warp had its operands and the load/store unit's queue was full."},
	SlotShort:       {"slotShort", "scheduler cycles", "Scheduler cycles in which the warp closest to issuing waited for operands of the pipeline, shared memory or L1 (short scoreboard)."},
	SlotFetch:       {"slotFetch", "scheduler cycles", "Scheduler cycles in which the warp closest to issuing waited for its instruction."},
	SlotConstant:    {"slotConstant", "scheduler cycles", "Scheduler cycles in which the warp closest to issuing waited for a miss of the constant cache."},
	SlotLong:        {"slotLong", "scheduler cycles", "Scheduler cycles in which the warp closest to issuing waited for L2 or DRAM, or for stores at a fence (long scoreboard)."},
	SlotBarrier:     {"slotBarrier", "scheduler cycles", "Scheduler cycles in which every warp that had not exited stood at a barrier."},
	SlotExited:      {"slotExited", "scheduler cycles", "Scheduler cycles in which every warp had exited, and its stores or other warps of its CTA had not ended."},
	SlotIdle:        {"slotIdle", "scheduler cycles", "Scheduler cycles without a warp."},

	InstructionFetches: {"instructionFetches", "fetches", "Fetches of the instruction stage; each brings the next instructions of one warp."},
	InstructionMisses:  {"instructionMisses", "lines", "Lines that an instruction cache asked of L2."},
	ConstantReads:      {"constantReads", "instructions", "Reads of .param and .const that the constant cache served."},
	ConstantMisses:     {"constantMisses", "lines", "Lines that a constant cache asked of L2."},

	TextureFetches:  {"textureFetches", "instructions", "Texture instructions of a warp."},
	TextureAccesses: {"textureAccesses", "lines", "Lines of texture instructions looked up in the texture cache: hits + misses."},
	TextureHits:     {"textureHits", "lines", "Lines of texture instructions that the texture cache held or had on order."},
	TextureMerged:   {"textureMerged", "lines", "Of these: lines that were on order."},
	TextureMisses:   {"textureMisses", "lines", "Lines that a texture cache asked of L2."},
	TextureBlocked:  {"textureBlocked", "tries", "Lookups in the texture cache repeated because no MSHR, merge slot, way or crossbar place was free."},

	CTAs:     {"ctas", "CTAs", "CTAs that ran to their end."},
	Barriers: {"barriers", "barriers", "Barriers completed by a CTA."},

	SharedAccesses:       {"sharedAccesses", "instructions", "Shared memory instructions of a warp."},
	SharedConflictCycles: {"sharedConflictCycles", "cycles", "Extra cycles of shared memory instructions because lanes met in a bank."},

	CopyParts: {"copyParts", "instructions", "Reads, writes and reports of copies in bulk, up to 512 bytes each."},

	GlobalLoadInstructions:  {"globalLoadInstructions", "instructions", "Load instructions that reach global or local memory."},
	GlobalStoreInstructions: {"globalStoreInstructions", "instructions", "Store instructions that reach global or local memory."},
	AtomicInstructions:      {"atomicInstructions", "instructions", "Atomic and reduction instructions on global memory."},
	GlobalLoadLines:         {"globalLoadLines", "lines", "128-byte lines touched by load instructions after coalescing."},
	GlobalStoreLines:        {"globalStoreLines", "lines", "128-byte lines touched by store instructions after coalescing."},
	AtomicLines:             {"atomicLines", "lines", "128-byte lines touched by atomic instructions after coalescing."},

	L1Accesses:    {"l1Accesses", "lines", "Load lines looked up in L1: hits + misses + merged."},
	L1Hits:        {"l1Hits", "lines", "Load lines found in L1."},
	L1Misses:      {"l1Misses", "lines", "Load lines not in L1 that sent a request to L2."},
	L1Merged:      {"l1Merged", "lines", "Load lines not in L1 that joined a request already in flight."},
	L1Answered:    {"l1Answered", "lines", "Load lines not in L1 whose values were predicted: nothing left the SM."},
	L1Writes:      {"l1Writes", "lines", "Store lines looked up in L1. They pass it on their way to L2 (write-through, no allocation), except those that it keeps."},
	L1WritesKept:  {"l1WritesKept", "lines", "Store lines of local memory that L1 kept (sm.l1.local back)."},
	L1Writebacks:  {"l1Writebacks", "lines", "Lines of local memory that L1 wrote to L2 when they left (sm.l1.local back)."},
	L1WriteEvicts: {"l1WriteEvicts", "lines", "L1 lines dropped because a store touched them."},
	L1Bypasses:    {"l1Bypasses", "lines", "Load lines that bypass L1 because of their cache operator."},
	L1Evictions:   {"l1Evictions", "lines", "Valid L1 lines replaced by a fill."},
	L1Blocked:     {"l1Blocked", "tries", "Lookups repeated because no MSHR, merge slot or crossbar place was free."},

	L1OutstandingCycles: {"l1OutstandingCycles", "line cycles", "Outstanding lines of an L1, integrated over core cycles."},
	L1MissLatencyCycles: {"l1MissLatencyCycles", "core cycles", "Cycles from the lookup that missed L1, or went past it, to the line's arrival, summed over lines. Divided by misses and bypasses it is their mean latency."},
	L1Prefetches:        {"l1Prefetches", "lines", "Lines that prefetches to L1 looked up there; among its accesses."},

	TLBAccesses: {"tlbAccesses", "packets", "Packets behind L1 whose pages were looked up in the TLB of " +
		"their SM: hits + merged + misses."},
	TLBHits:   {"tlbHits", "packets", "Packets whose pages the TLB of the SM had."},
	TLBMerged: {"tlbMerged", "packets", "Packets that joined others in waiting for their page."},
	TLBMisses: {"tlbMisses", "packets", "Packets for which an SM asked the shared TLB."},
	TLBWaitCycles: {"tlbWaitCycles", "core cycles", "Time that packets waited for their translations, and " +
		"then for the crossbar; over all packets."},
	TLBArithmeticCycles: {"tlbArithmeticCycles", "core cycles", "Time that the arithmetic of pages whose sectors a " +
		"storage places added to translations; over all packets."},
	L2TLBAccesses: {"l2TLBAccesses", "pages", "Pages looked up in the TLB that all SMs share: hits + merged + " +
		"misses."},
	L2TLBHits:           {"l2TLBHits", "pages", "Pages that the shared TLB had."},
	L2TLBMerged:         {"l2TLBMerged", "pages", "Pages that joined a walk that was asked for before."},
	L2TLBMisses:         {"l2TLBMisses", "pages", "Pages that needed a walk of the page table."},
	PageWalks:           {"pageWalks", "walks", "Walks of the page table that began."},
	PageWalkCycles:      {"pageWalkCycles", "core cycles", "Time of these walks, added up."},
	PageWalkQueueCycles: {"pageWalkQueueCycles", "core cycles", "Time that walks waited for a walker, added up."},

	ApproximateTrainings: {"approximateTrainings", "lines", "Requests for lines that were predicted all the same, which train the predictor only (loads.requests sent)."},
	InexactHitLanes:      {"inexactHitLanes", "values", "Values that lanes read from predicted lines in L1 and that differ from L2 and DRAM."},

	XbarRequestFlits:   {"xbarRequestFlits", "flits", "Flits from SMs to L2 slices."},
	XbarReplyFlits:     {"xbarReplyFlits", "flits", "Flits from L2 slices to SMs."},
	XbarRequestPackets: {"xbarRequestPackets", "packets", "Packets from SMs to L2 slices."},
	XbarReplyPackets:   {"xbarReplyPackets", "packets", "Packets from L2 slices to SMs."},

	L2Accesses:      {"l2Accesses", "lines", "Requests looked up in L2: hits + misses + merged."},
	L2Hits:          {"l2Hits", "lines", "Requests that L2 served from its lines, and stores that it took without reading DRAM."},
	L2Misses:        {"l2Misses", "lines", "Requests that made L2 read a block from DRAM."},
	L2Merged:        {"l2Merged", "lines", "Requests that joined a DRAM read already in flight."},
	L2ReadAccesses:  {"l2ReadAccesses", "lines", "Load requests looked up in L2."},
	L2ReadHits:      {"l2ReadHits", "lines", "Load requests found in L2."},
	L2ReadMisses:    {"l2ReadMisses", "lines", "Load requests that made L2 read a block from DRAM."},
	L2ReadMerged:    {"l2ReadMerged", "lines", "Load requests that joined a DRAM read in flight."},
	L2WriteAccesses: {"l2WriteAccesses", "lines", "Store requests looked up in L2."},
	L2WriteHits:     {"l2WriteHits", "lines", "Store requests whose line was in L2."},
	L2WriteMisses:   {"l2WriteMisses", "lines", "Store requests that allocated a line; the other bytes of the line are read only when a request needs them."},
	L2Atomics:       {"l2Atomics", "lines", "Atomic requests performed in L2."},
	L2Fills:         {"l2Fills", "blocks", "Blocks read from DRAM into L2."},
	L2RepairFills:   {"l2RepairFills", "blocks", "Blocks read to complete partly written lines before they left L2: compression stores whole blocks. Fills = misses + repair fills."},
	L2Evictions:     {"l2Evictions", "lines", "Lines replaced in L2."},
	L2Writebacks:    {"l2Writebacks", "blocks", "Dirty lines L2 sent to a controller."},
	L2Blocked:       {"l2Blocked", "tries", "Requests repeated because no way, MSHR, merge slot or queue entry was free."},
	L2Hints: {"l2Hints", "requests",
		"Prefetches to L2, applypriority and discard that L2 took; not among its accesses."},
	L2PrefetchFills: {"l2PrefetchFills", "blocks",
		"Blocks requested from DRAM for a prefetch to L2, or as the other line of a load with L2::256B."},
	L2Discards: {"l2Discards", "lines", "Lines that discard forgot, whether L2 held them or not."},
	L2DirtyDiscards: {"l2DirtyDiscards", "lines",
		"Lines that discard forgot and that held bytes newer than DRAM's, which are never written back."},

	ControllerReads:    {"controllerReads", "blocks", "Block reads accepted by the memory controllers."},
	ControllerWrites:   {"controllerWrites", "blocks", "Block writes accepted by the memory controllers."},
	ControllerForwards: {"controllerForwards", "blocks", "Block reads answered from a write still in the queue; they cost no DRAM burst."},
	MetadataAccesses:   {"metadataAccesses", "lookups", "Metadata cache lookups: one for each block read or written under compression."},
	MetadataHits:       {"metadataHits", "lookups", "Lookups that found the block's burst count in the metadata cache."},
	MetadataMisses:     {"metadataMisses", "lookups", "Lookups that did not find the block's burst count in the metadata cache."},
	MetadataReads:      {"metadataReads", "bursts", "32-byte metadata lines read from DRAM."},
	MetadataWritebacks: {"metadataWritebacks", "bursts", "Dirty 32-byte metadata lines written to DRAM."},

	BlocksReadRaw:         {"blocksReadRaw", "blocks", "Blocks read from DRAM that were stored raw, without compression."},
	BlocksReadLossless:    {"blocksReadLossless", "blocks", "Blocks read from DRAM that were stored losslessly compressed."},
	BlocksReadLossy:       {"blocksReadLossy", "blocks", "Blocks read from DRAM that had symbols truncated."},
	BlocksWrittenRaw:      {"blocksWrittenRaw", "blocks", "Blocks written to DRAM raw, without compression."},
	BlocksWrittenLossless: {"blocksWrittenLossless", "blocks", "Blocks written to DRAM losslessly compressed."},
	BlocksWrittenLossy:    {"blocksWrittenLossy", "blocks", "Blocks written to DRAM with symbols truncated."},
	BlockReadBits:         {"blockReadBits", "bits", "Stored sizes of the blocks read, before rounding to bursts; raw is 1024."},
	BlockWriteBits:        {"blockWriteBits", "bits", "Stored sizes of the blocks written, before rounding to bursts; raw is 1024."},
	TruncatedSymbols:      {"truncatedSymbols", "symbols", "Symbols truncated in the lossy blocks read and written."},
	ExcessBits:            {"excessBits", "bits", "Bits truncated beyond what the budget needed, in the lossy blocks read and written."},

	BurstsRead:         {"burstsRead", "bursts", "Data bursts of one MAG read from DRAM, without metadata."},
	BurstsWritten:      {"burstsWritten", "bursts", "Data bursts of one MAG written to DRAM, without metadata."},
	BurstsMetadata:     {"burstsMetadata", "bursts", "Bursts that carried metadata, read and written."},
	BurstsSaved:        {"burstsSaved", "bursts", "Bursts that compression saved for the blocks read and written: 128/MAG for each block, minus the bursts moved."},
	DRAMReadBytes:      {"dramReadBytes", "bytes", "Bytes read from DRAM: (data bursts + metadata bursts read) x MAG."},
	DRAMWriteBytes:     {"dramWriteBytes", "bytes", "Bytes written to DRAM: (data bursts + metadata bursts written) x MAG."},
	Activates:          {"activates", "commands", "DRAM rows opened."},
	Precharges:         {"precharges", "commands", "DRAM rows closed."},
	Refreshes:          {"refreshes", "commands", "Refresh commands."},
	RowHits:            {"rowHits", "bursts", "Bursts that found their row open: all bursts minus those that needed an activate."},
	DataBusBusyCycles:  {"dataBusBusyCycles", "DRAM cycles", "Cycles a channel's data bus carried data, summed over channels."},
	DRAMCycles:         {"dramCycles", "DRAM cycles", "DRAM command cycles of the run, summed over channels."},
	ReadQueueOccupancy: {"readQueueOccupancy", "block cycles", "Blocks waiting in read queues, integrated over base cycles."},

	BusReadCycles:       {"busReadCycles", "DRAM cycles", "Cycles a channel's data bus carried data read."},
	BusWriteCycles:      {"busWriteCycles", "DRAM cycles", "Cycles a channel's data bus carried data written."},
	BusTurnaroundCycles: {"busTurnaroundCycles", "DRAM cycles", "Cycles a data bus was empty because it changed between reading and writing."},
	BusRefreshCycles:    {"busRefreshCycles", "DRAM cycles", "Cycles a data bus was empty because the bank of its next burst was refreshed, or closed for a refresh."},
	BusBankCycles:       {"busBankCycles", "DRAM cycles", "Cycles a data bus was empty because its next burst waited for a row to be closed or opened, or for a distance between commands."},
	BusIdleCycles:       {"busIdleCycles", "DRAM cycles", "Cycles a data bus was empty because no block could be scheduled early enough to use them."},
	BusPendingCycles:    {"busPendingCycles", "DRAM cycles", "Cycles up to now in which the data bus was empty; the next burst decides the reason."},
	BusAheadCycles:      {"busAheadCycles", "DRAM cycles", "Cycles of bursts that are commanded and end after now. Read + write + turnaround + refresh + bank + idle + pending = DRAM cycles + ahead."},

	ReadBlocksServed:     {"readBlocksServed", "blocks", "Blocks read from DRAM whose last byte has arrived."},
	ReadLatencyCycles:    {"readLatencyCycles", "DRAM cycles", "Sum over the blocks served of the time from acceptance to the last byte, decompressed: metadata + queue + bank + bus + decompress."},
	ReadMetadataCycles:   {"readMetadataCycles", "DRAM cycles", "Part of readLatencyCycles until the block's burst count was known."},
	ReadQueueCycles:      {"readQueueCycles", "DRAM cycles", "Part of readLatencyCycles until the first command for the block."},
	ReadBankCycles:       {"readBankCycles", "DRAM cycles", "Part of readLatencyCycles from the first command to the first column command: precharge and activate."},
	ReadBusCycles:        {"readBusCycles", "DRAM cycles", "Part of readLatencyCycles from the first column command to the last byte."},
	ReadDecompressCycles: {"readDecompressCycles", "DRAM cycles", "Part of readLatencyCycles in the decompressor, or waiting for a free one."},

	RowsOpenCycles: {"rowsOpenCycles", "DRAM cycles", "Cycles in which a channel had at least one row open, summed over channels. In the other cycles the background current is lower."},

	LinkOutBytes:    {"linkOutBytes", "bytes", "Bytes that left the GPU on its link, with headers."},
	LinkInBytes:     {"linkInBytes", "bytes", "Bytes that came to the GPU on its link, with headers."},
	LinkHeaderBytes: {"linkHeaderBytes", "bytes", "Headers among the bytes of the link."},
	LinkBusyCycles:  {"linkBusyCycles", "DRAM cycles", "Time in which a channel of the link carried a packet, summed over channels and directions."},
	LinkWaitCycles:  {"linkWaitCycles", "DRAM cycles", "Time that packets waited for their channel of the link."},
	LinkCycles:      {"linkCycles", "DRAM cycles", "Time of the run, counted once for each channel of the link and each direction."},
}
