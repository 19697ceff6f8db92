package arith

import (
	"math"
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
)

// The filter of textures, as an H200 has it to the last bit.

// weights returns the weights of the four texels of a square: eight bits each, 256 in all. Those of the upper
// left and of the lower right are rounded, half upwards, and the others are what remains of their rows.
func weights(right, lower uint16) [4]int64 {
	x, y := int64(right), int64(lower)
	upperLeft := ((WeightOne-x)*(WeightOne-y) + WeightOne/2) / WeightOne
	lowerRight := (x*y + WeightOne/2) / WeightOne
	return [4]int64{upperLeft, WeightOne - y - upperLeft, y - lowerRight, lowerRight}
}

// blend returns channel c of a square of texels.
func blend(t *ptx.Texture, texels *[4][16]byte, right, lower uint16, c int) float32 {
	if c >= t.Channels {
		return 0
	}
	w := weights(right, lower)
	switch t.Format {
	case ptx.TexelF16:
		return blendFloats(t, texels, w, c, 11, -14)
	case ptx.TexelF32:
		return blendFloats(t, texels, w, c, 24, -126)
	}
	// Integers become numbers of 16 bits, rounded half a step upwards.
	var sum int64
	for k := range texels {
		v := channel(t, &texels[k], c)
		if t.Format.IsSigned() {
			sum += w[k] * int64(int32(v))
		} else {
			sum += w[k] * int64(v)
		}
	}
	switch t.Format {
	case ptx.TexelU8:
		sum *= math.MaxUint16 / math.MaxUint8
		fallthrough
	case ptx.TexelU16:
		return float32(float64((sum+WeightOne/2)>>8) / math.MaxUint16)
	case ptx.TexelS8:
		// 127 is 32767, by an addition that leaves out the lowest four bits.
		return signedSteps(sum + (sum>>4+4+sum>>12)>>3)
	}
	return signedSteps((sum + WeightOne/2) >> 8)
}

// signedSteps is a number of 16 bits with a sign.
func signedSteps(steps int64) float32 { return float32(max(float64(steps)/math.MaxInt16, -1)) }

// guardBits is how many bits the filter keeps below the last one of the texel with the greatest exponent; what
// lies below them in the other texels is cut off.
const guardBits = 4

// blendFloats blends numbers with so many significant bits and this least exponent. The sum is exact, and
// rounded to such a number, half away from zero.
func blendFloats(t *ptx.Texture, texels *[4][16]byte, w [4]int64, c, significant, leastExponent int) float32 {
	var values [4]float64
	greatest := math.MinInt
	for k := range texels {
		if w[k] == 0 {
			continue
		}
		v := float64(texelFloat(t, &texels[k], c))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return blendInfinite(t, texels, w, c)
		}
		if v != 0 {
			_, e := math.Frexp(v)
			greatest = max(greatest, e-1, leastExponent)
		}
		values[k] = v
	}
	if greatest == math.MinInt {
		return 0
	}
	unit := greatest - (significant - 1) - guardBits // logarithm of what the texels are multiples of
	var sum int64
	for k, v := range values {
		sum += w[k] * int64(math.Trunc(math.Ldexp(v, -unit)))
	}
	unit -= bits.TrailingZeros(WeightOne)
	size := uint64(max(sum, -sum))
	cut := max(bits.Len64(size)-significant, leastExponent-(significant-1)-unit, 0)
	if cut > 0 {
		size = (size + 1<<(cut-1)) >> cut << cut
	}
	v := float32(math.Ldexp(float64(size), unit))
	if sum < 0 {
		v = -v
	}
	return v
}

// blendInfinite blends texels of which one is infinite or no number.
func blendInfinite(t *ptx.Texture, texels *[4][16]byte, w [4]int64, c int) float32 {
	var sum float64
	for k := range texels {
		if w[k] != 0 {
			sum += float64(float64(w[k]) * float64(texelFloat(t, &texels[k], c)))
		}
	}
	return float32(sum)
}
