package e2mc

import (
	"fmt"
	"math"
	"slices"
)

// DefaultMaxValues is how many of the most frequent values get a codeword of
// their own at widths 16 and 32 (section III-B1: 1K).
const DefaultMaxValues = 1024

// maxValuesLimit keeps codeword numbers in 16 bits.
const maxValuesLimit = 1 << 15

// DefaultMaxLengthBits returns the longest codeword of a width (E2MC section
// III-B2c): 8, 16, 20, 20 bits for symbols of 4, 8, 16, 32 bits.
func DefaultMaxLengthBits(symbolBits int) int {
	switch symbolBits {
	case 4:
		return 8
	case 8:
		return 16
	}
	return 20
}

// TrainParams says how a Table is made from counts. The zero value is the paper's.
type TrainParams struct {
	MaxValues     int  // codewords besides the escape at widths 16 and 32; 0 = DefaultMaxValues
	MaxLengthBits int  // longest codeword; 0 = DefaultMaxLengthBits
	PackageMerge  bool // optimal lengths under the limit instead of the minimum probability
	Sets          bool // values must have a place in the c-LUT, at widths 16 and 32
}

// The c-LUT, in which the compressor looks up codewords, is a cache of 1K values in eight ways, indexed by the lowest
// seven bits of a symbol (section III-E).
const (
	LUTWays = 8
	lutSets = 1 << 7
)

// placed keeps the values that have a place in the c-LUT, where the more frequent ones go first, and adds the others
// to those that the escape stands for.
func placed(counts []SymbolCount, most int, others uint64) ([]SymbolCount, uint64) {
	var used [lutSets]int
	kept := counts[:0]
	for _, c := range counts {
		if set := &used[c.Symbol%lutSets]; *set < LUTWays && len(kept) < most {
			*set++
			kept = append(kept, c)
		} else {
			others += c.Count
		}
	}
	return kept, others
}

// Table is a trained code: canonical Huffman codewords for the symbols of one
// width. It is immutable.
type Table struct {
	symbolBits int
	trees      []tree

	// Costs of encoding, escapes included, for the size path.
	cost16 *[1 << 16]uint8 // width 16
	cost8  [4][256]uint8   // widths 4 and 8: a byte at each position in the word
	// Numbers of codewords in tree.codes.
	slot16 *[1 << 16]uint16
	slot8  [8][256]uint8 // widths 4 (8 trees of 16) and 8 (4 trees of 256)
	wide   []wideSlot    // width 32: open addressing, a power of two long
}

type wideSlot struct {
	symbol uint32
	slot   uint16
	cost   uint8 // 0 = empty
}

// tree is one canonical code.
type tree struct {
	codes  []codeword // canonical order: by length, then symbol, escape last of its length
	escape int        // index in codes, -1 where every value has a codeword
	ranges []lengthRange
	start  [256]uint8 // for the next 8 bits, the first range the codeword can be in
}

type codeword struct {
	symbol uint32
	code   uint32
	bits   uint8
}

// lengthRange is the run of codewords of one length: FCW and OFF of the
// decompressor (section III-C, figure 6).
type lengthRange struct {
	firstLeft uint32 // first codeword of the length, left-aligned
	first     uint32 // the same, right-aligned
	index     int    // its place in canonical order
	bits      uint
}

// SymbolLength is a symbol with the length of its codeword.
type SymbolLength struct {
	Symbol uint32
	Bits   uint8
}

// Train makes the code of the symbols counted in h. An empty histogram gives a
// table that escapes everything (or, at widths 4 and 8, equal lengths).
func Train(h *Histogram, p TrainParams) (*Table, error) {
	if p.MaxValues == 0 {
		p.MaxValues = DefaultMaxValues
	}
	if p.MaxValues < 1 || p.MaxValues > maxValuesLimit {
		return nil, fmt.Errorf("e2mc: %d values with codewords: want 1 to %d", p.MaxValues, maxValuesLimit)
	}
	if h.symbolBits >= 16 {
		most := p.MaxValues
		if p.Sets {
			most = math.MaxInt32 // of which sets keep some
		}
		top, others := h.Top(most)
		if p.Sets {
			top, others = placed(top, p.MaxValues, others)
		}
		return TrainCounts(h.symbolBits, top, others, p)
	}
	return TrainShared(h, treeCount(h.symbolBits), p)
}

// TrainShared makes the code of width 4 or 8 in which positions that are equal modulo groups have one code, made from
// the counts of all of them.
func TrainShared(h *Histogram, groups int, p TrainParams) (*Table, error) {
	trees := treeCount(h.symbolBits)
	if h.symbolBits >= 16 || groups < 1 || trees%groups != 0 {
		return nil, fmt.Errorf("e2mc: %d codes for %d-bit symbols: want a divisor of the %d positions in a word",
			groups, h.symbolBits, trees)
	}
	lengths := make([][]SymbolLength, trees)
	for pos := range lengths {
		freqs := make([]uint64, 1<<h.symbolBits)
		for of := pos % groups; of < trees; of += groups {
			for s := range freqs {
				freqs[s] += h.Of(of, uint32(s))
			}
		}
		bits, err := p.lengths(h.symbolBits, freqs)
		if err != nil {
			return nil, err
		}
		for s, b := range bits {
			lengths[pos] = append(lengths[pos], SymbolLength{uint32(s), b})
		}
	}
	return newTable(h.symbolBits, lengths, 0)
}

// TrainCounts makes the code of width 16 or 32 that gives each symbol of counts
// a codeword, and one to the escape, which occurs others times.
func TrainCounts(symbolBits int, counts []SymbolCount, others uint64, p TrainParams) (*Table, error) {
	if symbolBits != 16 && symbolBits != 32 {
		return nil, fmt.Errorf("e2mc: symbols of %d bits have no escape: want 16 or 32", symbolBits)
	}
	// Leaves are created in ascending symbol order, the escape last.
	leaves := slices.Clone(counts)
	slices.SortFunc(leaves, func(a, b SymbolCount) int {
		switch {
		case a.Symbol < b.Symbol:
			return -1
		case a.Symbol > b.Symbol:
			return 1
		}
		return 0
	})
	freqs := make([]uint64, 0, len(leaves)+1)
	for _, s := range leaves {
		freqs = append(freqs, s.Count)
	}
	bits, err := p.lengths(symbolBits, append(freqs, max(others, 1)))
	if err != nil {
		return nil, err
	}
	lengths := make([]SymbolLength, len(leaves))
	for i, s := range leaves {
		lengths[i] = SymbolLength{s.Symbol, bits[i]}
	}
	return newTable(symbolBits, [][]SymbolLength{lengths}, bits[len(leaves)])
}

func (p TrainParams) lengths(symbolBits int, freqs []uint64) ([]uint8, error) {
	limit := p.MaxLengthBits
	if limit == 0 {
		limit = DefaultMaxLengthBits(symbolBits)
	}
	if limit < 1 || limit > maxCodeBits {
		return nil, fmt.Errorf("e2mc: codewords of at most %d bits: want 1 to %d", limit, maxCodeBits)
	}
	if p.PackageMerge {
		return PackageMergeLengths(freqs, limit)
	}
	bits, _, err := HuffmanLengths(freqs, limit)
	return bits, err
}

// maxCodeBits keeps a codeword in 32 bits, and an escaped 32-bit symbol in 64.
const maxCodeBits = 32

// newTable builds the tables of a code from its lengths, one slice per tree in
// ascending symbol order; escapeBits is 0 without an escape.
func newTable(symbolBits int, lengths [][]SymbolLength, escapeBits uint8) (*Table, error) {
	t := &Table{symbolBits: symbolBits, trees: make([]tree, len(lengths))}
	for pos := range t.trees {
		if err := t.trees[pos].build(lengths[pos], escapeBits); err != nil {
			return nil, fmt.Errorf("e2mc: code tree %d of %d-bit symbols: %w", pos, symbolBits, err)
		}
	}
	switch symbolBits {
	case 4:
		for pos := range t.trees {
			for i, c := range t.trees[pos].codes {
				t.slot8[pos][c.symbol] = uint8(i)
			}
		}
		for pos := range t.cost8 {
			low, high := &t.trees[2*pos], &t.trees[2*pos+1]
			for b := range t.cost8[pos] {
				t.cost8[pos][b] = low.codes[t.slot8[2*pos][b&15]].bits + high.codes[t.slot8[2*pos+1][b>>4]].bits
			}
		}
	case 8:
		for pos := range t.trees {
			for i, c := range t.trees[pos].codes {
				t.slot8[pos][c.symbol] = uint8(i)
				t.cost8[pos][c.symbol] = c.bits
			}
		}
	case 16:
		t.build16()
	case 32:
		t.build32()
	}
	return t, nil
}

func (t *Table) build16() {
	t.cost16, t.slot16 = new([1 << 16]uint8), new([1 << 16]uint16)
	tr := &t.trees[0]
	for s := range t.cost16 {
		t.cost16[s] = tr.codes[tr.escape].bits + 16
		t.slot16[s] = uint16(tr.escape)
	}
	for i, c := range tr.codes {
		if i != tr.escape {
			t.cost16[c.symbol] = c.bits
			t.slot16[c.symbol] = uint16(i)
		}
	}
}

func (t *Table) build32() {
	tr := &t.trees[0]
	size := 16
	for size < 4*len(tr.codes) {
		size *= 2
	}
	t.wide = make([]wideSlot, size)
	for i, c := range tr.codes {
		if i != tr.escape {
			at := int(hash32(c.symbol)) & (size - 1)
			for t.wide[at].cost != 0 {
				at = (at + 1) & (size - 1)
			}
			t.wide[at] = wideSlot{c.symbol, uint16(i), c.bits}
		}
	}
}

// find32 returns the cost and the codeword number of a 32-bit symbol.
func (t *Table) find32(symbol uint32) (cost uint8, slot int) {
	mask := len(t.wide) - 1
	for i := int(hash32(symbol)) & mask; ; i = (i + 1) & mask {
		w := &t.wide[i]
		if w.cost == 0 {
			tr := &t.trees[0]
			return tr.codes[tr.escape].bits + 32, tr.escape
		}
		if w.symbol == symbol {
			return w.cost, int(w.slot)
		}
	}
}

// build assigns canonical codewords (section III-B2c, figure 4): sorted by
// length, then symbol, the escape last of its length; the first is all zeros,
// each next one is the previous plus 1, shifted left by the growth in length.
func (tr *tree) build(lengths []SymbolLength, escapeBits uint8) error {
	tr.codes = make([]codeword, 0, len(lengths)+1)
	count := [maxCodeBits + 2]int{}
	used := uint64(0) // of 2^maxCodeBits
	add := func(bits uint8) error {
		if bits < 1 || bits > maxCodeBits {
			return fmt.Errorf("a codeword of %d bits: want 1 to %d", bits, maxCodeBits)
		}
		count[bits]++
		used += 1 << (maxCodeBits - bits)
		if used > 1<<maxCodeBits {
			return fmt.Errorf("the lengths oversubscribe the code: no prefix code has them")
		}
		return nil
	}
	for i, s := range lengths {
		if i > 0 && s.Symbol <= lengths[i-1].Symbol {
			return fmt.Errorf("symbol %#x after %#x: want each symbol once, ascending", s.Symbol, lengths[i-1].Symbol)
		}
		if err := add(s.Bits); err != nil {
			return err
		}
	}
	if escapeBits != 0 {
		if err := add(escapeBits); err != nil {
			return err
		}
	}
	// Counting sort by length: stable, so symbols stay ascending.
	place := [maxCodeBits + 2]int{}
	for l := 1; l <= maxCodeBits; l++ {
		place[l+1] = place[l] + count[l]
	}
	first := place
	total := len(lengths)
	if escapeBits != 0 {
		total++
	}
	tr.codes = tr.codes[:total]
	for _, s := range lengths {
		tr.codes[place[s.Bits]] = codeword{symbol: s.Symbol, bits: s.Bits}
		place[s.Bits]++
	}
	tr.escape = -1
	if escapeBits != 0 {
		tr.escape = place[escapeBits]
		tr.codes[tr.escape] = codeword{bits: escapeBits}
	}
	code := uint64(0)
	for l := 1; l <= maxCodeBits; l++ {
		code <<= 1
		if count[l] == 0 {
			continue
		}
		tr.ranges = append(tr.ranges, lengthRange{
			firstLeft: uint32(code << uint(maxCodeBits-l)), first: uint32(code), index: first[l], bits: uint(l),
		})
		for i := first[l]; i < first[l]+count[l]; i++ {
			tr.codes[i].code = uint32(code)
			code++
		}
	}
	for b := range tr.start {
		tr.start[b] = uint8(tr.rangeOf(uint32(b)<<24, 0))
	}
	return nil
}

// rangeOf returns the last range at or after k whose first codeword is not
// above window: the comparators of the decompressor.
func (tr *tree) rangeOf(window uint32, k int) int {
	for k+1 < len(tr.ranges) && window >= tr.ranges[k+1].firstLeft {
		k++
	}
	return k
}

// decode returns the number of the codeword at the top of window, or -1.
func (tr *tree) decode(window uint32) int {
	k := tr.rangeOf(window, int(tr.start[window>>24]))
	r := &tr.ranges[k]
	i := r.index + int(window>>(32-r.bits)-r.first)
	end := len(tr.codes)
	if k+1 < len(tr.ranges) {
		end = tr.ranges[k+1].index
	}
	if i >= end {
		return -1 // the code is incomplete here: a lone symbol, or an imported table
	}
	return i
}

// SymbolBits returns the width of the symbols.
func (t *Table) SymbolBits() int { return t.symbolBits }

// Trees returns how many code trees the table has: 8, 4, 1, 1.
func (t *Table) Trees() int { return len(t.trees) }

// EscapeBits returns the length of the escape codeword, 0 where there is none.
func (t *Table) EscapeBits() int {
	if e := t.trees[0].escape; e >= 0 {
		return int(t.trees[0].codes[e].bits)
	}
	return 0
}

// MaxLengthBits returns the length of the longest codeword of any tree.
func (t *Table) MaxLengthBits() int {
	longest := 0
	for i := range t.trees {
		r := t.trees[i].ranges
		longest = max(longest, int(r[len(r)-1].bits))
	}
	return longest
}

// Codeword is a row of the code table in canonical order.
type Codeword struct {
	Symbol uint32 `json:"symbol"`
	Code   uint32 `json:"code"` // right-aligned
	Bits   int    `json:"bits"`
	Escape bool   `json:"escape,omitempty"`
}

// Codewords returns the rows of a tree in canonical order (the De-LUT).
func (t *Table) Codewords(pos int) []Codeword {
	tr := &t.trees[pos]
	rows := make([]Codeword, len(tr.codes))
	for i, c := range tr.codes {
		rows[i] = Codeword{c.symbol, c.code, int(c.bits), i == tr.escape}
	}
	return rows
}
