// Package cpack is C-PACK (Chen et al., IEEE TVLSI 18(8), 2010) of 128-byte
// blocks: 32-bit words are coded by what they share with a small dictionary of
// earlier words of the block.
package cpack

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Push says which words enter the dictionary. The paper can be read in three
// ways, and implementations of all three exist.
type Push uint8

const (
	PushUnmatched Push = iota // only words without any match: the default
	PushPartial               // also partial matches
	PushAll                   // also full matches; only zzzz and zzzx stay out
)

// Params of a Codec.
type Params struct {
	Push Push
	// Zero stores an all-zero block in no bits, by a flag in its tag: C-PACK+Z of
	// LATTE-CC.
	Zero bool
}

// Codec is one setting of C-PACK.
type Codec struct {
	p    Params
	name string
}

var (
	_ codec.Codec       = (*Codec)(nil)
	_ codec.Sizer       = (*Codec)(nil)
	_ codec.RawSizer    = (*Codec)(nil)
	_ codec.SymbolCoder = (*Codec)(nil)
)

// New returns the codec: cpack, cpack-xm, cpack-all, with a z after cpack for
// Zero.
func New(p Params) *Codec {
	c := &Codec{p, "cpack"}
	if p.Zero {
		c.name += "z"
	}
	switch p.Push {
	case PushPartial:
		c.name += "-xm"
	case PushAll:
		c.name += "-all"
	}
	return c
}

// Info describes the codec.
func (c *Codec) Info() codec.Info {
	return codec.Info{
		// E2MC's table has no C-PACK; 8 is decompression of CPACK+Z in LATTE-CC table I.
		Name: c.name, Source: "TVLSI 2010; latencies of LATTE-CC (HPCA 2018), table I", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 8, DecompressCycles: 8},
		Cost: codec.Cost{
			L1DecompressCycles: 8, L1Source: "LATTE-CC, table I, of C-PACK+Z",
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "none published for 128-byte blocks",
		},
	}
}

// pattern of a word, most significant byte first: z zero byte, m matching byte, x other
// byte.
type pattern uint8

const (
	zzzz pattern = iota
	xxxx
	mmmm
	mmxx
	zzzx
	mmmx
)

// sizes of table I: code, dictionary index, literal bytes.
var sizeBits = [...]int{zzzz: 2, xxxx: 2 + 32, mmmm: 2 + indexBits, mmxx: 4 + indexBits + 16, zzzx: 4 + 8, mmmx: 4 + indexBits + 8}

const (
	entries   = 16 // 64 bytes, also for a block of 128
	indexBits = 4
)

// dictionary is a FIFO of words, empty at the start of each block.
type dictionary struct {
	word [entries]uint32
	used int
	next int
}

func (d *dictionary) push(w uint32) {
	d.word[d.next] = w
	d.next = (d.next + 1) % entries
	d.used = min(d.used+1, entries)
}

// match returns the pattern of w and the first entry with the most matching bytes.
func (d *dictionary) match(w uint32) (pattern, int) {
	if w < 0x100 {
		if w == 0 {
			return zzzz, 0
		}
		return zzzx, 0
	}
	best, at := xxxx, 0
	for i, e := range d.word[:d.used] {
		diff := e ^ w
		if diff == 0 {
			return mmmm, i
		}
		if diff < 0x10000 && best != mmmx {
			if diff < 0x100 {
				best, at = mmmx, i
			} else if best == xxxx {
				best, at = mmxx, i
			}
		}
	}
	return best, at
}

// learn pushes w if the codec's Push setting says so.
func (d *dictionary) learn(p pattern, w uint32, push Push) {
	switch {
	case p == xxxx,
		push >= PushPartial && (p == mmxx || p == mmmx),
		push == PushAll && p == mmmm:
		d.push(w)
	}
}

// nearest returns the pattern of w like match, but not the entry. The smallest difference
// to any entry decides, and it is found without branches.
func (d *dictionary) nearest(w uint32) pattern {
	least := ^uint32(0)
	for _, e := range d.word[:d.used] {
		least = min(least, e^w)
	}
	switch {
	case least >= 0x10000:
		return xxxx
	case least >= 0x100:
		return mmxx
	case least != 0:
		return mmmx
	}
	return mmmm
}

// RawBits returns the size of the code even above the size of the block.
func (c *Codec) RawBits(line *mem.Line) int {
	if c.p.Zero && *line == (mem.Line{}) {
		return 0
	}
	var d dictionary
	total := 0
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		if w < 0x100 {
			if w == 0 {
				total += sizeBits[zzzz]
			} else {
				total += sizeBits[zzzx]
			}
			continue
		}
		p := d.nearest(w)
		total += sizeBits[p]
		d.learn(p, w, c.p.Push)
	}
	return total
}

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the code of each word.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	switch size := c.SizeBits(src); size {
	case 0, codec.RawBits:
		return size
	}
	w := codec.NewBitWriter(dst)
	c.EncodeWithout(&w, src, 0, 0)
	return w.Flush()
}

// Decode restores the block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	if c.p.Zero && bits == 0 {
		*dst = mem.Line{}
		return nil
	}
	r := codec.NewBitReader(src, bits)
	return c.DecodeWithout(&r, dst, 0, 0)
}

// SymbolBits returns the width of a word.
func (c *Codec) SymbolBits() int { return 32 }

// SymbolLengths stores the cost of each word. If words are left out, later words may cost
// more or less, because they find other entries.
func (c *Codec) SymbolLengths(line *mem.Line, dst *[codec.MaxSymbols]uint8) int {
	var d dictionary
	for i := range codec.Words {
		w := binary.LittleEndian.Uint32(line[4*i:])
		p, _ := d.match(w)
		d.learn(p, w, c.p.Push)
		dst[i] = uint8(sizeBits[p])
	}
	return codec.Words
}

// SizeWithout returns the size of header and code without some words. The flag of
// zero blocks is not used here.
func (c *Codec) SizeWithout(line *mem.Line, headerBits, first, count int) int {
	var kept [codec.Words]uint32
	var d dictionary
	total := headerBits
	for _, w := range kept[:codec.KeptWords(line, first, count, &kept)] {
		p, _ := d.match(w)
		d.learn(p, w, c.p.Push)
		total += sizeBits[p]
	}
	return total
}

// EncodeWithout writes the code without some words.
func (c *Codec) EncodeWithout(out *codec.BitWriter, line *mem.Line, first, count int) {
	var kept [codec.Words]uint32
	var d dictionary
	for _, w := range kept[:codec.KeptWords(line, first, count, &kept)] {
		p, at := d.match(w)
		index := uint64(at)
		switch p {
		case zzzz:
			out.Put(0b00, 2)
		case xxxx:
			out.Put(0b01<<32|uint64(w), 34)
		case mmmm:
			out.Put(0b10<<4|index, 6)
		case mmxx:
			out.Put((0b1100<<4|index)<<16|uint64(w&0xffff), 24)
		case zzzx:
			out.Put(0b1101<<8|uint64(w), 12)
		case mmmx:
			out.Put((0b1110<<4|index)<<8|uint64(w&0xff), 16)
		}
		d.learn(p, w, c.p.Push)
	}
}

// DecodeWithout reads the code without some words.
func (c *Codec) DecodeWithout(r *codec.BitReader, line *mem.Line, first, count int) error {
	var kept [codec.Words]uint32
	var d dictionary
	for i := range codec.Words - count {
		p, w := takeWord(r, &d)
		if r.Failed {
			return fmt.Errorf("cpack: the block has no code for word %d", i)
		}
		kept[i] = w
		d.learn(p, w, c.p.Push)
	}
	codec.PutKeptWords(line, first, count, &kept)
	return nil
}

// takeWord takes the code of one word. A code that names a missing entry fails r.
func takeWord(r *codec.BitReader, d *dictionary) (pattern, uint32) {
	entry := func() uint32 {
		at := int(r.Take(indexBits))
		if at >= d.used {
			r.Failed = true
		}
		return d.word[at]
	}
	switch r.Take(2) {
	case 0b00:
		return zzzz, 0
	case 0b01:
		return xxxx, uint32(r.Take(32))
	case 0b10:
		return mmmm, entry()
	}
	switch r.Take(2) {
	case 0b00:
		e := entry()
		return mmxx, e&^0xffff | uint32(r.Take(16))
	case 0b01:
		return zzzx, uint32(r.Take(8))
	case 0b10:
		e := entry()
		return mmmx, e&^0xff | uint32(r.Take(8))
	}
	r.Failed = true // 1111 is not a code
	return zzzz, 0
}
