package buddy

import (
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/account"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// TestLinkEnergy: a sector read from buddy memory costs what Buddy Compression counts: two
// headers and 32 bytes of 11 pJ a bit, twice, 3.48 pJ a bit of HBM2 and half an activation.
// A run without a link has no such part.
func TestLinkEnergy(t *testing.T) {
	s, err := preset.GPU("p100")
	if err != nil {
		t.Fatal(err)
	}
	var c stat.Set
	parts := func() []energy.Part { return account.Of(s, &c, nil, 0, 1000, energy.Codec{}, charges()).Parts }
	for _, p := range parts() {
		if p.Name == "link" {
			t.Errorf("%+v without a link", p)
		}
	}
	c[stat.LinkCycles], c[storage.LinkReads], c[storage.LinkReadBytes] = 100, 1, 32
	c[stat.LinkOutBytes], c[stat.LinkInBytes] = 32, 64
	const want = (32+32+32)*8*22_000 + 32*8*3_480 + 454_500
	if p := parts()[len(parts())-1]; p.Name != "link" || p.Femtojoules != want {
		t.Errorf("part %s has %d fJ, want %d", p.Name, p.Femtojoules, want)
	}
}
