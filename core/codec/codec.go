// Package codec is the contract between compressors and the memory system: a
// codec really encodes a 128-byte block into bits and really decodes it. Sizes
// are bit-exact. Sub-packages hold one codec each; codectest checks any of them.
package codec

import "github.com/burstscope/burstscope/core/mem"

// RawBits is the size of a raw block. A codec that cannot make a block smaller returns
// RawBits, and the block is stored raw.
const RawBits = mem.LineBytes * 8

// BlockBytes is the capacity of a Block, which is enough for the worst case of every codec.
const BlockBytes = 192

// Block holds the encoded bits of one line, first bit in the most significant
// bit of byte 0.
type Block [BlockBytes]byte

// MaxSymbols is the number of symbols of a block at the smallest width, 4 bits.
const MaxSymbols = mem.LineBytes * 8 / 4

// Info describes a codec. Timing is at the setting of the paper named by Source.
type Info struct {
	Name     string
	Source   string
	Lossless bool
	Timing   Timing
	Cost     Cost
}

// MemoryMHz is the memory clock of E2MC and SLC (table V and section IV-A), in whose
// cycles they give the latencies of their own codec and of others. Latencies whose source
// names no clock are taken as cycles of this clock [ours].
const MemoryMHz = 1002

// Timing is the time to code a block, in cycles of a stated clock. A memory controller
// converts it to cycles of its own clock.
type Timing struct {
	MHz                              int
	CompressCycles, DecompressCycles int
	Compressors, Decompressors       Units
}

// Units are the compressors or the decompressors of a GPU whose memory has a bandwidth
// of UnitsMBPerSecond. The zero value says that no throughput is published.
type Units struct {
	Count      int
	PerBlock   int // units that work on one block at once
	BusyCycles int // of each of them for a block
}

// UnitsMBPerSecond is the bandwidth of the GTX580, for which E2MC counts units (table
// IV): together they handle four times as much, half of it in each direction.
const UnitsMBPerSecond = 192_400

// Cost is the hardware cost of a codec. A value that no paper gives is 0, and its source
// says so.
type Cost struct {
	// Published latencies inside an L1 cache, in cycles of its SM; Info.L1 has what to use without one.
	L1CompressCycles, L1DecompressCycles int
	L1Source                             string
	// Energy of one block.
	CompressPJ, DecompressPJ float64
	EnergySource             string
	// One unit of each kind.
	Compressor, Decompressor Unit
	UnitSource               string
}

// L1Latency is a latency inside an L1, in cycles of its SM, and what it rests on.
type L1Latency struct {
	Cycles int
	Source string
}

// L1 returns the latencies of a codec inside an L1. That no paper gives one does not make it free: the codec
// then takes as many cycles of the SM as it takes of the memory clock at a controller [ours].
func (i *Info) L1() (compress, decompress L1Latency) {
	latency := func(published, atController int) L1Latency {
		if published > 0 {
			return L1Latency{published, i.Cost.L1Source}
		}
		return L1Latency{atController, "ours: no paper gives it for an L1, so it is what a memory controller takes (" + i.Source + ")"}
	}
	return latency(i.Cost.L1CompressCycles, i.Timing.CompressCycles), latency(i.Cost.L1DecompressCycles, i.Timing.DecompressCycles)
}

// Unit is one compressor or decompressor.
type Unit struct {
	AreaMM2, PowerMW float64
	GBPerSecond      float64 // of uncompressed blocks
	GHz              float64 // clock; 0 = not published
	TableBytes       int
}

// BlockPJ is the energy that a unit uses for a block if it is always busy.
func (u Unit) BlockPJ() float64 {
	if u.GBPerSecond == 0 {
		return 0
	}
	return u.PowerMW * mem.LineBytes / u.GBPerSecond // mW / (GB/s) = pJ a byte
}

// Codec encodes and decodes single blocks. Implementations allocate nothing per
// call and keep no state between calls that changes an answer.
type Codec interface {
	Info() Info
	// Encode writes src's code to dst and returns its size in bits. RawBits means that the
	// block stays raw; dst is then unspecified.
	Encode(dst *Block, src *mem.Line) (bits int)
	// Decode restores the line that Encode was given. bits is Encode's result, below RawBits.
	Decode(dst *mem.Line, src *Block, bits int) error
}

// Sizer is the fast path of a codec: it computes the size that Encode returns, without
// the code.
type Sizer interface{ SizeBits(src *mem.Line) int }

// BatchSizer is a Sizer for which many blocks at once take less time than one after the other. It puts their
// sizes to bits, which has room for them.
type BatchSizer interface {
	SizesBits(src []mem.Line, bits []int)
}

// RawSizer computes the length of the code even if it exceeds the size of the block.
type RawSizer interface{ RawBits(src *mem.Line) int }

// SymbolCoder is a codec that codes symbols of one width in their order and can
// leave out neighbouring ones, as a lossy code requires of the codec below it. Symbol 0 is in
// the lowest bits of byte 0.
type SymbolCoder interface {
	Info() Info
	SymbolBits() int
	// SymbolLengths stores the number of bits that each symbol of line adds to the code, and
	// returns the number of symbols.
	SymbolLengths(line *mem.Line, dst *[MaxSymbols]uint8) int
	// SizeWithout returns the size of the caller's header of headerBits and the code of line
	// without symbols first to first+count-1.
	SizeWithout(line *mem.Line, headerBits, first, count int) int
	// EncodeWithout appends this code to the header that w holds. The caller has checked that
	// it fits a block.
	EncodeWithout(w *BitWriter, line *mem.Line, first, count int)
	// DecodeWithout reads the code that EncodeWithout wrote. The symbols left out become 0.
	DecodeWithout(r *BitReader, line *mem.Line, first, count int) error
}
