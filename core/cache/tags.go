// Package cache holds the two cache levels: an L1 inside each SM (write-through; a store
// drops its line or keeps it) and L2 slices (write-back, atomics performed in
// place), both filled by lines or by sectors. They hold the bytes, not only tags;
// the caches for instructions and constants hold tags.
package cache

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/mem"
)

// Geometry is the shape of a set-associative cache of 128-byte lines.
type Geometry struct {
	Sets int
	Ways int
}

// Bytes returns the capacity in bytes.
func (g Geometry) Bytes() int { return g.Sets * g.Ways * mem.LineBytes }

// Index is how an address chooses its set.
type Index uint8

const (
	// IndexLinear: the low bits of the line's number.
	IndexLinear Index = iota
	// IndexFold: all bits of the line's number, folded by exclusive or.
	IndexFold
	// IndexFermi: the index that Nugteren et al. measured in Fermi's L1 ("A
	// Detailed GPU Cache Model Based on Reuse Distance Theory", HPCA 2014): bits 7
	// to 11 exclusive or bits 13, 14, 15, 17 and 19. With 64 sets, bit 12 chooses the
	// half.
	IndexFermi
	NumIndexes
)

// IndexNames are the names of the set indexes, in their order.
var IndexNames = [NumIndexes]string{"linear", "fold", "fermi"}

// set returns the set of line number n.
func (x Index) set(n uint64, sets int) int {
	if sets&(sets-1) != 0 {
		return x.remainder(n, uint64(sets))
	}
	switch mask := uint64(sets) - 1; x {
	case IndexFold:
		h := uint64(0)
		for width := bits.Len64(mask); n != 0 && width > 0; n >>= width {
			h ^= n & mask
		}
		return int(h)
	case IndexFermi:
		h := n&31 ^ (n>>6&7 | n>>7&8 | n>>8&16)
		return int((h | n&32) & mask)
	default:
		return int(n & mask)
	}
}

// remainder returns the set of line n. It is for a number of sets that is not a power of two: a GA102 has 6 MB of L2.
// The set is the remainder of n. Under IndexFold, the higher bits of n are mixed into the lower ones before [ours].
// NVIDIA does not say how an address chooses its set.
func (x Index) remainder(n, sets uint64) int {
	h := n
	if x == IndexFold {
		width := bits.Len64(sets)
		for n >>= width; n != 0; n >>= width {
			h ^= n
		}
	}
	return int(h % sets)
}

// NoLine is the tag of an empty way. Line addresses are multiples of 128, so no line has
// this tag.
const NoLine mem.Addr = 1

// Tags is a tag array with least-recently-used replacement. A way index counts
// over the whole array: set*ways+way.
type Tags struct {
	Geometry Geometry
	setOf    func(mem.Addr) int
	Addr     []mem.Addr // of the line of each way, NoLine for none
	Used     []uint64   // of each way: its line's class and the stamp of the last use
	stamp    uint64

	// The line that was looked up last and the first way of its set: a miss needs the set
	// again for its victim.
	last      mem.Addr
	lastFirst int
}

func newTags(g Geometry, setOf func(mem.Addr) int) Tags {
	if g.Sets <= 0 || g.Ways <= 0 {
		panic("cache: sets and ways must be positive")
	}
	n := g.Sets * g.Ways
	t := Tags{Geometry: g, setOf: setOf, Addr: make([]mem.Addr, n), Used: make([]uint64, n), last: NoLine}
	t.Clear()
	return t
}

// NewTags returns the tags of an L1 with so many in each set.
func (c *L1Config) NewTags(ways int) Tags {
	sets, index := c.Sets, c.Index
	return newTags(Geometry{Sets: sets, Ways: ways}, func(a mem.Addr) int { return index.set(a/mem.LineBytes, sets) })
}

// Clear empties all ways.
func (t *Tags) Clear() {
	for i := range t.Addr {
		t.Addr[i] = NoLine
	}
}

// Set returns the bounds of the ways that may hold line a.
func (t *Tags) Set(a mem.Addr) (first, end int) {
	if first = t.lastFirst; a != t.last {
		first = t.look(a)
	}
	return first, first + t.Geometry.Ways
}

func (t *Tags) look(a mem.Addr) int {
	t.last, t.lastFirst = a, t.setOf(a)*t.Geometry.Ways
	return t.lastFirst
}

// Find returns the way that holds line a, or -1.
func (t *Tags) Find(a mem.Addr) int {
	first := t.lastFirst
	if a != t.last {
		first = t.look(a)
	}
	end := first + t.Geometry.Ways
	ways := t.Addr[first:end]
	// Four at a time: most searches pass all ways.
	for ; len(ways) >= 4; ways = ways[4:] {
		if ways[0] == a || ways[1] == a || ways[2] == a || ways[3] == a {
			break
		}
	}
	for i, x := range ways {
		if x == a {
			return end - len(ways) + i
		}
	}
	return -1
}

// The two highest bits of a way's stamp are the class of its line, so that the smallest stamp of a set is the least
// recently used line of the class that leaves first.
const (
	classFirst  uint64 = 0
	classNormal uint64 = 1 << 62
	classLast   uint64 = 2 << 62
	classBits   uint64 = 3 << 62
)

// Put gives a way to a line, which is normal.
func (t *Tags) Put(way int, a mem.Addr) { t.Addr[way], t.Used[way] = a, classNormal }

// Touch makes a way the most recently used one of its class.
func (t *Tags) Touch(way int) {
	t.stamp++
	t.Used[way] = t.Used[way]&classBits | t.stamp
}

// Use is an access to the line of a way.
func (t *Tags) Use(way int, p mem.Priority) {
	switch p {
	case mem.EvictFirst:
		t.Used[way] = classFirst
	case mem.EvictLast:
		t.Used[way] = classLast
	case mem.EvictNormal:
		t.Used[way] = classNormal
	case mem.EvictUnchanged, mem.NoAllocate:
		if t.Used[way] != classNormal { // else it is new
			return
		}
	}
	t.Touch(way)
}

// victim returns the least recently used way of a's set for which allowed is
// true, empty ways first, or -1.
func (t *Tags) victim(a mem.Addr, allowed func(way int) bool) int {
	first, end := t.Set(a)
	best := -1
	for w := first; w < end; w++ {
		if t.Addr[w] == NoLine {
			return w
		}
		if (best < 0 || t.Used[w] < t.Used[best]) && (allowed == nil || allowed(w)) {
			best = w
		}
	}
	return best
}
