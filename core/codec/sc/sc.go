// Package sc is statistical compression of 128-byte blocks as LATTE-CC (Arunkumar
// et al., HPCA 2018, section IV-C2) uses it, after SC2 (Arelakis and Stenstrom,
// ISCA 2014): Huffman codes of the 1024 most frequent 32-bit words, with an escape.
// A block is one stream without pointers; its size is the sum of its codes.
package sc

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

const (
	// SymbolBits is the width of the values coded.
	SymbolBits = 32
	// Entries is the size of the value frequency table (LATTE-CC section IV-C2).
	Entries = 1024
	// CounterMax is the largest value of its 12-bit counters, which saturate.
	CounterMax = 1<<12 - 1
	words      = mem.LineBytes / 4
	// maxCodeBits never limits a length: 1025 counts of at most CounterMax cannot give a
	// Huffman tree of more than 31 levels, as a leaf at depth n needs a total above
	// the n-th Fibonacci number.
	maxCodeBits = 32
)

// Train makes the code from exact counts as the table would count them: it takes the most
// frequent values, and saturates each count and the sum of all others.
func Train(h *e2mc.Histogram) (*e2mc.Table, error) {
	if h.SymbolBits() != SymbolBits {
		return nil, fmt.Errorf("sc: counts of %d-bit symbols: want %d", h.SymbolBits(), SymbolBits)
	}
	top, others := h.Top(Entries)
	return TrainCounts(SymbolBits, top, others)
}

// TrainCounts makes the code of symbols of 16 or 32 bits from counts, saturating them.
func TrainCounts(symbolBits int, counts []e2mc.SymbolCount, others uint64) (*e2mc.Table, error) {
	saturated := make([]e2mc.SymbolCount, len(counts))
	for i, c := range counts {
		saturated[i] = e2mc.SymbolCount{Symbol: c.Symbol, Count: min(c.Count, CounterMax)}
	}
	return e2mc.TrainCounts(symbolBits, saturated, min(others, CounterMax), e2mc.TrainParams{MaxLengthBits: maxCodeBits})
}

// Codec is SC with one code.
type Codec struct{ table *e2mc.Table }

var (
	_ codec.Codec       = (*Codec)(nil)
	_ codec.Sizer       = (*Codec)(nil)
	_ codec.RawSizer    = (*Codec)(nil)
	_ codec.SymbolCoder = (*Codec)(nil)
)

// New returns the codec of a table of 32-bit symbols.
func New(t *e2mc.Table) (*Codec, error) {
	if t == nil || t.SymbolBits() != SymbolBits {
		return nil, fmt.Errorf("sc: want a code table of %d-bit symbols", SymbolBits)
	}
	return &Codec{t}, nil
}

// Info describes the codec.
func (c *Codec) Info() codec.Info {
	return codec.Info{
		Name: "sc", Source: "ISCA 2014 as in LATTE-CC (HPCA 2018), section IV-C2", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 6, DecompressCycles: 14},
		Cost: codec.Cost{
			L1CompressCycles: 6, L1DecompressCycles: 14, L1Source: "LATTE-CC, table I and section IV-C2",
			CompressPJ: 420, DecompressPJ: 336, EnergySource: "LATTE-CC section IV-C2: 0.42 and 0.336 nJ",
			// The value frequency table takes another 5.5 KB.
			Compressor: codec.Unit{TableBytes: 7 << 10}, Decompressor: codec.Unit{TableBytes: 3 << 10},
			UnitSource: "LATTE-CC section IV-C2: 7 KB and 3 KB of tables, and 5.5 KB to count values",
		},
	}
}

// Table returns the code in use.
func (c *Codec) Table() *e2mc.Table { return c.table }

// RawBits returns the size of the code even above the size of the block.
func (c *Codec) RawBits(line *mem.Line) int {
	var sums [e2mc.Eighths]int
	c.table.Sums(line, &sums)
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the codes of all words.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if c.RawBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	c.EncodeWithout(&w, src, 0, 0)
	return w.Flush()
}

// Decode restores the block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	r := codec.NewBitReader(src, bits)
	return c.DecodeWithout(&r, dst, 0, 0)
}

// SymbolBits returns the width of the values coded.
func (c *Codec) SymbolBits() int { return SymbolBits }

// SymbolLengths stores the cost of each word.
func (c *Codec) SymbolLengths(line *mem.Line, dst *[codec.MaxSymbols]uint8) int {
	return c.table.Lengths(line, dst)
}

// SizeWithout returns the size of header and code without some words.
func (c *Codec) SizeWithout(line *mem.Line, headerBits, first, count int) int {
	var lengths [codec.MaxSymbols]uint8
	c.table.Lengths(line, &lengths)
	total := headerBits
	for i, n := range lengths[:words] {
		if i < first || i >= first+count {
			total += int(n)
		}
	}
	return total
}

// EncodeWithout writes the code without some words.
func (c *Codec) EncodeWithout(w *codec.BitWriter, line *mem.Line, first, count int) {
	for i := range words {
		if i >= first && i < first+count {
			continue
		}
		word := binary.LittleEndian.Uint32(line[4*i:])
		code, bits, escape := c.table.Code(0, word)
		if escape {
			w.Put(uint64(code)<<SymbolBits|uint64(word), bits+SymbolBits)
		} else {
			w.Put(uint64(code), bits)
		}
	}
}

// DecodeWithout reads the code without some words.
func (c *Codec) DecodeWithout(r *codec.BitReader, line *mem.Line, first, count int) error {
	for i := range words {
		word := uint32(0)
		if i < first || i >= first+count {
			var ok bool
			if word, ok = c.table.Take(r, 0, SymbolBits); !ok {
				return fmt.Errorf("sc: word %d: bit %d holds no codeword of this table: the block was coded with another one", i, r.Bit())
			}
			if r.Failed {
				return fmt.Errorf("sc: the block ends before word %d does", i)
			}
		}
		binary.LittleEndian.PutUint32(line[4*i:], word)
	}
	return nil
}
