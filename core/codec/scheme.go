package codec

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Stored describes how a block is stored in DRAM.
type Stored struct {
	Bits uint16 // size before rounding to bursts; RawBits when raw
	// LosslessBits is the size without approximation, before rounding and before
	// the decision to store the block raw; at most RawBits.
	LosslessBits uint16
	Bursts       uint8      // bursts of one MAG that hold it
	Mode         probe.Mode // raw, lossless or lossy
	// For lossy blocks: the first truncated symbol, how many, and how many bits
	// more were cut than the budget needed.
	FirstSymbol      uint8
	TruncatedSymbols uint8
	ExcessBits       uint16
}

// Region is the information that a Scheme may use about a block's allocation.
type Region struct {
	Safe           bool // may be approximated
	ThresholdBytes int  // lossy threshold, 0 = the scheme's own
}

// Scheme decides how the memory controller stores blocks: it is a codec at one
// memory access granularity (MAG), with or without approximation. It is
// immutable once a run has begun.
type Scheme interface {
	// Name is the scheme's name in scenarios and results, "none" for no compression.
	Name() string
	// MAGBytes is the size of a burst: 16, 32 or 64.
	MAGBytes() int
	// Compressed is false for the scheme that stores everything raw; it then
	// needs no metadata and no (de)compressor.
	Compressed() bool
	// Store decides how line is stored. If the block becomes lossy, Store overwrites line
	// with the bytes that the decompressor will reconstruct.
	Store(line *mem.Line, region Region) Stored
	// Timing is the time that the compressor and the decompressor take for a block.
	Timing() Timing
}

// Raw is the scheme without compression.
type Raw struct{ mag int }

// NewRaw returns the scheme that stores every block raw in bursts of magBytes.
func NewRaw(magBytes int) Raw { return Raw{magBytes} }

func (r Raw) Name() string     { return "none" }
func (r Raw) MAGBytes() int    { return r.mag }
func (r Raw) Compressed() bool { return false }
func (r Raw) Timing() Timing   { return Timing{MHz: MemoryMHz} }
func (r Raw) Store(*mem.Line, Region) Stored {
	return Stored{Bits: RawBits, LosslessBits: RawBits, Bursts: uint8(mem.LineBytes / r.mag), Mode: probe.ModeRaw}
}
