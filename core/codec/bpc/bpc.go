// Package bpc is Bit-Plane Compression (Kim, Sullivan, Choukse, Erez, ISCA 2016)
// of 128-byte blocks: differences of neighbouring 32-bit words, seen as bit
// planes, of which neighbours are xored, so that smooth data give empty planes.
package bpc

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

const (
	words   = mem.LineBytes / 4
	deltas  = words - 1
	planes  = 33 // bits of the difference of two signed words
	allOnes = 1<<deltas - 1
)

// Codec is BPC. The zero value is ready.
type Codec struct {
	// Unsigned reads words as unsigned, as some implementations do; the authors'
	// reads them as signed.
	Unsigned bool
}

var (
	_ codec.Codec    = Codec{}
	_ codec.Sizer    = Codec{}
	_ codec.RawSizer = Codec{}
)

// Info describes the codec.
func (c Codec) Info() codec.Info {
	name := "bpc"
	if c.Unsigned {
		name = "bpc-unsigned"
	}
	return codec.Info{
		// Buddy Compression section IV-A and LATTE-CC table I agree on 11.
		Name: name, Source: "ISCA 2016; latencies of Buddy Compression (ISCA 2020)", Lossless: true,
		CompressLatencyCycles: 11, DecompressLatencyCycles: 11,
		Cost: codec.Cost{
			L1CompressCycles: 11, L1DecompressCycles: 11, // the first is ours
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "none published for 128-byte blocks",
		},
	}
}

// planesOf returns the bit planes of the differences: bit i of plane j is bit j
// of w[i+1]-w[i], exact, words read as signed.
func (c Codec) planesOf(line *mem.Line) (base uint32, dbp [planes]uint32) {
	var row [32]uint32
	base = binary.LittleEndian.Uint32(line[:])
	last, sign := base, uint32(0)
	bias := uint32(1 << 31) // turns an unsigned comparison into a signed one
	if c.Unsigned {
		bias = 0
	}
	for i := range deltas {
		w := binary.LittleEndian.Uint32(line[4*i+4:])
		row[i] = w - last
		if w^bias < last^bias {
			sign |= 1 << i
		}
		last = w
	}
	codec.Transpose32(&row)
	copy(dbp[:], row[:])
	dbp[32] = sign
	return base, dbp
}

// Codes of planes (table 2 of the paper) with what follows them.
const (
	runBits    = 7  // 01 and 5 bits: run of 2 to 33 zero planes, less 2
	zeroBits   = 3  // 001
	onesBits   = 5  // 00000: all ones
	flipBits   = 5  // 00001: the plane itself is zero
	pairBits   = 10 // 00010 and 5 bits: two neighbouring ones
	singleBits = 10 // 00011 and 5 bits: a single one
	rawBits    = 32 // 1 and 31 bits
)

// sizeOf returns the code size of a plane that is not zero.
func sizeOf(dbx, dbp uint32) int {
	switch {
	case dbx == allOnes, dbp == 0:
		return flipBits
	case dbx&(dbx-1) == 0, dbx>>bits.TrailingZeros32(dbx) == 3:
		return singleBits
	}
	return rawBits
}

func baseBits(w uint32) int {
	switch {
	case w == 0:
		return 3
	case w+8 < 16:
		return 7
	case w+0x80 < 0x100:
		return 11
	case w+0x8000 < 0x10000:
		return 19
	}
	return 33
}

// RawBits returns the size of the code even above the size of the block.
func (c Codec) RawBits(line *mem.Line) int {
	base, dbp := c.planesOf(line)
	total := baseBits(base)
	run, above := 0, uint32(0)
	for j := planes - 1; j >= 0; j-- {
		dbx := dbp[j] ^ above
		above = dbp[j]
		if dbx == 0 {
			run++
			continue
		}
		total += runSize(run) + sizeOf(dbx, dbp[j])
		run = 0
	}
	return total + runSize(run)
}

func runSize(run int) int {
	switch run {
	case 0:
		return 0
	case 1:
		return zeroBits
	}
	return runBits
}

// SizeBits returns what Encode would.
func (c Codec) SizeBits(line *mem.Line) int { return min(c.RawBits(line), codec.RawBits) }

// Encode writes the first word and the planes from the highest down.
func (c Codec) Encode(dst *codec.Block, src *mem.Line) int {
	if c.RawBits(src) >= codec.RawBits {
		return codec.RawBits
	}
	base, dbp := c.planesOf(src)
	w := codec.NewBitWriter(dst)
	switch n := baseBits(base); n {
	case 3:
		w.Put(0, 3)
	case 7:
		w.Put(0b001<<4|uint64(base&0xf), n)
	case 11:
		w.Put(0b010<<8|uint64(base&0xff), n)
	case 19:
		w.Put(0b011<<16|uint64(base&0xffff), n)
	default:
		w.Put(1<<32|uint64(base), n)
	}
	run, above := 0, uint32(0)
	for j := planes - 1; j >= 0; j-- {
		dbx := dbp[j] ^ above
		above = dbp[j]
		if dbx == 0 {
			run++
			continue
		}
		putRun(&w, run)
		run = 0
		at := uint64(bits.TrailingZeros32(dbx))
		switch {
		case dbx == allOnes:
			w.Put(0b00000, onesBits)
		case dbp[j] == 0:
			w.Put(0b00001, flipBits)
		case dbx&(dbx-1) == 0:
			w.Put(0b00011<<5|at, singleBits)
		case dbx>>at == 3:
			w.Put(0b00010<<5|at, pairBits)
		default:
			w.Put(1<<deltas|uint64(dbx), rawBits)
		}
	}
	putRun(&w, run)
	return w.Flush()
}

func putRun(w *codec.BitWriter, run int) {
	switch run {
	case 0:
	case 1:
		w.Put(0b001, zeroBits)
	default:
		w.Put(0b01<<5|uint64(run-2), runBits)
	}
}

// Decode restores the block.
func (Codec) Decode(dst *mem.Line, src *codec.Block, size int) error {
	r := codec.NewBitReader(src, size)
	base := takeBase(&r)
	var dbp [planes]uint32
	above := uint32(0)
	for j := planes - 1; j >= 0; {
		run, dbx, isZero := takePlane(&r)
		if r.Failed || run > j+1 {
			return fmt.Errorf("bpc: a block of %d bits has no code for bit plane %d", size, j)
		}
		if isZero {
			dbx = above // the plane is zero: it differs where the one above has ones
		}
		for range run {
			above ^= dbx
			dbp[j] = above
			j--
		}
	}
	row := [32]uint32(dbp[:32])
	codec.Transpose32(&row)
	w := base
	binary.LittleEndian.PutUint32(dst[:], w)
	for i := range deltas {
		w += row[i]
		binary.LittleEndian.PutUint32(dst[4*i+4:], w)
	}
	return nil
}

func takeBase(r *codec.BitReader) uint32 {
	if r.Take(1) == 1 {
		return uint32(r.Take(32))
	}
	switch r.Take(2) {
	case 0:
		return 0
	case 1:
		return uint32(r.TakeSigned(4))
	case 2:
		return uint32(r.TakeSigned(8))
	}
	return uint32(r.TakeSigned(16))
}

// takePlane takes one code: run planes with this dbx, or one plane that is zero.
func takePlane(r *codec.BitReader) (run int, dbx uint32, isZero bool) {
	if r.Take(1) == 1 {
		return 1, uint32(r.Take(deltas)), false
	}
	if r.Take(1) == 1 {
		return int(r.Take(5)) + 2, 0, false
	}
	if r.Take(1) == 1 {
		return 1, 0, false
	}
	switch r.Take(2) {
	case 0:
		return 1, allOnes, false
	case 1:
		return 1, 0, true
	case 2:
		return 1, 3 << r.Take(5) & allOnes, false
	}
	return 1, 1 << r.Take(5) & allOnes, false
}
