package memctrl

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// class says what an entry of the queues does.
type class uint8

const (
	readBlock class = iota
	writeBlock
	readMetadata
	writeMetadata
)

// writes returns 1 for entries that write DRAM, 0 for those that read: the index
// of the list they wait in.
func (c class) writes() int { return int(c & 1) }

// none is the index of no entry.
const none int16 = -1

// entry is one block (or metadata line) in a channel's queues. Entries live in a
// fixed pool and are linked by index.
type entry struct {
	addr    mem.Addr // line address; of the block that caused it for metadata
	seq     uint64   // order of acceptance
	arrived sim.Cycle
	mask    mem.ByteMask // bytes a reply carries
	row     uint32
	cause   uint32
	tag     uint32
	data    mem.Handle // what a read returns
	stored  codec.Stored

	prev, next int16 // in the bank's list, or in the list of free entries
	waitNext   int16 // next entry that waits for the same metadata line
	line       int16 // metadata cache line being read

	decompress uint16 // DRAM cycles
	bank       uint8
	class      class
	bursts     uint8 // bit per burst of the block still to be moved
	count      uint8 // bursts moved in all
	begun      bool  // a column command has been given

	// DRAM cycles of a read's way: accepted; may be scheduled; first command for
	// it; first column command. 0 = not yet.
	accepted, ready, first, column uint64
}

// list is a doubly linked list of entries.
type list struct{ head, tail int16 }

// pool owns a channel's entries.
type pool struct {
	entry []entry
	free  int16
}

func newPool(n int) pool {
	p := pool{entry: make([]entry, n), free: none}
	for i := n - 1; i >= 0; i-- {
		p.entry[i].next = p.free
		p.free = int16(i)
	}
	return p
}

// take returns a free entry. The queue bounds make sure there is one.
func (p *pool) take() int16 {
	i := p.free
	if i == none {
		panic("memctrl: entry pool exhausted")
	}
	p.free = p.entry[i].next
	return i
}

func (p *pool) release(i int16) {
	p.entry[i].next = p.free
	p.free = i
}

func (p *pool) append(l *list, i int16) {
	e := &p.entry[i]
	e.prev, e.next = l.tail, none
	if l.tail == none {
		l.head = i
	} else {
		p.entry[l.tail].next = i
	}
	l.tail = i
}

func (p *pool) remove(l *list, i int16) {
	e := &p.entry[i]
	if e.prev == none {
		l.head = e.next
	} else {
		p.entry[e.prev].next = e.next
	}
	if e.next == none {
		l.tail = e.prev
	} else {
		p.entry[e.next].prev = e.prev
	}
}
