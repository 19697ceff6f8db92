package account

import (
	"sync"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// l1Energy is the energy of a codec inside L1, with its counters.
type l1Energy struct {
	*codecs.L1
	energy.Codec
}

// l1Energies lists the codecs of L1, in the order of their table.
var l1Energies = sync.OnceValue(func() []l1Energy {
	var list []l1Energy
	seen := map[*codecs.L1]bool{}
	for i := range codecs.Table {
		row := &codecs.Table[i]
		if row.L1 == nil || seen[row.L1] {
			continue
		}
		seen[row.L1] = true
		c, err := codecs.ByName(row.Name, nil)
		if err != nil {
			panic(err) // it is in the table
		}
		info := c.Info()
		list = append(list, l1Energy{row.L1, energy.NewCodec(info.Name, info.Cost.CompressPJ, info.Cost.DecompressPJ, info.Cost.EnergySource)})
	}
	return list
})

// l1Codecs adds the energy of the codecs inside L1: one compression for each line that
// enters, also if it stays raw, and one decompression for each hit on a compressed line.
func (a *accounting) l1Codecs(s *stat.Set) {
	for _, e := range l1Energies() {
		if s[e.Compressions] == 0 {
			continue
		}
		a.codec([]stat.Counter{e.Compressions}, s, "codec.l1.compress", e.CompressFemtojoules, e.Source)
		a.codec([]stat.Counter{e.Decompressions}, s, "codec.l1.decompress", e.DecompressFemtojoules, e.Source)
	}
}
