// Package bytegroup is what people use today for the weights of networks, on 128-byte blocks: the bytes of equal rank
// of all elements of a block form a group, exponents apart from signs and fractions, and a Huffman code shortens the
// groups that have few frequent values. DFloat11 (Zhang et al., 2025, arXiv:2504.11651) codes the exponents of bf16
// alone; ZipNN (Hershcovitch et al., 2024, arXiv:2411.05239) chooses for each group. Both compress whole tensors in
// software.
package bytegroup

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// Layout says how elements become bytes of groups.
type Layout uint8

const (
	// F32 moves the sign after the exponent: exponent, sign with the high fraction, and two bytes of fraction
	// (zipnn/zipnn, csrc/data_manipulation_dtype32.c, reorder_float_bits_dtype32).
	F32 Layout = iota
	// BF16 does the same with each half of a word: exponent, sign with fraction (data_manipulation_dtype16.c).
	BF16
	// Halves leaves elements of two bytes, such as f16, as they are.
	Halves
	// Bytes has one group of all bytes.
	Bytes
	layouts
)

// String returns what the elements of a layout are.
func (l Layout) String() string { return [...]string{"f32", "bf16", "two bytes", "bytes"}[l] }

// Groups returns how many groups a layout has. Byte i of an arranged word belongs to group i modulo Groups.
func (l Layout) Groups() int { return [...]int{4, 2, 2, 1}[l] }

// arrange moves the bits of a word so that its bytes belong to groups.
func (l Layout) arrange(w uint32) uint32 {
	switch l {
	case F32:
		return w<<1&0xff000000 | w>>8&0x00800000 | w&0x007fffff
	case BF16:
		return w<<1&0xff00ff00 | w>>8&0x00800080 | w&0x007f007f
	}
	return w
}

// restore undoes arrange.
func (l Layout) restore(w uint32) uint32 {
	switch l {
	case F32:
		return w>>1&0x7f800000 | w<<8&0x80000000 | w&0x007fffff
	case BF16:
		return w>>1&0x7f807f80 | w<<8&0x80008000 | w&0x007f007f
	}
	return w
}

// arranged are the layouts whose bytes are counted apart; Halves and Bytes add up the counts of bytes as they are.
var arranged = [...]Layout{F32, BF16, Bytes}

// Counts are how often each byte occurs in each place of a word, as each layout arranges it.
type Counts struct {
	of [len(arranged)]*e2mc.Histogram
}

// symbolBits is the width of what is counted and coded.
const symbolBits = 8

// NewCounts returns empty counts.
func NewCounts() *Counts {
	c := &Counts{}
	for i := range c.of {
		h, err := e2mc.NewHistogram(symbolBits)
		if err != nil {
			panic(err) // the width is one of e2mc's
		}
		c.of[i] = h
	}
	return c
}

// Clone returns an independent copy.
func (c *Counts) Clone() *Counts {
	d := &Counts{}
	for i := range c.of {
		d.of[i] = &e2mc.Histogram{}
		d.of[i].CopyFrom(c.of[i])
	}
	return d
}

// Count adds a block.
func (c *Counts) Count(line *mem.Line) {
	var moved mem.Line
	for i, l := range arranged {
		l.line(&moved, line)
		c.of[i].Count(&moved)
	}
}

// AppendBinary appends the counts to b.
func (c *Counts) AppendBinary(b []byte) []byte {
	for _, h := range c.of {
		b = h.AppendBinary(b)
	}
	return b
}

// ParseCounts reads counts that AppendBinary wrote, and returns the bytes after them.
func ParseCounts(b []byte) (*Counts, []byte, error) {
	c := &Counts{}
	var err error
	for i := range c.of {
		if c.of[i], b, err = e2mc.ParseHistogram(b); err != nil {
			return nil, nil, err
		}
		if got := c.of[i].SymbolBits(); got != symbolBits {
			return nil, nil, fmt.Errorf("bytegroup: stored counts of %d-bit symbols: want %d bits", got, symbolBits)
		}
	}
	return c, b, nil
}

// longest is the length of the longest codeword: DFloat11's (section 2.3.1), decoded by four tables of a byte each.
const longest = 32

// table makes the code of a layout. A byte that was not counted has a codeword too, since data change during a run.
func (c *Counts) table(l Layout) (*e2mc.Table, error) {
	return e2mc.TrainShared(c.histogram(l), l.Groups(), e2mc.TrainParams{MaxLengthBits: longest})
}

// histogram has the bytes of a layout.
func (c *Counts) histogram(l Layout) *e2mc.Histogram { return c.of[min(int(l), len(c.of)-1)] }

// best returns the layout in which the counted blocks are smallest, the first of equal ones, with its code.
func (c *Counts) best() (layout Layout, table *e2mc.Table, err error) {
	smallest := uint64(0)
	for l := range layouts {
		t, err := c.table(l)
		if err != nil {
			return 0, nil, err
		}
		if total := c.size(l, t); table == nil || total < smallest {
			smallest, layout, table = total, l, t
		}
	}
	return layout, table, nil
}

// size estimates the bits of all counted blocks, with each group coded everywhere or nowhere.
func (c *Counts) size(l Layout, t *e2mc.Table) uint64 {
	h := c.histogram(l)
	total := h.Blocks() * uint64(l.Groups()*methodBits)
	for g := range l.Groups() {
		coded, raw := uint64(0), uint64(0)
		for pos := g; pos < wordBytes; pos += l.Groups() {
			for v := range uint32(1 << symbolBits) {
				_, bits, _ := t.Code(pos, v)
				coded += h.Of(pos, v) * uint64(bits)
				raw += h.Of(pos, v) * symbolBits
			}
		}
		total += min(coded, raw)
	}
	return total
}

// line arranges a block.
func (l Layout) line(dst, src *mem.Line) {
	*dst = *src
	if l >= Halves {
		return
	}
	for i := 0; i < mem.LineBytes; i += wordBytes {
		binary.LittleEndian.PutUint32(dst[i:], l.arrange(binary.LittleEndian.Uint32(src[i:])))
	}
}

const wordBytes = 4
