package account

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// textureSource says why a line of the texture cache costs as much as one of L1.
const textureSource = "as a line of L1 [ours]: no source measures a texture cache alone, and since Volta it is the L1"

// texture adds the texture cache, if a run has used one. Filtering costs nothing [ours].
func (a *accounting) texture(s *stat.Set) {
	if s[stat.TextureAccesses] == 0 {
		return
	}
	a.parts = append(a.parts, energy.Part{Name: "texture", Title: "Texture cache"})
	const path = "energy.l1Femtojoules"
	t := energy.Events(stat.Describe(stat.TextureAccesses).Name, s[stat.TextureAccesses], path, a.value(path))
	t.Source = textureSource + "; " + a.source(path)
	a.add("texture", t)
}
