package e2mc

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
)

// slowCode is a code as text: a string of '0' and '1' for each symbol.
type slowCode struct {
	words  map[uint32]string
	escape string
}

// slowCanonical numbers codewords as the description has it: sorted by (length,
// symbol, escape last), first all zeros, next = (previous + 1) << growth.
func slowCanonical(lengths []SymbolLength, escapeBits int) slowCode {
	type row struct {
		bits   int
		symbol uint32
		escape bool
	}
	var rows []row
	for _, s := range lengths {
		rows = append(rows, row{int(s.Bits), s.Symbol, false})
	}
	if escapeBits > 0 {
		rows = append(rows, row{escapeBits, 0, true})
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		if a.bits != b.bits {
			return a.bits - b.bits
		}
		if a.escape != b.escape {
			if a.escape {
				return 1
			}
			return -1
		}
		return int(int64(a.symbol) - int64(b.symbol))
	})
	c := slowCode{words: map[uint32]string{}}
	code, bits := uint64(0), 0
	for i, r := range rows {
		if i > 0 {
			code = (code + 1) << (r.bits - bits)
		}
		bits = r.bits
		text := strconv.FormatUint(code, 2)
		text = strings.Repeat("0", bits-len(text)) + text
		if r.escape {
			c.escape = text
		} else {
			c.words[r.symbol] = text
		}
	}
	return c
}

func slowSymbols(line *mem.Line, width int) []uint32 {
	bit := func(i int) uint32 { return uint32(line[i/8]>>(i%8)) & 1 }
	var out []uint32
	for at := 0; at < 1024; at += width {
		s := uint32(0)
		for b := range width {
			s |= bit(at+b) << b
		}
		out = append(out, s)
	}
	return out
}

// slowEncode returns the block as a string of '0' and '1'.
func slowEncode(codes []slowCode, line *mem.Line, width, ways int) string {
	pad := func(s string) string { return s + strings.Repeat("0", -len(s)&7) }
	symbols := slowSymbols(line, width)
	per := len(symbols) / ways
	header := 7 * (ways - 1)
	body := ""
	pointers := ""
	for w := range ways {
		way := ""
		if w == 0 {
			way = strings.Repeat("p", header) // filled in below
		} else {
			p := strconv.FormatInt(int64(len(body)/8&127), 2)
			pointers += strings.Repeat("0", 7-len(p)) + p
		}
		for i := w * per; i < (w+1)*per; i++ {
			c := codes[i%len(codes)]
			if word, ok := c.words[symbols[i]]; ok {
				way += word
				continue
			}
			raw := strconv.FormatUint(uint64(symbols[i]), 2)
			way += c.escape + strings.Repeat("0", width-len(raw)) + raw
		}
		body += pad(way)
	}
	return pointers + body[header:]
}

// trained returns a table for a corpus.
func trained(t testing.TB, width int, lines []mem.Line, p TrainParams) *Table {
	t.Helper()
	h, err := NewHistogram(width)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		h.Count(&lines[i])
	}
	table, err := Train(h, p)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func slowCodes(table *Table) []slowCode {
	var codes []slowCode
	for i := range table.trees {
		codes = append(codes, slowCanonical(table.trees[i].lengths(), table.EscapeBits()))
	}
	return codes
}

func TestEncodeAgainstBitString(t *testing.T) {
	lines := codectest.Corpus(12)
	for _, width := range []int{4, 8, 16, 32} {
		table := trained(t, width, lines[:len(lines)/2], TrainParams{MaxValues: 200})
		codes := slowCodes(table)
		for _, ways := range []int{1, 2, 4, 8} {
			c, err := New(Params{SymbolBits: width, Ways: ways}, table)
			if err != nil {
				t.Fatal(err)
			}
			stored := 0
			for i := range lines {
				want := slowEncode(codes, &lines[i], width, ways)
				if got := c.TotalBits(&lines[i]); got != len(want) {
					t.Fatalf("width %d, %d ways, block %d: %d bits, want %d", width, ways, i, got, len(want))
				}
				var b codec.Block
				bits := c.Encode(&b, &lines[i])
				if len(want) >= codec.RawBits {
					if bits != codec.RawBits {
						t.Fatalf("width %d, %d ways, block %d: %d bits, want raw", width, ways, i, bits)
					}
					continue
				}
				stored++
				for at := range want {
					if b[at/8]>>(7-at%8)&1 != want[at]-'0' {
						t.Fatalf("width %d, %d ways, block %d: bit %d differs", width, ways, i, at)
					}
				}
			}
			if stored < 20 {
				t.Errorf("width %d, %d ways: only %d blocks compress, the test shows little", width, ways, stored)
			}
		}
	}
}

// TestLengthsAgainstSums ties the two size paths and the symbol view together.
func TestLengthsAgainstSums(t *testing.T) {
	lines := codectest.Corpus(6)
	for _, width := range []int{4, 8, 16, 32} {
		table := trained(t, width, lines[:40], TrainParams{})
		codes := slowCodes(table)
		for i := range lines {
			var lengths [MaxSymbols]uint8
			var sums [Eighths]int
			n := table.Lengths(&lines[i], &lengths)
			table.Sums(&lines[i], &sums)
			if n != 1024/width {
				t.Fatalf("width %d: %d symbols", width, n)
			}
			for s, symbol := range slowSymbols(&lines[i], width) {
				c := codes[s%len(codes)]
				want := len(c.words[symbol])
				if want == 0 {
					want = len(c.escape) + width
				}
				if int(lengths[s]) != want {
					t.Fatalf("width %d block %d symbol %d: %d bits, want %d", width, i, s, lengths[s], want)
				}
				sums[s*Eighths/n] -= want
			}
			if sums != [Eighths]int{} {
				t.Fatalf("width %d block %d: sums are off by %v", width, i, sums)
			}
		}
	}
}

// TestCanonicalExample is the example of E2MC figure 4: lengths of A=11, B=0,
// C=101 (with a fourth symbol to make the code complete) become B=0, A=10.
func TestCanonicalExample(t *testing.T) {
	table, err := newTable(16, [][]SymbolLength{{{0xa, 2}, {0xb, 1}, {0xc, 3}}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []Codeword{{0xb, 0, 1, false}, {0xa, 2, 2, false}, {0xc, 6, 3, false}, {0, 7, 3, true}}
	if got := table.Codewords(0); !slices.Equal(got, want) {
		t.Errorf("codewords %+v, want %+v", got, want)
	}
	// FCW 0, 2, 6; IDX 0, 1, 2; OFF = FCW - IDX = 0, 1, 4 (section III-C).
	for i, off := range []uint32{0, 1, 4} {
		if r := table.trees[0].ranges[i]; r.first-uint32(r.index) != off {
			t.Errorf("OFF of %d bits is %d, want %d", r.bits, r.first-uint32(r.index), off)
		}
	}
}

// wideLine returns a line of 32-bit words.
func wideLine(f func(i int) uint32) *mem.Line {
	var l mem.Line
	for i := range 32 {
		binary.LittleEndian.PutUint32(l[4*i:], f(i))
	}
	return &l
}
