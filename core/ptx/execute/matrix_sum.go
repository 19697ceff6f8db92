package execute

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
)

// Sums of floating-point products in matrix units, as an NVIDIA H200 (compute capability
// 9.0) makes them. The rule was found by comparing it with that device on random operands
// (core/ptx/forms); its form is that of M. Fasi, N. Higham, M. Mikaitis and S. Pranesh,
// "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021:
//
//   - Products are exact. Their exponent is the sum of the exponents of the factors, even
//     where the product is 2 or more.
//   - The products of up to 16 pairs of halves (8 pairs of tf32) and the summand are aligned
//     to the largest exponent among them. Bits below 2^-25 of it are cut off.
//   - The sum of what is left is exact. It is cut off to f32, or rounded to f16 to nearest
//     even. Zero is always +0, and what f32 cannot hold is infinite.
//
// Earlier devices cut off more bits and add fewer products at once (Fasi et al., table 3).

// sumFraction is how many bits below the largest exponent a matrix unit keeps.
const sumFraction = 25

// Exponents of zero, which is below any number even as the factor of one, and of
// infinities and NaNs, which are above.
const (
	zeroExponent    = -1 << 12
	specialExponent = 1 << 14
)

// factor is an element of a matrix with its exponent.
type factor struct {
	value    float64
	exponent int
}

// lowestExponent is the exponent of the subnormal numbers of a format, as matrix units see
// them. They convert numbers of 8 bits to f16.
func lowestExponent(e ptx.Element) int {
	switch e {
	case ptx.ElementF16, ptx.ElementE4M3, ptx.ElementE5M2:
		return -14
	}
	return -126
}

func newFactor(v float64, lowest int) factor {
	e := int(math.Float64bits(v)>>52&0x7ff) - 1023
	switch {
	case v == 0:
		e = zeroExponent
	case e == 1024:
		e = specialExponent
	default:
		e = max(e, lowest)
	}
	return factor{v, e}
}

// alignedSum returns the sum of the products of two lists of factors and of a summand,
// before its last rounding.
func alignedSum(a, b []factor, c factor) float64 {
	b = b[:len(a)]
	largest := c.exponent
	for i := range a {
		largest = max(largest, a[i].exponent+b[i].exponent)
	}
	switch {
	case largest <= zeroExponent/2:
		return 0
	case largest >= specialExponent/2:
		s := c.value
		for i := range a {
			s += float64(a[i].value * b[i].value)
		}
		return s
	}
	scale := math.Float64frombits(uint64(1023+sumFraction-largest) << 52)
	sum := int64(float64(c.value * scale))
	for i := range a {
		sum += int64(float64(float64(a[i].value*b[i].value) * scale))
	}
	return float64(float64(sum) * math.Float64frombits(uint64(1023-sumFraction+largest)<<52))
}

// cutToFloat returns what f32 holds of a sum, as f64. Bits below its precision are cut off.
func cutToFloat(v float64) float64 {
	u := math.Float64bits(v)
	e := int(u>>52&0x7ff) - 1023
	if e >= 128 { // too large, infinite or NaN
		return float64(float32(v))
	}
	drop := 52 - 23
	if e < -126 {
		drop = min(drop-126-e, 63)
	}
	v = math.Float64frombits(u >> drop << drop)
	if v == 0 {
		return 0
	}
	return v
}

// matrixSums adds the products of A and B to C, whose columns lie one after the other in
// groups as long as a matrix unit adds at once.
type matrixSums struct {
	a, b [512]factor // A by rows, B by columns
}

// add computes D of a tile.
func (x *matrixSums) add(t *tile[float64], o *ptx.MatrixOp) {
	m, n, k := o.D.Rows, o.D.Cols, o.A.Cols
	eighths := o.A.Element.Bits() == 8
	// The conversion of 8-bit numbers takes the lower two of each register first.
	place := func(l int) int {
		if !eighths {
			return l
		}
		return l&2*(k/4) + l>>2*2 + l&1
	}
	lowest, lowestB := lowestExponent(o.A.Element), lowestExponent(o.B.Element)
	for l := range k {
		at := place(l)
		for i := range m {
			x.a[i*k+at] = newFactor(t.a[i*k+l], lowest)
		}
		for j := range n {
			x.b[j*k+at] = newFactor(t.b[l*n+j], lowestB)
		}
	}
	group := min(k, 16)
	if o.A.Element == ptx.ElementTF32 {
		group = min(k, 8)
		if o.D.Cols == 16 { // wmma.m16n16k8
			group = 4
		}
	}
	if o.D.Element == ptx.ElementF32 {
		lowest = -126
	}
	for i := range m {
		for j := range n {
			c := t.c[i*n+j]
			s := c
			if eighths {
				s = 0
			}
			for l := 0; l < k; l += group {
				s = alignedSum(x.a[i*k+l:i*k+l+group], x.b[j*k+l:j*k+l+group], newFactor(s, lowest))
				if o.C.Element == ptx.ElementF32 || o.D.Element == ptx.ElementF32 {
					s = cutToFloat(s)
				}
			}
			if eighths {
				s += c
			}
			if o.C.Element == ptx.ElementF16 && o.D.Element == ptx.ElementF16 && math.Abs(s) <= 0x1p-25 {
				s = 0
			}
			t.c[i*n+j] = s
		}
	}
}
