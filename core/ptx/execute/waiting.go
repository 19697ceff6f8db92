package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// heldCTA is a CTA that is under way.
type heldCTA struct {
	group *CTA
	warps []*Warp
	ended []bool
	spent []uint64 // warp instructions of each warp of the CTA
	reads []reads  // what each warp has read in its last turn
	local [][]byte // of each warp: LocalBytes for each lane
	// cluster are the CTAs of its cluster, itself among them.
	cluster []*heldCTA
}

// clusterEnded reports whether all CTAs of the cluster have ended.
func (c *heldCTA) clusterEnded() bool {
	for _, x := range c.cluster {
		if x.group.Live() > 0 {
			return false
		}
	}
	return true
}

// clusterRuns reports whether some warp of the cluster can go on.
func (c *heldCTA) clusterRuns() bool {
	for _, x := range c.cluster {
		for w := range x.alive {
			if !w.AtBarrier() {
				return true
			}
		}
	}
	return false
}

// reads are the places that a warp reads in a turn: in global memory, and the mbarriers that it asks. One that waits
// reads few, again and again.
type reads struct {
	at     [4]mem.Addr
	n      int  // places; more than there is room for are len(at)+1
	global bool // some are in global memory
}

func (r *reads) add(a *ptx.Access) {
	at := a.Addresses()[bits.TrailingZeros32(a.Mask)&31]
	if r.n > len(r.at) {
		return
	}
	for i := range r.n {
		if r.at[i] == at {
			r.at[i], r.at[r.n-1] = r.at[r.n-1], at
			return
		}
	}
	if r.n < len(r.at) {
		r.at[r.n] = at
	}
	r.n++
}

// test notes that the lanes of an access ask an mbarrier. If a phase has ended for one, the warp continues, and it
// reports true.
func (r *reads) test(w *Warp, a *ptx.Access) bool {
	in := &w.kernel.Code[a.PC]
	for m := a.Mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		b, _ := w.AtomicOperands(a, i)
		state := w.lane(in.Mem.Regs[0], true, i)
		if in.Atomic.Code == ptx.MbarrierTest && arith.MbarrierDifferent(state, b) != 0 ||
			in.Atomic.Code == ptx.MbarrierTestParity && arith.MbarrierPassed(state, b) != 0 {
			r.n = len(r.at) + 1
			return true
		}
	}
	r.add(a)
	return false
}

// few reports whether there are some, and few.
func (r *reads) few() bool { return r.n > 0 && r.n <= len(r.at) }

func newHeldCTA(l *ptx.Launch) *heldCTA {
	n := l.WarpsPerCTA()
	c := &heldCTA{group: NewCTA(l), ended: make([]bool, n), spent: make([]uint64, n), reads: make([]reads, n)}
	c.cluster = []*heldCTA{c}
	for range n {
		c.warps = append(c.warps, NewWarp(l.Kernel))
		c.local = append(c.local, make([]byte, l.Kernel.LocalBytes*ptx.MaxLanes))
	}
	return c
}

// waits reports whether some warp of the CTA is in a long loop that reads what other CTAs may write.
func (c *heldCTA) waits() bool {
	for i := range c.warps {
		if !c.ended[i] && c.spins(i) && c.reads[i].global {
			return true
		}
	}
	return false
}

func (c *heldCTA) spins(i int) bool { return c.spent[i] >= longInstructions && c.reads[i].few() }

// begin lets the next CTA begin if none is under way. If all that are wait, as many more begin, as far as they
// fit.
func (f *Functional) begin() {
	for _, c := range f.held {
		if !c.waits() && c.group.Live() > 0 {
			return
		}
	}
	most := f.most()
	l := f.r.launch
	per := int(l.CTAsPerCluster())
	for n := max(len(f.held), 1); n > 0 && len(f.held) < most && f.next < l.CTAs(); n -= per {
		f.beginCluster(per)
	}
}

// beginCluster lets the CTAs of the next cluster begin, all at once.
func (f *Functional) beginCluster(per int) {
	l := f.r.launch
	for range per {
		if len(f.free) == 0 {
			f.free = append(f.free, newHeldCTA(l))
		}
		f.r.heldCTA, f.free = f.free[len(f.free)-1], f.free[:len(f.free)-1]
		f.r.start(l.CTAID(l.ClusterCTA(f.next)))
		f.held = append(f.held, f.r.heldCTA)
		f.next++
	}
	members := f.held[len(f.held)-per:]
	if per == 1 {
		return
	}
	cluster := NewCluster(l)
	for i, c := range members {
		c.cluster = append(c.cluster[:0], members...)
		cluster.Join(c.group, uint32(i))
	}
}

const defaultMaxCTAs = 1024

// most returns how many CTAs may be under way.
func (f *Functional) most() int {
	if f.r.opts.MaxCTAs == 0 {
		return defaultMaxCTAs
	}
	return f.r.opts.MaxCTAs
}

// alive yields the warps of the CTA that have not ended.
func (c *heldCTA) alive(yield func(*Warp) bool) {
	for i, w := range c.warps {
		if !c.ended[i] && !yield(w) {
			return
		}
	}
}
