package tslc

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/fpc"
)

// E2MC's units at 16 bits (tables III and IV) take 245 and 951 pJ a block, and SLC
// adds 0.0083 and 0.0003 mm2 (table I) and 14 cycles of 1.62 mW.
func TestCosts(t *testing.T) {
	table := tableOf(t, 16, codectest.Corpus(2))
	e, err := e2mc.New(e2mc.Params{SymbolBits: 16}, table)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewScheme(Params{Variant: OPT, MAGBytes: 32}, table)
	if err != nil {
		t.Fatal(err)
	}
	over, err := NewOver(Params{Variant: OPT, MAGBytes: 32}, fpc.Codec{})
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	base, lossy := e.Info().Cost, s.Info().Cost
	near("E2MC compression", base.CompressPJ, 5.47*128/2.86, 0.1)
	near("E2MC decompression", base.DecompressPJ, 11.89*128/1.60, 0.1)
	near("selection", lossy.CompressPJ-base.CompressPJ, 1.62*14/1.002, 0.01)
	near("area of the compressor", lossy.Compressor.AreaMM2, 0.1183, 1e-9)
	near("area of the decompressor", lossy.Decompressor.AreaMM2, 0.0703, 1e-9)
	var scheme codec.Scheme = over
	if timing := scheme.Timing(); timing != (codec.Timing{MHz: 1002, CompressCycles: 6 + 14, DecompressCycles: 10}) || over.Info().Lossless {
		t.Errorf("over FPC: %+v, %+v", timing, over.Info())
	}
	near("over FPC", over.Info().Cost.CompressPJ-fpc.Codec{}.Info().Cost.CompressPJ, 1.62*14/1.002, 0.01)
}
