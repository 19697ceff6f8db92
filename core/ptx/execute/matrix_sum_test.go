package execute

import (
	"math"
	"math/big"

	"github.com/burstscope/burstscope/core/ptx"
)

// plainMatrixSum is the sum of products of floats in a matrix unit by the book: exact
// numbers, cut one by one.
func plainMatrixSum(a, c, d ptx.Element, x, y []float64, sum float64, quads bool, cols int) float64 {
	if quads {
		return plainQuad(d, x, y, sum)
	}
	k := len(x)
	var groups [][]int
	at := func(from, to int) (list []int) {
		for l := from; l < to; l++ {
			list = append(list, l)
		}
		return list
	}
	switch {
	case a.Bits() == 8: // the lower two of each four first
		groups = make([][]int, 2)
		for l := range k {
			groups[l/2%2] = append(groups[l/2%2], l)
		}
	case a == ptx.ElementTF32 && cols == 16:
		groups = [][]int{at(0, 4), at(4, 8)}
	default:
		groups = [][]int{at(0, k)}
	}
	s := sum
	if a.Bits() == 8 {
		s = 0
	}
	lowest := -126
	if c == ptx.ElementF16 && d == ptx.ElementF16 {
		lowest = -14
	}
	factorLowest := -126
	if a == ptx.ElementF16 || a.Bits() == 8 {
		factorLowest = -14
	}
	for _, g := range groups {
		s = plainAligned([2]int{factorLowest, factorLowest}, 25, g, x, y, s, lowest)
		if c == ptx.ElementF32 || d == ptx.ElementF32 {
			s = plainCut(s)
		} else {
			s = halfValue(ptx.TypeF16, nearHalf(ptx.TypeF16, s, ptx.RoundNearest)) + 0
		}
	}
	if a.Bits() == 8 {
		return s + sum
	}
	return s
}

// plainAligned aligns products and summand to the largest exponent and cuts each.
// The lowest exponents are those of the subnormal factors and sums; so many bits of fraction are kept.
func plainAligned(factors [2]int, fraction int, group []int, x, y []float64, sum float64, lowest int) float64 {
	exponent := func(v float64, lowest int) int {
		_, e := math.Frexp(v)
		return max(e-1, lowest)
	}
	largest, naive := math.MinInt, sum
	if sum != 0 {
		largest = exponent(sum, lowest)
	}
	for _, l := range group {
		naive += x[l] * y[l]
		if x[l] != 0 && y[l] != 0 {
			largest = max(largest, exponent(x[l], factors[0])+exponent(y[l], factors[1]))
		}
	}
	if !isFinite(naive) {
		return naive
	}
	if largest == math.MinInt {
		return 0
	}
	total := new(big.Int)
	cut := func(v *big.Float) {
		n, _ := v.SetMantExp(v, fraction-largest).Int(nil) // cuts towards zero
		total.Add(total, n)
	}
	exactly := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	for _, l := range group {
		cut(new(big.Float).SetPrec(200).Mul(exactly(x[l]), exactly(y[l])))
	}
	cut(exactly(sum))
	v := new(big.Float).SetPrec(200).SetInt(total)
	f, _ := v.SetMantExp(v, largest-fraction).Float64()
	return f
}

// plainCut cuts a number to f32.
func plainCut(v float64) float64 {
	if math.Abs(v) >= 0x1p128 {
		return math.Copysign(math.Inf(1), v)
	}
	if v == 0 || v != v || math.IsInf(v, 0) {
		return v + 0
	}
	_, e := math.Frexp(v)
	unit := math.Ldexp(1, max(e-24, -149))
	return math.Trunc(v/unit)*unit + 0
}

// plainQuad is mma.m8n8k4 on f16, with the operations of f32 that compute capability 9.0
// has in its place.
func plainQuad(d ptx.Element, x, y []float64, sum float64) float64 {
	nearest := func(v *big.Float) float64 {
		f, _ := v.Float32()
		return float64(f)
	}
	fma := func(k int, z float64) float64 {
		if p := x[k]*y[k] + z; !isFinite(p) || p == 0 {
			return p
		}
		p := new(big.Float).SetPrec(500).Mul(big.NewFloat(x[k]), big.NewFloat(y[k]))
		return nearest(p.Add(p, big.NewFloat(z)))
	}
	if d == ptx.ElementF32 {
		return float64(float32(sum) + float32(fma(3, fma(2, fma(1, fma(0, 0))))))
	}
	low, high := fma(1, x[0]*y[0]), fma(3, x[2]*y[2])
	return float64(float32(float32(sum)+float32(low)) + float32(high))
}
