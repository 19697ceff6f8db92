package codec

import (
	"encoding/binary"
)

// BitWriter appends bits to a block. The caller has computed the size first, so a write
// past the block is an error of the program and panics.
type BitWriter struct {
	dst  *Block
	acc  uint64 // bits not yet stored, left-aligned
	fill int    // number of bits in acc, below 64
	at   int    // byte of dst where acc goes
}

// NewBitWriter returns a writer at the first bit of dst.
func NewBitWriter(dst *Block) BitWriter { return BitWriter{dst: dst} }

// Put appends the low n bits of v, most significant first; n is at most 64 and
// the other bits of v are zero.
func (w *BitWriter) Put(v uint64, n int) {
	free := 64 - w.fill
	if n < free {
		w.acc |= v << uint(free-n)
		w.fill += n
		return
	}
	rest := n - free
	binary.BigEndian.PutUint64(w.dst[w.at:], w.acc|v>>uint(rest))
	w.at += 8
	w.fill = rest
	w.acc = v << uint(64-rest) // a shift by 64 gives 0
}

// Align pads with zero bits to the next byte.
func (w *BitWriter) Align() { w.Put(0, -w.fill&7) }

// Bits returns how many bits were put.
func (w *BitWriter) Bits() int { return w.at*8 + w.fill }

// Flush stores the buffered bits and returns the number of all bits. Bits
// after the last one are zero up to the end of its byte.
func (w *BitWriter) Flush() int {
	for i, acc := 0, w.acc; i < w.fill; i, acc = i+8, acc<<8 {
		w.dst[w.at+i/8] = byte(acc >> 56)
	}
	return w.Bits()
}

// BitReader takes bits from a block up to a limit. A read past the limit sets Failed and
// returns zeros, so that a decoder need check only once.
type BitReader struct {
	src    *Block
	at     int
	limit  int
	Failed bool
}

// maxLimit keeps eight-byte loads inside the block.
const maxLimit = (BlockBytes - 8) * 8

// NewBitReader returns a reader of the first limitBits bits of src.
func NewBitReader(src *Block, limitBits int) BitReader {
	if limitBits < 0 || limitBits > maxLimit {
		return BitReader{src: src, Failed: true}
	}
	return BitReader{src: src, limit: limitBits}
}

// Bit returns the position of the next bit.
func (r *BitReader) Bit() int { return r.at }

// Seek moves to a bit position.
func (r *BitReader) Seek(bit int) {
	if bit < 0 || bit > r.limit {
		r.Failed = true
		return
	}
	r.at = bit
}

// Peek returns at least the next 57 bits left-aligned, without taking them.
// Bits after the limit are unspecified.
func (r *BitReader) Peek() uint64 {
	return binary.BigEndian.Uint64(r.src[r.at>>3:]) << uint(r.at&7)
}

// Skip takes n bits without looking at them.
func (r *BitReader) Skip(n int) {
	if r.at+n > r.limit {
		r.Failed = true
		return
	}
	r.at += n
}

// Take returns the next n bits, n at most 57.
func (r *BitReader) Take(n int) uint64 {
	if r.at+n > r.limit {
		r.Failed = true
		return 0
	}
	v := r.Peek() >> uint(64-n)
	r.at += n
	return v
}

// TakeSigned returns the next n bits as a two's complement number.
func (r *BitReader) TakeSigned(n int) int64 {
	return int64(r.Take(n)<<uint(64-n)) >> uint(64-n)
}
