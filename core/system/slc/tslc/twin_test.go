package tslc

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

var safeRegion = codec.Region{Safe: true}

// trained returns a table that knows part of the corpus.
func trained(t testing.TB, lines []mem.Line) *e2mc.Table {
	t.Helper()
	h, err := e2mc.NewHistogram(16)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		h.Count(&lines[i])
	}
	table, err := e2mc.Train(h, e2mc.TrainParams{MaxValues: 300})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// allParams are all combinations worth distinguishing.
func allParams() []Params {
	var all []Params
	for _, v := range []Variant{SIMP, PRED, OPT} {
		for _, ways := range []int{1, 2, 4, 8} {
			for _, mag := range []int{16, 32, 64} {
				for _, h := range []Header{HeaderFixed, HeaderVariable, HeaderLiteral} {
					p := PredictParity
					if ways == 2 {
						p = PredictFirst
					}
					all = append(all, Params{Variant: v, Ways: ways, MAGBytes: mag, Header: h, Prediction: p})
				}
			}
		}
	}
	return all
}

// slowOutcome is what the slow twin says of a block.
type slowOutcome struct {
	mode         string
	bits         int
	first, count int
}

// slowSize returns the size of a block without symbols first.. counting the
// header, written down from the block format.
func slowSize(lengths []int, p Params, header, first, count int) int {
	up8 := func(n int) int {
		for n%8 != 0 {
			n++
		}
		return n
	}
	if p.Header == HeaderLiteral {
		sum := 0
		for i, l := range lengths {
			if i < first || i >= first+count {
				sum += l
			}
		}
		return sum
	}
	per := 64 / p.Ways
	total := 0
	for w := range p.Ways {
		way := 0
		if w == 0 {
			way = header
		}
		for i := w * per; i < (w+1)*per; i++ {
			if i < first || i >= first+count {
				way += lengths[i]
			}
		}
		total += up8(way)
	}
	return total
}

// slowStore is the selector by brute force, from SLC sections III-B to III-G as
// core/codec/README.md reads them, for all accountings of the header.
func slowStore(lengths []int, p Params, thresholdBytes int, isSafe bool) slowOutcome {
	pointers := 7 * (p.Ways - 1)
	lossless, lossy := 11+pointers, 11+pointers
	if p.Header == HeaderVariable {
		lossless = 1 + pointers
	}
	mag := 8 * p.MAGBytes
	comp := slowSize(lengths, p, lossless, 0, 0)
	if comp <= mag {
		return slowOutcome{"lossless", comp, 0, 0}
	}
	if comp >= 1024 {
		return slowOutcome{"raw", 1024, 0, 0}
	}
	budget := 0
	for budget+mag <= comp {
		budget += mag
	}
	extra := comp - budget
	if extra == 0 {
		return slowOutcome{"lossless", comp, 0, 0}
	}
	if extra <= 8*thresholdBytes && isSafe {
		sizes := []int{1, 2, 4, 8, 16}
		if p.Variant == OPT {
			sizes = []int{1, 2, 4, 6, 8, 12, 16}
		}
		for _, count := range sizes {
			stride := map[int]int{1: 1, 2: 2, 4: 4, 6: 8, 8: 8, 12: 16, 16: 16}[count]
			for first := 0; first+count <= 64; first += stride {
				cut := 0
				for _, l := range lengths[first : first+count] {
					cut += l
				}
				total := slowSize(lengths, p, lossy, first, count)
				if p.Header == HeaderFixed && cut < extra {
					continue // hardware compares sums with extra
				}
				if total <= budget {
					return slowOutcome{"lossy", total, first, count}
				}
			}
		}
	}
	if comp > 1024-mag {
		return slowOutcome{"raw", 1024, 0, 0}
	}
	return slowOutcome{"lossless", comp, 0, 0}
}

// slowReconstruct is section III-E in the two readings.
func slowReconstruct(line mem.Line, p Params, first, count int) mem.Line {
	out := line
	kept := func(i int) bool { return i < first || i >= first+count }
	for i := first; i < first+count; i++ {
		value := uint16(0)
		if p.Variant != SIMP {
			for k := range 64 {
				if kept(k) && (p.Prediction == PredictFirst || k%2 == i%2) {
					value = binary.LittleEndian.Uint16(line[2*k:])
					break
				}
			}
		}
		binary.LittleEndian.PutUint16(out[2*i:], value)
	}
	return out
}

func lengthsOf(table *e2mc.Table, line *mem.Line) []int {
	var raw [e2mc.MaxSymbols]uint8
	n := table.Lengths(line, &raw)
	var out []int
	for _, l := range raw[:n] {
		out = append(out, int(l))
	}
	return out
}

func outcome(st codec.Stored) slowOutcome {
	mode := [...]string{probe.ModeRaw: "raw", probe.ModeLossless: "lossless", probe.ModeLossy: "lossy"}[st.Mode]
	return slowOutcome{mode, int(st.Bits), int(st.FirstSymbol), int(st.TruncatedSymbols)}
}

// TestAgainstBruteForce compares decision, reconstruction and the paranoid path
// (encode, then decode) of every accounting, way count, MAG and variant.
func TestAgainstBruteForce(t *testing.T) {
	lines := codectest.Corpus(12)
	table := trained(t, lines[:len(lines)/2])
	lossy := map[Params]int{}
	for _, p := range allParams() {
		s, err := NewScheme(p, table)
		if err != nil {
			t.Fatal(err)
		}
		for i := range lines {
			for _, region := range []codec.Region{{}, {Safe: true}, {Safe: true, ThresholdBytes: p.MAGBytes}, {Safe: true, ThresholdBytes: 1}} {
				threshold := region.ThresholdBytes
				if threshold == 0 {
					threshold = p.MAGBytes / 2
				}
				want := slowStore(lengthsOf(table, &lines[i]), p, threshold, region.Safe)
				line := lines[i]
				st := s.Store(&line, region)
				if got := outcome(st); got != want {
					t.Fatalf("%+v block %d region %+v: %+v, want %+v", p, i, region, got, want)
				}
				if wantLine := slowReconstruct(lines[i], p, want.first, want.count); line != wantLine {
					t.Fatalf("%+v block %d: reconstruction differs", p, i)
				}
				if want.mode == "lossy" {
					lossy[p]++
				}
				paranoid(t, s, &lines[i], region, st, &line)
			}
		}
	}
	for _, p := range allParams() {
		if lossy[p] < 20 {
			t.Errorf("%+v: only %d lossy blocks, the test shows little", p, lossy[p])
		}
	}
}

// paranoid encodes the block and decodes it: what Store promised must come out.
func paranoid(t *testing.T, s *Scheme, original *mem.Line, region codec.Region, st codec.Stored, promised *mem.Line) {
	t.Helper()
	var b codec.Block
	for i := range b {
		b[i] = 0x5a
	}
	if got := s.Encode(&b, original, region); got != st {
		t.Fatalf("%+v: Encode stores %+v, Store %+v", s.p, got, st)
	}
	if st.Mode == probe.ModeRaw {
		if *promised != *original {
			t.Fatalf("%+v: a raw block changed", s.p)
		}
		return
	}
	var out mem.Line
	if err := s.Decode(&out, &b, int(st.Bits)); err != nil {
		t.Fatalf("%+v: %v", s.p, err)
	}
	if out != *promised {
		t.Fatalf("%+v: decoded % x, Store promised % x", s.p, out, *promised)
	}
	if st.Mode == probe.ModeLossless && out != *original {
		t.Fatalf("%+v: a lossless block changed", s.p)
	}
}

// slowBlock is the header and stream of figure 6 as text.
func slowBlock(table *e2mc.Table, line *mem.Line, first, count int) string {
	words := map[uint32]string{}
	escape := ""
	for _, c := range table.Codewords(0) {
		text := fmt.Sprintf("%0*b", c.Bits, c.Code)
		if c.Escape {
			escape = text
		} else {
			words[c.Symbol] = text
		}
	}
	body, pointers := "", ""
	for w := range 4 {
		if w > 0 {
			pointers += fmt.Sprintf("%07b", 4+len(body)/8)
		}
		for i := w * 16; i < (w+1)*16; i++ {
			if i >= first && i < first+count {
				continue
			}
			v := uint32(binary.LittleEndian.Uint16(line[2*i:]))
			if word, ok := words[v]; ok {
				body += word
			} else {
				body += escape + fmt.Sprintf("%016b", v)
			}
		}
		body += strings.Repeat("0", -len(body)&7)
	}
	if count == 0 {
		return "0" + "000000" + "0000" + pointers + body
	}
	return "1" + fmt.Sprintf("%06b", first) + fmt.Sprintf("%04b", count-1) + pointers + body
}

// TestBlockFormat checks every bit of the default format with four ways.
func TestBlockFormat(t *testing.T) {
	lines := codectest.Corpus(12)
	table := trained(t, lines[:len(lines)/2])
	s, err := NewScheme(Params{Variant: OPT, MAGBytes: 32}, table)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		var b codec.Block
		st := s.Encode(&b, &lines[i], safeRegion)
		if st.Mode == probe.ModeRaw {
			continue
		}
		want := slowBlock(table, &lines[i], int(st.FirstSymbol), int(st.TruncatedSymbols))
		if len(want) != int(st.Bits) {
			t.Fatalf("block %d: %d bits, want %d", i, st.Bits, len(want))
		}
		for at := range want {
			if b[at/8]>>(7-at%8)&1 != want[at]-'0' {
				t.Fatalf("block %d: bit %d differs", i, at)
			}
		}
	}
}
