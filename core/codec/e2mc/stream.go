package e2mc

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// PointerBits is the size of the byte offset at which a way starts (section
// III-E): it addresses 128 bytes.
const PointerBits = 7

// Stream is the layout of the code after a header: ways byte-aligned streams
// of equally many consecutive symbols, of which the first follows the header
// directly. Symbols First to First+Count-1 are left out: E2MC leaves out none,
// a lossy code the truncated ones.
type Stream struct {
	Ways         int
	HeaderBits   int // pointers included
	First, Count int // symbols left out
}

// CheckWays returns an error if a block cannot be split into n ways. The format gives every
// way 1/n of the symbols, so n must be 1, 2, 4 or 8.
func CheckWays(n int) error {
	switch n {
	case 1, 2, 4, 8:
		return nil
	}
	return fmt.Errorf("e2mc: %d decoding ways: want 1, 2, 4 or 8, so that all ways decode equally many symbols", n)
}

// roundUp8 is the alignment of ways.
func roundUp8(bits int) int { return (bits + 7) &^ 7 }

// TotalBits returns the size of a block whose eighths have these sums: header and
// first way together, and each other way, rounded up to bytes.
func TotalBits(sums *[Eighths]int, ways, headerBits int) int {
	total, sum := 0, headerBits
	per := Eighths / ways
	for e := 0; e < Eighths; e += per {
		for _, s := range sums[e : e+per] {
			sum += s
		}
		total += roundUp8(sum)
		sum = 0
	}
	return total
}

// wayStarts fills at with the bit where each way starts and returns the total.
func (s *Stream) wayStarts(lengths *[MaxSymbols]uint8, symbols int, at *[Eighths]int) int {
	bit := s.HeaderBits
	per := symbols / s.Ways
	for w := range s.Ways {
		at[w] = bit
		for i := w * per; i < (w+1)*per; i++ {
			if i < s.First || i >= s.First+s.Count {
				bit += int(lengths[i])
			}
		}
		bit = roundUp8(bit)
	}
	return bit
}

// Write appends pointers and ways to w, which already holds the part of the
// header before the pointers. The caller has checked that the code fits the block and
// that the last way starts before byte 128.
func (t *Table) Write(w *codec.BitWriter, line *mem.Line, s Stream) (bits int) {
	var lengths [MaxSymbols]uint8
	var at [Eighths]int
	symbols := t.Lengths(line, &lengths)
	s.wayStarts(&lengths, symbols, &at)
	for way := 1; way < s.Ways; way++ {
		w.Put(uint64(at[way]/8), PointerBits)
	}
	per := symbols / s.Ways
	for way := range s.Ways {
		for i := way * per; i < (way+1)*per; i++ {
			if i >= s.First && i < s.First+s.Count {
				continue
			}
			tr, slot := t.slotOf(line, i)
			c := &tr.codes[slot]
			if slot == tr.escape {
				w.Put(uint64(c.code)<<uint(t.symbolBits)|uint64(t.symbolAt(line, i)), int(c.bits)+t.symbolBits)
				continue
			}
			w.Put(uint64(c.code), int(c.bits))
		}
		w.Align()
	}
	return w.Flush()
}

// SymbolCode says how one symbol is coded in a block.
type SymbolCode struct {
	Index     int    `json:"index"`
	Way       int    `json:"way"`
	Value     uint32 `json:"value"`
	Bit       int    `json:"bit"`       // where its codeword starts
	Bits      int    `json:"bits"`      // codeword and escaped value
	Code      uint32 `json:"code"`      // codeword, right-aligned
	CodeBits  int    `json:"codeBits"`  // of the codeword alone
	Escape    bool   `json:"escape"`    // the value itself follows the codeword
	Truncated bool   `json:"truncated"` // not in the block
}

// Read decodes pointers and ways from r, which stands after the part of the
// header before the pointers. It overwrites line; truncated symbols become 0.
// With trace not nil it appends how each symbol was coded.
func (t *Table) Read(r *codec.BitReader, line *mem.Line, s Stream, trace *[]SymbolCode) error {
	var at [Eighths]int
	for way := 1; way < s.Ways; way++ {
		at[way] = int(r.Take(PointerBits)) * 8
	}
	at[0] = r.Bit()
	symbols := mem.LineBytes * 8 / t.symbolBits
	per := symbols / s.Ways
	for way := range s.Ways {
		r.Seek(at[way])
		for i := way * per; i < (way+1)*per; i++ {
			if i >= s.First && i < s.First+s.Count {
				t.setSymbol(line, i, 0)
				if trace != nil {
					*trace = append(*trace, SymbolCode{Index: i, Way: way, Bit: r.Bit(), Truncated: true})
				}
				continue
			}
			if r.Failed {
				return fmt.Errorf("e2mc: way %d ends before symbol %d: the block is cut off or its pointers are wrong", way, i)
			}
			tr := &t.trees[i%len(t.trees)]
			slot := tr.decode(uint32(r.Peek() >> 32))
			if slot < 0 {
				return fmt.Errorf("e2mc: bit %d holds no codeword of this table: the block was coded with another one", r.Bit())
			}
			c := &tr.codes[slot]
			start, value := r.Bit(), c.symbol
			r.Skip(int(c.bits))
			if slot == tr.escape {
				value = uint32(r.Take(t.symbolBits))
			}
			t.setSymbol(line, i, value)
			if trace != nil {
				*trace = append(*trace, SymbolCode{
					Index: i, Way: way, Value: value, Bit: start, Bits: r.Bit() - start,
					Code: c.code, CodeBits: int(c.bits), Escape: slot == tr.escape,
				})
			}
		}
	}
	if r.Failed {
		return fmt.Errorf("e2mc: the block is cut off: its code does not end inside its size")
	}
	return nil
}

// WayLayout is the place of one way in a block.
type WayLayout struct {
	FirstSymbol int `json:"firstSymbol"`
	Symbols     int `json:"symbols"`
	Bit         int `json:"bit"`
	Bits        int `json:"bits"` // without the padding after them
}

// Layout describes an encoded block for display.
type Layout struct {
	HeaderBits int          `json:"headerBits"` // everything before way 1
	Pointers   []int        `json:"pointers"`   // byte offsets of ways 2 and up
	Ways       []WayLayout  `json:"ways"`
	Symbols    []SymbolCode `json:"symbols"`
}

// Describe decodes a block like Read and returns its layout.
func (t *Table) Describe(r *codec.BitReader, s Stream) (Layout, error) {
	l := Layout{HeaderBits: r.Bit() + PointerBits*(s.Ways-1)}
	var line mem.Line
	if err := t.Read(r, &line, s, &l.Symbols); err != nil {
		return Layout{}, err
	}
	per := len(l.Symbols) / s.Ways
	for w := range s.Ways {
		way := WayLayout{FirstSymbol: w * per, Symbols: per, Bit: l.Symbols[w*per].Bit}
		for _, sym := range l.Symbols[w*per : (w+1)*per] {
			way.Bits += sym.Bits
		}
		l.Ways = append(l.Ways, way)
		if w > 0 {
			l.Pointers = append(l.Pointers, way.Bit/8)
		}
	}
	return l, nil
}
