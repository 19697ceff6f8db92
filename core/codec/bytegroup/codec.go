package bytegroup

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// Method is how a group of a block is stored.
type Method uint8

const (
	Raw   Method = iota // as it is
	Coded               // codewords
	Zero                // all bytes are zero: no bits
	methods
)

// methodBits are the bits of a method at the start of a block.
const methodBits = 2

// String returns the method's name.
func (m Method) String() string { return [...]string{"raw", "coded", "zero"}[m] }

// Codec codes the groups of one layout. It is immutable.
type Codec struct {
	info   codec.Info
	layout Layout
	table  *e2mc.Table
	// fixed: the exponents are always coded and the other bytes never, and no methods are stored (DFloat11).
	fixed bool
	cost  [wordBytes][1 << symbolBits]uint16
}

var (
	_ codec.Codec    = (*Codec)(nil)
	_ codec.Sizer    = (*Codec)(nil)
	_ codec.RawSizer = (*Codec)(nil)
)

// NewDFloat11 returns DFloat11's code of bf16, block by block: codewords of 64 exponents, and 64 bytes of sign and
// fraction. Its sources give one code to a whole network. Every block begins at an address of its own here, so no table
// of starts is needed for that.
func NewDFloat11(counts *Counts) (*Codec, error) {
	t, err := counts.table(BF16)
	if err != nil {
		return nil, err
	}
	return newCodec("dfloat11", "after DFloat11 (2025), each block on its own", BF16, t, true), nil
}

// NewZipNN returns ZipNN's byte groups, block by block. A group of a block is coded if that makes it smaller, and takes
// no bits if it is zero. The original chooses so for chunks of 256 kB, makes a code for each, and gives groups with
// many zeros to Zstandard. It knows the type of a tensor; here the layout is the one in which the counted data are
// smallest [ours], so data of several types have the layout of most of them.
func NewZipNN(counts *Counts) (*Codec, error) {
	l, t, err := counts.best()
	if err != nil {
		return nil, err
	}
	return newCodec("zipnn", "after ZipNN (2024), each block on its own", l, t, false), nil
}

func newCodec(name, source string, l Layout, t *e2mc.Table, fixed bool) *Codec {
	c := &Codec{layout: l, table: t, fixed: fixed}
	// Both are software. A unit that decodes one stream of Huffman codes of bytes is E2MC's of 8-bit symbols.
	cost := e2mc.UnitCost(symbolBits)
	cost.EnergySource, cost.UnitSource = "ours: E2MC-8's, as the original is software", "software: E2MC-8's, one way"
	c.info = codec.Info{Name: name, Source: source + "; latencies of E2MC-8 with one way", Lossless: true,
		Timing: e2mc.Timing(symbolBits, 1), Cost: cost}
	for pos := range c.cost {
		for v := range c.cost[pos] {
			_, n, _ := t.Code(pos, uint32(v))
			c.cost[pos][v] = uint16(n)
		}
	}
	return c
}

// Info describes the codec.
func (c *Codec) Info() codec.Info { return c.info }

// Layout returns the layout of the codec's elements.
func (c *Codec) Layout() Layout { return c.layout }

// Table returns the code: of bytes, with a tree for each byte of an arranged word.
func (c *Codec) Table() *e2mc.Table { return c.table }

// Fixed returns the methods of DFloat11, and whether the codec has these in every block.
func (c *Codec) Fixed() (m [wordBytes]Method, ok bool) {
	if c.fixed {
		m[1] = Coded
	}
	return m, c.fixed
}

// choose returns the method of each group of an arranged block, and the size of the code.
func (c *Codec) choose(moved *mem.Line) (m [wordBytes]Method, size int) {
	var coded [wordBytes]int
	all := uint32(0)
	for i := 0; i < mem.LineBytes; i += wordBytes {
		w := binary.LittleEndian.Uint32(moved[i:])
		all |= w
		coded[0] += int(c.cost[0][w&0xff])
		coded[1] += int(c.cost[1][w>>8&0xff])
		coded[2] += int(c.cost[2][w>>16&0xff])
		coded[3] += int(c.cost[3][w>>24])
	}
	groups := c.layout.Groups()
	raw := mem.LineBytes / groups * symbolBits
	fixed, isFixed := c.Fixed()
	for g := range groups {
		bits, used := 0, uint32(0)
		for pos := g; pos < wordBytes; pos += groups {
			bits, used = bits+coded[pos], used|all>>(8*pos)&0xff
		}
		switch {
		case isFixed:
			m[g] = fixed[g]
		case used == 0:
			m[g] = Zero
		case bits < raw:
			m[g] = Coded
		}
		switch m[g] {
		case Raw:
			size += raw
		case Coded:
			size += bits
		}
	}
	if !isFixed {
		size += groups * methodBits
	}
	return m, size
}

// RawBits returns the size of the code even above the size of the block.
func (c *Codec) RawBits(line *mem.Line) int {
	var moved mem.Line
	c.layout.line(&moved, line)
	_, size := c.choose(&moved)
	return size
}

// SizeBits returns what Encode would.
func (c *Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the methods of the groups, and the groups, the one of exponents first.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	var moved mem.Line
	c.layout.line(&moved, src)
	m, size := c.choose(&moved)
	if size >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	groups := c.layout.Groups()
	for g := groups - 1; g >= 0 && !c.fixed; g-- {
		w.Put(uint64(m[g]), methodBits)
	}
	for g := groups - 1; g >= 0; g-- {
		for i := g; i < mem.LineBytes && m[g] != Zero; i += groups {
			if m[g] == Raw {
				w.Put(uint64(moved[i]), symbolBits)
				continue
			}
			code, n, _ := c.table.Code(i%wordBytes, uint32(moved[i]))
			w.Put(uint64(code), n)
		}
	}
	return w.Flush()
}

// Decode restores the block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	r := codec.NewBitReader(src, bits)
	m, _ := c.Fixed()
	groups := c.layout.Groups()
	for g := groups - 1; g >= 0 && !c.fixed; g-- {
		if m[g] = Method(r.Take(methodBits)); m[g] >= methods {
			return fmt.Errorf("%s: a block of %d bits with method %d for group %d: want 0 to %d",
				c.info.Name, bits, m[g], g, methods-1)
		}
	}
	var moved mem.Line
	for g := groups - 1; g >= 0; g-- {
		for i := g; i < mem.LineBytes && m[g] != Zero && !r.Failed; i += groups {
			if m[g] == Raw {
				moved[i] = byte(r.Take(symbolBits))
				continue
			}
			symbol, ok := c.table.Take(&r, i%wordBytes, 0)
			if !ok {
				return fmt.Errorf("%s: a block of %d bits has no codeword for byte %d of group %d",
					c.info.Name, bits, i/groups, g)
			}
			moved[i] = byte(symbol)
		}
	}
	if r.Failed {
		return fmt.Errorf("%s: a block of %d bits ends inside its groups: it is cut off", c.info.Name, bits)
	}
	for i := 0; i < mem.LineBytes; i += wordBytes {
		binary.LittleEndian.PutUint32(dst[i:], c.layout.restore(binary.LittleEndian.Uint32(moved[i:])))
	}
	return nil
}
