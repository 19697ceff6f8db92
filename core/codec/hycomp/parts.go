package hycomp

import (
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/sc"
)

// Part is a part of a float with its code, as FP-H codes it. A value without a
// codeword follows the escape in Bits bits.
type Part struct {
	Name        string
	Shift, Bits int
	Table       *e2mc.Table
}

// Parts returns the parts of a float in the order they are coded.
func (c *Codec) Parts() []Part {
	parts := make([]Part, 0, fieldCount)
	for k := range c.fields {
		f := &c.fields[k]
		parts = append(parts, Part{f.name, int(f.shift), int(f.bits), f.table})
	}
	return parts
}

// Integers returns the codec of integer blocks.
func (c *Codec) Integers() *sc.Codec { return c.integers }
