// Package zvc is zero-value compression (Rhu et al., "Compressing DMA Engine",
// HPCA 2018) of 128-byte blocks: a bit for each 32-bit word, and the words that
// are not zero.
package zvc

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

const words = mem.LineBytes / 4

// Codec is ZVC. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

// Info describes the codec.
func (Codec) Info() codec.Info {
	return codec.Info{
		// The paper pipelines it into DMA and gives no latency; one cycle is ours.
		Name: "zvc", Source: "HPCA 2018; one cycle assumed", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
		Cost: codec.Cost{
			CompressPJ: 192, DecompressPJ: 56, EnergySource: "ours: BDI's of LATTE-CC, as none is published",
			UnitSource: "none published for 128-byte blocks",
		},
	}
}

// mask has a bit for each word that is not zero, word 0 in bit 0.
func mask(line *mem.Line) uint32 {
	m := uint32(0)
	for i := range words {
		if binary.LittleEndian.Uint32(line[4*i:]) != 0 {
			m |= 1 << i
		}
	}
	return m
}

func size(m uint32) int { return words + 32*bits.OnesCount32(m) }

// RawBits returns the size of the code even above the size of the block. It counts
// the words that are not zero two at a time.
func (Codec) RawBits(line *mem.Line) int {
	count := uint64(0)
	for i := 0; i < mem.LineBytes; i += 32 {
		a, b := binary.LittleEndian.Uint64(line[i:]), binary.LittleEndian.Uint64(line[i+8:])
		c, d := binary.LittleEndian.Uint64(line[i+16:]), binary.LittleEndian.Uint64(line[i+24:])
		count += codec.LanesNonzero(a)>>31 + codec.LanesNonzero(b)>>31 + codec.LanesNonzero(c)>>31 + codec.LanesNonzero(d)>>31
	}
	return words + 32*(int(uint32(count))+int(count>>32))
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the mask and the words.
func (Codec) Encode(dst *codec.Block, src *mem.Line) int {
	m := mask(src)
	if size(m) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	w.Put(uint64(m), words)
	for ; m != 0; m &= m - 1 {
		w.Put(uint64(binary.LittleEndian.Uint32(src[4*bits.TrailingZeros32(m):])), 32)
	}
	return w.Flush()
}

// Decode restores the block.
func (Codec) Decode(dst *mem.Line, src *codec.Block, sizeBits int) error {
	r := codec.NewBitReader(src, sizeBits)
	m := uint32(r.Take(words))
	for i := range words {
		v := uint32(0)
		if m>>i&1 == 1 {
			v = uint32(r.Take(32))
		}
		binary.LittleEndian.PutUint32(dst[4*i:], v)
	}
	if r.Failed {
		return fmt.Errorf("zvc: a block of %d bits with %d words announced: it is cut off", sizeBits, bits.OnesCount32(m))
	}
	return nil
}
