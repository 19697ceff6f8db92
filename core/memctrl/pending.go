package memctrl

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// pending is a block or a metadata line that a channel has accepted and whose bursts
// have not all been moved. Its index is the number of its transfers.
type pending struct {
	addr    mem.Addr // line address; for metadata, of the block that needs them
	arrived sim.Cycle
	mask    mem.ByteMask // bytes a reply carries
	cause   uint32
	tag     uint32
	data    mem.Handle // the data that a read returns
	placed  Placed

	waitNext waiter // next entry that waits for the same metadata line
	line     int32  // metadata cache line being read
	next     int16  // in the free list

	decompress uint32 // DRAM cycles
	class      Class
	parts      uint8 // bit for each backing that has not moved its part; 0 when free
	ack        bool  // a write that wants an answer
	split      bool  // there were parts in more than one backing

	accepted, ready uint64 // DRAM cycles: accepted; may be scheduled
}

// request records a request that was accepted at a DRAM cycle.
func (p *pending) request(r *Request, now sim.Cycle, at uint64) {
	p.addr, p.cause, p.tag, p.ack = r.Addr, r.Cause, r.Tag, r.Ack
	p.arrived, p.accepted, p.ready = now, at, at
}

// pool owns the pending blocks and metadata lines of a channel.
type pool struct {
	pending []pending
	// last holds, for a split entry, the account of the moved part that ends last.
	last []Moved
	free int16
}

func newPool(n int) pool {
	p := pool{pending: make([]pending, n), last: make([]Moved, n), free: none}
	for i := n - 1; i >= 0; i-- {
		p.pending[i].next = p.free
		p.free = int16(i)
	}
	return p
}

// take returns a free, empty entry. The bounds of the queues guarantee that there is one.
func (p *pool) take() (i int16, v *pending) {
	i = p.free
	if i == none {
		panic("memctrl: more blocks are pending than the queues allow")
	}
	v = &p.pending[i]
	p.free = v.next
	*v = pending{}
	v.waitNext, v.line = noWaiter, noLine
	return i, v
}

func (p *pool) release(i int16) {
	p.pending[i].next = p.free
	p.free = i
}
