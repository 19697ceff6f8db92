package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// TLBConfig sizes the translation of addresses. L1s hold virtual addresses, so what hits them needs no translation:
// on an H200 a load that hits L1 takes 32 cycles whether its lines lie in 192 KB or in 805 MB
// (core/machine/testdata/silicon).
type TLBConfig struct {
	On bool
	L1 L1TLBConfig
	L2 L2TLBConfig
	// Walkers walk the page table for one entry of the L2 TLB each. A walk takes WalkCycles, whatever memory is doing:
	// it reads nothing from memory here.
	Walkers    int
	WalkCycles int
	// ArithmeticCycles are what a page adds to each translation whose bytes a storage places.
	ArithmeticCycles int
}

// L1TLBConfig sizes the TLB of an SM, which is fully associative.
type L1TLBConfig struct {
	Entries   int
	PageBytes int // that an entry covers
	Misses    int // pages on order
}

// L2TLBConfig sizes the TLB that all SMs share. It takes one request a cycle.
type L2TLBConfig struct {
	Entries       int
	Ways          int
	PageBytes     int // that an entry covers
	LatencyCycles int // from a miss in an L1 TLB to the translation, on a hit
}

// MaxTLBMisses bounds L1TLBConfig.Misses.
const MaxTLBMisses = 64

// TLB is the L1 TLB of an SM. It holds no physical addresses, since they are the virtual ones.
type TLB struct {
	tags   Tags
	asked  []mem.Addr // pages on order
	room   int        // most of them
	page   mem.Addr   // mask of the address of a page
	recent mem.Addr   // page that hit last
}

// NewTLB returns an empty TLB.
func NewTLB(c *L1TLBConfig) *TLB {
	t := &TLB{asked: make([]mem.Addr, 0, c.Misses), room: c.Misses, page: ^(mem.Addr(c.PageBytes) - 1), recent: NoLine}
	t.tags = newTags(Geometry{Sets: 1, Ways: c.Entries}, func(mem.Addr) int { return 0 })
	return t
}

// Page returns the page of an address.
func (t *TLB) Page(a mem.Addr) mem.Addr { return a & t.page }

// Hit reports whether the TLB has a page, which is then the most recently used one.
func (t *TLB) Hit(page mem.Addr) bool {
	if page == t.recent {
		return true
	}
	w := t.tags.Find(page)
	if w < 0 {
		return false
	}
	t.tags.Touch(w)
	t.recent = page
	return true
}

// Ask puts a page on order, if there is room.
func (t *TLB) Ask(page mem.Addr) bool {
	if len(t.asked) == t.room {
		return false
	}
	t.asked = append(t.asked, page)
	return true
}

// Fill takes the translation of a page that was on order.
func (t *TLB) Fill(page mem.Addr) {
	for i, x := range t.asked {
		if x == page {
			t.asked = append(t.asked[:i], t.asked[i+1:]...)
			t.tags.take(page)
			t.recent = page
			return
		}
	}
	panic("cache: a translation arrived that was not asked for")
}

// take gives the least recently used way of a set to a line.
func (t *Tags) take(a mem.Addr) {
	w := t.victim(a, nil)
	t.Addr[w] = a
	t.Touch(w)
}

// State lists the changing state of a TLB.
func (t *TLB) State(p *tape.Tape) {
	t.tags.State(p)
	tape.List(p, &t.asked)
	tape.Value(p, &t.recent)
}

// TLBCounters are the counters of an L1 TLB in the order hit, on order, miss.
var TLBCounters = [...]stat.Counter{Hit: stat.TLBHits, Merged: stat.TLBMerged, Miss: stat.TLBMisses}
