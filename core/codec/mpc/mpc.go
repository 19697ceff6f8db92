// Package mpc is MPC (Yang, Mukka, Hesaaraki, Burtscher, CLUSTER 2015) for single
// precision and dimension 1, one 128-byte block at a time: differences of
// neighbouring words, transposed to bit planes, whose differences are kept where
// they are not zero. The predictor starts anew in each block, and there is no
// header besides the bitmap.
package mpc

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

const words = mem.LineBytes / 4

// Codec is MPC. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

// Info describes the codec.
func (Codec) Info() codec.Info {
	return codec.Info{
		// MPC is software; one cycle is ours.
		Name: "mpc", Source: "CLUSTER 2015; one cycle assumed", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
		Cost: codec.Cost{
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "software: no unit",
		},
	}
}

// residuals returns the residual of each bit plane, plane 0 first.
func residuals(line *mem.Line) (r [words]uint32) {
	last := uint32(0)
	for i := range r {
		w := binary.LittleEndian.Uint32(line[4*i:])
		r[i] = w - last
		last = w
	}
	codec.Transpose32(&r)
	for l := words - 1; l > 0; l-- {
		r[l] -= r[l-1] // a subtraction of integers, not an exclusive or
	}
	return r
}

// RawBits returns the size of the code even above the size of the block: a bitmap
// and the residuals that are not zero, which belong to planes that differ from
// the one below.
func (Codec) RawBits(line *mem.Line) int {
	var row [words]uint32
	last := uint32(0)
	for i := range row {
		w := binary.LittleEndian.Uint32(line[4*i:])
		row[i] = w - last
		last = w
	}
	var p [16]uint64
	codec.PlanePairs(&row, &p)
	below := p[15] << 32 // none below plane 0, plane 15 below plane 16
	count := uint64(0)
	for _, pair := range p {
		count += codec.LanesNonzero(pair^below) >> 31
		below = pair
	}
	return words + 32*(int(uint32(count))+int(count>>32))
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes bitmap, plane 0 in its lowest bit, and residuals.
func (Codec) Encode(dst *codec.Block, src *mem.Line) int {
	r := residuals(src)
	bitmap := uint32(0)
	for l, v := range r {
		if v != 0 {
			bitmap |= 1 << l
		}
	}
	if words+32*bits.OnesCount32(bitmap) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	w.Put(uint64(bitmap), words)
	for ; bitmap != 0; bitmap &= bitmap - 1 {
		w.Put(uint64(r[bits.TrailingZeros32(bitmap)]), 32)
	}
	return w.Flush()
}

// Decode restores the block.
func (Codec) Decode(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	bitmap := uint32(r.Take(words))
	var t [words]uint32
	plane := uint32(0)
	for l := range t {
		if bitmap>>l&1 == 1 {
			plane += uint32(r.Take(32))
		}
		t[l] = plane
	}
	if r.Failed {
		return fmt.Errorf("mpc: a block of %d bits with %d residuals announced: it is cut off", size, bits.OnesCount32(bitmap))
	}
	codec.Transpose32(&t)
	w := uint32(0)
	for i, d := range t {
		w += d
		binary.LittleEndian.PutUint32(dst[4*i:], w)
	}
	return nil
}
