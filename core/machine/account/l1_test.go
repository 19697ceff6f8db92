package account

import (
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/stat"
)

// TestL1CodecEnergy: LATTE-CC's nanojoules of section IV-C, for a thousand operations each:
// BDI 0.192 and 0.056, SC 0.42 and 0.336, and BPC twice BDI's. Without operations the
// account has no such term.
func TestL1CodecEnergy(t *testing.T) {
	s, err := preset.GPU("gtx480v3")
	if err != nil {
		t.Fatal(err)
	}
	part := func(c *stat.Set) (total uint64, l1Terms int) {
		for _, p := range Of(s, c, nil, 0, 1000, energy.Codec{}).Parts {
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
	if total, terms := part(&stat.Set{}); total != 0 || terms != 0 {
		t.Errorf("%d fJ in %d terms without operations", total, terms)
	}
	for i, nanojoules := range []float64{0.192 + 0.056, 0.42 + 0.336, 0.384 + 0.112} {
		var c stat.Set
		c[stat.L1CompressionsBDI+stat.Counter(i)], c[stat.L1DecompressionsBDI+stat.Counter(i)] = 1000, 1000
		if total, terms := part(&c); terms != 2 || total != uint64(nanojoules*1e9+0.5) {
			t.Errorf("codec %d: %d fJ in %d terms, want %g nJ for each of 1000", i, total, terms, nanojoules)
		}
	}
}
