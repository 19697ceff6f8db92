package cache

import "github.com/burstscope/burstscope/core/mem"

// ReadOnlyConfig sizes a cache for instructions or constants, which never change.
// Without sets there is no cache.
type ReadOnlyConfig struct {
	Sets      int // a power of two, or 0
	Ways      int
	LineBytes int // at most the 128 bytes of a packet
	MSHRs     int // lines that can be outstanding
}

// ReadOnly is a cache of an SM that allocates on fill. It holds tags only, because the
// kernel's code and parameters do not change. The caller remembers the warps that
// wait for a line.
type ReadOnly struct {
	tags   Tags
	mshr   []mem.Addr // outstanding line, NoLine if idle
	recent mem.Addr   // line that hit last, NoLine if none
	within mem.Addr   // bits of an address in its line
}

// NewReadOnly returns an empty cache.
func NewReadOnly(c ReadOnlyConfig) *ReadOnly {
	r := &ReadOnly{mshr: make([]mem.Addr, c.MSHRs), recent: NoLine, within: mem.Addr(c.LineBytes) - 1}
	if c.Sets > 0 {
		if c.LineBytes <= 0 || c.LineBytes > mem.LineBytes || mem.LineBytes%c.LineBytes != 0 || c.MSHRs < 1 {
			panic("cache: read-only cache configuration out of range")
		}
		sets, line := mem.Addr(c.Sets), mem.Addr(c.LineBytes)
		r.tags = newTags(Geometry{Sets: c.Sets, Ways: c.Ways}, func(a mem.Addr) int { return int(a / line % sets) })
	}
	for i := range r.mshr {
		r.mshr[i] = NoLine
	}
	return r
}

// Invalidate drops every line.
func (r *ReadOnly) Invalidate() {
	r.tags.Clear()
	r.recent = NoLine
}

// Line returns the address of the line that holds a.
func (r *ReadOnly) Line(a mem.Addr) mem.Addr { return a &^ r.within }

// Access looks up the line that holds a. On Miss the caller must request it under the
// MSHR index; on Merged that MSHR brings the line; Blocked means that no MSHR is idle.
func (r *ReadOnly) Access(a mem.Addr) (o Outcome, index int) {
	line := r.Line(a)
	if line == r.recent {
		return Hit, 0 // the line is already the most recently used one
	}
	return r.find(line)
}

func (r *ReadOnly) find(line mem.Addr) (o Outcome, index int) {
	if w := r.tags.Find(line); w >= 0 {
		r.tags.Touch(w)
		r.recent = line
		return Hit, 0
	}
	idle := -1
	for i, x := range r.mshr {
		if x == line {
			return Merged, i
		}
		if x == NoLine && idle < 0 {
			idle = i
		}
	}
	if idle < 0 {
		return Blocked, 0
	}
	r.mshr[idle] = line
	return Miss, idle
}

// Fill installs the line of an MSHR.
func (r *ReadOnly) Fill(index int) {
	line := r.mshr[index]
	if line == NoLine {
		panic("cache: fill of an idle MSHR")
	}
	r.tags.take(line)
	r.recent = line
	r.mshr[index] = NoLine
}
