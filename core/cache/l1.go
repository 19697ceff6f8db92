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
}

// MaxMerges bounds L1Config.Merges.
const MaxMerges = 16

// Outcome is the answer of L1.Load.
type Outcome uint8

const (
	Hit     Outcome = iota // Line holds the data
	Miss                   // send a request with the MSHR index as tag
	Merged                 // the waiter will be answered by a request under way
	Blocked                // no MSHR or merge slot: try again later
)

// L1 is the data cache of one SM. It is passive: the load/store unit drives it.
// L1s are not coherent; a store drops the line it touches.
type L1 struct {
	config L1Config
	tags   tags
	lines  []mem.Line
	valid  []uint8 // sectors that a way holds
	// reserved holds, for a way that waits for sectors, an MSHR + 1: the first of
	// those that will fill it.
	reserved []uint16
	mshr     []l1MSHR
	free     []uint16 // unused MSHRs
	active   int
}

type l1MSHR struct {
	way     int32  // that the sectors will take; none if they are not kept
	next    uint16 // MSHR + 1 that fills the same way
	asked   uint8  // sectors
	since   sim.Cycle
	waiters [MaxMerges]uint32
	n       uint8
	live    bool
}

// noWay is the way of a request whose line is not kept: that of a load that does
// not use L1, or one that a store has passed while its fill was under way. The fill
// then holds bytes from before the store: loads that asked for them get them, but
// later loads must not join, or a thread would read its own past.
const noWay int32 = -1

// NewL1 returns an empty L1.
func NewL1(c L1Config) *L1 {
	if c.Merges > MaxMerges || c.MSHRs < 1 || c.Merges < 1 {
		panic("cache: L1 MSHR configuration out of range")
	}
	l := &L1{
		config: c,
		tags:   newTags(c.Geometry, func(a mem.Addr) int { return c.Index.set(a/mem.LineBytes, c.Sets) }),
		lines:  make([]mem.Line, c.Sets*c.Ways), valid: make([]uint8, c.Sets*c.Ways), reserved: make([]uint16, c.Sets*c.Ways),
		mshr: make([]l1MSHR, c.MSHRs),
		free: make([]uint16, 0, c.MSHRs),
	}
	for i := c.MSHRs - 1; i >= 0; i-- {
		l.free = append(l.free, uint16(i))
	}
	return l
}

// Line returns the contents of a way answered by Load or Fill.
func (l *L1) Line(way int) *mem.Line { return &l.lines[way] }

// Outstanding returns the number of lines requested and not yet filled.
func (l *L1) Outstanding() int { return l.active }

// Invalidate drops every line, as at kernel start. Nothing may be under way.
func (l *L1) Invalidate() {
	if l.active > 0 {
		panic("cache: L1 dropped with lines under way")
	}
	l.tags.clear()
}

// Load looks up sectors of the line at address a for a waiter. On Hit, index is a
// way; on Miss and Merged, the MSHR. A miss takes a way at once: where those of the
// set are all under way it has to wait. It counts into s.
func (l *L1) Load(now sim.Cycle, a mem.Addr, sectors uint8, waiter uint32, s *stat.Set) (o Outcome, index int) {
	w := l.tags.find(a)
	if w >= 0 {
		if l.valid[w]&sectors == sectors {
			l.tags.touch(w)
			s[stat.L1Accesses]++
			s[stat.L1Hits]++
			return Hit, w
		}
		for i := l.reserved[w]; i != 0; i = l.mshr[i-1].next {
			m := &l.mshr[i-1]
			if m.asked&sectors != sectors {
				continue
			}
			if int(m.n) == l.config.Merges {
				s[stat.L1Blocked]++
				return Blocked, 0
			}
			l.tags.touch(w)
			m.waiters[m.n] = waiter
			m.n++
			s[stat.L1Accesses]++
			s[stat.L1Merged]++
			return Merged, int(i) - 1
		}
	} else {
		w = l.victim(a)
	}
	if w < 0 || len(l.free) == 0 {
		s[stat.L1Blocked]++
		return Blocked, 0
	}
	if l.tags.addr[w] != a {
		if l.tags.addr[w] != noLine {
			s[stat.L1Evictions]++
		}
		l.tags.addr[w], l.valid[w] = a, 0
	}
	l.tags.touch(w)
	i := l.allocate(now, int32(w), waiter)
	l.mshr[i].next, l.mshr[i].asked = l.reserved[w], sectors
	l.reserved[w] = uint16(i) + 1
	s[stat.L1Accesses]++
	s[stat.L1Misses]++
	return Miss, i
}

// victim returns the least recently used way of a's set whose line is not under
// way, an empty one first, or -1.
func (l *L1) victim(a mem.Addr) int {
	first, end := l.tags.set(a)
	best := -1
	for w := first; w < end; w++ {
		switch {
		case l.tags.addr[w] == noLine:
			return w
		case l.reserved[w] == 0 && (best < 0 || l.tags.used[w] < l.tags.used[best]):
			best = w
		}
	}
	return best
}

// Bypass allocates an MSHR for a load that does not use L1 and drops the line
// the cache may hold, so that nobody reads an older value afterwards.
func (l *L1) Bypass(now sim.Cycle, a mem.Addr, waiter uint32, s *stat.Set) (o Outcome, index int) {
	if len(l.free) == 0 {
		s[stat.L1Blocked]++
		return Blocked, 0
	}
	l.drop(a)
	s[stat.L1Bypasses]++
	return Miss, l.allocate(now, noWay, waiter)
}

func (l *L1) allocate(now sim.Cycle, way int32, waiter uint32) int {
	n := len(l.free)
	i := l.free[n-1]
	l.free = l.free[:n-1]
	l.active++
	m := &l.mshr[i]
	m.way, m.n, m.live, m.since = way, 1, true, now
	m.waiters[0] = waiter
	return int(i)
}

// Store tells L1 that a store or an atomic to line a passes on its way to L2.
func (l *L1) Store(a mem.Addr, s *stat.Set) {
	if l.drop(a) {
		s[stat.L1WriteEvicts]++
	}
}

// drop forgets a line, and reports whether its bytes were there.
func (l *L1) drop(a mem.Addr) bool {
	w := l.tags.find(a)
	if w < 0 {
		return false
	}
	l.tags.addr[w] = noLine
	held := l.valid[w] != 0
	l.valid[w] = 0
	for i := l.reserved[w]; i != 0; i = l.mshr[i-1].next {
		l.mshr[i-1].way = noWay
	}
	l.reserved[w] = 0
	return held
}

// Fill takes the data of the request with MSHR index and returns the waiters.
// The slice is valid until the next call.
func (l *L1) Fill(now sim.Cycle, index int, data *mem.Line, s *stat.Set) []uint32 {
	m := &l.mshr[index]
	if !m.live {
		panic("cache: fill of an idle MSHR")
	}
	if w := m.way; w != noWay {
		l.lines[w].Merge(data, mem.SectorMask(m.asked))
		l.valid[w] |= m.asked
		at := &l.reserved[w]
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
