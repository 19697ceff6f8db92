package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// CTA is the state that the warps of a CTA share.
type CTA struct {
	ID     [3]uint32
	Shared []byte

	Cluster   *Cluster // its own if it is alone
	Rank      uint32   // in the cluster
	clustered bool     // with others
	solo      Cluster

	live int // warps that have not exited
	// Of the barriers, those at which warps have arrived since the CTA began and since they were last released.
	used, met uint32
	barriers  [ptx.ClusterBarrierID + 1]barrierState
	// ended has a bit for each warp that has exited; groups are nil until a warp executes wgmma.mma_async.
	ended  uint32
	groups []warpGroup
	pool   registerPool
	checks *ctaChecks // nil without a sanitizer
}

var _ [32 - (ptx.ClusterBarrierID + 1)]struct{} // used and met have a bit for each barrier

// barrierState is one barrier of a CTA. A warp waits for the phase to change.
type barrierState struct {
	arrived int // warps
	wanted  int // warps; 0 means all that live
	phase   uint32
	count   uint32    // of true predicates, for bar.red
	threads uint32    // that took part in bar.red
	result  [2]uint32 // of count, by phase&1: a warp fetches it when it continues
	all     [2]uint32
}

// NewCTA returns a CTA with room for the shared memory of l. It is used for one
// CTA after the other: Reset starts each.
func NewCTA(l *ptx.Launch) *CTA { return &CTA{Shared: make([]byte, l.SharedBytes())} }

// Reset makes c the CTA with coordinates id. Shared memory is zero.
func (c *CTA) Reset(l *ptx.Launch, id [3]uint32) {
	c.ID = id
	c.live = l.WarpsPerCTA()
	if n := l.SharedBytes(); cap(c.Shared) >= n {
		c.Shared = c.Shared[:n]
	} else {
		c.Shared = make([]byte, n)
	}
	clear(c.Shared)
	for m := c.used; m != 0; m &= m - 1 {
		c.barriers[bits.TrailingZeros32(m)%len(c.barriers)] = barrierState{}
	}
	c.used, c.met = 0, 0
	c.ended, c.groups, c.pool = 0, nil, registerPool{}
	c.solo = Cluster{clusterBarrier: clusterBarrier{threads: l.Threads()}}
	c.Cluster, c.Rank, c.clustered = &c.solo, 0, false
}

// Live returns the number of warps that have not exited.
func (c *CTA) Live() int { return c.live }

// Arrive counts the warp that has just executed a barrier instruction. If it
// returns true, all warps that wait at that barrier may go on.
func (c *CTA) Arrive(w *Warp) (released bool) {
	switch w.barrierKind {
	case ptx.BarrierRegistersLess, ptx.BarrierRegistersMore:
		w.waiting = true
		return c.pool.grant()
	case ptx.BarrierClusterArrive:
		return c.Cluster.complete()
	case ptx.BarrierClusterWait:
		w.waiting = c.Cluster.phase == w.clusterPhase
		return false
	}
	b := &c.barriers[w.barrier]
	c.used |= 1 << w.barrier
	c.met |= 1 << w.barrier
	b.arrived++
	b.wanted = w.barrierCount
	w.waiting = w.barrierKind != ptx.BarrierArrive
	w.phase = b.phase
	if w.barrierKind >= ptx.BarrierPopc {
		b.count += uint32(bits.OnesCount32(w.barrierTrue))
		b.threads += uint32(bits.OnesCount32(w.barrierLanes))
	}
	return c.release(int(w.barrier))
}

func (c *CTA) release(number int) bool {
	b := &c.barriers[number]
	wanted := b.wanted
	if wanted == 0 {
		wanted = c.live
	}
	if b.arrived == 0 || b.arrived < wanted {
		return false
	}
	b.result[b.phase&1] = b.count
	b.all[b.phase&1] = b.threads
	b.arrived, b.count, b.threads = 0, 0, 0
	b.phase++
	c.met &^= 1 << number
	if c.checks != nil {
		c.checks.s.time++
		c.checks.released[number] = c.checks.s.time
	}
	return true
}

// WarpExited counts a warp that has ended. Barriers do not wait for it; if it
// was the last warp that some barrier waited for, released is true.
func (c *CTA) WarpExited(w *Warp) (released bool) {
	c.live--
	c.ended |= 1 << w.Index
	for m := c.met; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m); c.barriers[i].wanted == 0 && c.release(i) {
			released = true
		}
	}
	return c.Cluster.complete() || released
}

// AtBarrier reports whether the warp waits at a barrier or for its warp group.
func (w *Warp) AtBarrier() bool {
	switch {
	case w.MovesRegisters():
		return w.inGroup || w.waiting && w.CTA.pool.wants[w.Index] != 0
	case w.barrierKind == ptx.BarrierClusterWait:
		return w.inGroup || w.waiting && w.CTA.Cluster.phase == w.clusterPhase
	}
	return w.inGroup || w.waiting && w.CTA.barriers[w.barrier].phase == w.phase
}

// leaveBarrier is called when a warp that waited executes again: bar.red gets
// its result now.
func (w *Warp) leaveBarrier() {
	w.waiting = false
	if w.barrierKind < ptx.BarrierPopc {
		return
	}
	in := &w.kernel.Code[w.barrierPC]
	b := &w.CTA.barriers[w.barrier]
	count, threads := b.result[w.phase&1], b.all[w.phase&1]
	if w.barrierKind == ptx.BarrierPopc {
		d := w.u32(in.D)
		for m := w.barrierLanes; m != 0; m &= m - 1 {
			d[bits.TrailingZeros32(m)&31] = count
		}
		return
	}
	var r uint32
	if w.barrierKind == ptx.BarrierAnd && count == threads || w.barrierKind == ptx.BarrierOr && count > 0 {
		r = w.barrierLanes
	}
	p := w.predicate(in.D)
	*p = *p&^w.barrierLanes | r
}
