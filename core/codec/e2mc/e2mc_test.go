package e2mc

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

func TestConformance(t *testing.T) {
	lines := codectest.Corpus(10)
	for _, width := range []int{4, 8, 16, 32} {
		// Half of the corpus, so that the rest has values the table lacks.
		table := trained(t, width, lines[:len(lines)/2], TrainParams{})
		for _, ways := range []int{1, 2, 4, 8} {
			for _, mag := range []int{0, 16, 32, 64} {
				c, err := New(Params{width, ways, mag}, table)
				if err != nil {
					t.Fatal(err)
				}
				if testing.Short() && width != 16 && (ways != 4 || mag != 32) {
					continue // WebAssembly only has to give the same results
				}
				t.Run(fmt.Sprintf("%d bits %d ways MAG %d", width, ways, mag), func(t *testing.T) { codectest.Check(t, c) })
			}
		}
	}
}

// skewed returns a histogram whose natural Huffman tree is far too deep.
func skewed(t *testing.T, width int) *Histogram {
	t.Helper()
	h, err := NewHistogram(width)
	if err != nil {
		t.Fatal(err)
	}
	a, b := uint64(1), uint64(1)
	for i := range 48 {
		switch width {
		case 32:
			h.wide.add(uint32(i)*77, a)
		case 16:
			h.flat[i*77] = a
		case 8:
			h.flat[i] = a
		case 4:
			h.flat[i%16] = 1 << (3 * (i % 16))
		}
		a, b = b, a+b
	}
	return h
}

// unit e2mc.length_limit: no codeword above the cap of its width.
func TestE2MCLengthLimit(t *testing.T) {
	for width, limit := range map[int]int{4: 8, 8: 16, 16: 20, 32: 20} {
		if DefaultMaxLengthBits(width) != limit {
			t.Errorf("width %d: limit %d, want %d", width, DefaultMaxLengthBits(width), limit)
		}
		h := skewed(t, width)
		free, err := Train(h, TrainParams{MaxLengthBits: 32, PackageMerge: true})
		if err != nil {
			t.Fatal(err)
		}
		if free.MaxLengthBits() <= limit {
			t.Errorf("width %d: the histogram is not skewed enough: longest %d", width, free.MaxLengthBits())
		}
		for _, merge := range []bool{false, true} {
			table, err := Train(h, TrainParams{PackageMerge: merge})
			if err != nil {
				t.Fatal(err)
			}
			if got := table.MaxLengthBits(); got > limit {
				t.Errorf("width %d: a codeword of %d bits, want at most %d", width, got, limit)
			}
			if e := table.EscapeBits(); e > limit {
				t.Errorf("width %d: escape of %d bits, want at most %d", width, e, limit)
			}
		}
	}
}

// unit e2mc.meta_11_uncompressed: two bits of metadata hold bursts-1, and 3 says
// that the block is uncompressed: no compressed block takes four bursts.
func TestE2MCMeta11Uncompressed(t *testing.T) {
	lines := codectest.Corpus(40)
	s, err := NewScheme(Params{SymbolBits: 16, MAGBytes: 32}, trained(t, 16, lines, TrainParams{}))
	if err != nil {
		t.Fatal(err)
	}
	seen := [4]int{}
	for i := range lines {
		st := s.Store(&lines[i], codec.Region{})
		meta := st.Bursts - 1
		if meta > 3 || (meta == 3) != (st.Mode == probe.ModeRaw) {
			t.Fatalf("block %d: metadata %d for mode %d", i, meta, st.Mode)
		}
		seen[meta]++
	}
	for meta, n := range seen {
		if n == 0 {
			t.Errorf("no block with metadata %d", meta)
		}
	}
}

// unit e2mc.store_threshold_96: 96 bytes are stored compressed, 97 raw.
func TestE2MCStoreThreshold96(t *testing.T) {
	// Codewords of 13 and 12 bits in four ways: 21 bits of pointers, and ways of
	// 16 symbols that fill whole bytes.
	lengths := []SymbolLength{{1, 12}, {2, 13}, {3, 4}}
	table, err := newTable(16, [][]SymbolLength{lengths}, 5)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScheme(Params{SymbolBits: 16, Ways: 4, MAGBytes: 32}, table)
	if err != nil {
		t.Fatal(err)
	}
	build := func(way1, others int) *mem.Line {
		return halfwords(func(i int) uint16 {
			n := others
			if i < 16 {
				n = way1
			}
			if i%16 < n {
				return 3 // 4 bits instead of 12
			}
			return 1
		})
	}
	seen := map[int]bool{}
	for way1 := range 16 {
		for others := range 16 {
			l := build(way1, others)
			total := s.TotalBits(l)
			st := s.Store(l, codec.Region{})
			wantRaw := total > 96*8
			if (st.Mode == probe.ModeRaw) != wantRaw {
				t.Errorf("%d bits: mode %d", total, st.Mode)
			}
			if wantRaw && (st.Bits != 1024 || st.Bursts != 4) || !wantRaw && int(st.Bits) != total {
				t.Errorf("%d bits are stored as %+v", total, st)
			}
			seen[total] = true
		}
	}
	if !seen[96*8] || !seen[97*8] {
		t.Errorf("the boundary was not met: 96 B %v, 97 B %v", seen[96*8], seen[97*8])
	}
}

func TestStoreThresholdFollowsMAG(t *testing.T) {
	lines := codectest.Corpus(40)
	table := trained(t, 16, lines, TrainParams{})
	for _, mag := range []int{16, 32, 64} {
		for _, ways := range []int{1, 2, 4, 8} {
			s, err := NewScheme(Params{16, ways, mag}, table)
			if err != nil {
				t.Fatal(err)
			}
			for i := range lines {
				st := s.Store(&lines[i], codec.Region{Safe: true})
				total := s.TotalBits(&lines[i])
				if total <= 1024-8*mag {
					if st.Mode != probe.ModeLossless || int(st.Bits) != total || int(st.Bursts) != (total+8*mag-1)/(8*mag) {
						t.Fatalf("MAG %d: %d bits are stored as %+v", mag, total, st)
					}
				} else if st.Mode != probe.ModeRaw || int(st.Bursts)*mag != 128 {
					t.Fatalf("MAG %d: %d bits are stored as %+v, want raw", mag, total, st)
				}
			}
		}
	}
}

func TestEscapes(t *testing.T) {
	for _, width := range []int{16, 32} {
		h, err := NewHistogram(width)
		if err != nil {
			t.Fatal(err)
		}
		empty, err := Train(h, TrainParams{})
		if err != nil {
			t.Fatal(err)
		}
		// Nothing was counted: all symbols cost an escape of one bit.
		var zero mem.Line
		c, err := New(Params{width, 1, 0}, empty)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := c.TotalBits(&zero), 1024+1024/width; got != want {
			t.Errorf("width %d: an untrained table gives %d bits, want %d", width, got, want)
		}
		if c.SizeBits(&zero) != codec.RawBits {
			t.Errorf("width %d: an untrained table compresses", width)
		}
		for range 100 {
			h.Count(&zero)
		}
		table, err := Train(h, TrainParams{})
		if err != nil {
			t.Fatal(err)
		}
		c, err = New(Params{width, 4, 0}, table)
		if err != nil {
			t.Fatal(err)
		}
		// Few values besides zero: each an escape in its place.
		line := wideLine(func(i int) uint32 {
			if i%7 == 3 {
				return 0xdead0000 + uint32(i)
			}
			return 0
		})
		var b codec.Block
		var out mem.Line
		bits := c.Encode(&b, line)
		if err := c.Decode(&out, &b, bits); err != nil || out != *line {
			t.Errorf("width %d: round trip of escapes: %v", width, err)
		}
		l, err := c.Describe(&b, bits)
		if err != nil {
			t.Fatal(err)
		}
		escapes := 0
		for i, s := range l.Symbols {
			if s.Escape {
				escapes++
			}
			if s.Value != table.symbolAt(line, i) {
				t.Errorf("width %d: symbol %d described as %#x", width, i, s.Value)
			}
		}
		if want := map[int]int{16: 10, 32: 5}[width]; escapes != want {
			t.Errorf("width %d: %d escapes, want %d", width, escapes, want)
		}
	}
}

func TestWorstCaseSizes(t *testing.T) {
	// The dearest escape: a limit of 20 bits and a histogram that makes it rare.
	h := skewed(t, 32)
	table, err := Train(h, TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	line := wideLine(func(i int) uint32 { return 0xf0000000 + uint32(i) })
	for _, ways := range []int{1, 2, 4, 8} {
		c, err := New(Params{32, ways, 0}, table)
		if err != nil {
			t.Fatal(err)
		}
		per := 32 / ways * (table.EscapeBits() + 32)
		want := roundUp8(7*(ways-1)+per) + (ways-1)*roundUp8(per)
		if got := c.TotalBits(line); got != want {
			t.Errorf("%d ways: worst case %d bits, want %d", ways, got, want)
		}
		if c.SizeBits(line) != codec.RawBits {
			t.Errorf("%d ways: a block of escapes compresses", ways)
		}
	}
}

func TestLatencies(t *testing.T) {
	for _, c := range []struct{ width, ways, compress, decompress int }{
		{16, 1, 46, 82}, {16, 2, 46, 41}, {16, 4, 46, 20}, {16, 8, 46, 10},
		{4, 1, 154, 233}, {8, 1, 84, 143}, {32, 1, 24, 42}, {32, 4, 24, 10},
	} {
		if a, b := LatencyCycles(c.width, c.ways); a != c.compress || b != c.decompress {
			t.Errorf("%d bits, %d ways: %d/%d cycles, want %d/%d", c.width, c.ways, a, b, c.compress, c.decompress)
		}
	}
}

func TestParamsAreChecked(t *testing.T) {
	table := toyTable(t)
	for _, p := range []Params{{16, 3, 32}, {16, 5, 32}, {16, 16, 32}, {16, -1, 32}, {16, 4, 8}, {16, 4, 128}, {32, 4, 32}, {0, 4, 32}} {
		if _, err := NewScheme(p, table); err == nil {
			t.Errorf("%+v accepted", p)
		}
	}
	if _, err := NewScheme(Params{16, 4, 0}, table); err == nil {
		t.Error("a scheme without MAG accepted")
	}
	if _, err := New(Params{16, 4, 32}, nil); err == nil {
		t.Error("no table accepted")
	}
	h, err := NewHistogram(16)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []TrainParams{{MaxValues: -1}, {MaxValues: 1 << 20}, {MaxLengthBits: 33}, {MaxLengthBits: -2}} {
		if _, err := Train(h, p); err == nil {
			t.Errorf("%+v accepted", p)
		}
	}
	if _, err := NewHistogram(12); err == nil {
		t.Error("symbols of 12 bits accepted")
	}
}

// Under the sets of the c-LUT, the ninth value with the same lowest seven bits has no codeword, the most frequent come
// first, and values of other sets keep theirs.
func TestSetsOfTheLUT(t *testing.T) {
	for _, width := range []int{16, 32} {
		h, err := NewHistogram(width)
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint32(10) {
			h.Add(i<<7|5, uint64(i+1))
		}
		h.Add(6, 1)
		for _, sets := range []bool{false, true} {
			table, err := Train(h, TrainParams{Sets: sets})
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint32(10) {
				if _, _, escape := table.Code(0, i<<7|5); escape != (sets && i < 2) {
					t.Errorf("width %d, sets %v: value %d is an escape: %v", width, sets, i, escape)
				}
			}
			if _, _, escape := table.Code(0, 6); escape {
				t.Errorf("width %d, sets %v: a value of another set has no codeword", width, sets)
			}
		}
	}
}

func TestTopBreaksTiesByValue(t *testing.T) {
	for _, width := range []int{16, 32} {
		h, err := NewHistogram(width)
		if err != nil {
			t.Fatal(err)
		}
		h.Count(wideLine(func(i int) uint32 { return uint32(31-i) | uint32(31-i)<<16 }))
		top, others := h.Top(5)
		per := uint64(32 / width)
		if len(top) != 5 || others != 27*per {
			t.Fatalf("width %d: %d values, %d others", width, len(top), others)
		}
		for i, s := range top {
			want := uint32(i)
			if width == 32 {
				want |= uint32(i) << 16
			}
			if s.Symbol != want || s.Count != per {
				t.Errorf("width %d: place %d holds %+v", width, i, s)
			}
		}
	}
}

func TestHistogramMergeAndCopy(t *testing.T) {
	lines := codectest.Corpus(30)
	for _, width := range []int{4, 8, 16, 32} {
		fresh := func() *Histogram {
			h, err := NewHistogram(width)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		whole, a, b, copied := fresh(), fresh(), fresh(), fresh()
		for i := range lines {
			whole.Count(&lines[i])
			if i%3 == 0 {
				a.Count(&lines[i])
			} else {
				b.Count(&lines[i])
			}
		}
		copied.Count(&lines[0])
		copied.CopyFrom(b)
		b.Count(&lines[5]) // must not shine through
		if err := a.Merge(copied); err != nil {
			t.Fatal(err)
		}
		if a.Total() != whole.Total() || a.Blocks() != uint64(len(lines)) || whole.Total() != uint64(len(lines)*1024/width) {
			t.Errorf("width %d: %d symbols, want %d", width, a.Total(), whole.Total())
		}
		ta, err := Train(a, TrainParams{})
		if err != nil {
			t.Fatal(err)
		}
		tw, err := Train(whole, TrainParams{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(ta.AppendBinary(nil), tw.AppendBinary(nil)) {
			t.Errorf("width %d: merged counts give another table", width)
		}
		// Counts themselves against a map.
		counts := map[[2]uint32]uint64{}
		for i := range lines {
			for s, v := range slowSymbols(&lines[i], width) {
				counts[[2]uint32{uint32(s % treeCount(width)), v}]++
			}
		}
		for k, n := range counts {
			if got := whole.Of(int(k[0]), k[1]); got != n {
				t.Fatalf("width %d: symbol %#x at %d was counted %d times, want %d", width, k[1], k[0], got, n)
			}
		}
	}
	a, _ := NewHistogram(16)
	b, _ := NewHistogram(32)
	if err := a.Merge(b); err == nil {
		t.Error("histograms of different widths merged")
	}
}

func TestTableFileRoundTrip(t *testing.T) {
	lines := codectest.Corpus(20)
	hashes := map[uint64]int{}
	for _, width := range []int{4, 8, 16, 32} {
		table := trained(t, width, lines, TrainParams{})
		stored := table.AppendBinary(nil)
		back, err := ParseTable(stored)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(back.AppendBinary(nil), stored) || back.Hash() != table.Hash() {
			t.Errorf("width %d: a table changes when stored", width)
		}
		hashes[table.Hash()]++
		a, _ := New(Params{width, 4, 0}, table)
		b, _ := New(Params{width, 4, 0}, back)
		for i := range lines {
			if a.TotalBits(&lines[i]) != b.TotalBits(&lines[i]) {
				t.Fatalf("width %d: block %d has another size with the stored table", width, i)
			}
		}
		for cut := range min(len(stored), 300) {
			if _, err := ParseTable(stored[:cut]); err == nil {
				t.Errorf("width %d: a table cut to %d bytes accepted", width, cut)
			}
		}
	}
	if len(hashes) != 4 {
		t.Error("different tables have one hash")
	}
}

// TestToyTableHash pins the stored form: a changed format must change its version.
func TestToyTableHash(t *testing.T) {
	want := []byte("E2MC\x01\x10\x03\x03\x00\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00\x00\x03\x80\x3f\x00\x00\x02")
	if got := toyTable(t).AppendBinary(nil); !bytes.Equal(got, want) {
		t.Errorf("the toy table is stored as %q", got)
	}
}

func FuzzParseTable(f *testing.F) {
	lines := codectest.Corpus(2)
	for _, width := range []int{4, 8, 16, 32} {
		f.Add(trained(f, width, lines, TrainParams{MaxValues: 20}).AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := ParseTable(data)
		if err != nil {
			return
		}
		if !bytes.Equal(table.AppendBinary(nil), data) {
			t.Fatal("a table accepted is not what it was stored as")
		}
		c, err := New(Params{SymbolBits: table.SymbolBits()}, table)
		if err != nil {
			t.Fatal(err)
		}
		var b codec.Block
		var out mem.Line
		for i := range lines {
			if bits := c.Encode(&b, &lines[i]); bits < codec.RawBits {
				if err := c.Decode(&out, &b, bits); err != nil || out != lines[i] {
					t.Fatalf("round trip: %v", err)
				}
			}
		}
	})
}

func FuzzCodec(f *testing.F) {
	c, err := New(Params{SymbolBits: 16, MAGBytes: 32}, trained(f, 16, codectest.Corpus(4), TrainParams{}))
	if err != nil {
		f.Fatal(err)
	}
	codectest.Fuzz(f, c)
}

func Benchmark(b *testing.B) {
	lines := codectest.Corpus(20)
	for _, width := range []int{4, 8, 16, 32} {
		c, err := New(Params{SymbolBits: width, MAGBytes: 32}, trained(b, width, lines, TrainParams{}))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.Info().Name, func(b *testing.B) { codectest.Bench(b, c) })
	}
	b.Run("count16", func(b *testing.B) {
		h, _ := NewHistogram(16)
		b.SetBytes(mem.LineBytes)
		for i := 0; b.Loop(); i++ {
			h.Count(&lines[i%len(lines)])
		}
	})
	b.Run("train16", func(b *testing.B) {
		h, _ := NewHistogram(16)
		for i := range lines {
			h.Count(&lines[i])
		}
		for b.Loop() {
			if _, err := Train(h, TrainParams{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
