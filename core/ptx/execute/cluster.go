package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// Cluster is what the CTAs of a cluster share. A CTA without one is a cluster of its own.
type Cluster struct {
	// CTAs are those that run, by rank; nil has ended or not begun.
	CTAs []*CTA
	clusterBarrier
}

// clusterBarrier is barrier.cluster: threads arrive, and wait for the phase to change.
type clusterBarrier struct {
	arrived int // threads
	threads int // that have not exited
	phase   uint32
}

// NewCluster returns the cluster of CTAs that begin.
func NewCluster(l *ptx.Launch) *Cluster {
	n := int(l.CTAsPerCluster())
	return &Cluster{CTAs: make([]*CTA, n), clusterBarrier: clusterBarrier{threads: n * l.Threads()}}
}

// Join makes a CTA that has been Reset a part of a cluster.
func (c *Cluster) Join(cta *CTA, rank uint32) {
	c.CTAs[rank] = cta
	cta.Cluster, cta.Rank, cta.clustered = c, rank, true
}

// Rejoin is Join for a CTA whose state has been loaded, and with it the cluster's.
func (c *Cluster) Rejoin(cta *CTA, rank uint32) {
	c.clusterBarrier = cta.solo.clusterBarrier
	c.Join(cta, rank)
}

// Leave takes a CTA that has ended out of its cluster. Nobody may use its shared memory any longer.
func (cta *CTA) Leave() {
	if cta.clustered {
		cta.Cluster.CTAs[cta.Rank] = nil
	}
}

// Clustered reports whether the CTA has others beside it.
func (cta *CTA) Clustered() bool { return cta.clustered }

// complete ends the phase if all threads have arrived.
func (c *Cluster) complete() bool {
	if c.arrived == 0 || c.arrived < c.threads {
		return false
	}
	c.arrived = 0
	c.phase++
	return true
}

// exited notes that threads of a warp have ended: they count as arrived from now on.
func (c *Cluster) exited(w *Warp, lanes uint32) {
	c.threads -= bits.OnesCount32(lanes)
	if w.clusterPhase == c.phase {
		c.arrived -= bits.OnesCount32(lanes & w.clusterArrived)
	}
	w.clusterArrived &^= lanes
}

// clusterArrive is barrier.cluster.arrive.
func (w *Warp) clusterArrive(mask uint32) Effect {
	if twice := mask & w.clusterArrived; twice != 0 {
		w.faultAt(w.PC, bits.TrailingZeros32(twice), "barrier.cluster.arrive follows another one without "+
			"barrier.cluster.wait")
		return EffectFault
	}
	c := w.CTA.Cluster
	w.clusterPhase = c.phase
	w.clusterArrived |= mask
	c.arrived += bits.OnesCount32(mask)
	w.barrierKind, w.barrierPC, w.barrierLanes = ptx.BarrierClusterArrive, w.PC, mask
	w.barrier = ptx.ClusterBarrierID
	w.advance()
	return EffectBarrier
}

// clusterWait notes the lanes that wait; false is a fault.
func (w *Warp) clusterWait(mask uint32) bool {
	if without := mask &^ w.clusterArrived; without != 0 {
		w.faultAt(w.PC, bits.TrailingZeros32(without), "barrier.cluster.wait without barrier.cluster.arrive before it")
		return false
	}
	w.clusterArrived &^= mask
	return true
}

// accessCluster is AccessShared for a CTA with others beside it, and for an access that is multicast: it divides the
// lanes by the CTA whose memory they reach.
func (w *Warp) accessCluster(a *ptx.Access) bool {
	in := &w.kernel.Code[a.PC]
	addr := a.Addresses()
	if in.Flags&ptx.FlagMulticast != 0 && a.Kind != ptx.AccessLoad {
		return w.accessMulticast(a, in, addr)
	}
	sub := *a
	sub.RowLanes = 0
	for left := a.Mask; left != 0; {
		window := addr[bits.TrailingZeros32(left)&31] >> ptx.ClusterRankBit
		sub.Mask = 0
		for m := left; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if addr[i]>>ptx.ClusterRankBit == window {
				sub.Mask |= 1 << i
				sub.Addr[i] = addr[i] & (ptx.WindowBytes - 1)
			}
		}
		left &^= sub.Mask
		rank := w.CTA.Rank
		if window != 0 {
			rank = uint32(window - 1)
		}
		if !w.accessRank(&sub, in, rank) {
			return false
		}
	}
	return true
}

// accessMulticast performs an access at the same place of each CTA that the mask names.
func (w *Warp) accessMulticast(a *ptx.Access, in *ptx.Instr, addr *[ptx.MaxLanes]uint64) bool {
	sub := *a
	sub.RowLanes = 0
	for i := range addr {
		sub.Addr[i] = addr[i] & (ptx.WindowBytes - 1)
	}
	masks := w.u32(in.C)
	for rank := range uint32(ptx.MaxClusterCTAs) {
		sub.Mask = 0
		for m := a.Mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			lane := i
			if in.Op != ptx.MemoryAccess { // all lanes move the block of one
				lane = int(w.bulkLaneOf(in))
			}
			sub.Mask |= masks[lane&31] >> rank & 1 << i
		}
		if sub.Mask != 0 && !w.accessRank(&sub, in, rank) {
			return false
		}
	}
	return true
}

// bulkLaneOf returns the lane whose block an instruction moves.
func (w *Warp) bulkLaneOf(*ptx.Instr) uint8 { return w.bulkLane & 31 }

// accessRank performs an access to the shared memory of one CTA of the cluster.
func (w *Warp) accessRank(a *ptx.Access, in *ptx.Instr, rank uint32) bool {
	c := w.CTA
	if rank != c.Rank {
		list := c.Cluster.CTAs
		lane := bits.TrailingZeros32(a.Mask)
		switch {
		case rank >= uint32(max(1, len(list))):
			w.faultAt(a.PC, lane, "shared memory of CTA %d of the cluster, which has %d CTAs", rank, max(1, len(list)))
			return false
		case list[rank] == nil:
			w.faultAt(a.PC, lane, "shared memory of CTA %d of the cluster, which has ended: let it wait for the "+
				"others at barrier.cluster",
				rank)
			return false
		case in.Atomic.Code >= ptx.MbarrierInit:
			w.faultAt(a.PC, lane, "%s: an mbarrier of another CTA takes arrivals and bytes only",
				in.Atomic.MbarrierName())
			return false
		}
		c = list[rank]
	}
	return w.accessSharedOf(a, in, c.Shared)
}
