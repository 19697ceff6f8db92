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
)

// Codec is FPC. The zero value is ready.
type Codec struct{}

var (
	_ codec.Codec       = Codec{}
	_ codec.Sizer       = Codec{}
	_ codec.RawSizer    = Codec{}
	_ codec.SymbolCoder = Codec{}
)

// Info describes the codec.
func (Codec) Info() codec.Info {
	return codec.Info{
		// E2MC table VI at 1002 MHz. LATTE-CC decompresses in 5 of its cycles.
		Name: "fpc", Source: "UW-Madison TR-1500; latencies of E2MC (IPDPS 2017), table VI", Lossless: true,
		Timing: codec.Timing{MHz: codec.MemoryMHz, CompressCycles: 6, DecompressCycles: 10},
		Cost: codec.Cost{
			L1DecompressCycles: 5, L1Source: "LATTE-CC, table I",
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "none published for 128-byte blocks",
		},
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

// RawBits returns the size of the code even above the size of the block. It looks
// at two words at once and has no branches: a raw word has 35 bits, 16 fewer if any
// pattern holds, 8 fewer still if a byte is enough, 4 fewer for a nibble. Words of
// zero fit a nibble, too, and are replaced by the codes of their runs.
func (Codec) RawBits(line *mem.Line) int {
	const (
		ones        = 0x0000000100000001
		halfTops    = 0x8000800080008000
		rawWordBits = prefixBits + 32
		nibbleBits  = prefixBits + 4
		runBits     = prefixBits + 3
	)
	saved, nonzero := uint64(0), uint64(0)
	for i := 0; i < mem.LineBytes; i += 8 {
		v := binary.LittleEndian.Uint64(line[i:])
		// m is v or, where that is negative, ^v: below 2^31. Adding 2^31-n sets the
		// highest bit of a lane that is n or more; only these bits count below.
		top := v & codec.LaneTops
		m := (v ^ (top - top>>31)) & codec.LaneRests
		n4, n8, n16 := m+(1<<31-1<<3)*ones, m+(1<<31-1<<7)*ones, m+(1<<31-1<<15)*ones
		low := v&(0xffff*ones) + codec.LaneRests
		halfTop := v & halfTops
		halves := (v^(halfTop-halfTop>>15))&(0x7f807f80*ones) + codec.LaneRests
		unequal := (v^v>>8)&(0x00ffffff*ones) + codec.LaneRests
		n8 &= unequal
		any := ^(n8 & n16 & low & halves)
		saved += any&codec.LaneTops>>27 + ^n8&codec.LaneTops>>28 + ^n4&codec.LaneTops>>29
		// Bit 31 or 63 wanders down to the number of the pair.
		nonzero = nonzero>>1 | codec.LanesNonzero(v)
	}
	zeros := ^(spread16(uint32(nonzero>>16)&0xffff) | spread16(uint32(nonzero>>48))<<1)
	total := codec.Words*rawWordBits - int(uint32(saved)) - int(saved>>32)
	return total - nibbleBits*bits.OnesCount32(zeros) + runBits*runCodes(zeros)
}

// spread16 moves bit i of 16 to bit 2i.
func spread16(x uint32) uint32 {
	x = (x | x<<8) & 0x00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f
	x = (x | x<<2) & 0x33333333
	return (x | x<<1) & 0x55555555
}

// runCodes returns how many codes the runs of ones in m take: one at the start of
// each, and one at every eighth place after it.
func runCodes(m uint32) int {
	pairs := m & (m << 1)
	fours := pairs & (pairs << 2)
	eights := fours & (fours << 4) // ends of eight ones
	behind8 := m & (eights << 1)   // at least eight ones before
	behind16 := behind8 & (behind8 << 8)
	behind24 := behind16 & (behind8 << 16)
	starts := m &^ (m << 1)
	codes := bits.OnesCount32(starts)
	for _, behind := range [3]uint32{behind8, behind16, behind24} {
		codes += bits.OnesCount32(behind &^ (behind << 1))
	}
	return codes
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes a prefix and its data for each word or run of zero words.
func (c Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if c.RawBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	w := codec.NewBitWriter(dst)
	c.EncodeWithout(&w, src, 0, 0)
	return w.Flush()
}

// Decode restores the block.
func (c Codec) Decode(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	return c.DecodeWithout(&r, dst, 0, 0)
}

// SymbolBits returns the width of a word.
func (Codec) SymbolBits() int { return 32 }

// SymbolLengths stores the cost of each word. The first word of a run of zeros
// carries its code, the others cost nothing.
func (Codec) SymbolLengths(line *mem.Line, dst *[codec.MaxSymbols]uint8) int {
	run := 0
	for i := range codec.Words {
		w := binary.LittleEndian.Uint32(line[4*i:])
		class := zeroRun
		if w != 0 {
			class, run = classify(w), 0
		}
		dst[i] = uint8(prefixBits + dataBits[class])
		if w == 0 {
			if run > 0 {
				dst[i] = 0
			}
			run = (run + 1) % maxRun
		}
	}
	return codec.Words
}

// SizeWithout returns the size of header and code without some words. Runs of
// zeros continue after the gap.
func (Codec) SizeWithout(line *mem.Line, headerBits, first, count int) int {
	var kept [codec.Words]uint32
	n := codec.KeptWords(line, first, count, &kept)
	total, run := headerBits, 0
	for _, w := range kept[:n] {
		if w != 0 {
			total, run = total+prefixBits+dataBits[classify(w)], 0
			continue
		}
		if run == 0 {
			total += prefixBits + dataBits[zeroRun]
		}
		run = (run + 1) % maxRun
	}
	return total
}

// EncodeWithout writes the code without some words.
func (Codec) EncodeWithout(w *codec.BitWriter, line *mem.Line, first, count int) {
	var kept [codec.Words]uint32
	n := codec.KeptWords(line, first, count, &kept)
	for i := 0; i < n; {
		word := kept[i]
		if word == 0 {
			run := 1
			for run < maxRun && i+run < n && kept[i+run] == 0 {
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
		bits := dataBits[class]
		w.Put(uint64(class)<<bits|uint64(data)&(1<<bits-1), prefixBits+bits)
		i++
	}
}

// DecodeWithout reads the code without some words.
func (Codec) DecodeWithout(r *codec.BitReader, line *mem.Line, first, count int) error {
	var kept [codec.Words]uint32
	n := codec.Words - count
	for i := 0; i < n; {
		class := int(r.Take(prefixBits))
		if r.Failed {
			return fmt.Errorf("fpc: the block ends before word %d", i)
		}
		if class == zeroRun {
			run := int(r.Take(3)) + 1
			if i+run > n {
				return fmt.Errorf("fpc: %d zero words from word %d: the block has %d", run, i, n)
			}
			i += run
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
		kept[i] = v
		i++
	}
	if r.Failed {
		return fmt.Errorf("fpc: the block ends inside its last word")
	}
	codec.PutKeptWords(line, first, count, &kept)
	return nil
}
