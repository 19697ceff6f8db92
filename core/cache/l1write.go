package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// StorePolicy is what a store does to its line in L1. L2 gets the bytes in any case, and an atomic
// always drops its line.
type StorePolicy uint8

const (
	// StoreDrop: the line leaves L1 (GPGPU-Sim 4, gpgpu_cache:dl1 of Fermi, write-evict).
	StoreDrop StorePolicy = iota
	// StoreKeep: the bytes go into the sectors that L1 holds, and a sector that is written
	// whole stays, for which a line gets an entry. An H200 also keeps single bytes that are
	// written (core/machine/testdata/silicon/h200.csv, latency.l1.stored).
	StoreKeep
	NumStorePolicies
)

// StorePolicyNames are the names of the policies, in their order.
var StorePolicyNames = [NumStorePolicies]string{"drop", "keep"}

// Store tells L1 that a store to line a passes on its way to L2.
func (l *L1) Store(now sim.Cycle, a mem.Addr, data *mem.Line, mask mem.ByteMask, p mem.Priority, s *stat.Set) {
	if l.config.Stores == StoreDrop || !l.write(now, a, data, mask, p, s) {
		l.Atomic(a, s)
	}
}

// Atomic tells L1 that an atomic to line a passes on its way to L2, or another request after which L1 must not
// hold the line.
func (l *L1) Atomic(a mem.Addr, s *stat.Set) {
	if l.drop(a) {
		s[stat.L1WriteEvicts]++
	}
}

// write gives L1 the bytes of a store. It returns false if a request under way brings older
// bytes of the same sectors: the line must leave then.
func (l *L1) write(now sim.Cycle, a mem.Addr, data *mem.Line, mask mem.ByteMask, p mem.Priority, s *stat.Set) bool {
	e, held := l.store.Find(a)
	whole := mask.WholeSectors()
	if e < 0 {
		if whole == 0 || p == mem.NoAllocate {
			return true
		}
		if e = l.claim(now, Found{addr: a, entry: noEntry, Priority: p}, s); e < 0 {
			return true
		}
	}
	for i := l.waits[e]; i != 0; i = l.mshr[i-1].next {
		if l.mshr[i-1].asked&mask.Sectors() != 0 {
			return false
		}
	}
	l.store.Use(now, e, Hit, p)
	line, _ := l.store.Read(now, e)
	merged := *line
	merged.Merge(data, mask)
	s[stat.L1Evictions] += uint64(l.store.Fill(now, e, &merged, held&mask.Sectors()|whole))
	return true
}
