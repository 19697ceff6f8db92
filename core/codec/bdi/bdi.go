// Package bdi is Base-Delta-Immediate compression (Pekhimenko et al., PACT 2012)
// of 128-byte blocks: all values of a block lie near one base or near zero.
package bdi

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// encoding is one way to store a block. Its number is kept beside the block, in
// the tag, and not counted (as in PACT 2012, table 2).
type encoding struct {
	name       string
	valueBytes int
	deltaBytes int
	ten        bool // only among the ten combinations of LATTE-CC
}

// encodings from small to large with payload-only sizes; number 0 is all zero.
var encodings = [...]encoding{
	{"zero", 1, 0, false}, {"rep2", 2, 0, true}, {"rep4", 4, 0, true}, {"rep8", 8, 0, false},
	{"b8d1", 8, 1, false}, {"b4d1", 4, 1, false}, {"b8d2", 8, 2, false},
	{"b2d1", 2, 1, false}, {"b4d2", 4, 2, false}, {"b8d4", 8, 4, false},
}

// numberBits is the size of the encoding's number in the tag.
const numberBits = 4

// payloadBits is base and deltas; repeated values have only the base.
func (e encoding) payloadBits() int {
	if e.deltaBytes == 0 {
		return 8 * e.valueBytes
	}
	return 8 * (e.valueBytes + e.values()*e.deltaBytes)
}

func (e encoding) values() int { return mem.LineBytes / e.valueBytes }

// maskBits says for each value whether it is relative to the base or to zero.
func (e encoding) maskBits() int {
	if e.deltaBytes == 0 {
		return 0
	}
	return e.values()
}

// Params of a Codec.
type Params struct {
	// Ten adds the repeated 2- and 4-byte values of LATTE-CC (section IV-C) to the
	// eight encodings of PACT 2012.
	Ten bool
	// CountMask adds the zero-base mask to sizes; PACT 2012 does not count it.
	CountMask bool
}

// Codec is one setting of BDI.
type Codec struct {
	p     Params
	order []int // encodings to try, smallest first
	info  codec.Info
}

var (
	_ codec.Codec    = (*Codec)(nil)
	_ codec.Sizer    = (*Codec)(nil)
	_ codec.RawSizer = (*Codec)(nil)
)

// New returns the codec: bdi, or bdi10 with the LATTE-CC encodings.
func New(p Params) *Codec {
	c := &Codec{p: p, info: codec.Info{
		// E2MC table VI at 1002 MHz. LATTE-CC gives 2 and 2 in its own clock.
		Name: "bdi", Source: "PACT 2012; latencies of E2MC (IPDPS 2017), table VI", Lossless: true,
		CompressLatencyCycles: 1, DecompressLatencyCycles: 1,
		Cost: codec.Cost{
			L1CompressCycles: 2, L1DecompressCycles: 2,
			CompressPJ: 192, DecompressPJ: 56, EnergySource: "LATTE-CC section IV-C1: 0.192 and 0.056 nJ",
			UnitSource: "none published for 128-byte blocks",
		},
	}}
	if p.Ten {
		c.info.Name = "bdi10"
	}
	if p.CountMask {
		c.info.Name += "-mask"
	}
	for number, e := range encodings {
		if e.ten && !p.Ten {
			continue
		}
		// Insertion by size; b2d1 stays before b8d4, which it ties with the mask.
		at := len(c.order)
		for at > 0 && c.sizeOf(c.order[at-1]) > c.sizeOf(number) {
			at--
		}
		c.order = append(c.order, 0)
		copy(c.order[at+1:], c.order[at:])
		c.order[at] = number
	}
	return c
}

// Info describes the codec.
func (c *Codec) Info() codec.Info { return c.info }

func (c *Codec) sizeOf(number int) int {
	e := encodings[number]
	if c.p.CountMask {
		return e.payloadBits() + e.maskBits()
	}
	return e.payloadBits()
}

// block is a line as values of 8, 4 and 2 bytes.
type block struct {
	by8 [16]uint64
	by4 [32]uint32
	by2 [64]uint16
}

func (b *block) read(line *mem.Line) {
	for i := range b.by8 {
		v := binary.LittleEndian.Uint64(line[8*i:])
		b.by8[i] = v
		b.by4[2*i], b.by4[2*i+1] = uint32(v), uint32(v>>32)
		b.by2[4*i], b.by2[4*i+1], b.by2[4*i+2], b.by2[4*i+3] = uint16(v), uint16(v>>16), uint16(v>>32), uint16(v>>48)
	}
}

// fits reports whether every value is an immediate or near the first that is
// not. Both tests are one unsigned comparison: v+half wraps below full exactly
// when v is in [-half, half-1].
func fits[T uint16 | uint32 | uint64](values []T, half T) bool {
	full := 2 * half
	for i, base := range values {
		if base+half < full {
			continue
		}
		for _, v := range values[i+1:] {
			if v+half >= full && v-base+half >= full {
				return false
			}
		}
		return true
	}
	return true
}

func equal[T uint16 | uint32 | uint64](values []T) bool {
	for _, v := range values[1:] {
		if v != values[0] {
			return false
		}
	}
	return true
}

func (b *block) applies(e encoding) bool {
	switch {
	case e.valueBytes == 1:
		return b.by8[0] == 0 && equal(b.by8[:])
	case e.deltaBytes == 0 && e.valueBytes == 2:
		return equal(b.by2[:])
	case e.deltaBytes == 0 && e.valueBytes == 4:
		return equal(b.by4[:])
	case e.deltaBytes == 0:
		return equal(b.by8[:])
	case e.valueBytes == 2:
		return fits(b.by2[:], 1<<7)
	case e.valueBytes == 4:
		return fits(b.by4[:], 1<<(8*e.deltaBytes-1))
	}
	return fits(b.by8[:], 1<<(8*e.deltaBytes-1))
}

// choose returns the number of the smallest encoding that applies, or -1.
func (c *Codec) choose(b *block) int {
	for _, number := range c.order {
		if b.applies(encodings[number]) {
			return number
		}
	}
	return -1
}

// EncodingOf returns the name of the encoding a line takes, "none" if none.
func (c *Codec) EncodingOf(line *mem.Line) string {
	var b block
	b.read(line)
	if n := c.choose(&b); n >= 0 {
		return encodings[n].name
	}
	return "none"
}

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int {
	var b block
	b.read(line)
	if n := c.choose(&b); n >= 0 {
		return c.sizeOf(n)
	}
	return codec.RawBits
}

// RawBits is SizeBits: BDI has no code for a block to which no encoding applies.
func (c *Codec) RawBits(line *mem.Line) int { return c.SizeBits(line) }

// Encode writes base, deltas and, if it counts, the mask. What the tag holds, the
// encoding's number and otherwise the mask, lies behind the bits that count.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	var b block
	b.read(src)
	number := c.choose(&b)
	if number < 0 {
		return codec.RawBits
	}
	e := encodings[number]
	w := codec.NewBitWriter(dst)
	if e.deltaBytes == 0 {
		w.Put(b.by8[0]&lowBytes(e.valueBytes), 8*e.valueBytes)
		w.Put(uint64(number), numberBits)
		w.Flush()
		return c.sizeOf(number)
	}
	half := uint64(1) << (8*e.deltaBytes - 1)
	immediate := func(v uint64) bool { return (v+half)&lowBytes(e.valueBytes) < 2*half }
	base, mask := uint64(0), uint64(0)
	for i := e.values() - 1; i >= 0; i-- {
		if v := b.value(e.valueBytes, i); immediate(v) {
			mask |= 1 << i
		} else {
			base = v // the first one stays
		}
	}
	w.Put(base, 8*e.valueBytes)
	for i := range e.values() {
		v := b.value(e.valueBytes, i)
		if mask>>i&1 == 0 {
			v -= base
		}
		w.Put(v&lowBytes(e.deltaBytes), 8*e.deltaBytes)
	}
	if c.p.CountMask {
		w.Put(mask, e.maskBits())
		w.Put(uint64(number), numberBits)
	} else {
		w.Put(uint64(number), numberBits)
		w.Put(mask, e.maskBits())
	}
	w.Flush()
	return c.sizeOf(number)
}

func lowBytes(n int) uint64 { return ^uint64(0) >> (64 - 8*n) }

func (b *block) value(valueBytes, i int) uint64 {
	switch valueBytes {
	case 2:
		return uint64(b.by2[i])
	case 4:
		return uint64(b.by4[i])
	}
	return b.by8[i]
}

// Decode restores the block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	tag := codec.NewBitReader(src, bits+numberBits+64)
	tag.Seek(bits)
	number := int(tag.Take(numberBits))
	if tag.Failed || number >= len(encodings) || c.sizeOf(number) != bits {
		return fmt.Errorf("bdi: a block of %d bits with encoding %d: the tag does not belong to it", bits, number)
	}
	e := encodings[number]
	r := codec.NewBitReader(src, bits)
	base := takeWide(&r, 8*e.valueBytes)
	mask := ^uint64(0)
	if e.deltaBytes > 0 {
		at := &tag
		if c.p.CountMask {
			counted := codec.NewBitReader(src, bits)
			counted.Seek(e.payloadBits())
			at = &counted
		}
		mask = takeWide(at, e.maskBits())
	}
	for i := range e.values() {
		v := base
		if e.deltaBytes > 0 {
			v = uint64(r.TakeSigned(8 * e.deltaBytes))
			if mask>>i&1 == 0 {
				v += base
			}
		}
		switch e.valueBytes {
		case 1:
			dst[i] = byte(v)
		case 2:
			binary.LittleEndian.PutUint16(dst[2*i:], uint16(v))
		case 4:
			binary.LittleEndian.PutUint32(dst[4*i:], uint32(v))
		default:
			binary.LittleEndian.PutUint64(dst[8*i:], v)
		}
	}
	return nil
}

// takeWide takes up to 64 bits.
func takeWide(r *codec.BitReader, n int) uint64 {
	if n > 32 {
		high := r.Take(n - 32)
		return high<<32 | r.Take(32)
	}
	return r.Take(n)
}
