// Package fibonacci codes the differences of neighbouring 32-bit words of a
// 128-byte block in Fibonacci code. Buddy Compression compares with such a code
// (Pool et al., I3D 2012) without giving its details; this definition is ours:
// the difference modulo 2^32 as a signed number r, folded to z = 2r or -2r-1, and
// z+1 as a sum of Fibonacci numbers, smallest first, ended by a second one.
package fibonacci

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

const words = mem.LineBytes / 4

// terms is the number of Fibonacci numbers 1, 2, 3, 5, .. up to 2^32: the longest
// code has as many bits, and the one that ends it.
const terms = 46

// fib holds the Fibonacci numbers from 1 and 2 up.
var fib = func() (f [terms]uint64) {
	a, b := uint64(1), uint64(2)
	for i := range f {
		f[i] = a
		a, b = b, a+b
	}
	return f
}()

// Codec is the code. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

// Info describes the codec.
func (Codec) Info() codec.Info {
	return codec.Info{
		Name: "fibonacci", Source: "after I3D 2012, our definition; one cycle assumed", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 1, DecompressCycles: 1},
		Cost: codec.Cost{
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "software: no unit",
		},
	}
}

// fold returns the number to code, at least 1, of a difference.
func fold(r uint32) uint64 { return uint64(r<<1^uint32(int32(r)>>31)) + 1 }

// lowestOf holds for each length in bits the place of the largest Fibonacci number
// that is not above any number of this length.
var lowestOf = func() (place [34]uint8) {
	for n := 1; n < len(place); n++ {
		for int(place[n])+1 < terms && fib[place[n]+1] <= 1<<(n-1) {
			place[n]++
		}
	}
	return place
}()

// highest returns the place of the largest Fibonacci number not above v, which is
// at least 1. Numbers of one length span at most two Fibonacci numbers more.
func highest(v uint64) int {
	place := int(lowestOf[bits.Len64(v)])
	for place+1 < terms && fib[place+1] <= v {
		place++
	}
	return place
}

// RawBits returns the size of the code even above the size of the block.
func (Codec) RawBits(line *mem.Line) int {
	total, last := 0, uint32(0)
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		total += highest(fold(w-last)) + 2
		last = w
	}
	return total
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the code of each difference.
func (c Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if c.RawBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	last := uint32(0)
	for i := 0; i < mem.LineBytes; i += 4 {
		word := binary.LittleEndian.Uint32(src[i:])
		v := fold(word - last)
		last = word
		top := highest(v)
		code := uint64(1) // the bit after the highest term, which ends the code
		for place := top; place >= 0; place-- {
			if fib[place] <= v {
				v -= fib[place]
				code |= 1 << (top + 1 - place)
			}
		}
		w.Put(code, top+2)
	}
	return w.Flush()
}

// Decode restores the block.
func (Codec) Decode(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	last := uint32(0)
	for i := range words {
		v, before := uint64(0), uint64(0)
		for place := 0; ; place++ {
			bit := r.Take(1)
			if r.Failed {
				return fmt.Errorf("fibonacci: a block of %d bits ends before the code of word %d does", size, i)
			}
			if bit&before == 1 {
				break
			}
			if bit == 1 {
				if place >= terms {
					return fmt.Errorf("fibonacci: the code of word %d is longer than any of 32 bits", i)
				}
				v += fib[place]
			}
			before = bit
		}
		if v == 0 || v > 1<<32 {
			return fmt.Errorf("fibonacci: word %d has the value %d: want 1 to 2^32", i, v)
		}
		z := uint32(v - 1)
		last += z>>1 ^ -(z & 1)
		binary.LittleEndian.PutUint32(dst[4*i:], last)
	}
	return nil
}
