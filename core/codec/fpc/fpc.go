// Package fpc is Frequent Pattern Compression (Alameldeen and Wood, UW-Madison
// technical report 1500, 2004) of 128-byte blocks: each 32-bit word has a 3-bit
// prefix for its pattern. Sizes are not rounded to the report's cache segments.
package fpc

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Prefixes of table 1 of the report.
const (
	zeroRun    = iota // followed by 3 bits: run length less 1
	signed4           // sign-extended nibble
	signed8           // sign-extended byte
	signed16          // sign-extended halfword
	highHalf          // halfword above a zero halfword
	signed8s          // two halfwords, each a sign-extended byte
	equalBytes        // four equal bytes
	raw
)

// dataBits follow the prefix.
var dataBits = [...]int{zeroRun: 3, signed4: 4, signed8: 8, signed16: 16, highHalf: 16, signed8s: 16, equalBytes: 8, raw: 32}

const (
	prefixBits = 3
	maxRun     = 8
	words      = mem.LineBytes / 4
)

// Codec is FPC. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec = Codec{}
	_ codec.Sizer = Codec{}
)

// Info describes the codec.
func (Codec) Info() codec.Info {
	return codec.Info{
		// E2MC table VI at 1002 MHz. LATTE-CC decompresses in 5 of its cycles.
		Name: "fpc", Source: "UW-Madison TR-1500; latencies of E2MC (IPDPS 2017), table VI", Lossless: true,
		CompressLatencyCycles: 6, DecompressLatencyCycles: 10,
	}
}

// classify returns the first pattern that holds for a word other than 0.
func classify(w uint32) int {
	switch {
	case w+8 < 16:
		return signed4
	case w+0x80 < 0x100:
		return signed8
	case w+0x8000 < 0x10000:
		return signed16
	case w&0xffff == 0:
		return highHalf
	case uint16(w)+0x80 < 0x100 && uint16(w>>16)+0x80 < 0x100:
		return signed8s
	case w == bits.RotateLeft32(w, 8):
		return equalBytes
	}
	return raw
}

// RawBits returns the size of the code even above the size of the block.
func RawBits(line *mem.Line) int {
	total, run := 0, 0
	for i := 0; i < mem.LineBytes; i += 4 {
		w := binary.LittleEndian.Uint32(line[i:])
		if w == 0 {
			if run == 0 {
				total += prefixBits + dataBits[zeroRun]
			}
			if run++; run == maxRun {
				run = 0
			}
			continue
		}
		run = 0
		total += prefixBits + dataBits[classify(w)]
	}
	return total
}

// SizeBits returns what Encode would.
func (Codec) SizeBits(line *mem.Line) int { return min(RawBits(line), codec.RawBits) }

// Encode writes a prefix and its data for each word or run of zero words.
func (Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if RawBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	for i := 0; i < words; {
		word := binary.LittleEndian.Uint32(src[4*i:])
		if word == 0 {
			run := 1
			for run < maxRun && i+run < words && binary.LittleEndian.Uint32(src[4*(i+run):]) == 0 {
				run++
			}
			w.Put(zeroRun<<3|uint64(run-1), prefixBits+3)
			i += run
			continue
		}
		class := classify(word)
		data := word
		switch class {
		case highHalf:
			data >>= 16
		case signed8s:
			data = data>>16&0xff<<8 | data&0xff
		}
		n := dataBits[class]
		w.Put(uint64(class)<<n|uint64(data)&(1<<n-1), prefixBits+n)
		i++
	}
	return w.Flush()
}

// Decode restores the block.
func (Codec) Decode(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	for i := 0; i < words; {
		class := int(r.Take(prefixBits))
		if r.Failed {
			return fmt.Errorf("fpc: a block of %d bits ends before word %d", size, i)
		}
		if class == zeroRun {
			run := int(r.Take(3)) + 1
			if i+run > words {
				return fmt.Errorf("fpc: %d zero words from word %d: the block has %d", run, i, words)
			}
			for end := i + run; i < end; i++ {
				binary.LittleEndian.PutUint32(dst[4*i:], 0)
			}
			continue
		}
		v := uint32(r.Take(dataBits[class]))
		switch class {
		case signed4:
			v = uint32(int32(v<<28) >> 28)
		case signed8:
			v = uint32(int8(v))
		case signed16:
			v = uint32(int16(v))
		case highHalf:
			v <<= 16
		case signed8s:
			v = uint32(int32(int8(v>>8)))<<16 | uint32(uint16(int8(v)))
		case equalBytes:
			v *= 0x01010101
		}
		binary.LittleEndian.PutUint32(dst[4*i:], v)
		i++
	}
	if r.Failed {
		return fmt.Errorf("fpc: a block of %d bits ends inside its last word", size)
	}
	return nil
}
