package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Store keeps the lines of an L1. It decides where a line lies, how much room it takes
// and when the data of a hit are ready. An entry is a place for one line; the L1
// remembers which entries wait for data. Find and Claim are separate steps, so that a load
// can be answered although its line has no room.
type Store interface {
	// Find returns the entry of line a and the sectors it holds; -1 if there is none.
	Find(a mem.Addr) (entry int, sectors uint8)
	// Claim gives an entry without data to a line that has none: the least recently used
	// entry that does not wait for data (its waits is 0). It returns -1 if all entries
	// wait, and the number of lines that had to leave.
	Claim(a mem.Addr, waits []uint16) (entry, evicted int)
	// Use makes an entry the most recently used one for an access with a known outcome: a
	// Hit, which Read follows, a Miss or a Merged load. The priority says when its line leaves.
	Use(now sim.Cycle, entry int, o Outcome, p mem.Priority)
	// Read returns the line of a hit, valid until the next call, and the cycle in which
	// its data are ready.
	Read(now sim.Cycle, entry int) (line *mem.Line, ready sim.Cycle)
	// Fill puts sectors of a line into its entry, and returns the number of other lines
	// that had to leave.
	Fill(now sim.Cycle, entry int, data *mem.Line, sectors uint8) (evicted int)
	// Line returns the line that an entry is for, NoLine if it has none.
	Line(entry int) mem.Addr
	// Drop empties an entry.
	Drop(entry int)
	// Clear empties all entries.
	Clear()
	// Begin says which launch begins.
	Begin(launch int)
	// Bytes returns the line of an entry and the sectors that are there. It counts as no access.
	Bytes(entry int) (line *mem.Line, sectors uint8)
	// State lists the changing state of the store.
	State(t *tape.Tape)
}

// NewStore makes a store for a configuration, and returns its number of entries.
type NewStore func(c *L1Config, e StoreEnv) (s Store, entries int)

// StoreEnv is what a store may use of its SM.
type StoreEnv struct {
	Stats *stat.Set
	Meter Meter
}

// Meter measures how much latency the warps of an SM can hide.
type Meter interface {
	// Take returns the mean ready warps of a scheduler and the mean run of one warp since
	// the last call.
	Take(now sim.Cycle) (readyWarps, runCycles float64)
}

// Stores makes the stores of the L1s of one machine, which may share parts.
type Stores interface {
	New(c *L1Config, e StoreEnv) (s Store, entries int)
	// State lists the changing state that the stores share.
	State(t *tape.Tape)
}

// Coded are stores whose codes are made while the machine runs. A stored state has the codes beside what State lists.
type Coded interface {
	// AppendTable appends the codes in use to b, nothing without any.
	AppendTable(b []byte) []byte
	// SetTable makes the codes in use those that AppendTable appended.
	SetTable(b []byte) error
}

// Plain is the store of an L1 without compression: every line takes one way of its set.
func Plain(c *L1Config, _ StoreEnv) (Store, int) {
	n := c.Sets * c.Ways
	return &plain{
		tags:    c.NewTags(c.Ways),
		lines:   newLineStore(n),
		valid:   make([]uint8, n),
		latency: sim.Cycle(c.LatencyCycles),
	}, n
}

type plain struct {
	tags    Tags
	lines   lineStore
	valid   []uint8 // sectors of each way with data
	latency sim.Cycle
}

func (p *plain) Find(a mem.Addr) (entry int, sectors uint8) {
	w := p.tags.Find(a)
	if w < 0 {
		return w, 0
	}
	return w, p.valid[w]
}

func (p *plain) Claim(a mem.Addr, waits []uint16) (entry, evicted int) {
	w := p.victim(a, waits)
	if w < 0 {
		return w, 0
	}
	if p.tags.Addr[w] != NoLine {
		evicted = 1
	}
	p.tags.Put(w, a)
	p.valid[w] = 0
	return w, evicted
}

// victim returns an empty way of a's set, or the least recently used one that does not
// wait for data, or -1.
func (p *plain) victim(a mem.Addr, waits []uint16) int {
	first, end := p.tags.Set(a)
	best := -1
	for w := first; w < end; w++ {
		switch {
		case p.tags.Addr[w] == NoLine:
			return w
		case waits[w] == 0 && (best < 0 || p.tags.Used[w] < p.tags.Used[best]):
			best = w
		}
	}
	return best
}

func (p *plain) Use(_ sim.Cycle, entry int, _ Outcome, x mem.Priority) { p.tags.Use(entry, x) }

func (p *plain) Read(now sim.Cycle, entry int) (line *mem.Line, ready sim.Cycle) {
	return p.lines.read(entry), now + p.latency
}

func (p *plain) Fill(_ sim.Cycle, entry int, data *mem.Line, sectors uint8) (evicted int) {
	line := p.lines.write(entry)
	if sectors == 1<<mem.LineSectors-1 {
		line.Set(data)
	} else {
		line.Merge(data, mem.SectorMask(sectors))
	}
	p.valid[entry] |= sectors
	return 0
}

func (p *plain) Line(entry int) mem.Addr { return p.tags.Addr[entry] }

func (p *plain) Drop(entry int) { p.tags.Addr[entry], p.valid[entry] = NoLine, 0 }

func (p *plain) Clear() { p.tags.Clear() }

func (p *plain) Begin(int) {}

func (p *plain) Bytes(entry int) (line *mem.Line, sectors uint8) {
	return p.lines.read(entry), p.valid[entry]
}

func (p *plain) State(t *tape.Tape) {
	p.tags.State(t)
	p.lines.state(t)
	tape.Values(t, p.valid)
}
