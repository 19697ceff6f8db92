// Package codec is the contract between compressors and the memory system: a
// codec really encodes a 128-byte block into bits and really decodes it. Sizes
// are bit-exact. Sub-packages hold one codec each; codectest checks any of them.
package codec

import "github.com/burstscope/burstscope/core/mem"

// RawBits is the size of an uncompressed block. A codec that cannot do better
// answers RawBits and the block is stored as it is.
const RawBits = mem.LineBytes * 8

// BlockBytes is the capacity of a Block: no codec's worst case is above it.
const BlockBytes = 192

// Block holds the encoded bits of one line, first bit in the most significant
// bit of byte 0.
type Block [BlockBytes]byte

// Info describes a codec. Latencies are in the clock and at the setting of the
// paper named by Source.
type Info struct {
	Name                    string
	Source                  string
	Lossless                bool
	CompressLatencyCycles   int
	DecompressLatencyCycles int
}

// Codec encodes and decodes single blocks. Implementations allocate nothing per
// call and keep no state between calls that changes an answer.
type Codec interface {
	Info() Info
	// Encode writes src's code to dst and returns its size in bits; RawBits
	// means incompressible, and dst is then unspecified.
	Encode(dst *Block, src *mem.Line) (bits int)
	// Decode restores what Encode was given. bits is Encode's answer, below RawBits.
	Decode(dst *mem.Line, src *Block, bits int) error
}

// Sizer is the fast path of a codec: the size without the code. It equals
// Encode's answer.
type Sizer interface{ SizeBits(src *mem.Line) int }
