package codec

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Lossless is the scheme of a lossless codec: a block is stored compressed if
// that saves a burst.
type Lossless struct {
	info  Info
	sizer Sizer
	mag   int
}

var _ Scheme = Lossless{}

// NewLossless returns the scheme of a codec at a memory access granularity.
func NewLossless(c interface {
	Codec
	Sizer
}, magBytes int) (Lossless, error) {
	info := c.Info()
	switch {
	case magBytes != 16 && magBytes != 32 && magBytes != 64:
		return Lossless{}, fmt.Errorf("codec: memory access granularity of %d bytes: want 16, 32 or 64", magBytes)
	case !info.Lossless:
		return Lossless{}, fmt.Errorf("codec: %s loses information: use its own scheme", info.Name)
	}
	return Lossless{info, c, magBytes}, nil
}

// Info describes the codec.
func (l Lossless) Info() Info { return l.info }

// Codec returns the codec.
func (l Lossless) Codec() Codec { return l.sizer.(Codec) }

func (l Lossless) Name() string     { return l.info.Name }
func (l Lossless) MAGBytes() int    { return l.mag }
func (l Lossless) Compressed() bool { return true }
func (l Lossless) Timing() Timing   { return l.info.Timing }

// Err returns what ended a codec that can fail, nil if nothing did.
func (l Lossless) Err() error {
	if c, ok := l.sizer.(interface{ Err() error }); ok {
		return c.Err()
	}
	return nil
}

// Encode and Decode call the codec.
func (l Lossless) Encode(dst *Block, src *mem.Line) (bits int) {
	return l.sizer.(Codec).Encode(dst, src)
}

func (l Lossless) Decode(dst *mem.Line, src *Block, bits int) error {
	return l.sizer.(Codec).Decode(dst, src, bits)
}

// Store returns the size and bursts; line keeps its contents.
func (l Lossless) Store(line *mem.Line, _ Region) Stored {
	size := l.sizer.SizeBits(line)
	mag := l.mag * 8
	if size > RawBits-mag {
		return Stored{Bits: RawBits, LosslessBits: uint16(size), Bursts: uint8(mem.LineBytes / l.mag), Mode: probe.ModeRaw}
	}
	// A block without any bits still takes a burst, because metadata hold a burst count of at least one.
	bursts := max(1, (size+mag-1)/mag)
	return Stored{Bits: uint16(size), LosslessBits: uint16(size), Bursts: uint8(bursts), Mode: probe.ModeLossless}
}
