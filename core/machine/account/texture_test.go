package account

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/stat"
)

// TestTextureEnergy: a line of the texture cache costs as much as a line of L1 on every preset, and
// says so; a run without textures has no such part.
func TestTextureEnergy(t *testing.T) {
	for _, name := range []string{"mini", "gtx480v3", "gtx580b", "p100", "a100", "h200"} {
		s, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		of := func(counter stat.Counter) map[string]energy.Part {
			var c stat.Set
			c[counter] = 1000
			parts := map[string]energy.Part{}
			for _, p := range Of(s, &c, nil, 0, 1000, energy.Codec{}, nil).Parts {
				parts[p.Name] = p
			}
			return parts
		}
		l1, texture := of(stat.L1Accesses), of(stat.TextureAccesses)
		if _, ok := l1["texture"]; ok {
			t.Errorf("%s: a run without textures has a part for them", name)
		}
		if got, want := texture["texture"].Femtojoules, l1["l1"].Femtojoules; got != want || want == 0 {
			t.Errorf("%s: 1000 lines of the texture cache take %d fJ, of L1 %d", name, got, want)
		}
		if texture["l1"].Femtojoules != 0 {
			t.Errorf("%s: lines of the texture cache count as lines of L1 too", name)
		}
		if terms := texture["texture"].Terms; len(terms) != 1 || terms[0].Counter != "textureAccesses" || !strings.HasPrefix(terms[0].Source, textureSource) {
			t.Errorf("%s: %+v", name, terms)
		}
	}
}
