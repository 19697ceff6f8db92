package tslc

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Codec is a Scheme as a plain codec. Every block counts as safe to approximate, with the
// scheme's own threshold.
type Codec struct{ s *Scheme }

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

var safe = codec.Region{Safe: true}

// NewCodec returns the codec of a scheme.
func NewCodec(s *Scheme) Codec { return Codec{s} }

// Info describes the codec.
func (c Codec) Info() codec.Info { return c.s.Info() }

// Info describes the scheme as a codec.
func (s *Scheme) Info() codec.Info {
	return codec.Info{
		Name: s.Name(), Source: "SLC (DATE 2019), section IV-A",
		Timing: s.Timing(),
		Cost:   addOnCost(s.cost),
	}
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(src *mem.Line) int { return c.s.decide(src, safe).bits }

// RawBits is SizeBits: a block that stays raw has no lossy code.
func (c Codec) RawBits(src *mem.Line) int { return c.SizeBits(src) }

// Encode writes the block and returns its size under the scheme's accounting.
func (c Codec) Encode(dst *codec.Block, src *mem.Line) int {
	return int(c.s.Encode(dst, src, safe).Bits)
}

// Decode restores the block with its truncated symbols reconstructed.
func (c Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	return c.s.Decode(dst, src, bits)
}

// Units that SLC adds to a compressor and a decompressor (table I).
const (
	addCompressMM2, addCompressMW     = 0.00830, 1.620
	addDecompressMM2, addDecompressMW = 0.00030, 0.210
	memoryClockGHz                    = 1.002 // of the latencies (section IV-A)
)

// Cost returns the cost of SLC's units together with the cost of the given codec.
func Cost(below codec.Cost) codec.Cost { return addOnCost(below) }

// addOnCost adds SLC's units to the cost of the codec below.
func addOnCost(c codec.Cost) codec.Cost {
	c.Compressor.AreaMM2 += addCompressMM2
	c.Compressor.PowerMW += addCompressMW
	c.Decompressor.AreaMM2 += addDecompressMM2
	c.Decompressor.PowerMW += addDecompressMW
	// The addition is busy while it reads and adds code lengths, and while it fills in.
	c.CompressPJ += addCompressMW * selectCycles / memoryClockGHz
	c.DecompressPJ += addDecompressMW * 1 / memoryClockGHz
	c.EnergySource += "; derived: powers of SLC table I for 14 cycles and one"
	c.UnitSource += "; additions of SLC (DATE 2019), table I"
	c.L1CompressCycles, c.L1DecompressCycles, c.L1Source = 0, 0, ""
	return c
}
