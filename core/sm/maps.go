package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// keptMaps is how many tensor maps of global memory the copy unit of an SM keeps [ours: the size has not been
// published, and is not measured here]; the one used longest ago leaves. A map that it has takes no time beyond
// copyStartCycles, and any other is read through L2. The unit keeps bytes: whoever changes a map without the fences of
// PTX (ISA, fence.proxy.tensormap) may see the old one used.
const keptMaps = 32

// keptMap is a map that the copy unit has, or reads.
type keptMap struct {
	at    mem.Addr
	by    uint32 // 0, or that copy plus one is to bring the words
	words [ptx.TensorMapBytes / 4]uint32
}

// mapKept gives a copy its map if the unit has it; else the copy is to read it.
func (u *copyUnit) mapKept(p *copyPlace, w *execute.Warp, in *ptx.Instr, at mem.Addr) bool {
	k := keptMap{at: at, by: p.number + 1}
	i := slices.IndexFunc(u.maps, func(x keptMap) bool { return x.at == at })
	kept := i >= 0 && u.maps[i].by == 0
	switch {
	case kept:
		k = u.maps[i]
		*w.TensorMap(in) = k.words
	case i < 0 && len(u.maps) == keptMaps:
		i = 0
	}
	if i >= 0 {
		u.maps = slices.Delete(u.maps, i, i+1)
	}
	u.maps = append(u.maps, k)
	return kept
}

// keepMap keeps what a copy has read, unless it has been forgotten meanwhile.
func (u *copyUnit) keepMap(p *copyPlace, w *execute.Warp, in *ptx.Instr) {
	for i := range u.maps {
		if k := &u.maps[i]; k.by == p.number+1 {
			k.by, k.words = 0, *w.TensorMap(in)
		}
	}
}

// forgetMaps forgets the maps with a byte from one address up to another one. Every store asks for that, and mostly
// there are none: the compiler puts this much in line.
func (u *copyUnit) forgetMaps(from, to mem.Addr) {
	if len(u.maps) > 0 {
		u.forget(from, to)
	}
}

func (u *copyUnit) forget(from, to mem.Addr) {
	u.maps = slices.DeleteFunc(u.maps, func(k keptMap) bool { return k.at < to && k.at+ptx.TensorMapBytes > from })
}
