package explain

import (
	"encoding/hex"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// all makes every codec of the table, trained on the corpus.
func all(t testing.TB, lines []mem.Line) []codecs.Coder {
	t.Helper()
	var list []codecs.Coder
	for _, name := range codecs.All() {
		c, err := codecs.ByName(name, lines)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// check fails unless the fields cover the code that Encode wrote bit by bit and mean
// what Decode reads.
func check(t *testing.T, c codec.Codec, line *mem.Line) *Explanation {
	t.Helper()
	name := c.Info().Name
	e, err := Explain(c, line, codec.Region{Safe: true})
	if err != nil {
		t.Fatalf("%s: %v\nblock % x", name, err, line[:])
	}
	var block codec.Block
	bits := c.Encode(&block, line)
	want := *line
	switch {
	case bits == codec.RawBits:
		copy(block[:], line[:])
	default:
		if err := c.Decode(&want, &block, bits); err != nil {
			t.Fatal(err)
		}
	}
	if e.Bits != bits || e.LaidOut != bits {
		t.Fatalf("%s: %d bits of which %d laid out, encoded %d", name, e.Bits, e.LaidOut, bits)
	}
	if got := hex.EncodeToString(want[:]); e.Decoded != got {
		t.Fatalf("%s: the fields mean\n%s, the decoder reads\n%s", name, e.Decoded, got)
	}
	if e.Original != hex.EncodeToString(line[:]) {
		t.Fatalf("%s: the original is another block", name)
	}
	checkTiles(t, e, bits)
	encoded, err := hex.DecodeString(e.Encoded)
	if err != nil || len(encoded) != (bits+7)/8 {
		t.Fatalf("%s: encoded %q of %d bits: %v", name, e.Encoded, bits, err)
	}
	for i := range bits {
		if (encoded[i/8]^block[i/8])>>(7-i%8)&1 != 0 {
			t.Fatalf("%s: bit %d is not the one encoded", name, i)
		}
	}
	return e
}

// checkTiles fails unless fields, and items, follow one another without a gap.
func checkTiles(t *testing.T, e *Explanation, bits int) {
	t.Helper()
	at, item := 0, 0
	for i, f := range e.Fields {
		if f.First != at || f.Count <= 0 {
			t.Fatalf("%s: field %d (%s) starts at bit %d for %d, want %d", e.Codec, i, f.Name, f.First, f.Count, at)
		}
		if f.Name == "" || f.Kind == "" || f.Meaning == "" || f.Value == "" {
			t.Fatalf("%s: field %d says too little: %+v", e.Codec, i, f)
		}
		if f.Item < item || f.Item >= len(e.Items) {
			t.Fatalf("%s: field %d is part of item %d of %d, after %d", e.Codec, i, f.Item, len(e.Items), item)
		}
		at, item = at+f.Count, f.Item
		if it := e.Items[item]; f.First < it.First || at > it.First+it.Count {
			t.Fatalf("%s: field %d (%s) lies outside its item %+v", e.Codec, i, f.Name, it)
		}
	}
	if at != bits {
		t.Fatalf("%s: fields cover %d bits of %d", e.Codec, at, bits)
	}
	at = 0
	for i, it := range e.Items {
		if it.First != at || it.Name == "" || it.Says == "" || it.Count == 0 && !it.Lost || it.Byte < 0 || it.Byte+it.Bytes > mem.LineBytes {
			t.Fatalf("%s: item %d at bit %d, want %d: %+v", e.Codec, i, it.First, at, it)
		}
		at += it.Count
	}
	if at != bits {
		t.Fatalf("%s: items cover %d bits of %d", e.Codec, at, bits)
	}
	for _, s := range e.Structures {
		if s.Rows == nil { // null in JSON, where the page wants a list
			t.Fatalf("%s: %s has no rows", e.Codec, s.Title)
		}
		for _, r := range s.Rows {
			if len(r.Cells) != len(s.Columns) {
				t.Fatalf("%s: %s: %d cells in %d columns", e.Codec, s.Title, len(r.Cells), len(s.Columns))
			}
			for _, i := range r.Items {
				if i < 0 || i >= len(e.Items) {
					t.Fatalf("%s: %s: item %d", e.Codec, s.Title, i)
				}
			}
		}
	}
}

// TestEveryBit: each bit of each codec's code has one field, and the fields together
// mean what the decoder reads.
func TestEveryBit(t *testing.T) {
	lines := codectest.Corpus(12)
	coded := map[string]int{}
	for _, c := range all(t, lines) {
		for i := range lines {
			if e := check(t, c, &lines[i]); e.Bits < codec.RawBits {
				coded[e.Codec]++
			}
		}
		if n := coded[c.Info().Name]; n < len(lines)/10 && c.Info().Name != codecs.Null {
			t.Errorf("%s coded only %d of %d blocks", c.Info().Name, n, len(lines))
		}
	}
}

// TestBytesAreCovered: where a codec stands for words or symbols one by one, its
// items name every byte of the block once.
func TestBytesAreCovered(t *testing.T) {
	lines := codectest.Corpus(3)
	for _, c := range all(t, lines) {
		switch name := c.Info().Name; name {
		case "fpc", "cpack", "fibonacci", "sc", "e2mc8", "e2mc16", "e2mc32", "tslc-opt", "tslc-simp":
		default:
			continue
		}
		for i := range lines {
			e := check(t, c, &lines[i])
			var seen [mem.LineBytes]int
			for _, it := range e.Items {
				for k := it.Byte; k < it.Byte+it.Bytes; k++ {
					seen[k]++
				}
			}
			for k, n := range seen {
				if n != 1 {
					t.Fatalf("%s: byte %d belongs to %d items", e.Codec, k, n)
				}
			}
		}
	}
}

// TestSelectiveLoss: under every accounting and variant, at every granularity, the
// block is laid out as stored and the decision is that of the scheme.
func TestSelectiveLoss(t *testing.T) {
	lines := codectest.Corpus(8)
	h, err := e2mc.NewHistogram(16)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		h.Count(&lines[i])
	}
	table, err := e2mc.Train(h, e2mc.TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	lossy := 0
	for _, variant := range []tslc.Variant{tslc.SIMP, tslc.PRED, tslc.OPT} {
		for _, header := range []tslc.Header{tslc.HeaderFixed, tslc.HeaderVariable, tslc.HeaderLiteral} {
			for _, prediction := range []tslc.Prediction{tslc.PredictParity, tslc.PredictFirst} {
				for _, mag := range granularities {
					if testing.Short() && mag != 32 {
						continue // WebAssembly only has to give the same results
					}
					s, err := tslc.NewScheme(tslc.Params{Variant: variant, MAGBytes: mag, ThresholdBytes: mag, Header: header, Prediction: prediction}, table)
					if err != nil {
						t.Fatal(err)
					}
					for i := range lines {
						lossy += checkLoss(t, s, header, &lines[i])
					}
				}
			}
		}
	}
	if lossy < 500 {
		t.Errorf("only %d lossy blocks", lossy)
	}
}

func checkLoss(t *testing.T, s *tslc.Scheme, header tslc.Header, line *mem.Line) int {
	t.Helper()
	safe := codec.Region{Safe: true}
	e, err := Approximated(s, line, safe)
	if err != nil {
		t.Fatal(err)
	}
	got := *line
	st := s.Store(&got, safe)
	if e.Bits != int(st.Bits) || e.Mode != modeName(st.Mode) || e.Decoded != hex.EncodeToString(got[:]) {
		t.Fatalf("%s: %d bits, %s: stored as %+v\nread    %s\nstored  %x", e.Codec, e.Bits, e.Mode, st, e.Decoded, got[:])
	}
	if header != tslc.HeaderLiteral && e.LaidOut != e.Bits || e.LaidOut < e.Bits {
		t.Fatalf("%s: %d bits laid out of %d", e.Codec, e.LaidOut, e.Bits)
	}
	checkTiles(t, e, e.LaidOut)
	for _, b := range e.Bursts {
		if b.MAGBytes == s.MAGBytes() && (b.Bursts != int(st.Bursts) || b.Bits != int(st.Bits)) {
			t.Fatalf("%+v, stored %+v", b, st)
		}
	}
	if st.Mode != probe.ModeLossy {
		return 0
	}
	lost, chosen := 0, 0
	for _, it := range e.Items {
		if it.Lost {
			lost++
		}
	}
	for _, c := range e.Decision.Candidates {
		if c.Chosen {
			chosen++
		}
	}
	if lost != int(st.TruncatedSymbols) || chosen != 1 {
		t.Fatalf("%d symbols lost of %d, %d nodes chosen", lost, st.TruncatedSymbols, chosen)
	}
	// A run keeps what a reader gets and what Store answered: the same code follows.
	again, err := AsStored(s, &got, st)
	if err != nil {
		t.Fatal(err)
	}
	if again.Encoded != e.Encoded || again.Decoded != e.Decoded || header != tslc.HeaderLiteral && again.LaidOut != e.LaidOut {
		t.Fatalf("as stored:\n%s\nby the decision:\n%s", again.Encoded, e.Encoded)
	}
	return 1
}

// TestWorkedWords: the fields of blocks that can be coded by hand.
func TestWorkedWords(t *testing.T) {
	var line mem.Line
	line[4] = 5 // word 1
	e, err := Explain(mustCodec(t, "fpc"), &line, codec.Region{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Field{
		{0, 3, "prefix", Code, "000", "run of zero words: 3 bits follow", 0},
		{3, 3, "data", Data, "1", "length of the run, less 1", 0},
		{6, 3, "prefix", Code, "010", "sign-extended byte: 8 bits follow", 1},
	}
	want[2].Value, want[2].Meaning = "001", "sign-extended 4 bits: 4 bits follow"
	for i, f := range want {
		if e.Fields[i] != f {
			t.Errorf("field %d: %+v, want %+v", i, e.Fields[i], f)
		}
	}
	if it := e.Items[1]; it.Name != "word 1" || it.Byte != 4 || it.Bytes != 4 || it.First != 6 || it.Count != 7 {
		t.Errorf("word 1: %+v", it)
	}
	// 0 and 0x12345678, which enters; then it again, and one that shares three bytes.
	line = mem.Line{}
	for i, v := range []uint32{0x12345678, 0x12345678, 0x123456ff} {
		for k := range 4 {
			line[4*(i+1)+k] = byte(v >> (8 * k))
		}
	}
	if e, err = Explain(mustCodec(t, "cpack"), &line, codec.Region{}); err != nil {
		t.Fatal(err)
	}
	var says []string
	for _, it := range e.Items[:5] {
		says = append(says, it.Says)
	}
	if wanted := []string{"0x00000000, zzzz: zero", "0x12345678, xxxx: no match", "0x12345678, mmmm: equal to an entry", "0x123456ff, mmmx: upper three bytes match", "0x00000000, zzzz: zero"}; !slices.Equal(says, wanted) {
		t.Errorf("%q, want %q", says, wanted)
	}
	if d := e.Structures[0]; len(d.Rows) != 1 || !slices.Equal(d.Rows[0].Cells, []string{"1", "0", "0x12345678", ""}) {
		t.Errorf("dictionary: %+v", d.Rows)
	}
}

func mustCodec(t *testing.T, name string) codecs.Coder {
	t.Helper()
	c, err := codecs.ByName(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestBurstsOfSizes: what a block takes at each granularity, as codec.Lossless stores it.
func TestBurstsOfSizes(t *testing.T) {
	lines := codectest.Corpus(4)
	for _, c := range all(t, lines) {
		if !c.Info().Lossless {
			continue
		}
		for i := range lines {
			e := check(t, c, &lines[i])
			for _, b := range e.Bursts {
				s, err := codec.NewLossless(c, b.MAGBytes)
				if err != nil {
					t.Fatal(err)
				}
				if st := s.Store(&lines[i], codec.Region{}); int(st.Bursts) != b.Bursts || int(st.Bits) != b.Bits || modeName(st.Mode) != b.Mode || b.Bytes != b.Bursts*b.MAGBytes {
					t.Fatalf("%s: %+v, stored %+v", e.Codec, b, st)
				}
			}
		}
	}
}

// FuzzExplain takes any block apart under any codec.
func FuzzExplain(f *testing.F) {
	lines := codectest.Corpus(2)
	list := all(f, lines)
	for i := range lines {
		f.Add(lines[i][:], i)
	}
	f.Fuzz(func(t *testing.T, data []byte, which int) {
		var line mem.Line
		copy(line[:], data)
		check(t, list[int(uint(which)%uint(len(list)))], &line)
	})
}
