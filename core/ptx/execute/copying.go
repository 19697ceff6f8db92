package execute

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Copying describes a copy from global to shared memory, in bulk or with a tensor map, that is under way, as the
// registers of the warp that carries it out have it. It is for whoever asks, and holds until the machine goes on.
type Copying struct {
	Kernel *ptx.Kernel
	Issued *Fault // where and by whom, as of a fault of it
	// Box is what a tensor map describes, and where it begins; nil for a copy without a map. The map lies at MapAt of
	// MapSpace.
	Box      *ptx.TensorBox
	MapAt    uint64
	MapSpace ptx.Space
	// FetchesMap says that the map itself is being read, of a load or a store: nothing else is known yet.
	FetchesMap bool
	// Bytes lie at Source, an address of global memory, if there is no map.
	Source, Bytes uint64
	Shared        uint64 // where the block begins in shared memory
	// Barrier is where the mbarrier lies in shared memory, and Phase is the number of its present phase, which the copy
	// is a part of. Both block and mbarrier are those of CTA Rank of the cluster if another CTA gets the block.
	Barrier, Phase uint64
	Rank           int // -1 for the own CTA
	// Multicast has a bit for each CTA of the cluster that gets the block, at the same places; 0 for one CTA.
	Multicast uint64
}

// Copying returns the copy that is under way for a lane: its instructions end before end, and the one at pc has asked
// for bytes of global memory that have not come yet. So the registers have what the copy began with.
func (w *Warp) Copying(pc, end int32) *Copying {
	code := w.kernel.Code
	begin := end - 1
	for v := code[begin].Vector; v == nil || v.Copy == 0; v = code[begin].Vector {
		begin--
	}
	in, lane := &code[begin], int(w.bulkLane)
	c := &Copying{Kernel: w.kernel, Issued: w.faultOf(begin, lane, ""), Source: w.laneAddress(in, lane), Rank: -1}
	block := begin + ptx.CopyDepth // an instruction with the address in shared memory
	if t := in.Vector.Tensor; t == nil {
		c.Bytes = w.value(in.E, false, lane)
	} else {
		c.MapAt, c.MapSpace = c.Source, in.Mem.Space
		if c.MapSpace == ptx.SpaceGeneric {
			c.MapAt, c.MapSpace = windowOf(c.MapAt)
		}
		if c.FetchesMap = pc == begin; c.FetchesMap {
			return c
		}
		c.Box, block = &w.tensorWork(in).box, begin+2+t.Depth()
		c.Bytes = c.Box.Bytes()
	}
	c.Shared = w.laneAddress(&code[block], lane) & (ptx.WindowBytes - 1)
	last := &code[end-1] // the report
	if last.Flags&ptx.FlagMulticast != 0 {
		c.Multicast = w.value(last.C, false, lane)
	}
	at, cta := w.laneAddress(last, lane), w.CTA
	if rank := int(uint32(at)>>ptx.ClusterRankBit) - 1; rank >= 0 && last.Mem.Space == ptx.SpaceShared {
		if others := cta.Cluster.CTAs; rank < len(others) && others[rank] != nil {
			c.Rank, cta = rank, others[rank]
		}
	}
	if c.Barrier = at & (ptx.WindowBytes - 1); c.Barrier+8 <= uint64(len(cta.Shared)) {
		c.Phase = readBytes(cta.Shared[c.Barrier:], 8) >> arith.MbarrierPhase
	}
	return c
}

// laneAddress is the address of a memory instruction for a lane.
func (w *Warp) laneAddress(in *ptx.Instr, lane int) uint64 {
	at := in.Imm
	if in.A != ptx.ZeroSlot*ptx.SlotBytes {
		at += w.value(in.A, in.Flags&ptx.FlagAddress64 != 0, lane)
	}
	return at
}
