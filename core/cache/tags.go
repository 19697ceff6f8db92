// Package cache holds the two cache levels: an L1 inside each SM (write-through,
// write-evict, no write allocation) and L2 slices (write-back, filled by whole
// lines, atomics performed in place). Both hold the bytes, not only tags.
package cache

import "github.com/burstscope/burstscope/core/mem"

// Geometry is the shape of a set-associative cache of 128-byte lines.
type Geometry struct {
	Sets int // a power of two
	Ways int
}

// Bytes returns the capacity in bytes.
func (g Geometry) Bytes() int { return g.Sets * g.Ways * mem.LineBytes }

// noLine is the tag of an empty way: no line address, since those are multiples
// of 128.
const noLine mem.Addr = 1

// tags is a tag array with least-recently-used replacement. A way index counts
// over the whole array: set*ways+way.
type tags struct {
	geometry Geometry
	setOf    func(mem.Addr) int
	addr     []mem.Addr
	used     []uint64 // stamp of the last use
	stamp    uint64
}

func newTags(g Geometry, setOf func(mem.Addr) int) tags {
	if g.Sets <= 0 || g.Sets&(g.Sets-1) != 0 || g.Ways <= 0 {
		panic("cache: sets must be a power of two and ways positive")
	}
	n := g.Sets * g.Ways
	t := tags{geometry: g, setOf: setOf, addr: make([]mem.Addr, n), used: make([]uint64, n)}
	t.clear()
	return t
}

func (t *tags) clear() {
	for i := range t.addr {
		t.addr[i] = noLine
	}
}

func (t *tags) copyFrom(src *tags) {
	copy(t.addr, src.addr)
	copy(t.used, src.used)
	t.stamp = src.stamp
}

// set returns the bounds of the ways that may hold line a.
func (t *tags) set(a mem.Addr) (first, end int) {
	first = t.setOf(a) * t.geometry.Ways
	return first, first + t.geometry.Ways
}

// find returns the way that holds line a, or -1.
func (t *tags) find(a mem.Addr) int {
	first, end := t.set(a)
	for i, x := range t.addr[first:end] {
		if x == a {
			return first + i
		}
	}
	return -1
}

func (t *tags) touch(way int) {
	t.stamp++
	t.used[way] = t.stamp
}

// victim returns the least recently used way of a's set for which allowed is
// true, empty ways first, or -1.
func (t *tags) victim(a mem.Addr, allowed func(way int) bool) int {
	first, end := t.set(a)
	best := -1
	for w := first; w < end; w++ {
		if t.addr[w] == noLine {
			return w
		}
		if (best < 0 || t.used[w] < t.used[best]) && (allowed == nil || allowed(w)) {
			best = w
		}
	}
	return best
}
