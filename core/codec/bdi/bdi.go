// Package bdi is Base-Delta-Immediate compression (Pekhimenko et al., PACT 2012)
// of 128-byte blocks: all values of a block lie near one base or near zero.
package bdi

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// encoding is one way to store a block. Its number is kept in the tag and not counted (as
// in PACT 2012, table 2).
type encoding struct {
	name       string
	valueBytes int
	deltaBytes int
}

// Numbers of encodings. rep2 and rep4 are only among the ten of LATTE-CC.
const (
	zero = iota
	rep2
	rep4
	rep8
	b8d1
	b4d1
	b8d2
	b2d1
	b4d2
	b8d4
)

// encodings from small to large with payload-only sizes; number 0 is all zero.
var encodings = [...]encoding{
	zero: {"zero", 1, 0}, rep2: {"rep2", 2, 0}, rep4: {"rep4", 4, 0}, rep8: {"rep8", 8, 0},
	b8d1: {"b8d1", 8, 1}, b4d1: {"b4d1", 4, 1}, b8d2: {"b8d2", 8, 2},
	b2d1: {"b2d1", 2, 1}, b4d2: {"b4d2", 4, 2}, b8d4: {"b8d4", 8, 4},
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
	p    Params
	info codec.Info
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
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
		Cost: codec.Cost{
			L1CompressCycles: 2, L1DecompressCycles: 2, L1Source: "LATTE-CC, table I and section IV-C1",
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

// block is a line as values of 8 bytes.
type block [16]uint64

func (b *block) read(line *mem.Line) {
	for i := range b {
		b[i] = binary.LittleEndian.Uint64(line[8*i:])
	}
}

// near8 reports, for values of 8 bytes, whether every value is an immediate or near the
// first value that is not an immediate. Each test is one unsigned comparison: v+half wraps
// below 2*half exactly if v is in [-half, half-1].
func (b *block) near8(half uint64) bool {
	i, full := 0, 2*half
	for i < len(b) && b[i]+half < full {
		i++
	}
	if i == len(b) {
		return true
	}
	base := b[i]
	for _, v := range b[i+1:] {
		if v+half >= full && v-base+half >= full {
			return false
		}
	}
	return true
}

// near4 is near8 for values of 4 bytes.
func (b *block) near4(half uint32) bool {
	i, full := 0, 2*half
	for i < len(b) && uint32(b[i])+half < full && uint32(b[i]>>32)+half < full {
		i++
	}
	if i == len(b) {
		return true
	}
	base := uint32(b[i])
	if base+half < full {
		base = uint32(b[i] >> 32)
	}
	for _, pair := range b[i:] {
		v, u := uint32(pair), uint32(pair>>32)
		if v+half >= full && v-base+half >= full || u+half >= full && u-base+half >= full {
			return false
		}
	}
	return true
}

// near2 is near8 for values of 2 bytes and differences of 1, four values at a time.
func (b *block) near2() bool {
	const (
		ones = 0x0001000100010001
		tops = 0x8000 * ones
		high = 0xff00 * ones
	)
	// far has a bit for each value that is not an immediate.
	far := func(v uint64) uint64 { return (v&^tops + 0x80*ones ^ v&tops) & high }
	i := 0
	for i < len(b) && far(b[i]) == 0 {
		i++
	}
	if i == len(b) {
		return true
	}
	base := b[i] >> (bits.TrailingZeros64(far(b[i])) &^ 15) & 0xffff * ones
	for _, v := range b[i:] {
		d := (v | tops) - base&^tops ^ (v^^base)&tops
		x, y := far(v), far(d)
		// Bits 8 to 15 of a value: adding 0x7f00 carries into the highest unless all are 0.
		x, y = (x&^tops+0x7f00*ones|x)&tops, (y&^tops+0x7f00*ones|y)&tops
		if x&y != 0 {
			return false
		}
	}
	return true
}

// choose returns the number of the smallest encoding that applies, or -1. An encoding that
// applies with short differences also applies with longer ones, so the longest are tried
// first. This holds although the base may differ: a value that is an immediate, or near the
// first other value, for few bytes is so for more bytes.
func (c *Codec) choose(b *block) int {
	same := uint64(0)
	for _, v := range b[1:] {
		same |= v ^ b[0]
	}
	if same == 0 {
		switch v := b[0]; {
		case v == 0:
			return zero
		case c.p.Ten && v == v&0xffff*0x0001000100010001:
			return rep2
		case c.p.Ten && v>>32 == v&0xffffffff:
			return rep4
		}
		return rep8
	}
	wide := b.near8(1 << 31)
	wide2 := wide && b.near8(1<<15)
	if wide2 && b.near8(1<<7) {
		return b8d1
	}
	narrow := b.near4(1 << 15)
	switch {
	case narrow && b.near4(1<<7):
		return b4d1
	case wide2:
		return b8d2
	case narrow && c.p.CountMask: // b2d1 has more values to mark
		return b4d2
	case b.near2():
		return b2d1
	case narrow:
		return b4d2
	case wide:
		return b8d4
	}
	return -1
}

// EncodingOf returns the name of the encoding of a line, "none" if no encoding applies.
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

// Encode writes base, deltas and, if it is counted, the mask. The tag lies behind the counted
// bits. It holds the encoding's number and a mask that is not counted.
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
		w.Put(b[0]&lowBytes(e.valueBytes), 8*e.valueBytes)
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
	at := i * valueBytes
	return b[at/8] >> (8 * (at % 8)) & lowBytes(valueBytes)
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
