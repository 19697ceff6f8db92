// Package bpc is Bit-Plane Compression (Kim, Sullivan, Choukse, Erez, ISCA 2016)
// of 128-byte blocks. The differences of neighbouring 32-bit words form bit planes, and
// each plane is xored with its neighbour, so that smooth data give empty planes.
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

// buddyMHz is the DRAM clock of Buddy Compression (table I).
const buddyMHz = 875

// Info describes the codec.
func (c Codec) Info() codec.Info {
	name := "bpc"
	if c.Unsigned {
		name = "bpc-unsigned"
	}
	return codec.Info{
		// Buddy Compression section IV-A gives 11 DRAM cycles; LATTE-CC table I has 11
		// cycles of an SM.
		Name: name, Source: "ISCA 2016; latencies of Buddy Compression (ISCA 2020)", Lossless: true,
		Timing: codec.Timing{MHz: buddyMHz, CompressCycles: 11, DecompressCycles: 11},
		Cost: codec.Cost{
			L1CompressCycles: 11, L1DecompressCycles: 11, L1Source: "LATTE-CC, table I, gives decompression; that compression takes as long is ours",
			CompressPJ: 384, DecompressPJ: 112, EnergySource: "ours: twice BDI's of LATTE-CC, as none is published",
			UnitSource: "none published for 128-byte blocks",
		},
	}
}

// deltasOf fills row with the low 32 bits of the differences w[i+1]-w[i] and returns
// the first word and the signs of the exact differences.
func (c Codec) deltasOf(line *mem.Line, row *[32]uint32) (base, sign uint32) {
	bias := uint32(1 << 31) // turns signed words into unsigned ones in the same order
	if c.Unsigned {
		bias = 0
	}
	base = binary.LittleEndian.Uint32(line[:])
	last := uint64(base ^ bias)
	for i := range deltas {
		w := uint64(binary.LittleEndian.Uint32(line[4*i+4:]) ^ bias)
		d := w - last
		row[i] = uint32(d)
		sign |= uint32(d>>63) << i
		last = w
	}
	return base, sign
}

// planesOf returns the bit planes of the differences: bit i of plane j is bit j
// of w[i+1]-w[i], exact, words read as signed unless c says otherwise.
func (c Codec) planesOf(line *mem.Line) (base uint32, dbp [planes]uint32) {
	var row [32]uint32
	base, dbp[32] = c.deltasOf(line, &row)
	codec.Transpose32(&row)
	copy(dbp[:], row[:])
	return base, dbp
}

// Sizes of the codes of planes (table 2 of the paper) with the bits that follow them.
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

// RawBits returns the size of the code even above the size of the block. It looks
// at planes k and k+16 together, in the two halves of a word.
func (c Codec) RawBits(line *mem.Line) int {
	var row [32]uint32
	base, sign := c.deltasOf(line, &row)
	var p [16]uint64
	codec.PlanePairs(&row, &p)
	// Costs add up: 5 bits for a plane that is not zero, 5 more if neither it nor
	// its exclusive or is trivial, 22 more if more than one or two neighbouring bits
	// are set. Each has its count in a byte of each lane.
	counts, nonzero := uint64(0), uint64(0)
	above := p[0]>>32 | uint64(sign)<<32 // planes 16 and 32
	for k := 15; k >= 0; k-- {
		dbp := p[k]
		dbx := dbp ^ above
		above = dbp
		// Planes have 31 bits: adding all ones carries into the highest bit of the
		// lane unless it is zero.
		rest := dbx & ((dbx | codec.LaneTops) - 0x0000000100000001) // without its lowest one
		some := (dbx + codec.LaneRests) & codec.LaneTops
		plain := some & (dbp + codec.LaneRests) & (dbx ^ codec.LaneRests + codec.LaneRests)
		long := plain & (rest&^((dbx^rest)<<1) + codec.LaneRests)
		counts += plain>>31 + long>>23
		nonzero = nonzero<<1 | some>>31
	}
	counts += counts >> 32
	size := baseBits(base) + 5*bits.OnesCount64(nonzero) + 5*int(counts&0xff) + 22*int(counts>>8&0xff)
	zeros := uint64(^uint32(nonzero | nonzero>>16))
	if sign == 0 {
		zeros |= 1 << 32
	} else {
		size += sizeOf(sign, sign)
	}
	starts := zeros &^ (zeros << 1)
	single := bits.OnesCount64(starts &^ (zeros >> 1))
	return size + runBits*(bits.OnesCount64(starts)-single) + zeroBits*single
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
