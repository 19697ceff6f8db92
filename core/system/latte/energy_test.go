package latte

import (
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/stat"
)

// l1Part returns the energy of the codecs in an account, and its terms inside L1.
func l1Part(t *testing.T, c *stat.Set) (total uint64, l1Terms int) {
	s, err := preset.GPU("gtx480v3")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range account.Of(s, c, nil, 0, 1000, energy.Codec{}, charges()).Parts {
		if p.Name != "codec" {
			continue
		}
		total = p.Femtojoules
		for _, term := range p.Terms {
			if term.Path == "codec.l1.compress" || term.Path == "codec.l1.decompress" {
				l1Terms++
			}
		}
	}
	return total, l1Terms
}

// TestL1CodecEnergy: LATTE-CC's nanojoules of section IV-C, for a thousand operations each:
// BDI 0.192 and 0.056, SC 0.42 and 0.336, and BPC twice BDI's. Without operations the
// account has no such term.
func TestL1CodecEnergy(t *testing.T) {
	if total, terms := l1Part(t, &stat.Set{}); total != 0 || terms != 0 {
		t.Errorf("%d fJ in %d terms without operations", total, terms)
	}
	for _, want := range []struct {
		codec      string
		nanojoules float64
	}{
		{"bdi", 0.192 + 0.056}, {"sc", 0.42 + 0.336}, {"bpc", 0.384 + 0.112},
	} {
		var c stat.Set
		l1 := codecs.Find(want.codec).L1
		c[Compressions(l1)], c[Decompressions(l1)] = 1000, 1000
		if total, terms := l1Part(t, &c); terms != 2 || total != uint64(want.nanojoules*1e9+0.5) {
			t.Errorf("%s: %d fJ in %d terms, want %g nJ for each of 1000", want.codec, total, terms, want.nanojoules)
		}
	}
}

// TestEveryL1CodecHasEnergy: each codec of an L1 costs what its Info says; so codecs that share counters cost the same.
func TestEveryL1CodecHasEnergy(t *testing.T) {
	for i := range codecs.Table {
		row := &codecs.Table[i]
		if row.L1 == nil {
			continue
		}
		codec, err := codecs.ByName(row.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		cost := codec.Info().Cost
		var c stat.Set
		c[Compressions(row.L1)], c[Decompressions(row.L1)] = 1000, 10
		want := uint64(cost.CompressPJ*1e6+0.5) + uint64(cost.DecompressPJ*1e4+0.5)
		if total, terms := l1Part(t, &c); terms != 2 || total != want || cost.CompressPJ == 0 || cost.DecompressPJ == 0 {
			t.Errorf("%s: %d fJ in %d terms, want %d", row.Name, total, terms, want)
		}
	}
}
