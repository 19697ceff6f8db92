// Package profile chooses the targets of Buddy Compression (section III-B of its paper) from
// snapshots of memory: how large each entry of each allocation was, ten times in a run.
package profile

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
)

// Snapshots is the number of snapshots of a run (section II-C).
const Snapshots = 10

// Sizes are the eight sizes of an entry in bytes that the compressibility study assumes
// (section II-C, figure 3).
var Sizes = [8]int{0, 8, 16, 32, 64, 80, 96, 128}

// Counts are the entries of an allocation by their size in one snapshot.
type Counts [len(Sizes)]uint64

// Add counts an entry whose code has a number of bits, and returns its size. Only an entry of zeros
// has size 0.
func (c *Counts) Add(line *mem.Line, bits int) (size int) {
	if *line == (mem.Line{}) {
		c[0]++
		return 0
	}
	k := 1
	for k < len(Sizes)-1 && bits > Sizes[k]*8 {
		k++
	}
	c[k]++
	return Sizes[k]
}

// Entries is the number of entries.
func (c *Counts) Entries() (n uint64) {
	for _, v := range c {
		n += v
	}
	return n
}

// Bytes is the sum of the entries' sizes.
func (c *Counts) Bytes() (n uint64) {
	for k, v := range c {
		n += v * uint64(Sizes[k])
	}
	return n
}

// Over is the number of entries that a target sends to buddy memory.
func (c *Counts) Over(t layout.Target) (n uint64) {
	for k, v := range c {
		if _, linked := t.Split((Sizes[k] + layout.SectorBytes - 1) / layout.SectorBytes); linked != 0 {
			n += v
		}
	}
	return n
}

// Allocation is what was seen of an allocation.
type Allocation struct {
	Name      string   `json:"name"`
	Bytes     uint64   `json:"bytes"`
	Snapshots []Counts `json:"snapshots"`
}

// Over is the largest share of entries that a target sends to buddy memory in any snapshot;
// in all of them together if mean.
func (a *Allocation) Over(t layout.Target, mean bool) float64 {
	worst, over, entries := 0.0, uint64(0), uint64(0)
	for i := range a.Snapshots {
		c := &a.Snapshots[i]
		o, n := c.Over(t), c.Entries()
		if n > 0 {
			worst = max(worst, float64(o)/float64(n))
		}
		over, entries = over+o, entries+n
	}
	if mean && entries > 0 {
		return float64(over) / float64(entries)
	}
	return worst
}

// zeros is the smallest share of zero entries in any snapshot.
func (a *Allocation) zeros() float64 {
	least := 1.0
	for i := range a.Snapshots {
		if n := a.Snapshots[i].Entries(); n > 0 {
			least = min(least, float64(a.Snapshots[i][0])/float64(n))
		}
	}
	return least
}

// Ratio is the compression ratio with eight sizes over all allocations and snapshots (figure
// 3).
func Ratio(allocs []Allocation) float64 {
	var entries, bytes uint64
	for i := range allocs {
		for k := range allocs[i].Snapshots {
			entries += allocs[i].Snapshots[k].Entries()
			bytes += allocs[i].Snapshots[k].Bytes()
		}
	}
	if bytes == 0 {
		return float64(entries) // zeros only: any ratio
	}
	return float64(entries*layout.EntryBytes) / float64(bytes)
}

// Way is how targets are chosen.
type Way uint8

const (
	// ZeroPage is PerAllocation with 16x for allocations that stay zero.
	ZeroPage Way = iota
	// PerAllocation gives each allocation the largest target within the threshold.
	PerAllocation
	// Naive gives the whole program one target: the largest that is not above its ratio
	// [ours: the paper calls it conservative].
	Naive
)

// Ways are the names of the ways.
var Ways = []string{"zero-page", "per-allocation", "naive"}

// Rule is how targets are chosen.
type Rule struct {
	Way Way
	// ThresholdPercent is the Buddy Threshold: the share of entries of an allocation that may
	// need buddy memory (section III-B: 30).
	ThresholdPercent int
	// Mean judges an allocation by all snapshots together, not by the worst [ours].
	Mean bool
	Size layout.PageSize
}

// zeroShare of the entries must be zero in every snapshot for a target of 16x [ours: "mostly
// zero"].
const zeroShare = 0.99

// Choose returns the allocations with their targets. An allocation whose last entry is not whole
// stays plain.
func (r *Rule) Choose(allocs []Allocation) []layout.Allocation {
	chosen := make([]layout.Allocation, len(allocs))
	whole := layout.One
	for t := layout.One; t <= layout.Four; t++ {
		if ratio := Ratio(allocs); float64(layout.EntryBytes)/float64(t.DeviceBytes()) <= ratio {
			whole = t
		}
	}
	for i := range allocs {
		a := &allocs[i]
		chosen[i] = layout.Allocation{Name: a.Name, Bytes: a.Bytes}
		switch {
		case a.Bytes%layout.EntryBytes != 0:
		case r.Way == Naive:
			chosen[i].Target = whole
		case r.Way == ZeroPage && a.Bytes > 0 && a.zeros() >= zeroShare:
			chosen[i].Target = layout.Sixteen
		default:
			chosen[i].Target = r.largest(a)
		}
	}
	for r.tooMuch(chosen) && demote(chosen) {
	}
	return chosen
}

// largest returns the largest target that keeps to the threshold.
func (r *Rule) largest(a *Allocation) layout.Target {
	t := layout.Four
	for t > layout.One && a.Over(t, r.Mean)*100 > float64(r.ThresholdPercent) {
		t--
	}
	return t
}

// tooMuch reports whether the targets reach a ratio of 4 with a target of 16x, or do not fit
// the carve-out (section III-B).
func (r *Rule) tooMuch(allocs []layout.Allocation) bool {
	l, err := layout.NewLayout(allocs, r.Size)
	if err != nil {
		f, ok := err.(*layout.Fault)
		return ok && f.Index < 0
	}
	return l.Capacity() >= 4
}

// demote gives the largest allocation at 16x a target of 4x. It reports whether there was one.
func demote(allocs []layout.Allocation) bool {
	largest := -1
	for i := range allocs {
		if allocs[i].Target == layout.Sixteen && (largest < 0 || allocs[i].Bytes > allocs[largest].Bytes) {
			largest = i
		}
	}
	if largest < 0 {
		return false
	}
	allocs[largest].Target = layout.Four
	return true
}

// Share is the share of entries, over all snapshots, that the targets send to buddy memory.
func Share(allocs []Allocation, chosen []layout.Allocation) float64 {
	var over, entries uint64
	for i := range allocs {
		for k := range allocs[i].Snapshots {
			c := &allocs[i].Snapshots[k]
			entries += c.Entries()
			if chosen[i].Target != layout.Plain {
				over += c.Over(chosen[i].Target)
			}
		}
	}
	if entries == 0 {
		return 0
	}
	return float64(over) / float64(entries)
}
