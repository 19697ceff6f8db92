package tslc

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/cpack"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

func tableOf(t testing.TB, width int, lines []mem.Line) *e2mc.Table {
	t.Helper()
	h, err := e2mc.NewHistogram(width)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines[:len(lines)/2] {
		h.Count(&lines[i])
	}
	table, err := e2mc.Train(h, e2mc.TrainParams{})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// belows are all codecs that can be truncated.
func belows(t testing.TB, lines []mem.Line) []codec.SymbolCoder {
	t.Helper()
	list := []codec.SymbolCoder{
		fpc.Codec{}, cpack.New(cpack.Params{}), cpack.New(cpack.Params{Push: cpack.PushPartial}), cpack.New(cpack.Params{Zero: true}),
	}
	for _, width := range []int{4, 8, 16, 32} {
		c, err := e2mc.New(e2mc.Params{SymbolBits: width}, tableOf(t, width, lines))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	c, err := sc.New(tableOf(t, 32, lines))
	if err != nil {
		t.Fatal(err)
	}
	return append(list, c)
}

// Over E2MC with 16-bit symbols, Over decides, encodes and reconstructs like Scheme.
func TestOverE2MC16IsScheme(t *testing.T) {
	lines := codectest.Corpus(40)
	table := tableOf(t, 16, lines)
	for _, p := range []Params{
		{Variant: SIMP, MAGBytes: 32}, {Variant: PRED, MAGBytes: 32}, {Variant: OPT, MAGBytes: 32}, {Variant: OPT, MAGBytes: 16}, {Variant: OPT, MAGBytes: 64},
		{Variant: OPT, MAGBytes: 32, Header: HeaderVariable}, {Variant: PRED, MAGBytes: 32, Header: HeaderVariable, Ways: 8}, {Variant: OPT, MAGBytes: 32, Header: HeaderVariable, Ways: 1},
		{Variant: OPT, MAGBytes: 32, Header: HeaderLiteral}, {Variant: PRED, MAGBytes: 32, Header: HeaderLiteral, Prediction: PredictFirst}, {Variant: OPT, MAGBytes: 32, ThresholdBytes: 31},
	} {
		scheme, err := NewScheme(p, table)
		if err != nil {
			t.Fatal(err)
		}
		below, err := e2mc.New(e2mc.Params{SymbolBits: 16, Ways: p.Ways}, table)
		if err != nil {
			t.Fatal(err)
		}
		over, err := NewOver(p, below)
		if err != nil {
			t.Fatal(err)
		}
		lossy := 0
		for i := range lines {
			a, b := lines[i], lines[i]
			x, y := scheme.Store(&a, safeRegion), over.Store(&b, safeRegion)
			if x != y || a != b {
				t.Fatalf("%+v, block %d: %+v, Scheme says %+v", p, i, y, x)
			}
			if x.Mode == probe.ModeLossy {
				lossy++
			}
			if x.Mode == probe.ModeRaw {
				continue
			}
			var codeA, codeB codec.Block
			scheme.Encode(&codeA, &lines[i], safeRegion)
			over.Encode(&codeB, &lines[i], safeRegion)
			if string(codeA[:x.Bits/8]) != string(codeB[:x.Bits/8]) {
				t.Fatalf("%+v, block %d: another code", p, i)
			}
		}
		if lossy == 0 {
			t.Errorf("%+v: no block is lossy", p)
		}
	}
}

// Over any codec a lossy block fits its budget, is what Encode and Decode make of
// it, and without truncation nothing is lost.
func TestOverAnyCodec(t *testing.T) {
	lines := codectest.Corpus(40)
	for _, below := range belows(t, lines) {
		lossy := 0
		for _, p := range []Params{
			{Variant: SIMP, MAGBytes: 32}, {Variant: OPT, MAGBytes: 32}, {Variant: OPT, MAGBytes: 64}, {Variant: PRED, MAGBytes: 16, Prediction: PredictFirst},
			{Variant: OPT, MAGBytes: 32, Header: HeaderVariable}, {Variant: OPT, MAGBytes: 32, Header: HeaderLiteral},
		} {
			s, err := NewOver(p, below)
			if err != nil {
				t.Fatal(err)
			}
			for i := range lines {
				stored, kept := lines[i], lines[i]
				st := s.Store(&stored, safeRegion)
				if safe := s.Store(&kept, codec.Region{}); safe.Mode == probe.ModeLossy || kept != lines[i] || safe.LosslessBits != st.LosslessBits {
					t.Fatalf("%s, block %d: %+v where nothing may be lost", s.Name(), i, safe)
				}
				var code codec.Block
				if enc := s.Encode(&code, &lines[i], safeRegion); enc != st {
					t.Fatalf("%s, block %d: Encode says %+v, Store %+v", s.Name(), i, enc, st)
				}
				if st.Mode == probe.ModeRaw {
					continue
				}
				var out mem.Line
				if err := s.Decode(&out, &code, int(st.Bits)); err != nil {
					t.Fatalf("%s, block %d: %v", s.Name(), i, err)
				}
				if out != stored {
					t.Fatalf("%s, block %d: decoded to % x, stored % x", s.Name(), i, out, stored)
				}
				if st.Mode == probe.ModeLossless {
					if out != lines[i] {
						t.Fatalf("%s, block %d: something is lost", s.Name(), i)
					}
					continue
				}
				lossy++
				budget := int(st.LosslessBits) / (8 * p.MAGBytes) * 8 * p.MAGBytes
				// Over C-PACK a block can shrink by more than the truncated words took.
				if int(st.Bits) > budget || int(st.Bursts)*8*p.MAGBytes > budget {
					t.Fatalf("%s, block %d: %+v misses its budget of %d bits", s.Name(), i, st, budget)
				}
				width := below.SymbolBits()
				for k := range mem.LineBytes * 8 / width {
					first, n := int(st.FirstSymbol), int(st.TruncatedSymbols)
					if inside := k >= first && k < first+n; !inside && symbolOf(&out, k, width) != symbolOf(&lines[i], k, width) {
						t.Fatalf("%s, block %d: symbol %d is not truncated and differs", s.Name(), i, k)
					}
				}
			}
		}
		if lossy < 20 {
			t.Errorf("over %s: %d blocks are lossy", below.Info().Name, lossy)
		}
	}
}

func TestOverDecodeSurvivesDamage(t *testing.T) {
	lines := codectest.Corpus(6)
	for _, below := range belows(t, lines) {
		s, err := NewOver(Params{Variant: OPT, MAGBytes: 32}, below)
		if err != nil {
			t.Fatal(err)
		}
		var code codec.Block
		var out mem.Line
		for i := range lines {
			st := s.Encode(&code, &lines[i], safeRegion)
			for k := range 40 {
				bad := code
				bad[k%24] ^= byte(37 * (k + 1))
				_ = s.Decode(&out, &bad, int(st.Bits))
				_ = s.Decode(&out, &code, k*29)
			}
		}
		i := 0
		if n := testing.AllocsPerRun(len(lines), func() {
			out = lines[i%len(lines)]
			i++
			if st := s.Encode(&code, &out, safeRegion); st.Mode != probe.ModeRaw {
				_ = s.Decode(&out, &code, int(st.Bits))
			}
			s.Store(&out, safeRegion)
		}); n != 0 {
			t.Errorf("%s allocates %v times per block", s.Name(), n)
		}
	}
}

func TestOverRefusesBadParams(t *testing.T) {
	for _, p := range []Params{{MAGBytes: 48}, {MAGBytes: 32, ThresholdBytes: 129}, {MAGBytes: 32, Variant: 7}, {MAGBytes: 32, Header: 9}} {
		if _, err := NewOver(p, fpc.Codec{}); err == nil {
			t.Errorf("%+v accepted", p)
		}
	}
}
