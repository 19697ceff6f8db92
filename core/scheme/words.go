package scheme

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	codec "github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/system/latte"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/core/system/slc"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Words returns what each system adds to the predicates of claims. The names of runs have them in this order.
func Words() []system.Words {
	return []system.Words{slc.Words(), e2mc.Words(), rfvp.Words(), latte.Words(), buddy.Words()}
}

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
