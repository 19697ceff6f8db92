package digest

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

const blockBytes = 64

// plain is SHA-256 in plain Go.
type plain struct {
	state [8]uint32
	block [blockBytes]byte // the first total % blockBytes bytes are waiting
	total uint64
}

// newPlain returns a hash without input.
func newPlain() *plain {
	// FIPS 180-4, 5.3.3: the fractions of the square roots of the first 8 primes.
	return &plain{state: [8]uint32{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	}}
}

// Write adds b to the input.
func (h *plain) Write(b []byte) {
	waiting := h.total % blockBytes
	h.total += uint64(len(b))
	if waiting > 0 {
		n := copy(h.block[waiting:], b)
		if waiting+uint64(n) < blockBytes {
			return
		}
		h.mix(h.block[:])
		b = b[n:]
	}
	for ; len(b) >= blockBytes; b = b[blockBytes:] {
		h.mix(b[:blockBytes])
	}
	copy(h.block[:], b)
}

// Hex ends the hash and returns its 64 hexadecimal digits.
func (h *plain) Hex() string {
	sizeBits := h.total * 8
	var pad [blockBytes + 8]byte
	pad[0] = 0x80
	// One 1 bit, zeros up to 8 bytes before the end of a block, the size in bits.
	n := blockBytes - (h.total+8)%blockBytes
	binary.BigEndian.PutUint64(pad[n:], sizeBits)
	h.Write(pad[:n+8])
	var sum []byte
	for _, word := range h.state {
		sum = binary.BigEndian.AppendUint32(sum, word)
	}
	return hex.EncodeToString(sum)
}

// constants are the fractions of the cube roots of the first 64 primes (FIPS
// 180-4, 4.2.2).
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// mix adds one block to the state (FIPS 180-4, 6.2.2).
func (h *plain) mix(block []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	for i := 16; i < len(w); i++ {
		x, y := w[i-15], w[i-2]
		s0 := bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
		s1 := bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10
		w[i] = w[i-16] + s0 + w[i-7] + s1
	}
	s := &h.state
	a, b, c, d, e, f, g, last := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
	for i := range w {
		s1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
		t1 := last + s1 + (e&f ^ ^e&g) + constants[i] + w[i]
		s0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
		t2 := s0 + (a&b ^ a&c ^ b&c)
		a, b, c, d, e, f, g, last = t1+t2, a, b, c, d+t1, e, f, g
	}
	for i, v := range [...]uint32{a, b, c, d, e, f, g, last} {
		s[i] += v
	}
}
