package execute

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Copying describes a copy between global and shared memory, in bulk or with a tensor map, that is under way, as the
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
	// Bytes lie at Global, an address of global memory, if there is no map.
	Global, Bytes uint64
	Shared        uint64 // where the block begins in shared memory
	// Stores is set for a copy from shared to global memory, and Reduces for a reduction there. They complete by their
	// bulk group, and have nothing of the following.
	Stores, Reduces bool
	// Barrier is where the mbarrier lies in shared memory, and Phase is the number of its present phase, which the copy
	// is a part of. Both block and mbarrier are those of CTA Rank of the cluster if another CTA gets the block.
	Barrier, Phase uint64
	Rank           int // -1 for the own CTA
	// Multicast has a bit for each CTA of the cluster that gets the block, at the same places; 0 for one CTA.
	Multicast uint64
}

// CopyLane is the lane whose block a copy has come to.
func (w *Warp) CopyLane() uint8 { return w.bulkLane }

// Copying returns the copy that is under way for the lane of CopyLane: its instructions end before end, and the one at
// pc has asked for bytes of global memory that have not come yet, or has bytes for it. A copy changes nothing that it
// reads, so the registers have what it began with.
func (w *Warp) Copying(pc, end int32) *Copying {
	code := w.kernel.Code
	begin := end - 1
	for v := code[begin].Vector; v == nil || v.Copy == 0; v = code[begin].Vector {
		begin--
	}
	in, last, lane := &code[begin], &code[end-1], int(w.bulkLane)
	c := &Copying{Kernel: w.kernel, Issued: w.faultOf(begin, lane, ""), Rank: -1}
	shared := begin // an instruction with the address in shared memory
	if t := in.Vector.Tensor; in.Op != ptx.MemoryTensorMap {
		global := begin
		_, depth := ptx.CopyPlace(in.Target)
		if c.Stores = in.Mem.Space == ptx.SpaceShared; c.Stores {
			global += depth
		} else {
			shared += depth
		}
		c.Global, c.Bytes = w.laneAddress(&code[global], lane), w.value(in.E, false, lane)
	} else {
		c.MapAt, c.MapSpace = w.laneAddress(in, lane), in.Mem.Space
		if c.MapSpace == ptx.SpaceGeneric {
			c.MapAt, c.MapSpace = windowOf(c.MapAt)
		}
		if c.FetchesMap = pc == begin; c.FetchesMap {
			return c
		}
		c.Box, c.Stores = &w.tensorWork(in).box, !t.Load
		c.Bytes = c.Box.Bytes()
		if shared += 2; t.Load {
			shared += t.Depth()
		}
	}
	c.Shared = w.laneAddress(&code[shared], lane) & (ptx.WindowBytes - 1)
	if c.Stores {
		c.Reduces = last.Mem.Kind == ptx.AccessReduction
		return c
	}
	if last.Flags&ptx.FlagMulticast != 0 { // the report
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
