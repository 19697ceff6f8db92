package experiment

import (
	"fmt"
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/rfvp"
)

// lawful is a run that has ended, as the laws of its counters see it.
type lawful struct {
	stat.Set
	gpu    *parameter.GPU
	scheme *scheme.Scheme
	cycles uint64
	rest   uint64 // the cycle by which every line has come, also those of loads that no warp waited for
	ctas   uint64 // of all launches
}

func lawfulRun(r *Run) *lawful {
	m := r.Machine()
	l := &lawful{m.Stats(), m.Spec(), &r.plan.Scheme, uint64(m.Cycles()), uint64(max(m.Cycles(), m.Now())), 0}
	for _, launch := range r.plan.Program.Launches {
		l.ctas += uint64(launch.Grid[0]) * uint64(max(1, launch.Grid[1])) * uint64(max(1, launch.Grid[2]))
	}
	return l
}

func (l *lawful) sum(counters ...stat.Counter) (n uint64) {
	for _, c := range counters {
		n += l.Set[c]
	}
	return n
}

// span adds up counters that follow each other.
func (l *lawful) span(from, to stat.Counter) (n uint64) {
	for c := from; c <= to; c++ {
		n += l.Set[c]
	}
	return n
}

// codecs adds a counter of all codecs that an L1 can have.
func (l *lawful) codecs(counter func(*codecs.L1) stat.Counter) (sum uint64) {
	seen := map[stat.Counter]bool{}
	for i := range codecs.Table {
		if c := counter(codecs.Table[i].L1); !seen[c] {
			sum += l.Set[c]
			seen[c] = true
		}
	}
	return sum
}

// fetches reports whether a store that misses L2 goes to DRAM.
func (l *lawful) fetches() bool { return l.gpu.L2.WriteMiss == cache.WriteFetch }

func (l *lawful) compresses() bool { return l.scheme.Memory.Codec() != system.None }

func (l *lawful) backing() bool {
	return len(l.scheme.Backing) > 0 && l.scheme.Backing.Word("kind") != "copies"
}

// law is a relation between counters that holds at the end of every run, or of those where it says.
type law struct {
	name  string
	sides func(l *lawful) (left, right uint64)
	most  bool // left is at most right; else they are equal
	where func(l *lawful) bool
}

func always(*lawful) bool { return true }

// laws are those of all counters. Each run of the tests of all programs and of random scenarios is held against them.
var laws = []law{
	{"scheduler cycles = SMs x schedulers x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.SchedulerCycles], uint64(l.gpu.SMs*l.gpu.SM.Schedulers) * l.cycles
	}, false, always},
	{"scheduler cycles = their slots", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.SchedulerCycles], l.span(stat.SlotIssued, stat.SlotIdle)
	}, false, always},
	{"slots with an issue <= instructions", func(l *lawful) (uint64, uint64) { return l.Set[stat.SlotIssued], l.Set[stat.WarpInstructions] }, true, always},
	{"instructions <= slots with an issue x issue width", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.WarpInstructions], l.Set[stat.SlotIssued] * uint64(max(1, l.gpu.SM.IssueWidth))
	}, true, always},
	{"thread instructions <= 32 x warp instructions", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ThreadInstructions], 32 * l.Set[stat.WarpInstructions]
	}, true, always},
	{"active cycles <= SMs x cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.SMActiveCycles], uint64(l.gpu.SMs) * l.cycles }, true, always},
	{"stalls <= active cycles", func(l *lawful) (uint64, uint64) {
		return l.span(stat.StallMemoryCycles, stat.StallPipelineCycles), l.Set[stat.SMActiveCycles]
	}, true, always},
	{"active cycles <= stalls + slots with an issue", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.SMActiveCycles], l.span(stat.StallMemoryCycles, stat.StallPipelineCycles) + l.Set[stat.SlotIssued]
	}, true, always},
	{"CTAs = those of the launches", func(l *lawful) (uint64, uint64) { return l.Set[stat.CTAs], l.ctas }, false, always},
	{"instruction misses <= fetches", func(l *lawful) (uint64, uint64) { return l.Set[stat.InstructionMisses], l.Set[stat.InstructionFetches] }, true, always},
	{"lines of texture accesses = hits + misses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.TextureAccesses], l.sum(stat.TextureHits, stat.TextureMisses)
	}, false, always},
	{"texture lines on order <= hits", func(l *lawful) (uint64, uint64) { return l.Set[stat.TextureMerged], l.Set[stat.TextureHits] }, true, always},
	{"load lines <= 32 x 4 x load instructions", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.GlobalLoadLines], 128 * l.Set[stat.GlobalLoadInstructions]
	}, true, always},

	{"L1 accesses = hits + misses + merged + answered", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L1Accesses], l.sum(stat.L1Hits, stat.L1Misses, stat.L1Merged, stat.L1Answered)
	}, false, always},
	{"L1 accesses + bypasses = load lines + lines of prefetches", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.L1Accesses, stat.L1Bypasses), l.sum(stat.GlobalLoadLines, stat.L1Prefetches)
	}, false, always},
	{"L1 writes = store lines", func(l *lawful) (uint64, uint64) { return l.Set[stat.L1Writes], l.Set[stat.GlobalStoreLines] }, false, always},
	{"stores that L1 kept <= L1 writes", func(l *lawful) (uint64, uint64) { return l.Set[stat.L1WritesKept], l.Set[stat.L1Writes] }, true, always},
	{"lines dropped for a store <= L1 writes + atomics", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L1WriteEvicts], l.sum(stat.L1Writes, stat.AtomicLines)
	}, true, always},
	{"TLB accesses = hits + misses + merged", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.TLBAccesses], l.sum(stat.TLBHits, stat.TLBMisses, stat.TLBMerged)
	}, false, always},
	{"packets to L2 = TLB accesses + misses of instructions and constants", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.XbarRequestPackets], l.sum(stat.TLBAccesses, stat.InstructionMisses, stat.ConstantMisses)
	}, false, func(l *lawful) bool { return l.gpu.TLB.On }},
	{"no translation without a TLB", func(l *lawful) (uint64, uint64) {
		return l.span(stat.TLBAccesses, stat.PageWalkQueueCycles), 0
	}, false, func(l *lawful) bool { return !l.gpu.TLB.On }},
	{"shared TLB accesses = misses of the SMs' TLBs", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2TLBAccesses], l.Set[stat.TLBMisses]
	}, false, always},
	{"shared TLB accesses = hits + misses + merged", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2TLBAccesses], l.sum(stat.L2TLBHits, stat.L2TLBMisses, stat.L2TLBMerged)
	}, false, always},
	{"page walks = misses of the shared TLB", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.PageWalks], l.Set[stat.L2TLBMisses]
	}, false, always},
	{"time of page walks = walks x time of a walk", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.PageWalkCycles], l.Set[stat.PageWalks] * uint64(l.gpu.TLB.WalkCycles)
	}, false, always},
	// A prefetch may outlast the program.
	{"lines under way <= their latencies", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L1OutstandingCycles], l.Set[stat.L1MissLatencyCycles]
	}, true, always},
	{"lines under way = their latencies", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L1OutstandingCycles], l.Set[stat.L1MissLatencyCycles]
	}, false, func(l *lawful) bool { return l.Set[stat.L1Prefetches] == 0 }},
	{"untrained misses <= approximate misses", func(l *lawful) (uint64, uint64) {
		return l.Set[rfvp.ApproximateUntrained], l.Set[rfvp.ApproximateMisses]
	}, true, always},
	{"lines answered <= approximate misses", func(l *lawful) (uint64, uint64) { return l.Set[stat.L1Answered], l.Set[rfvp.ApproximateMisses] }, true, always},
	{"exact lanes <= predicted lanes", func(l *lawful) (uint64, uint64) { return l.Set[rfvp.PredictedExactLanes], l.Set[rfvp.PredictedLanes] }, true, always},
	{"sectors that L1 held <= room of the tags", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1PhaseSectors], 16 * l.Set[latte.L1PhaseRoomSectors]
	}, true, always},

	{"L2 accesses = hits + misses + merged", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2Accesses], l.sum(stat.L2Hits, stat.L2Misses, stat.L2Merged)
	}, false, always},
	{"L2 reads = hits + misses + merged", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2ReadAccesses], l.sum(stat.L2ReadHits, stat.L2ReadMisses, stat.L2ReadMerged)
	}, false, always},
	{"L2 write hits + misses <= writes", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.L2WriteHits, stat.L2WriteMisses), l.Set[stat.L2WriteAccesses]
	}, true, always},
	{"L2 writes <= hits + misses + merged", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2WriteAccesses], l.sum(stat.L2WriteHits, stat.L2WriteMisses, stat.L2Merged) - l.Set[stat.L2ReadMerged]
	}, true, always},
	{"L2 accesses = reads + writes + atomics", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2Accesses], l.sum(stat.L2ReadAccesses, stat.L2WriteAccesses, stat.L2Atomics)
	}, false, always},
	{"L2 accesses = what SMs send", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2Accesses], l.sum(stat.L1Misses, stat.L1Bypasses, stat.L1Writes, stat.L1Writebacks, stat.AtomicLines, stat.InstructionMisses, stat.ConstantMisses,
			stat.TextureMisses, stat.ApproximateTrainings) - l.Set[stat.L1WritesKept]
	}, false, always},
	{"request packets = L2 accesses + hints", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.XbarRequestPackets], l.sum(stat.L2Accesses, stat.L2Hints)
	}, false, always},
	{"dirty discards <= discards", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2DirtyDiscards],
			l.Set[stat.L2Discards]
	}, true, always},
	{"discards <= hints", func(l *lawful) (uint64, uint64) { return l.Set[stat.L2Discards], l.Set[stat.L2Hints] },
		true, always},
	{"reply packets = L2 accesses that get an answer", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.XbarReplyPackets], l.sum(stat.L2Accesses, stat.L2Discards) - l.Set[stat.L1Writebacks]
	}, false, func(l *lawful) bool { return !l.gpu.L2.SectorAcks }},
	{"request packets <= their flits", func(l *lawful) (uint64, uint64) { return l.Set[stat.XbarRequestPackets], l.Set[stat.XbarRequestFlits] }, true, always},
	{"reply packets <= their flits", func(l *lawful) (uint64, uint64) { return l.Set[stat.XbarReplyPackets], l.Set[stat.XbarReplyFlits] }, true, always},
	{"L2 fills = misses + repair fills + prefetches", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2Fills], l.sum(stat.L2Misses, stat.L2RepairFills, stat.L2PrefetchFills)
	}, false, always},

	{"controller reads = L2 fills", func(l *lawful) (uint64, uint64) { return l.Set[stat.ControllerReads], l.Set[stat.L2Fills] }, false, always},
	{"controller writes >= L2 write-backs", func(l *lawful) (uint64, uint64) { return l.Set[stat.L2Writebacks], l.Set[stat.ControllerWrites] }, true, always},
	{"controller writes = L2 write-backs", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ControllerWrites], l.Set[stat.L2Writebacks]
	}, false, func(l *lawful) bool { return !l.fetches() }},
	{"controller writes <= write-backs + stores that miss", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ControllerWrites], l.sum(stat.L2Writebacks, stat.L2WriteMisses)
	}, true, always},
	{"blocks read + forwarded = controller reads", func(l *lawful) (uint64, uint64) {
		return l.span(stat.BlocksReadRaw, stat.BlocksReadLossy) + l.Set[stat.ControllerForwards], l.Set[stat.ControllerReads]
	}, false, always},
	{"blocks written = controller writes", func(l *lawful) (uint64, uint64) {
		return l.span(stat.BlocksWrittenRaw, stat.BlocksWrittenLossy), l.Set[stat.ControllerWrites]
	}, false, always},
	{"bits of blocks read <= 1024 each", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.BlockReadBits], 1024 * l.span(stat.BlocksReadRaw, stat.BlocksReadLossy)
	}, true, always},
	{"bits of blocks written <= 1024 each", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.BlockWriteBits], 1024 * l.span(stat.BlocksWrittenRaw, stat.BlocksWrittenLossy)
	}, true, always},
	{"metadata accesses = hits + misses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.MetadataAccesses], l.sum(stat.MetadataHits, stat.MetadataMisses)
	}, false, always},
	{"metadata lines read <= misses", func(l *lawful) (uint64, uint64) { return l.Set[stat.MetadataReads], l.Set[stat.MetadataMisses] }, true, always},
	{"blocks served = blocks read", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ReadBlocksServed], l.span(stat.BlocksReadRaw, stat.BlocksReadLossy)
	}, false, always},
	{"read latency = its parts", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ReadLatencyCycles], l.span(stat.ReadMetadataCycles, stat.ReadDecompressCycles)
	}, false, always},

	{"bursts x MAG = bytes", func(l *lawful) (uint64, uint64) {
		return l.span(stat.BurstsRead, stat.BurstsMetadata) * uint64(l.scheme.Memory.MAG()), l.sum(stat.DRAMReadBytes, stat.DRAMWriteBytes)
	}, false, always},
	{"bursts + saved = blocks x 128/MAG", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.BurstsRead, stat.BurstsWritten, stat.BurstsSaved), l.span(stat.BlocksReadRaw, stat.BlocksWrittenLossy) * 128 / uint64(l.scheme.Memory.MAG())
	}, false, func(l *lawful) bool { return !l.gpu.L2.SectorFill && !l.fetches() && !l.backing() && l.compresses() }},
	{"bursts + saved <= blocks x 128/MAG", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.BurstsRead, stat.BurstsWritten, stat.BurstsSaved), l.span(stat.BlocksReadRaw, stat.BlocksWrittenLossy) * 128 / uint64(l.scheme.Memory.MAG())
	}, true, func(l *lawful) bool { return !l.backing() }},
	{"bursts that hit a row <= bursts", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.RowHits], l.span(stat.BurstsRead, stat.BurstsMetadata)
	}, true, always},
	{"bursts that needed a row <= activates", func(l *lawful) (uint64, uint64) {
		return l.span(stat.BurstsRead, stat.BurstsMetadata) - l.Set[stat.RowHits], l.Set[stat.Activates]
	}, true, always},
	{"activates <= bursts + rows closed by refreshes", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.Activates], l.span(stat.BurstsRead, stat.BurstsMetadata) + 32*l.Set[stat.Refreshes]
	}, true, always},
	{"precharges <= activates", func(l *lawful) (uint64, uint64) { return l.Set[stat.Precharges], l.Set[stat.Activates] }, true, always},
	{"busy cycles of the bus = reads + writes", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.DataBusBusyCycles], l.sum(stat.BusReadCycles, stat.BusWriteCycles)
	}, false, always},
	{"bus cycles by cause = DRAM cycles", func(l *lawful) (uint64, uint64) {
		return l.span(stat.BusReadCycles, stat.BusPendingCycles), l.sum(stat.DRAMCycles, stat.BusAheadCycles)
	}, false, always},
	{"cycles with open rows <= DRAM cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.RowsOpenCycles], l.Set[stat.DRAMCycles] }, true, always},

	{"DRAM cycles = channels x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.DRAMCycles], l.gpu.DRAMClock().Local(sim.Cycle(l.cycles)) * uint64(l.gpu.Slices())
	}, false, always},
	{"refreshes <= DRAM cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.Refreshes], l.Set[stat.DRAMCycles] }, true, always},

	// Upper bounds: what one thing can make at most of another.
	{"constant misses <= reads", func(l *lawful) (uint64, uint64) { return l.Set[stat.ConstantMisses], l.Set[stat.ConstantReads] }, true, always},
	{"constant reads <= instructions", func(l *lawful) (uint64, uint64) { return l.Set[stat.ConstantReads], l.Set[stat.WarpInstructions] }, true, always},
	// A taken branch costs a fetch that is thrown away, and a line that arrives lets all warps that waited fetch again.
	{"fetches <= 2 x instructions + warps + warps of an SM x misses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.InstructionFetches], 2*l.Set[stat.WarpInstructions] + 32*l.Set[stat.CTAs] +
			sm.MaxWarps*l.Set[stat.InstructionMisses]
	}, true, always},
	{"memory instructions and barriers <= instructions", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.GlobalLoadInstructions, stat.GlobalStoreInstructions, stat.AtomicInstructions, stat.SharedAccesses, stat.TextureFetches, stat.Barriers),
			l.sum(stat.WarpInstructions, stat.CopyParts)
	}, true, always},
	// A copy reads its map, chooses a unit and has parts; a read that is out of bounds has its write alone.
	{"parts of copies <= 4 x accesses to memory", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.CopyParts], 4 * l.sum(stat.GlobalLoadInstructions, stat.GlobalStoreInstructions,
			stat.AtomicInstructions, stat.SharedAccesses)
	}, true, always},
	{"texture lines <= 128 x fetches", func(l *lawful) (uint64, uint64) { return l.Set[stat.TextureAccesses], 128 * l.Set[stat.TextureFetches] }, true, always},
	{"conflict cycles <= 128 x shared accesses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.SharedConflictCycles], 128 * l.Set[stat.SharedAccesses]
	}, true, always},
	{"store lines <= 128 x store instructions", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.GlobalStoreLines], 128 * l.Set[stat.GlobalStoreInstructions]
	}, true, always},
	{"atomic lines <= 32 x atomic instructions", func(l *lawful) (uint64, uint64) { return l.Set[stat.AtomicLines], 32 * l.Set[stat.AtomicInstructions] }, true, always},
	{"tries of L1 <= SMs x cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.L1Blocked], uint64(l.gpu.SMs) * l.cycles }, true, always},
	{"tries of texture caches <= SMs x cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.TextureBlocked], uint64(l.gpu.SMs) * l.cycles }, true, always},
	{"tries of L2 <= slices x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2Blocked], uint64(l.gpu.Slices()) * (l.gpu.L2Clock().Local(sim.Cycle(l.cycles)) + 1)
	}, true, always},
	{"lines that left L1 <= lines that entered", func(l *lawful) (uint64, uint64) {
		entered := l.sum(stat.L1Misses, stat.L1Bypasses, stat.L1Answered, stat.ApproximateTrainings, stat.L1WritesKept)
		if l.gpu.SM.L1.Stores == cache.StoreKeep {
			entered += l.Set[stat.L1Writes] // a store of a whole sector brings its line
		}
		return l.Set[stat.L1Evictions], entered
	}, true, always},
	{"lines that L1 wrote back <= stores that it kept", func(l *lawful) (uint64, uint64) { return l.Set[stat.L1Writebacks], l.Set[stat.L1WritesKept] }, true, always},
	{"time of misses <= lines on order x cycles until rest", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L1MissLatencyCycles], l.rest * l.sum(stat.L1Misses, stat.L1Bypasses, stat.ApproximateTrainings)
	}, true, always},
	{"approximate misses <= L1 accesses", func(l *lawful) (uint64, uint64) { return l.Set[rfvp.ApproximateMisses], l.Set[stat.L1Accesses] }, true, always},
	{"trainings <= approximate misses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ApproximateTrainings], l.Set[rfvp.ApproximateMisses]
	}, true, always},
	{"predicted lanes <= 128 x lines answered", func(l *lawful) (uint64, uint64) { return l.Set[rfvp.PredictedLanes], 128 * l.Set[stat.L1Answered] }, true, always},
	{"inexact lanes <= 128 x hits", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.InexactHitLanes], 128 * l.sum(stat.L1Hits, stat.L1Merged)
	}, true, always},
	{"bits of the predictor <= 1 kbit for each access", func(l *lawful) (uint64, uint64) {
		return l.Set[rfvp.PredictorBits], 1024 * 128 * l.Set[stat.L1Accesses]
	}, true, always},
	{"lines ordered <= L1 misses + answered", func(l *lawful) (uint64, uint64) {
		return l.span(latte.L1OrdersNone, latte.L1OrdersHigh), l.sum(stat.L1Misses, stat.L1Answered)
	}, true, always},
	{"lines compressed in L1 <= L1 misses + answered", func(l *lawful) (uint64, uint64) {
		return l.codecs(latte.Compressions), l.sum(stat.L1Misses, stat.L1Answered)
	}, true, always},
	{"lines decompressed in L1 <= hits", func(l *lawful) (uint64, uint64) {
		return l.codecs(latte.Decompressions), l.Set[stat.L1Hits]
	}, true, always},
	{"decompressed lines = those of the codecs", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1Decompressions], l.codecs(latte.Decompressions)
	}, false, always},
	{"places in queues <= decompressed lines x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1QueuePositions], l.Set[latte.L1Decompressions] * l.cycles
	}, true, always},
	{"accesses of whole phases <= L1 accesses", func(l *lawful) (uint64, uint64) {
		return l.span(latte.L1PhasesNone, latte.L1PhasesHigh) * uint64(l.scheme.L1.Int("phase")), l.Set[stat.L1Accesses]
	}, true, func(l *lawful) bool { return l.scheme.L1.Int("phase") > 0 }},
	{"phases <= L1 accesses", func(l *lawful) (uint64, uint64) {
		return l.span(latte.L1PhasesNone, latte.L1PhasesHigh), l.Set[stat.L1Accesses]
	}, true, always},
	{"room at the ends of phases = phases x sectors of L1", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1PhaseRoomSectors], l.span(latte.L1PhasesNone, latte.L1PhasesHigh) * uint64(l.gpu.SM.L1.Sets*l.gpu.SM.L1.Ways*4)
	}, false, always},
	{"code tables <= phases", func(l *lawful) (uint64, uint64) { return l.Set[latte.L1CodeTables], l.Set[stat.L1Accesses] }, true, always},
	{"lines dropped with their codes <= lines compressed", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1CodeDropped], l.codecs(latte.Compressions)
	}, true, always},
	{"lines measured <= L1 misses + answered", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1RatioLines], l.sum(stat.L1Misses, stat.L1Answered)
	}, true, always},
	{"measured bits <= 4 x 1024 x lines measured", func(l *lawful) (uint64, uint64) {
		return l.span(latte.L1RatioBitsBDI, latte.L1RatioBitsBPC), 4 * 1024 * l.Set[latte.L1RatioLines]
	}, true, always},
	{"lines measured with SC <= lines measured", func(l *lawful) (uint64, uint64) { return l.Set[latte.L1RatioLinesSC], l.Set[latte.L1RatioLines] }, true, always},
	{"measured bits of SC <= 1024 x its lines", func(l *lawful) (uint64, uint64) {
		return l.Set[latte.L1RatioBitsSC], 1024 * l.Set[latte.L1RatioLinesSC]
	}, true, always},
	{"request flits <= 256 x packets", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.XbarRequestFlits], 256 * l.Set[stat.XbarRequestPackets]
	}, true, always},
	{"reply flits <= 256 x packets", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.XbarReplyFlits], 256 * l.Set[stat.XbarReplyPackets]
	}, true, always},
	{"reply packets <= 4 x L2 accesses", func(l *lawful) (uint64, uint64) { return l.Set[stat.XbarReplyPackets], 4 * l.Set[stat.L2Accesses] }, true, always},
	{"lines that left L2 <= L2 accesses", func(l *lawful) (uint64, uint64) { return l.Set[stat.L2Evictions], l.Set[stat.L2Accesses] }, true, always},
	{"repair fills <= L2 writes + atomics", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.L2RepairFills], l.sum(stat.L2WriteAccesses, stat.L2Atomics)
	}, true, always},
	{"forwards <= controller reads", func(l *lawful) (uint64, uint64) { return l.Set[stat.ControllerForwards], l.Set[stat.ControllerReads] }, true, always},
	{"metadata lines written <= 4 x misses", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.MetadataWritebacks], 4 * l.Set[stat.MetadataMisses]
	}, true, always},
	{"metadata accesses <= blocks", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.MetadataAccesses], l.sum(stat.ControllerReads, stat.ControllerWrites)
	}, true, always},
	{"metadata bursts <= metadata lines x 32/MAG", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.BurstsMetadata], l.sum(stat.MetadataReads, stat.MetadataWritebacks) * max(1, 32/uint64(l.scheme.Memory.MAG()))
	}, true, always},
	{"truncated symbols <= 128 x lossy blocks", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.TruncatedSymbols], 128 * l.sum(stat.BlocksReadLossy, stat.BlocksWrittenLossy)
	}, true, always},
	{"excess bits <= 1024 x lossy blocks", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ExcessBits], 1024 * l.sum(stat.BlocksReadLossy, stat.BlocksWrittenLossy)
	}, true, always},
	{"lossy blocks only under an approximation", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.BlocksReadLossy, stat.BlocksWrittenLossy), 0
	}, false, func(l *lawful) bool { return l.scheme.Memory.Approximation() == system.None }},
	{"time in read queues <= blocks x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.ReadQueueOccupancy], l.Set[stat.ControllerReads] * l.cycles
	}, true, always},
	{"blocks of buddy memory read <= controller reads", func(l *lawful) (uint64, uint64) { return l.Set[storage.LinkReads], l.Set[stat.ControllerReads] }, true, always},
	{"blocks of buddy memory written <= controller writes", func(l *lawful) (uint64, uint64) { return l.Set[storage.LinkWrites], l.Set[stat.ControllerWrites] }, true, always},
	{"entries met <= blocks", func(l *lawful) (uint64, uint64) {
		return l.Set[storage.EntriesMet], l.sum(stat.ControllerReads, stat.ControllerWrites)
	}, true, always},
	{"entries that overflowed <= entries met + writes", func(l *lawful) (uint64, uint64) {
		return l.Set[storage.EntriesOverflowed], l.sum(storage.EntriesMet, stat.ControllerWrites)
	}, true, always},
	{"page faults <= blocks", func(l *lawful) (uint64, uint64) {
		return l.Set[storage.PageFaults], l.sum(stat.ControllerReads, stat.ControllerWrites)
	}, true, always},
	{"busy cycles of the link <= its cycles", func(l *lawful) (uint64, uint64) { return l.Set[stat.LinkBusyCycles], l.Set[stat.LinkCycles] }, true, always},
	{"cycles of the link = channels x 2 x DRAM cycles of one channel", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.LinkCycles], 2 * uint64(l.scheme.Backing.Int("channels")) * l.gpu.DRAMClock().Local(sim.Cycle(l.cycles))
	}, false, always},
	{"waits for the link <= packets x cycles", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.LinkWaitCycles], l.sum(stat.LinkOutBytes, stat.LinkInBytes) * (l.gpu.DRAMClock().Local(sim.Cycle(l.cycles)) + 1)
	}, true, always},
	{"bytes of the link <= 4 kB for each block + pages", func(l *lawful) (uint64, uint64) {
		return l.sum(stat.LinkOutBytes, stat.LinkInBytes), 4096*l.sum(stat.ControllerReads, stat.ControllerWrites) + (2<<20+2048)*2*l.Set[storage.PageFaults]
	}, true, always},

	{"entries that fit again <= entries that overflowed", func(l *lawful) (uint64, uint64) {
		return l.Set[storage.EntriesReturned], l.Set[storage.EntriesOverflowed]
	}, true, always},
	{"headers <= bytes of the link", func(l *lawful) (uint64, uint64) {
		return l.Set[stat.LinkHeaderBytes], l.sum(stat.LinkOutBytes, stat.LinkInBytes)
	}, true, always},
	{"bytes of buddy memory <= bytes of the link", func(l *lawful) (uint64, uint64) {
		return l.sum(storage.LinkReadBytes, storage.LinkWriteBytes), l.sum(stat.LinkOutBytes, stat.LinkInBytes)
	}, true, always},
	{"pages sent back <= pages brought", func(l *lawful) (uint64, uint64) { return l.Set[storage.PagesWrittenBack], l.Set[storage.PageFaults] }, true, always},
}

// broken lists the laws that a run does not keep, and the counters below zero.
func (l *lawful) broken() (faults []string) {
	if l.Set[stat.Invalid] != 0 {
		faults = append(faults, fmt.Sprintf("%d counts of no counter", l.Set[stat.Invalid]))
	}
	for _, c := range stat.List() {
		if l.Set[c] > math.MaxInt64 {
			faults = append(faults, fmt.Sprintf("%s is below zero: %d", stat.Describe(c).Name, int64(l.Set[c])))
		}
	}
	for i := range laws {
		w := &laws[i]
		if !w.where(l) {
			continue
		}
		if a, b := w.sides(l); a != b && !(w.most && a < b) {
			faults = append(faults, fmt.Sprintf("%s: %d against %d", w.name, a, b))
		}
	}
	return faults
}

// checkLaws holds a run that has ended, and its energy, against the laws.
func checkLaws(t testing.TB, r *Run, res *Result) {
	t.Helper()
	for _, fault := range lawsOf(r, res) {
		t.Error(fault)
	}
}

// lawsOf lists the laws that a run does not keep, those of its energy and of its lines in flight included.
func lawsOf(r *Run, res *Result) []string {
	faults := lawfulRun(r).broken()
	total := uint64(0)
	for _, p := range res.Energy.Parts {
		part := uint64(0)
		for _, term := range p.Terms {
			part += term.Femtojoules
		}
		if part != p.Femtojoules {
			faults = append(faults, fmt.Sprintf("energy of %s is %d, its terms add up to %d", p.Name, p.Femtojoules, part))
		}
		total += part
	}
	if total != res.Energy.TotalFemtojoules {
		faults = append(faults, fmt.Sprintf("energy is %d, its parts add up to %d", res.Energy.TotalFemtojoules, total))
	}
	if err := r.Machine().Leaks(); err != nil {
		faults = append(faults, err.Error())
	}
	return faults
}

// TestCopiesKeepTheLaws: programs whose copies go on beside their warps, over a network or by reductions of maps.
func TestCopiesKeepTheLaws(t *testing.T) {
	for _, name := range []string{"hoppergemm", "hopperrows", "hoppermoe"} {
		r, res := finish(t, smallOn(t, "h100", name, schemes()["bdi"]))
		checkLaws(t, r, res)
		if r.Machine().Stats()[stat.CopyParts] == 0 {
			t.Errorf("%s copies nothing", name)
		}
	}
}

// TestEveryCounterHasALaw: a counter that is much too large breaks a law, whichever it is.
func TestEveryCounterHasALaw(t *testing.T) {
	r, res := finish(t, small(t, "vecadd", schemes()["bdi"]))
	checkLaws(t, r, res)
	for _, c := range stat.List() {
		l := lawfulRun(r)
		if l.Set[c] += 1 << 50; len(l.broken()) == 0 {
			t.Errorf("no law bounds %s", stat.Describe(c).Name)
		}
	}
}
