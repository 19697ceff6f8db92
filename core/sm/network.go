package sm

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
)

// The network between the SMs of a cluster, over which a CTA reaches the shared memory of another. Each SM has a link
// into it. What 128 bytes take of the links follows from the bytes a cycle that an H200 moves one way and both ways at
// once (dsm_bw in the GitHub repository seanzw/random; the same for 2 to 16 SMs and all pairs):
//
//	            one way   both ways, each
//	loads       19.87     15.37             the data on the link of their owner, a command on the reader's
//	stores      18.87     18.12             the data on the link of the writer, an answer on the owner's
//	copies      21.25     20.29             as stores
//
// A load takes 180 cycles to its use on an H800 (Luo et al., arXiv 2402.13499) and about 193 on an H200
// (dsm_bw): here the mean of both. An ordinary store is seen at once, where an H200 takes some hundred cycles (573 with
// its completion, dsm_bw).
const networkLatencyCycles = 187

// networkCost is what 128 bytes take, in thousandths of a cycle.
type networkCost struct{ data, answer uint64 }

var (
	networkLoad  = networkCost{data: 6442, answer: 1886}
	networkStore = networkCost{data: 6783, answer: 281}
	networkCopy  = networkCost{data: 6024, answer: 285}
)

// remoteOf returns the rank of another CTA whose shared memory an access reaches, plus one, and how many bytes it moves
// there; 0 if it stays in its own CTA. An access to several CTAs counts as one to the first of them. It is not asked
// about what a copy from global memory brings to several CTAs: that comes over the crossbar.
func remoteOf(cta *execute.CTA, a *ptx.Access) (rank uint8, bytes uint16) {
	addr := a.Addresses()
	for x := a.Mask; x != 0; x &= x - 1 {
		window := uint32(addr[bits.TrailingZeros32(x)&31]) >> ptx.ClusterRankBit
		if window == 0 || window-1 == cta.Rank {
			continue
		}
		if rank == 0 {
			rank = uint8(window)
		}
		bytes += uint16(a.Bytes)
	}
	return rank, bytes
}

// networkCostOf returns what an instruction takes of the links for each 128 bytes.
func networkCostOf(in *ptx.Instr) (networkCost, bool) {
	switch {
	case in.Op == ptx.MemoryBulkWrite:
		return networkCopy, false
	case in.Mem.Kind == ptx.AccessLoad || in.Mem.Kind == ptx.AccessAtomic:
		return networkLoad, true
	}
	return networkStore, false
}

// sendRemote sends an access to another CTA over the network. If the link of its data is busy, it returns
// when it is not.
func (u *loadStore) sendRemote(now sim.Cycle, o *op) (free sim.Cycle, sent bool) {
	c := u.env.Clusters.of(u.core, int(u.warps[o.slot].cta))
	other := u
	if c != nil {
		other = c.loadStoreOf(uint32(o.remote - 1))
	}
	cost, loads := networkCostOf(u.warpInstr(o.pc))
	from, to := &u.link, &other.link
	if loads {
		from, to = to, from
	}
	begin := uint64(now) * millicycles
	if *from >= begin+millicycles {
		return sim.Cycle(*from / millicycles), false
	}
	bytes := uint64(o.remoteBytes)
	*from = max(*from, begin) + cost.data*bytes/mem.LineBytes
	*to = max(*to, begin) + cost.answer*bytes/mem.LineBytes
	return 0, true
}

// loadStoreOf returns the load/store unit of the CTA of a rank.
func (c *cluster) loadStoreOf(rank uint32) *loadStore {
	for _, b := range c.members {
		if b.sm.ctas[b.slot].cta.Rank == rank {
			return &b.sm.lsu
		}
	}
	return &c.members[0].sm.lsu // it has ended: the access was a fault
}
