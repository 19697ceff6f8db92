package account

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// l1Codecs adds the energy of the codecs inside L1: one compression for each line that
// enters, also if it stays raw, and one decompression for each hit on a compressed line.
func (a *accounting) l1Codecs(s *stat.Set) {
	for i, c := range []codec.Codec{bdi.New(bdi.Params{Ten: true}), &sc.Codec{}, bpc.Codec{}} {
		info := c.Info()
		k := stat.Counter(i)
		if s[stat.L1CompressionsBDI+k] == 0 {
			continue
		}
		e := energy.NewCodec(info.Name, info.Cost.CompressPJ, info.Cost.DecompressPJ, info.Cost.EnergySource)
		a.codec([]stat.Counter{stat.L1CompressionsBDI + k}, s, "codec.l1.compress", e.CompressFemtojoules, e.Source)
		a.codec([]stat.Counter{stat.L1DecompressionsBDI + k}, s, "codec.l1.decompress", e.DecompressFemtojoules, e.Source)
	}
}
