// Package null is a codec that saves nothing: every block stays as it is. A run with it differs from one without
// compression by the metadata and by what waits for them, so it says how much time moves without any byte saved.
package null

import (
	"errors"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Codec is the codec. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

// Info describes the codec. Scheme.Null gives it the latencies of the codec in whose place it stands.
func (Codec) Info() codec.Info {
	return codec.Info{
		Name: "null", Source: "ours; no code is shorter than the block", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
		Cost:   codec.Cost{EnergySource: "ours: it has no unit", UnitSource: "ours: it has no unit"},
	}
}

// RawBits is the size of the block.
func (Codec) RawBits(*mem.Line) int { return codec.RawBits }

// SizeBits returns what Encode does.
func (Codec) SizeBits(*mem.Line) int { return codec.RawBits }

// Encode has no code.
func (Codec) Encode(*codec.Block, *mem.Line) int { return codec.RawBits }

// Decode has nothing to decode.
func (Codec) Decode(*mem.Line, *codec.Block, int) error {
	return errors.New("null: a block that is not raw: nothing encodes one")
}
