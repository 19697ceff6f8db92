package stat

// HashVersion is the version of the list of counters that the hash of a result covers.
// Results name it. Equal hashes mean that two programs did the same, so the list of a
// version never changes after results with it are published. A new counter is in no
// list, so old hashes stay. To cover a counter, add a version with its own list and
// compute every published result again.
const HashVersion = 1

// hashed are the counters of version 1, in the order in which they are hashed.
var hashed = [...]Counter{
	WarpInstructions, ThreadInstructions, SMActiveCycles, StallMemoryCycles, StallBarrierCycles,
	StallPipelineCycles, SchedulerCycles, SlotIssued, SlotUnit, SlotQueue, SlotShort, SlotFetch, SlotConstant,
	SlotLong, SlotBarrier, SlotExited, SlotIdle, InstructionFetches, InstructionMisses, ConstantReads,
	ConstantMisses, CTAs, Barriers, SharedAccesses, SharedConflictCycles, GlobalLoadInstructions,
	GlobalStoreInstructions, AtomicInstructions, GlobalLoadLines, GlobalStoreLines, AtomicLines, L1Accesses,
	L1Hits, L1Misses, L1Merged, L1Writes, L1WriteEvicts, L1Bypasses, L1Evictions, L1Blocked,
	L1OutstandingCycles, L1MissLatencyCycles, XbarRequestFlits, XbarReplyFlits, XbarRequestPackets,
	XbarReplyPackets, L2Accesses, L2Hits, L2Misses, L2Merged, L2ReadAccesses, L2ReadHits, L2ReadMisses,
	L2ReadMerged, L2WriteAccesses, L2WriteHits, L2WriteMisses, L2Atomics, L2Fills, L2RepairFills, L2Evictions,
	L2Writebacks, L2Blocked, ControllerReads, ControllerWrites, ControllerForwards, MetadataAccesses,
	MetadataHits, MetadataMisses, MetadataReads, MetadataWritebacks, BlocksReadRaw, BlocksReadLossless,
	BlocksReadLossy, BlocksWrittenRaw, BlocksWrittenLossless, BlocksWrittenLossy, BlockReadBits, BlockWriteBits,
	TruncatedSymbols, ExcessBits, BurstsRead, BurstsWritten, BurstsMetadata, BurstsSaved, DRAMReadBytes,
	DRAMWriteBytes, Activates, Precharges, Refreshes, RowHits, DataBusBusyCycles, DRAMCycles,
	ReadQueueOccupancy, BusReadCycles, BusWriteCycles, BusTurnaroundCycles, BusRefreshCycles, BusBankCycles,
	BusIdleCycles, BusPendingCycles, BusAheadCycles, ReadBlocksServed, ReadLatencyCycles, ReadMetadataCycles,
	ReadQueueCycles, ReadBankCycles, ReadBusCycles, ReadDecompressCycles, RowsOpenCycles,
}

// Hashed calls put with the value of every counter that the hash of a result covers.
func (s *Set) Hashed(put func(uint64)) {
	for _, c := range hashed {
		put(s[c])
	}
}
