package hycomp

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/sc"
	"github.com/burstscope/burstscope/core/mem"
)

// field is a part of a 32-bit float that FP-H codes separately. SLC (section II-A) says
// that FP-H divides a number into three fields and codes each as SC2 does. The division is
// ours: sign with exponent, and the two halves of the fraction.
type field struct {
	name        string
	shift, bits uint
}

const fieldCount = 3

var fields = [fieldCount]field{{"sign and exponent", 23, 9}, {"high fraction", 12, 11}, {"low fraction", 0, 12}}

func (f field) of(word uint32) uint32 { return word >> f.shift & (1<<f.bits - 1) }

// fieldSymbolBits is the width of the code tables that hold the fields.
const fieldSymbolBits = 16

// fieldCode is the code of one field.
type fieldCode struct {
	field
	table *e2mc.Table
	cost  []uint8 // of each value, escapes included
}

func newFieldCode(f field, counts []uint64) (fieldCode, error) {
	h, err := e2mc.NewHistogram(fieldSymbolBits)
	if err != nil {
		return fieldCode{}, err
	}
	for symbol, n := range counts {
		h.Add(uint32(symbol), n)
	}
	top, others := h.Top(sc.Entries)
	table, err := sc.TrainCounts(fieldSymbolBits, top, others)
	if err != nil {
		return fieldCode{}, fmt.Errorf("hycomp: %s: %w", f.name, err)
	}
	c := fieldCode{f, table, make([]uint8, 1<<f.bits)}
	for symbol := range c.cost {
		_, bits, escape := table.Code(0, uint32(symbol))
		if escape {
			bits += int(f.bits)
		}
		c.cost[symbol] = uint8(bits)
	}
	return c, nil
}

// floatBits returns the size of a block under FP-H.
func (c *Codec) floatBits(line *mem.Line) int {
	high, middle, low := c.fields[0].cost, c.fields[1].cost, c.fields[2].cost
	total := 0
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		total += int(high[fields[0].of(w)]) + int(middle[fields[1].of(w)]) + int(low[fields[2].of(w)])
	}
	return total
}

func (c *Codec) encodeFloats(dst *codec.Block, src *mem.Line) {
	w := codec.NewBitWriter(dst)
	for i := 0; i < mem.LineBytes; i += 4 {
		word := binary.LittleEndian.Uint32(src[i:])
		for k := range c.fields {
			f := &c.fields[k]
			symbol := f.of(word)
			code, bits, escape := f.table.Code(0, symbol)
			w.Put(uint64(code), bits)
			if escape {
				w.Put(uint64(symbol), int(f.bits))
			}
		}
	}
	w.Flush()
}

func (c *Codec) decodeFloats(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	for i := 0; i < mem.LineBytes; i += 4 {
		word := uint32(0)
		for k := range c.fields {
			f := &c.fields[k]
			symbol, ok := f.table.Take(&r, 0, int(f.bits))
			if !ok || r.Failed {
				return fmt.Errorf("hycomp: a block of %d bits has no code for the %s of word %d", size, f.name, i/4)
			}
			word |= symbol << f.shift
		}
		binary.LittleEndian.PutUint32(dst[i:], word)
	}
	return nil
}
