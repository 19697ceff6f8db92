package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

// L1Config sizes an L1.
type L1Config struct {
	Geometry
	MSHRs  int // lines that can be outstanding
	Merges int // loads that can wait for one outstanding line
	// LatencyCycles from lookup to data in the register file.
	LatencyCycles int
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
	mshr   []l1MSHR
	free   []uint16 // unused MSHRs
	active int
}

type l1MSHR struct {
	addr    mem.Addr
	waiters [MaxMerges]uint32
	n       uint8
	live    bool
	// stale is set when a store passes the line while its fill is under way. The
	// fill then holds bytes from before the store: loads that asked for them get
	// them, but the line is not installed and later loads must not join, or a
	// thread would read its own past.
	stale bool
}

// NewL1 returns an empty L1.
func NewL1(c L1Config) *L1 {
	if c.Merges > MaxMerges || c.MSHRs < 1 || c.Merges < 1 {
		panic("cache: L1 MSHR configuration out of range")
	}
	sets := mem.Addr(c.Sets)
	l := &L1{
		config: c,
		tags:   newTags(c.Geometry, func(a mem.Addr) int { return int(a / mem.LineBytes % sets) }),
		lines:  make([]mem.Line, c.Sets*c.Ways),
		mshr:   make([]l1MSHR, c.MSHRs),
		free:   make([]uint16, 0, c.MSHRs),
	}
	for i := c.MSHRs - 1; i >= 0; i-- {
		l.free = append(l.free, uint16(i))
	}
	return l
}

// CopyFrom makes l equal to src, which has the same configuration.
func (l *L1) CopyFrom(src *L1) {
	l.tags.copyFrom(&src.tags)
	copy(l.lines, src.lines)
	copy(l.mshr, src.mshr)
	l.free = append(l.free[:0], src.free...)
	l.active = src.active
}

// Line returns the contents of a way answered by Load or Fill.
func (l *L1) Line(way int) *mem.Line { return &l.lines[way] }

// Outstanding returns the number of lines requested and not yet filled.
func (l *L1) Outstanding() int { return l.active }

// Invalidate drops every line, as at kernel start.
func (l *L1) Invalidate() { l.tags.clear() }

// Load looks up the line at address a for a waiter. On Hit, index is a way; on
// Miss and Merged, the MSHR. It counts into s.
func (l *L1) Load(a mem.Addr, waiter uint32, s *stat.Set) (o Outcome, index int) {
	if w := l.tags.find(a); w >= 0 {
		l.tags.touch(w)
		s[stat.L1Accesses]++
		s[stat.L1Hits]++
		return Hit, w
	}
	if l.active > 0 {
		for i := range l.mshr {
			m := &l.mshr[i]
			if !m.live || m.addr != a || m.stale {
				continue
			}
			if int(m.n) == l.config.Merges {
				s[stat.L1Blocked]++
				return Blocked, 0
			}
			m.waiters[m.n] = waiter
			m.n++
			s[stat.L1Accesses]++
			s[stat.L1Merged]++
			return Merged, i
		}
	}
	i, ok := l.allocate(a, waiter, s)
	if !ok {
		return Blocked, 0
	}
	s[stat.L1Accesses]++
	s[stat.L1Misses]++
	return Miss, i
}

// Bypass allocates an MSHR for a load that does not use L1 and drops the line
// the cache may hold, so that nobody reads an older value afterwards.
func (l *L1) Bypass(a mem.Addr, waiter uint32, s *stat.Set) (o Outcome, index int) {
	i, ok := l.allocate(a, waiter, s)
	if !ok {
		return Blocked, 0
	}
	l.drop(a)
	l.mshr[i].stale = true
	s[stat.L1Bypasses]++
	return Miss, i
}

func (l *L1) allocate(a mem.Addr, waiter uint32, s *stat.Set) (int, bool) {
	n := len(l.free)
	if n == 0 {
		s[stat.L1Blocked]++
		return 0, false
	}
	i := l.free[n-1]
	l.free = l.free[:n-1]
	l.active++
	m := &l.mshr[i]
	m.addr, m.n, m.live, m.stale = a, 1, true, false
	m.waiters[0] = waiter
	return int(i), true
}

// Store tells L1 that a store or an atomic to line a passes on its way to L2.
func (l *L1) Store(a mem.Addr, s *stat.Set) {
	if l.drop(a) {
		s[stat.L1WriteEvicts]++
	}
	if l.active == 0 {
		return
	}
	for i := range l.mshr {
		if m := &l.mshr[i]; m.live && m.addr == a {
			m.stale = true
		}
	}
}

func (l *L1) drop(a mem.Addr) bool {
	w := l.tags.find(a)
	if w < 0 {
		return false
	}
	l.tags.addr[w] = noLine
	return true
}

// Fill takes the data of the request with MSHR index and returns the waiters.
// The slice is valid until the next call.
func (l *L1) Fill(index int, data *mem.Line, s *stat.Set) []uint32 {
	m := &l.mshr[index]
	if !m.live {
		panic("cache: fill of an idle MSHR")
	}
	if !m.stale && l.tags.find(m.addr) < 0 {
		w := l.tags.victim(m.addr, nil)
		if l.tags.addr[w] != noLine {
			s[stat.L1Evictions]++
		}
		l.tags.addr[w] = m.addr
		l.tags.touch(w)
		l.lines[w] = *data
	}
	m.live = false
	l.free = append(l.free, uint16(index))
	l.active--
	return m.waiters[:m.n]
}
