package arith

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// A texture fetch (CUDA C++ Programming Guide, appendix Texture Fetching). A coordinate chooses
// one texel along its axis, or two if the texture is filtered. The weight of the second is a
// fixed-point number of nine bits with eight bits of fraction, so that 1 is among its values.
// The guide says neither how the weight is rounded nor how exact the blend is; here the weight
// is rounded to the nearest, half away from zero, and the blend is exact and rounded once.

// WeightOne is the weight 1.
const WeightOne = 256

// Outside is the place of a texel that reads as zero.
const Outside = -1

// Texels returns the places of the texels that a coordinate reads on an axis of n texels, and
// the weight of the second.
func Texels(t *ptx.Texture, n int, coordinate float32) (first, second int, weight uint16) {
	x := float64(coordinate)
	if t.Normalized {
		switch t.Address {
		case ptx.AddressWrap:
			x -= math.Floor(x)
		case ptx.AddressMirror:
			x -= 2 * math.Floor(x/2)
		}
		x = float64(x * float64(n))
	}
	if t.Linear {
		x -= 0.5
	}
	if x != x {
		x = 0
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

// channel returns channel c of a texel as an integer, or the bits of its number. Channels that
// a texture does not have are 0, the fourth is 1 (as in OpenCL; the guide does not say).
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

// TexelInteger returns channel c as a whole number.
func TexelInteger(t *ptx.Texture, texel *[16]byte, c int) uint32 {
	if c >= t.Channels {
		return Bit(c == 3)
	}
	return channel(t, texel, c)
}

// texelFloat returns channel c as a floating-point number: integers of 8 and 16 bits become
// numbers from 0 to 1 or from -1 to 1.
func texelFloat(t *ptx.Texture, texel *[16]byte, c int) float32 {
	if c >= t.Channels {
		return float32(Bit(c == 3))
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
	var v float32
	if !t.Linear {
		v = texelFloat(t, &texels[0], c)
	} else {
		var sum float64
		for k := range texels {
			w := weightOf(k, right, lower)
			if w != 0 {
				sum += float64(float64(w) * float64(texelFloat(t, &texels[k], c)))
			}
		}
		v = float32(sum / (WeightOne * WeightOne))
	}
	return uint32(Bits32(v))
}

// weightOf returns the weight of texel k of a square, in parts of WeightOne squared.
func weightOf(k int, right, lower uint16) uint32 {
	x, y := uint32(WeightOne-right), uint32(WeightOne-lower)
	if k&1 != 0 {
		x = uint32(right)
	}
	if k&2 != 0 {
		y = uint32(lower)
	}
	return x * y
}
