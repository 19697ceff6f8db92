package sc

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// trained returns a codec of half of the lines, so that the rest has words that
// its table lacks.
func trained(t testing.TB, lines []mem.Line) *Codec {
	t.Helper()
	h, err := e2mc.NewHistogram(SymbolBits)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines[:len(lines)/2] {
		h.Count(&lines[i])
	}
	table, err := Train(h)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(table)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConformance(t *testing.T) { codectest.Check(t, trained(t, codectest.Corpus(20))) }

// The size is the sum of the codes, without pointers or padding, and a word
// without a code costs the escape and itself.
func TestSizeIsTheSumOfCodes(t *testing.T) {
	// 0 twice as often as 7, 7 as often as all others: codes of 1, 2 and 2 bits.
	table, err := TrainCounts(SymbolBits, []e2mc.SymbolCount{{Symbol: 0, Count: 200}, {Symbol: 7, Count: 100}}, 100)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []struct {
		line *mem.Line
		bits int
	}{
		{&mem.Line{}, 32},
		{codectest.Words(7), 2 + 31},
		{codectest.Words(7, 0xdeadbeef), 2 + 34 + 30},
		{codectest.WordsOf(func(i uint32) uint32 { return 1000 + i }), 32 * 34},
	} {
		if got := c.RawBits(e.line); got != e.bits {
			t.Errorf("%d bits, want %d: % x", got, e.bits, *e.line)
		}
		if got := c.SizeBits(e.line); got != min(e.bits, codec.RawBits) {
			t.Errorf("stored in %d bits, want %d", got, min(e.bits, codec.RawBits))
		}
	}
}

// slowBits looks each word up in the table's rows.
func slowBits(c *Codec, line *mem.Line) int {
	total := 0
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		bits := 0
		for _, row := range c.Table().Codewords(0) {
			switch {
			case row.Escape && bits == 0:
				bits = -row.Bits
			case !row.Escape && row.Symbol == w:
				bits = row.Bits
			}
		}
		if bits < 0 {
			bits = SymbolBits - bits
		}
		total += bits
	}
	return total
}

func TestAgainstDefinition(t *testing.T) {
	lines := codectest.Corpus(8)
	c := trained(t, lines)
	for i := range lines {
		if got, want := c.RawBits(&lines[i]), slowBits(c, &lines[i]); got != want {
			t.Fatalf("block %d: %d bits, want %d", i, got, want)
		}
	}
}

// Counters stay at 4095: two words of which one is a thousand times as frequent
// get codes as if they were equally so.
func TestCountersSaturate(t *testing.T) {
	var counts []e2mc.SymbolCount
	for i := range uint32(4) {
		counts = append(counts, e2mc.SymbolCount{Symbol: i, Count: 5000 << (8 * i)})
	}
	table, err := TrainCounts(SymbolBits, counts, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Codewords(0) {
		if !row.Escape && (row.Bits < 2 || row.Bits > 3) {
			t.Errorf("word %d has %d bits: its count was not cut", row.Symbol, row.Bits)
		}
	}
}

// The hardware table keeps the first 1024 values and ignores later ones; as long
// as there are fewer, it gives the code of exact counts.
func TestVFT(t *testing.T) {
	var v VFT
	h, err := e2mc.NewHistogram(SymbolBits)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		line := codectest.WordsOf(func(k uint32) uint32 { return uint32(i)*uint32(i)%50 + k*k%7 })
		v.Observe(line)
		h.Count(line)
	}
	a, err := v.Table()
	if err != nil {
		t.Fatal(err)
	}
	b, err := Train(h)
	if err != nil {
		t.Fatal(err)
	}
	if a.Hash() != b.Hash() {
		t.Error("the hardware table makes another code than exact counts")
	}
	v.Reset()
	for i := range uint32(200) {
		v.Observe(codectest.WordsOf(func(k uint32) uint32 { return i*32 + k }))
	}
	if v.Used() != Entries {
		t.Errorf("%d entries, want %d", v.Used(), Entries)
	}
	full, err := v.Table()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, escape := full.Code(0, Entries-1); escape {
		t.Error("an early value has no code")
	}
	if _, _, escape := full.Code(0, Entries); !escape {
		t.Error("a value that came when the table was full has a code")
	}
	line := codectest.Words(1, 2, 3)
	if n := testing.AllocsPerRun(100, func() { v.Observe(line) }); n != 0 {
		t.Errorf("observing allocates %v times", n)
	}
}

func FuzzCodec(f *testing.F) { codectest.Fuzz(f, trained(f, codectest.Corpus(10))) }

func Benchmark(b *testing.B) { codectest.Bench(b, trained(b, codectest.Corpus(20))) }
