package e2mc

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// toyTable is a code small enough to work by hand: 0000 "0", 3f80 "10",
// 0001 "110", escape "111", from counts 60, 30, 6, 4.
func toyTable(t testing.TB) *Table {
	t.Helper()
	table, err := TrainCounts(16, []SymbolCount{{0x3f80, 30}, {0, 60}, {1, 6}}, 4, TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func halfwords(f func(i int) uint16) *mem.Line {
	var l mem.Line
	for i := range 64 {
		binary.LittleEndian.PutUint16(l[2*i:], f(i))
	}
	return &l
}

var (
	blockA = halfwords(func(i int) uint16 { return [2]uint16{0, 0x3f80}[i&1] })
	blockB = halfwords(func(i int) uint16 {
		if i == 5 {
			return 0xbeef
		}
		return [2]uint16{0, 0x3f80}[i&1]
	})
	blockC = halfwords(func(i int) uint16 {
		if i >= 3 && i <= 42 {
			return 0xc000 + uint16(i)
		}
		return 0
	})
)

func TestToyTableIsCanonical(t *testing.T) {
	table := toyTable(t)
	want := []Codeword{{0, 0, 1, false}, {0x3f80, 2, 2, false}, {1, 6, 3, false}, {0, 7, 3, true}}
	got := table.Codewords(0)
	if len(got) != len(want) {
		t.Fatalf("%d codewords, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("codeword %d is %+v, want %+v", i, got[i], want[i])
		}
	}
	if table.EscapeBits() != 3 || table.MaxLengthBits() != 3 {
		t.Errorf("escape of %d bits, longest codeword of %d, want 3 and 3", table.EscapeBits(), table.MaxLengthBits())
	}
}

func TestToyBlockSizes(t *testing.T) {
	table := toyTable(t)
	for _, c := range []struct {
		name  string
		line  *mem.Line
		ways  int
		total int
	}{
		{"A", blockA, 1, 96}, {"A", blockA, 2, 104}, {"A", blockA, 4, 120}, {"A", blockA, 8, 176},
		{"B", blockB, 4, 136}, {"C", blockC, 4, 808},
	} {
		c16, err := New(Params{SymbolBits: 16, Ways: c.ways}, table)
		if err != nil {
			t.Fatal(err)
		}
		if got := c16.TotalBits(c.line); got != c.total {
			t.Errorf("block %s in %d ways: %d bits, want %d", c.name, c.ways, got, c.total)
		}
	}
}

func TestToyBlockBLayout(t *testing.T) {
	c, err := New(Params{SymbolBits: 16, Ways: 4, MAGBytes: 32}, toyTable(t))
	if err != nil {
		t.Fatal(err)
	}
	var b codec.Block
	bits := c.Encode(&b, blockB)
	l, err := c.Describe(&b, bits)
	if err != nil {
		t.Fatal(err)
	}
	// Way 1: bits 21 to 61, padded to 64; the others 24 bits each.
	if l.HeaderBits != 21 || len(l.Pointers) != 3 || l.Pointers[0] != 8 || l.Pointers[1] != 11 || l.Pointers[2] != 14 {
		t.Errorf("header %d, pointers %v, want 21 and [8 11 14]", l.HeaderBits, l.Pointers)
	}
	if w := l.Ways[0]; w.Bit != 21 || w.Bits != 41 || w.FirstSymbol != 0 || w.Symbols != 16 {
		t.Errorf("way 1 is %+v", w)
	}
	if s := l.Symbols[5]; !s.Escape || s.Value != 0xbeef || s.Bits != 19 || s.CodeBits != 3 || s.Code != 7 {
		t.Errorf("symbol 5 is %+v, want an escape of 3 bits and beef", s)
	}
	var line mem.Line
	if err := c.Decode(&line, &b, bits); err != nil || line != *blockB {
		t.Errorf("round trip: %v", err)
	}
}

func TestToySchemeStores(t *testing.T) {
	s, err := NewScheme(Params{SymbolBits: 16, MAGBytes: 32}, toyTable(t))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Store(blockA, codec.Region{}), (codec.Stored{Bits: 120, LosslessBits: 120, Bursts: 1, Mode: probe.ModeLossless}); got != want {
		t.Errorf("A is stored as %+v, want %+v", got, want)
	}
	if got, want := s.Store(blockC, codec.Region{}), (codec.Stored{Bits: 1024, LosslessBits: 808, Bursts: 4, Mode: probe.ModeRaw}); got != want {
		t.Errorf("C is stored as %+v, want %+v (808 bits are above 96 B)", got, want)
	}
}
