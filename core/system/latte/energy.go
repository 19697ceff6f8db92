package latte

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// charges returns the energies of the codecs inside L1: one compression for each line that enters, also if it stays
// raw, and one decompression for each hit on a compressed line.
func charges() (list []energy.Charge) {
	for _, row := range inL1() {
		if row == nil {
			continue
		}
		c, err := codecs.ByName(row.Name, nil)
		if err != nil {
			panic(err) // it is in the table
		}
		cost := c.Info().Cost
		e := energy.NewCodec(row.Name, cost.CompressPJ, cost.DecompressPJ, cost.EnergySource)
		add := func(counter stat.Counter, path string, femtojoules uint64) {
			if femtojoules > 0 {
				list = append(list, energy.Charge{Part: "codec", Counter: counter, Path: path, Source: e.Source,
					Femtojoules: femtojoules, If: Compressions(row.L1)})
			}
		}
		add(Compressions(row.L1), "codec.l1.compress", e.CompressFemtojoules)
		add(Decompressions(row.L1), "codec.l1.decompress", e.DecompressFemtojoules)
	}
	return list
}
