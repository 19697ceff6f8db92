package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// stream is a code of symbols in ways, of which some may have been left out.
type stream struct {
	ways         int
	first, count int // symbols left out
}

// canonical finds codewords by their bits.
type canonical struct {
	rows []e2mc.Codeword
	uses [][]int // items of each row
	// of each length, the first row; rows are in canonical order
	start []int
}

func newCanonical(t *e2mc.Table, pos int) *canonical {
	c := &canonical{rows: t.Codewords(pos)}
	c.uses = make([][]int, len(c.rows))
	for i, r := range c.rows {
		for len(c.start) <= r.Bits {
			c.start = append(c.start, i)
		}
	}
	return c
}

// match returns the row of the codeword at the front of the next bits, -1 if none.
func (c *canonical) match(w *walk) int {
	for n := 1; n < len(c.start) && w.at+n <= w.end; n++ {
		code, from := uint32(w.bitsAt(w.at, n)), c.start[n]
		end := len(c.rows)
		if n+1 < len(c.start) {
			end = c.start[n+1]
		}
		// Codewords of one length are consecutive numbers.
		if from < end && code >= c.rows[from].Code && int(code-c.rows[from].Code) < end-from {
			return from + int(code-c.rows[from].Code)
		}
	}
	return -1
}

// symbol takes a codeword and, after an escape, the value itself.
func (w *walk) symbol(c *canonical, valueBits int) (value uint32, escaped bool) {
	row := c.match(w)
	if row < 0 {
		w.fail("no codeword of the table")
		return 0, false
	}
	r := c.rows[row]
	c.uses[row] = append(c.uses[row], w.last())
	w.take(Code, "codeword", r.Bits)
	if !r.Escape {
		w.mean(symbolHex(r.Symbol, valueBits), "codeword %s of %s", binaryOf(uint64(r.Code), r.Bits), symbolHex(r.Symbol, valueBits))
		return r.Symbol, false
	}
	w.mean("escape", "codeword %s of all values that have none: the value follows", binaryOf(uint64(r.Code), r.Bits))
	value = uint32(w.take(Escape, "value", valueBits))
	w.mean(symbolHex(value, valueBits), "the value itself")
	return value, true
}

func symbolHex(v uint32, bits int) string { return fmt.Sprintf("0x%0*x", (bits+3)/4, v) }

// stream reads pointers, and the ways with their symbols.
func (w *walk) stream(t *e2mc.Table, s stream) {
	width := t.SymbolBits()
	codes := make([]*canonical, t.Trees())
	for pos := range codes {
		codes[pos] = newCanonical(t, pos)
	}
	pointers := make([]int, s.ways)
	if s.ways > 1 {
		w.item("pointers", 0, 0)
		for way := 1; way < s.ways; way++ {
			pointers[way] = int(w.take(Header, fmt.Sprintf("way %d", way+1), e2mc.PointerBits))
			w.mean(number(pointers[way]), "way %d starts at byte %d", way+1, pointers[way])
		}
		w.says("where ways 2 to %d start", s.ways)
	}
	symbols := mem.LineBytes * 8 / width
	per := symbols / s.ways
	for way := range s.ways {
		if way > 0 && w.fault == nil && w.at != 8*pointers[way] {
			w.fail("way %d starts at byte %d by its pointer", way+1, pointers[way])
		}
		for i := way * per; i < (way+1)*per && w.fault == nil; i++ {
			at, bytes := i*width/8, max(1, width/8)
			w.item(fmt.Sprintf("symbol %d", i), at, bytes)
			if i >= s.first && i < s.first+s.count {
				w.e.Items[w.last()].Lost = true
				w.says("left out")
				continue
			}
			v, escaped := w.symbol(codes[i%len(codes)], width)
			w.says("%s%s", symbolHex(v, width), map[bool]string{true: ", escaped"}[escaped])
			if width == 4 {
				w.line[at] |= byte(v) << (4 * (i & 1))
				continue
			}
			for k := range bytes {
				w.line[at+k] = byte(v >> (8 * k))
			}
		}
		// SC's one way is not padded: it ends with the block.
		if pad := -w.at & 7; pad > 0 && (s.ways > 1 || w.at+pad <= w.end) && w.fault == nil {
			w.item(fmt.Sprintf("end of way %d", way+1), 0, 0)
			w.take(Padding, "padding", pad)
			w.mean(strings.Repeat("0", pad), "up to the next byte")
			w.says("padding")
		}
	}
	for pos, c := range codes {
		title := "Codewords used"
		if len(codes) > 1 {
			title = fmt.Sprintf("Codewords used, %s %d of a word", map[int]string{4: "nibble", 8: "byte"}[width], pos)
		}
		w.code(c, title, width)
	}
}

// code adds the part of a code table that the block uses, if it uses some.
func (w *walk) code(c *canonical, title string, width int) {
	s := Structure{
		Kind: CodeTree, Title: title, Columns: []string{"symbol", "codeword", "bits", "times"},
		Note: fmt.Sprintf("Canonical Huffman code of %d codewords: sorted by length, then by symbol, each the one before plus 1.", len(c.rows)),
	}
	for i, items := range c.uses {
		if len(items) == 0 {
			continue
		}
		r := c.rows[i]
		name := symbolHex(r.Symbol, width)
		if r.Escape {
			name = "escape"
		}
		s.Rows = append(s.Rows, Row{[]string{name, binaryOf(uint64(r.Code), r.Bits), number(r.Bits), number(len(items))}, slices.Compact(items)})
	}
	if len(s.Rows) > 0 {
		w.structure(s)
	}
}
