package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// L1Config sizes an L1.
type L1Config struct {
	Geometry
	Index  Index
	MSHRs  int // lines that can be outstanding
	Merges int // loads that can wait for one outstanding line
	// LatencyCycles from lookup to data in the register file.
	LatencyCycles int
	// PassCycles is the pipeline that misses and stores pass on their way to L2;
	// loads that bypass L1 do not.
	PassCycles int
	// Sectored: a miss asks for the sectors it needs, not for the line.
	Sectored bool
	// Local is what a store to local memory does.
	Local Local
	// Stores is what a store does to its line.
	Stores StorePolicy
	// Acquire is what an acquire or a fence does to the lines.
	Acquire Acquire
	// Launches is what happens to the lines between two launches.
	Launches Launches
}

// MaxMerges bounds L1Config.Merges.
const MaxMerges = 16

// Outcome is a cache's answer to a load.
type Outcome uint8

const (
	Hit     Outcome = iota // the data are here
	Miss                   // the line must be requested under an MSHR
	Merged                 // an outstanding request brings the data
	Blocked                // no MSHR, merge slot or entry is free: try again later
)

// L1 is the data cache of one SM: a store of lines, and MSHRs for outstanding lines.
// It is passive: the load/store unit drives it. L1s are not coherent: see Acquire.
type L1 struct {
	config L1Config
	store  Store
	// waits holds, for an entry that waits for sectors, the number of the first MSHR
	// that will fill it, plus 1.
	waits  []uint16
	kept   keptLines
	mshr   []l1MSHR
	free   []uint16 // unused MSHRs
	active int
}

type l1MSHR struct {
	entry   int32  // where the sectors will be kept; noEntry if they are not kept
	next    uint16 // next MSHR that fills the same entry, plus 1
	asked   uint8  // sectors
	since   sim.Cycle
	waiters [MaxMerges]uint32
	n       uint8
	live    bool
}

// noEntry is the entry of a request whose line is not kept: the load does not use L1, or
// a store has passed while the fill was under way. In the second case the fill
// holds bytes from before the store. Loads that waited for it get them, but later
// loads must not join, or a thread would read a value older than its own store.
const noEntry int32 = -1

// NewL1 returns an empty L1 that keeps its lines in a store made by newStore.
func NewL1(c L1Config, newStore NewStore, e StoreEnv) *L1 {
	if c.Merges > MaxMerges || c.MSHRs < 1 || c.Merges < 1 {
		panic("cache: L1 MSHR configuration out of range")
	}
	store, entries := newStore(&c, e)
	l := &L1{
		config: c, store: store, waits: make([]uint16, entries),
		mshr: make([]l1MSHR, c.MSHRs),
		free: make([]uint16, 0, c.MSHRs),
	}
	for i := c.MSHRs - 1; i >= 0; i-- {
		l.free = append(l.free, uint16(i))
	}
	if c.Local == LocalBack {
		l.kept.init(entries)
	}
	return l
}

// Rest gives back the memory of the MSHRs and of the lines' bytes, if no line is outstanding. Which lines are there can
// still be read. No load may come afterwards.
func (l *L1) Rest() {
	if l.active > 0 {
		return
	}
	l.mshr, l.free = nil, nil
	if p, ok := l.store.(*plain); ok {
		p.lines = lineStore{}
	}
}

// Outstanding returns the number of lines requested and not yet filled.
func (l *L1) Outstanding() int { return l.active }

// Invalidate drops every line before a launch. No load may be outstanding. Kept lines of
// local memory are dropped too, because the threads that own them have ended.
func (l *L1) Invalidate(launch int) {
	if l.active > 0 {
		l.leave()
	}
	l.store.Clear()
	l.store.Begin(launch)
	l.kept.clear()
}

// leave makes the prefetches under way bring nothing. Nobody may wait for a line.
func (l *L1) leave() {
	for i := range l.mshr {
		switch m := &l.mshr[i]; {
		case m.live && m.n > 0:
			panic("cache: L1 invalidated with outstanding lines")
		case m.live:
			m.entry = noEntry
		}
	}
	clear(l.waits)
}

// Found is the result of looking up a load; nothing has changed yet.
type Found struct {
	addr    mem.Addr
	entry   int32 // of the line, -1 if it has none
	mshr    int16 // MSHR that brings the sectors, if Merged
	sectors uint8
	Outcome Outcome // Hit, Miss or Merged
	// Priority is what Take does to the order of eviction.
	Priority mem.Priority
}

// Entry returns the entry of the line, -1 if it has none.
func (f Found) Entry() int { return int(f.entry) }

// Entries returns the number of entries.
func (l *L1) Entries() int { return len(l.waits) }

// CanMiss reports whether an MSHR is free.
func (l *L1) CanMiss() bool { return len(l.free) > 0 }

// Find looks up sectors of the line at address a.
func (l *L1) Find(a mem.Addr, sectors uint8) Found {
	e, held := l.store.Find(a)
	f := Found{addr: a, entry: int32(e), sectors: sectors, Outcome: Miss}
	if e < 0 {
		return f
	}
	if held&sectors == sectors {
		f.Outcome = Hit
		return f
	}
	for i := l.waits[e]; i != 0; i = l.mshr[i-1].next {
		if l.mshr[i-1].asked&sectors == sectors {
			f.Outcome, f.mshr = Merged, int16(i)-1
			break
		}
	}
	return f
}

// Take performs the load that Find has looked up, for a waiter. On Hit, index is an entry
// to Read; on Miss and Merged, it is the MSHR. A miss takes an entry at once; if all entries of
// the set wait for data, it is Blocked. Take counts into s.
func (l *L1) Take(now sim.Cycle, f Found, waiter uint32, s *stat.Set) (o Outcome, index int) {
	switch f.Outcome {
	case Hit:
		l.store.Use(now, int(f.entry), Hit, f.Priority)
		s[stat.L1Accesses]++
		s[stat.L1Hits]++
		return Hit, int(f.entry)
	case Merged:
		m := &l.mshr[f.mshr]
		if int(m.n) == l.config.Merges {
			s[stat.L1Blocked]++
			return Blocked, 0
		}
		l.store.Use(now, int(f.entry), Merged, f.Priority)
		m.waiters[m.n] = waiter
		m.n++
		s[stat.L1Accesses]++
		s[stat.L1Merged]++
		return Merged, int(f.mshr)
	}
	if len(l.free) == 0 {
		s[stat.L1Blocked]++
		return Blocked, 0
	}
	if f.Priority == mem.NoAllocate && f.entry < 0 {
		s[stat.L1Accesses]++
		s[stat.L1Misses]++
		return Miss, l.allocate(now, noEntry, waiter)
	}
	e := l.claim(now, f, s)
	if e < 0 {
		s[stat.L1Blocked]++
		return Blocked, 0
	}
	i := l.allocate(now, int32(e), waiter)
	l.mshr[i].next, l.mshr[i].asked = l.waits[e], f.sectors
	l.waits[e] = uint16(i) + 1
	s[stat.L1Accesses]++
	s[stat.L1Misses]++
	return Miss, i
}

// Prefetch takes the line that Find has looked up, as Take does, but no load waits for it: on Miss, the fill
// of MSHR index has no waiters. A line on its way is Merged without room for one more load.
func (l *L1) Prefetch(now sim.Cycle, f Found, s *stat.Set) (o Outcome, index int) {
	if f.Outcome == Merged {
		l.store.Use(now, int(f.entry), Merged, f.Priority)
		s[stat.L1Accesses]++
		s[stat.L1Merged]++
		return Merged, int(f.mshr)
	}
	if o, index = l.Take(now, f, 0, s); o == Miss {
		l.mshr[index].n = 0
	}
	return o, index
}

// claim returns an entry for the line of a miss, as the most recently used one, or -1.
func (l *L1) claim(now sim.Cycle, f Found, s *stat.Set) int {
	e := int(f.entry)
	if e < 0 {
		var evicted int
		if e, evicted = l.store.Claim(f.addr, l.waits); e < 0 {
			return e
		}
		s[stat.L1Evictions] += uint64(evicted)
		if l.kept.n > 0 && l.kept.addr[e] != NoLine {
			line, _ := l.store.Read(0, e)
			l.kept.leave(e, line)
		}
	}
	l.store.Use(now, e, Miss, f.Priority)
	return e
}

// Insert puts a line that missed but was not fetched into L1. It returns the entry, -1 if
// none is free.
func (l *L1) Insert(now sim.Cycle, f Found, data *mem.Line, s *stat.Set) int {
	e := l.claim(now, f, s)
	if e >= 0 {
		s[stat.L1Evictions] += uint64(l.store.Fill(now, e, data, f.sectors))
	}
	return e
}

// Ask allocates an MSHR for a line that L1 will not keep. One must be free.
func (l *L1) Ask(now sim.Cycle, waiter uint32) int { return l.allocate(now, noEntry, waiter) }

// Read returns the line of a hit, valid until the next call, and the cycle in which its
// data are in the register file.
func (l *L1) Read(now sim.Cycle, entry int) (line *mem.Line, ready sim.Cycle) {
	return l.store.Read(now, entry)
}

// Bypass allocates an MSHR for a load that does not use L1. It drops the line from L1,
// so that no later load reads an older value.
func (l *L1) Bypass(now sim.Cycle, a mem.Addr, waiter uint32, s *stat.Set) (o Outcome, index int) {
	if len(l.free) == 0 {
		s[stat.L1Blocked]++
		return Blocked, 0
	}
	l.drop(a)
	s[stat.L1Bypasses]++
	return Miss, l.allocate(now, noEntry, waiter)
}

func (l *L1) allocate(now sim.Cycle, entry int32, waiter uint32) int {
	n := len(l.free)
	i := l.free[n-1]
	l.free = l.free[:n-1]
	l.active++
	m := &l.mshr[i]
	m.entry, m.n, m.live, m.since = entry, 1, true, now
	m.waiters[0] = waiter
	return int(i)
}

// drop removes a line, and reports whether L1 held its bytes.
func (l *L1) drop(a mem.Addr) bool {
	e, held := l.store.Find(a)
	if e < 0 {
		return false
	}
	l.dropEntry(e)
	return held != 0
}

// dropEntry empties an entry. What has been requested for it will not be kept.
func (l *L1) dropEntry(e int) {
	l.store.Drop(e)
	if l.kept.n > 0 {
		l.kept.forget(e)
	}
	for i := l.waits[e]; i != 0; i = l.mshr[i-1].next {
		l.mshr[i-1].entry = noEntry
	}
	l.waits[e] = 0
}

// Fill takes the data of the request with MSHR index and returns the waiters.
// The slice is valid until the next call.
func (l *L1) Fill(now sim.Cycle, index int, data *mem.Line, s *stat.Set) []uint32 {
	m := &l.mshr[index]
	if !m.live {
		panic("cache: fill of an idle MSHR")
	}
	if e := m.entry; e != noEntry {
		s[stat.L1Evictions] += uint64(l.store.Fill(now, int(e), data, m.asked))
		at := &l.waits[e]
		for *at != uint16(index)+1 {
			at = &l.mshr[*at-1].next
		}
		*at = m.next
	}
	s[stat.L1MissLatencyCycles] += uint64(now - m.since)
	m.live = false
	l.free = append(l.free, uint16(index))
	l.active--
	return m.waiters[:m.n]
}
