package scheme

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	codec "github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// StatedLatencies are the cycles that the paper of a memory scheme states for its compressor and decompressor.
func StatedLatencies(m *Memory) (compress, decompress int) {
	if m.Approximation() != system.None {
		_, decompress = codec.LatencyCycles(16, m.DecodingWays())
		return tslc.CompressLatencyCycles, decompress
	}
	if bits, err := codecs.SymbolBits(m.Codec()); err == nil && HasWays(m.Codec()) {
		return codec.LatencyCycles(bits, m.DecodingWays())
	}
	c, err := codecs.ByName(m.Codec(), nil)
	if err != nil {
		panic(err) // a validated scheme has it
	}
	t := c.Info().Timing
	return t.CompressCycles, t.DecompressCycles
}
