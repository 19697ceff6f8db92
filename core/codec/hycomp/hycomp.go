// Package hycomp is HyComp (Arelakis, Dahlgren, Stenstrom, MICRO 2015) of
// 128-byte blocks: the type of the data in a block decides between a zero block,
// BDI for pointers, SC for integers and FP-H for floats. No text of the paper
// beyond what SLC and LATTE-CC say of it was at hand: the fields of FP-H and the
// rule that tells the types apart are OUR READING. The method is kept in the tag
// and not counted.
package hycomp

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/mem"
)

// Method is how a block is coded.
type Method uint8

const (
	Zero     Method = iota // all bytes zero: no bits
	Pointers               // BDI
	Integers               // SC
	Floats                 // FP-H
	methods
)

// String returns the method's name.
func (m Method) String() string {
	return [...]string{"zero", "bdi", "sc", "fp-h"}[m]
}

// Exponents of numbers from 2^-40 to 2^40, the usual range of floats. Smaller patterns are
// integers, larger ones are text or negative integers.
const lowExponent, highExponent = 127 - 40, 127 + 40

// MethodOf tells the type of the data in a block. A block of zeros is Zero. If at
// least half of the 64-bit words that are not zero share their upper half with the
// first of them, and that half is not zero and below 2^16, as in addresses, it holds
// pointers; if at least half of the 32-bit words that are not zero have a usual
// exponent, floats; else integers.
func MethodOf(line *mem.Line) Method {
	wide, pointers, narrow, floats := 0, 0, 0, 0
	page := uint64(0) // upper half of the first 64-bit word that is not zero
	for i := 0; i < mem.LineBytes; i += 8 {
		v := binary.LittleEndian.Uint64(line[i:])
		if v == 0 {
			continue
		}
		if wide == 0 {
			page = v >> 32
		}
		wide++
		if v>>32 == page && page != 0 && page < 1<<16 {
			pointers++
		}
		for _, w := range [2]uint32{uint32(v), uint32(v >> 32)} {
			if w == 0 {
				continue
			}
			narrow++
			if e := w >> 23 & 0xff; e >= lowExponent && e <= highExponent {
				floats++
			}
		}
	}
	switch {
	case wide == 0:
		return Zero
	case 2*pointers >= wide:
		return Pointers
	case 2*floats >= narrow:
		return Floats
	}
	return Integers
}

// Counts are the symbol statistics of the codes: each method's from the blocks
// that it will code.
type Counts struct {
	words  *e2mc.Histogram
	fields [fieldCount][]uint64
}

// NewCounts returns empty statistics.
func NewCounts() *Counts {
	h, err := e2mc.NewHistogram(sc.SymbolBits)
	if err != nil {
		panic(err) // the width is one of e2mc's
	}
	c := &Counts{words: h}
	for k, f := range fields {
		c.fields[k] = make([]uint64, 1<<f.bits)
	}
	return c
}

// Clone returns an independent copy of the statistics.
func (c *Counts) Clone() *Counts {
	d := &Counts{words: &e2mc.Histogram{}}
	d.words.CopyFrom(c.words)
	for k := range fields {
		d.fields[k] = append([]uint64(nil), c.fields[k]...)
	}
	return d
}

// Words returns the counts of the words of integer blocks.
func (c *Counts) Words() *e2mc.Histogram { return c.words }

// Count adds a block.
func (c *Counts) Count(line *mem.Line) {
	switch MethodOf(line) {
	case Integers:
		c.words.Count(line)
	case Floats:
		for i := 0; i < mem.LineBytes; i += 4 {
			w := binary.LittleEndian.Uint32(line[i:])
			for k := range fields {
				c.fields[k][fields[k].of(w)]++
			}
		}
	}
}

// Codec is HyComp with its codes.
type Codec struct {
	pointers *bdi.Codec
	integers *sc.Codec
	fields   [fieldCount]fieldCode
}

var (
	_ codec.Codec    = (*Codec)(nil)
	_ codec.Sizer    = (*Codec)(nil)
	_ codec.RawSizer = (*Codec)(nil)
)

// New returns the codec with codes made from counts.
func New(counts *Counts) (*Codec, error) {
	table, err := sc.Train(counts.words)
	if err != nil {
		return nil, err
	}
	c := &Codec{pointers: bdi.New(bdi.Params{})}
	if c.integers, err = sc.New(table); err != nil {
		return nil, err
	}
	for k, f := range fields {
		if c.fields[k], err = newFieldCode(f, counts.fields[k]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Info describes the codec. Latencies and energies come from SC, its slowest
// part that is published.
func (c *Codec) Info() codec.Info {
	info := c.integers.Info()
	info.Name, info.Source = "hycomp", "MICRO 2015; FP-H and the choice by type are our reading; latencies of SC"
	info.Cost.L1CompressCycles, info.Cost.L1DecompressCycles, info.Cost.L1Source = 0, 0, ""
	info.Cost.EnergySource = "SC's, because none is published"
	info.Cost.UnitSource = "SC's part; FP-H adds three tables"
	return info
}

// RawBits returns the size of the code even above the size of the block.
func (c *Codec) RawBits(line *mem.Line) int {
	switch MethodOf(line) {
	case Zero:
		return 0
	case Pointers:
		return c.pointers.RawBits(line)
	case Integers:
		return c.integers.RawBits(line)
	}
	return c.floatBits(line)
}

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// tagByte is where a Block keeps the method, after any code and BDI's own tag.
const tagByte = codec.BlockBytes - 1

// Encode writes the code of the block's method.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	size := c.SizeBits(src)
	if size == codec.RawBits {
		return size
	}
	method := MethodOf(src)
	switch method {
	case Pointers:
		c.pointers.Encode(dst, src)
	case Integers:
		c.integers.Encode(dst, src)
	case Floats:
		c.encodeFloats(dst, src)
	}
	dst[tagByte] = byte(method)
	return size
}

// Decode restores the block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	switch method := Method(src[tagByte]); {
	case method >= methods, method == Zero && bits != 0:
		return fmt.Errorf("hycomp: a block of %d bits with method %d: the tag does not belong to it", bits, method)
	case method == Zero:
		*dst = mem.Line{}
		return nil
	case method == Pointers:
		return c.pointers.Decode(dst, src, bits)
	case method == Integers:
		return c.integers.Decode(dst, src, bits)
	}
	return c.decodeFloats(dst, src, bits)
}
