package arith

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// A texture fetch (CUDA C++ Programming Guide, appendix Texture Fetching). A coordinate chooses
// one texel along its axis, or two if the texture is filtered. The weight of the second is a
// fixed-point number of nine bits with eight bits of fraction, so that 1 is among its values.
// How coordinates, weights and blends are rounded, the guide does not say: an H200 was asked
// (testdata/textures-h200.csv of core/ptx/execute).

// WeightOne is the weight 1.
const WeightOne = 256

// coordinateBits is how many bits of fraction a normalized coordinate has; further ones are cut off,
// downwards (H200).
const coordinateBits = 21

// Outside is the place of a texel that reads as zero.
const Outside = -1

// Texels returns the places of the texels that a coordinate reads on an axis of n texels, and
// the weight of the second.
func Texels(t *ptx.Texture, n int, coordinate float32) (first, second int, weight uint16) {
	x := float64(coordinate)
	if x != x {
		x = 0
	}
	if t.Normalized {
		x = math.Floor(x*(1<<coordinateBits)) / (1 << coordinateBits)
		switch t.Address {
		case ptx.AddressWrap:
			x -= math.Floor(x)
		case ptx.AddressMirror:
			x -= 2 * math.Floor(x/2)
		}
		x = float64(x * float64(n))
		if x != x { // an infinite coordinate that repeats
			x = 0
		}
	}
	if t.Linear {
		x -= 0.5
	}
	// Beyond this all places are outside, and a place must fit an int of 32 bits.
	x = min(max(x, -1<<30), 1<<30)
	floor := math.Floor(x)
	first = Place(t, n, int(floor))
	if !t.Linear {
		return first, first, 0
	}
	return first, Place(t, n, int(floor)+1), uint16(math.Floor((x-floor)*WeightOne + 0.5))
}

// Place returns which of n texels stands at a place that may be outside of them.
func Place(t *ptx.Texture, n, i int) int {
	if i >= 0 && i < n {
		return i
	}
	switch {
	case t.Height == 0 && !t.Array || t.Address == ptx.AddressBorder: // linear memory ends with zeros
		return Outside
	case t.Normalized && t.Address == ptx.AddressWrap:
		return (i%n + n) % n
	case t.Normalized && t.Address == ptx.AddressMirror:
		if i = (i%(2*n) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	}
	return min(max(i, 0), n-1)
}

// PlaceWhole returns which of n texels an integer coordinate names. Outside of the texture there is none,
// whatever the address mode (H200).
func PlaceWhole(n, i int) int {
	if i < 0 || i >= n {
		return Outside
	}
	return i
}

// channel returns channel c of a texel as an integer, or the bits of its number.
func channel(t *ptx.Texture, texel *[16]byte, c int) uint32 {
	n := t.Format.Bytes()
	var v uint32
	for k := range n {
		v |= uint32(texel[c*n+k]) << (8 * k)
	}
	if t.Format.IsSigned() {
		v = uint32(int32(v<<(32-8*n)) >> (32 - 8*n))
	}
	return v
}

// TexelInteger returns channel c as a whole number. Channels that a texture does not have are 0, the
// fourth too (H200).
func TexelInteger(t *ptx.Texture, texel *[16]byte, c int) uint32 {
	if c >= t.Channels {
		return 0
	}
	return channel(t, texel, c)
}

// texelFloat returns channel c as a floating-point number: integers of 8 and 16 bits become
// numbers from 0 to 1 or from -1 to 1.
func texelFloat(t *ptx.Texture, texel *[16]byte, c int) float32 {
	if c >= t.Channels {
		return 0
	}
	v := channel(t, texel, c)
	switch t.Format {
	case ptx.TexelF32:
		return math.Float32frombits(v)
	case ptx.TexelF16:
		return float32(FormatOf(ptx.TypeF16).Double(uint64(v)))
	case ptx.TexelU8, ptx.TexelU16:
		return float32(float64(v) / float64(uint32(1)<<(8*t.Format.Bytes())-1))
	}
	return float32(max(float64(int32(v))/float64(uint32(1)<<(8*t.Format.Bytes()-1)-1), -1))
}

// TexelFloat returns the bits of channel c of a fetch: of one texel, or of the four of a square,
// blended with the weights of the right column and the lower row.
func TexelFloat(t *ptx.Texture, texels *[4][16]byte, right, lower uint16, c int) uint32 {
	if !t.Linear {
		return uint32(Bits32(texelFloat(t, &texels[0], c)))
	}
	return uint32(Bits32(blend(t, texels, right, lower, c)))
}
