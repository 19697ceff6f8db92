package e2mc

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
)

// Histogram counts symbols: the value frequency table of E2MC (section III-B2),
// exact instead of sampled. Widths 4 and 8 have one count per position of the
// symbol in its 32-bit word, widths 16 and 32 one for all.
type Histogram struct {
	symbolBits int
	blocks     uint64
	flat       []uint64 // widths 4, 8, 16: tree<<symbolBits | symbol
	wide       wideCounts
}

// NewHistogram returns an empty histogram of symbols of 4, 8, 16 or 32 bits.
func NewHistogram(symbolBits int) (*Histogram, error) {
	h := &Histogram{symbolBits: symbolBits}
	switch symbolBits {
	case 4, 8:
		h.flat = make([]uint64, treeCount(symbolBits)<<symbolBits)
	case 16:
		h.flat = make([]uint64, 1<<16)
	case 32:
		h.wide.reset()
	default:
		return nil, symbolBitsError(symbolBits)
	}
	return h, nil
}

func symbolBitsError(symbolBits int) error {
	return fmt.Errorf("e2mc: symbols of %d bits: want 4, 8, 16 or 32", symbolBits)
}

// treeCount returns how many code trees a width has: one per position in the
// 32-bit word for 4 and 8 bits (section III-B1), else one.
func treeCount(symbolBits int) int {
	if symbolBits < 16 {
		return 32 / symbolBits
	}
	return 1
}

// SymbolBits returns the width of the symbols counted.
func (h *Histogram) SymbolBits() int { return h.symbolBits }

// Blocks returns how many lines were counted.
func (h *Histogram) Blocks() uint64 { return h.blocks }

// Total returns how many symbols were counted.
func (h *Histogram) Total() uint64 { return h.blocks * (mem.LineBytes * 8 / uint64(h.symbolBits)) }

// Count adds the symbols of line.
func (h *Histogram) Count(line *mem.Line) {
	h.blocks++
	switch h.symbolBits {
	case 4:
		flat := (*[8 << 4]uint64)(h.flat)
		for i, b := range line {
			p := i & 3 * 2
			flat[p<<4|int(b&15)]++
			flat[(p+1)<<4|int(b>>4)]++
		}
	case 8:
		flat := (*[4 << 8]uint64)(h.flat)
		for i, b := range line {
			flat[i&3<<8|int(b)]++
		}
	case 16:
		flat := (*[1 << 16]uint64)(h.flat)
		for i := 0; i < mem.LineBytes; i += 2 {
			flat[binary.LittleEndian.Uint16(line[i:])]++
		}
	case 32:
		for i := 0; i < mem.LineBytes; i += 4 {
			h.wide.add(binary.LittleEndian.Uint32(line[i:]), 1)
		}
	}
}

// Add counts a symbol n times at position 0 without a block around it, for
// statistics of parts of words.
func (h *Histogram) Add(symbol uint32, n uint64) {
	switch {
	case n == 0:
	case h.symbolBits == 32:
		h.wide.add(symbol, n)
	default:
		h.flat[symbol] += n
	}
}

// Bound keeps at most n distinct symbols of 32 bits at a time. If there would be one more,
// the rarest are dropped and only their number is kept (lossy counting, Manku and Motwani,
// VLDB 2002). Counts of the other symbols stay exact, unless a symbol was dropped
// earlier. 0 means no bound.
func (h *Histogram) Bound(n int) { h.wide.bound = n }

// Forgotten returns how many counted symbols the histogram dropped because of Bound.
func (h *Histogram) Forgotten() uint64 { return h.wide.forgotten }

// Merge adds what o counted. Both have the same width.
func (h *Histogram) Merge(o *Histogram) error {
	if h.symbolBits != o.symbolBits {
		return fmt.Errorf("e2mc: cannot merge a histogram of %d-bit symbols into one of %d bits", o.symbolBits, h.symbolBits)
	}
	h.blocks += o.blocks
	h.wide.forgotten += o.wide.forgotten
	for i, n := range o.flat {
		h.flat[i] += n
	}
	for _, s := range o.wide.slots {
		if s.Count != 0 {
			h.wide.add(s.Symbol, s.Count)
		}
	}
	return nil
}

// CopyFrom makes h equal to src.
func (h *Histogram) CopyFrom(src *Histogram) {
	h.symbolBits, h.blocks = src.symbolBits, src.blocks
	h.flat = append(h.flat[:0], src.flat...)
	h.wide.slots = append(h.wide.slots[:0], src.wide.slots...)
	h.wide.used, h.wide.bound, h.wide.forgotten = src.wide.used, src.wide.bound, src.wide.forgotten
}

// Of returns how often a symbol was counted at a position in the word; pos is 0
// for widths 16 and 32.
func (h *Histogram) Of(pos int, symbol uint32) uint64 {
	if h.symbolBits == 32 {
		return h.wide.slots[h.wide.find(symbol)].Count
	}
	return h.flat[pos<<h.symbolBits|int(symbol)]
}

// SymbolCount is a symbol and how often it was counted.
type SymbolCount struct {
	Symbol uint32
	Count  uint64
}

// Top returns the n most frequent symbols of width 16 or 32, ties to the smaller
// value, and the number of symbols counted that are not among them.
func (h *Histogram) Top(n int) (top []SymbolCount, others uint64) {
	others = h.wide.forgotten
	// Keep at most a few times n: the best of them stay the best.
	most := 8 * (n + 1)
	put := func(s SymbolCount) {
		if top = append(top, s); len(top) == most {
			top, others = best(top, n, others)
		}
	}
	for _, s := range h.wide.slots {
		if s.Count != 0 {
			put(s)
		}
	}
	for s, c := range h.flat {
		if c != 0 {
			put(SymbolCount{uint32(s), c})
		}
	}
	return best(top, n, others)
}

// best sorts counts, keeps the first n and adds the others to a sum.
func best(counts []SymbolCount, n int, others uint64) ([]SymbolCount, uint64) {
	slices.SortFunc(counts, func(a, b SymbolCount) int {
		switch {
		case a.Count > b.Count, a.Count == b.Count && a.Symbol < b.Symbol:
			return -1
		case a.Count == b.Count && a.Symbol == b.Symbol:
			return 0
		}
		return 1
	})
	if len(counts) <= n {
		return counts, others
	}
	for _, s := range counts[n:] {
		others += s.Count
	}
	return counts[:n], others
}

// EntropyBits returns the entropy of a block of independent symbols with these
// frequencies, separately for each position in the word. No code of single symbols is
// shorter. Dropped symbols count as if each had a different value.
func (h *Histogram) EntropyBits() float64 {
	if h.blocks == 0 {
		return 0
	}
	symbols := uint64(mem.LineBytes * 8 / h.symbolBits)
	trees := uint64(treeCount(h.symbolBits))
	perTree := float64(h.blocks * symbols / trees)
	sum := 0.0 // over symbols of -log2 p
	add := func(n uint64) {
		if n > 0 {
			sum += float64(float64(n) * math.Log2(perTree/float64(n)))
		}
	}
	for _, n := range h.flat {
		add(n)
	}
	for _, s := range h.wide.slots {
		add(s.Count)
	}
	sum += float64(float64(h.wide.forgotten) * math.Log2(perTree))
	return sum / float64(h.blocks)
}

// wideCounts is an open-addressing table with linear probing. Its layout depends
// on the order of insertion; nothing that leaves the package does.
type wideCounts struct {
	slots []SymbolCount // count 0 = empty; a power of two long
	used  int

	bound     int    // on used, 0 = none
	forgotten uint64 // sum of the counts forgotten
}

const wideStart = 1 << 12

func (w *wideCounts) reset() { w.slots, w.used = make([]SymbolCount, wideStart), 0 }

// hash32 is the multiplicative hash of Knuth (TAOCP 3, 6.4).
func hash32(v uint32) uint32 { h := v * 2654435769; return h ^ h>>15 }

func (w *wideCounts) find(symbol uint32) int {
	mask := len(w.slots) - 1
	i := int(hash32(symbol)) & mask
	for w.slots[i].Count != 0 && w.slots[i].Symbol != symbol {
		i = (i + 1) & mask
	}
	return i
}

func (w *wideCounts) add(symbol uint32, n uint64) {
	i := w.find(symbol)
	if w.slots[i].Count == 0 {
		if w.bound != 0 && w.used >= w.bound {
			w.forget()
			i = w.find(symbol)
		}
		if w.used*2 >= len(w.slots) {
			w.grow()
			i = w.find(symbol)
		}
		w.used++
	}
	w.slots[i] = SymbolCount{symbol, w.slots[i].Count + n}
}

func (w *wideCounts) grow() {
	old := w.slots
	w.slots = make([]SymbolCount, 2*len(old))
	for _, s := range old {
		if s.Count != 0 {
			w.slots[w.find(s.Symbol)] = s
		}
	}
}

// forget drops the rarest symbols until half of the bound is free.
func (w *wideCounts) forget() {
	for floor := uint64(1); w.used > w.bound/2; floor++ {
		old := w.slots
		w.slots, w.used = make([]SymbolCount, len(old)), 0
		for _, s := range old {
			switch {
			case s.Count > floor:
				w.slots[w.find(s.Symbol)] = s
				w.used++
			default:
				w.forgotten += s.Count
			}
		}
	}
}
