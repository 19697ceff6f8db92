package plugin

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Scheme stores blocks with a lossy module. A block of a region that is marked safe is approximated if that saves a
// burst over its exact code; memory holds what decode makes of it. Every other block gets the exact code or stays raw.
type Scheme struct {
	c   *Codec
	mag int
	out mem.Line // room for a block
}

var _ codec.Scheme = (*Scheme)(nil)

// NewScheme returns the scheme of a lossy module at a memory access granularity.
func NewScheme(c *Codec, magBytes int) (*Scheme, error) {
	switch {
	case magBytes != 16 && magBytes != 32 && magBytes != 64:
		return nil, fmt.Errorf("plugin: memory access granularity of %d bytes: want 16, 32 or 64", magBytes)
	case !c.lossy:
		return nil, fmt.Errorf("plugin: %s is lossless: use codec.NewLossless", c.info.Name)
	}
	return &Scheme{c: c, mag: magBytes}, nil
}

// Codec returns the module.
func (s *Scheme) Codec() *Codec { return s.c }

func (s *Scheme) Name() string         { return s.c.info.Name }
func (s *Scheme) MAGBytes() int        { return s.mag }
func (s *Scheme) Compressed() bool     { return true }
func (s *Scheme) Timing() codec.Timing { return s.c.info.Timing }
func (s *Scheme) Err() error           { return s.c.err }

// Store decides how line is stored, and overwrites it with what decode gives.
func (s *Scheme) Store(line *mem.Line, region codec.Region) codec.Stored {
	exact := s.stored(s.c.ExactBits(line))
	if !region.Safe {
		return exact
	}
	st := s.approximated(exact, s.c.Approximate(line, &s.out), line, &s.out)
	if st.Mode == probe.ModeLossy {
		*line = s.out
	}
	return st
}

// Encode writes the code of a block as Store stores it.
func (s *Scheme) Encode(dst *codec.Block, src *mem.Line, region codec.Region) codec.Stored {
	exact := s.stored(s.c.EncodeExact(dst, src))
	if !region.Safe {
		return exact
	}
	var code codec.Block
	st := s.approximated(exact, s.c.encode(Size, Encode, &code, src, &s.out), src, &s.out)
	if st != exact {
		*dst = code
	}
	return st
}

// Decode restores a block.
func (s *Scheme) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	return s.c.Decode(dst, src, bits)
}

// stored is how a block with an exact code of so many bits is stored.
func (s *Scheme) stored(bits int) codec.Stored {
	st := codec.Stored{Bits: codec.RawBits, LosslessBits: uint16(bits), Bursts: uint8(mem.LineBytes / s.mag), Mode: probe.ModeRaw}
	if mag := 8 * s.mag; bits <= codec.RawBits-mag {
		st.Bits, st.Bursts, st.Mode = uint16(bits), uint8(max(1, (bits+mag-1)/mag)), probe.ModeLossless
	}
	return st
}

// approximated is exact, or how a block is stored whose shorter code decodes to out.
func (s *Scheme) approximated(exact codec.Stored, bits int, line, out *mem.Line) codec.Stored {
	st := s.stored(bits)
	if s.c.err != nil || st.Bursts >= exact.Bursts {
		return exact
	}
	st.LosslessBits = exact.LosslessBits
	first, last := mem.LineBytes, -1
	for i := range line {
		if line[i] != out[i] {
			first, last = min(first, i/symbolBytes), i/symbolBytes
		}
	}
	if last < 0 {
		st.LosslessBits = st.Bits // the shorter code has lost nothing
		return st
	}
	st.Mode, st.FirstSymbol, st.TruncatedSymbols = probe.ModeLossy, uint8(first), uint8(last-first+1)
	return st
}

// symbolBytes is the size of the symbols in which memory counts what is lost, as in SLC.
const symbolBytes = 2
