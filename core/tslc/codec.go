package tslc

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Codec is a Scheme as a plain codec: every block is taken as safe to
// approximate at the scheme's own threshold.
type Codec struct{ s *Scheme }

var (
	_ codec.Codec = Codec{}
	_ codec.Sizer = Codec{}
)

var safe = codec.Region{Safe: true}

// NewCodec returns the codec of a scheme.
func NewCodec(s *Scheme) Codec { return Codec{s} }

// Info describes the codec.
func (c Codec) Info() codec.Info {
	return codec.Info{
		Name: c.s.Name(), Source: "SLC (DATE 2019), section IV-A",
		CompressLatencyCycles: CompressLatencyCycles, DecompressLatencyCycles: c.s.decompress,
	}
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(src *mem.Line) int { return c.s.decide(src, safe).bits }

// Encode writes the block and returns its size as the scheme accounts for it.
func (c Codec) Encode(dst *codec.Block, src *mem.Line) int {
	return int(c.s.Encode(dst, src, safe).Bits)
}

// Decode restores the block with its truncated symbols reconstructed.
func (c Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	return c.s.Decode(dst, src, bits)
}
