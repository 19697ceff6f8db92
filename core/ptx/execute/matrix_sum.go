package execute

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// Sums of floating-point products in matrix units, as an NVIDIA H200 (compute capability
// 9.0) makes them. The rule was found by comparing it with that device on random operands
// (tools/silicon/forms); its form is that of M. Fasi, N. Higham, M. Mikaitis and S. Pranesh,
// "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330, 2021:
//
//   - Products are exact. Their exponent is the sum of the exponents of the factors, even
//     where the product is 2 or more.
//   - The products of up to 16 pairs of halves (8 pairs of tf32) and the summand are aligned
//     to the largest exponent among them. Bits below 2^-25 of it are cut off.
//   - The remaining bits are added exactly. The sum is cut off to f32, or rounded to the
//     nearest even f16. Zero is always +0, and a sum too large for f32 is infinite.
//   - Longer rows go in such steps. Numbers of 8 bits are converted to f16 and take two steps,
//     which begin with zero; the summand is added to the outcome.
//
// Earlier devices cut off more bits and add fewer products at once (Fasi et al., table 3).

// sumFraction is how many bits below the largest exponent a matrix unit keeps.
const sumFraction = 25

// Exponents of zero, which is below any number even as the exponent of a factor, and of
// infinities and NaNs, which are above. Others are those of f64, with its bias.
const (
	zeroExponent    = -1 << 12
	specialExponent = 1 << 14
	bias            = 1023
)

// lowestExponent is the exponent of the subnormal numbers of a format, as matrix units see
// them. They convert numbers of 8 bits to f16.
func lowestExponent(e ptx.Element) int32 {
	switch e {
	case ptx.ElementF16, ptx.ElementE4M3, ptx.ElementE5M2:
		return bias - 14
	}
	return bias - 126
}

func exponentOf(v float64, lowest int32) int32 {
	switch e := int32(math.Float64bits(v) >> 52 & 0x7ff); e {
	case 0:
		return zeroExponent
	case 0x7ff:
		return specialExponent
	default:
		return max(e, lowest)
	}
}

// matrixSums holds the exponents of A and B.
type matrixSums struct {
	a, b [512]int32
}

// add adds the products to C.
func (x *matrixSums) add(t *tile[float64], o *ptx.MatrixOp) {
	m, n, k := o.D.Rows, o.D.Cols, o.A.Cols
	eighths := o.A.Element.Bits() == 8
	if eighths {
		lowerFirst(t, m, n, k)
	}
	lowest := lowestExponent(o.A.Element)
	for i, v := range t.a[:m*k] {
		x.a[i] = exponentOf(v, lowest)
	}
	for i, v := range t.b[:k*n] {
		x.b[i] = exponentOf(v, lowest)
	}
	group := min(k, 16)
	if eighths {
		group = k / 2
	} else if o.A.Element == ptx.ElementTF32 && n == 16 { // wmma.m16n16k8
		group = 4
	}
	single := o.C.Element == ptx.ElementF32 || o.D.Element == ptx.ElementF32
	lowest = lowestExponent(o.C.Element)
	if o.D.Element == ptx.ElementF32 {
		lowest = bias - 126
	}
	for i := range m {
		for j := 0; j < n; j += 4 {
			c := (*[4]float64)(t.c[i*n+j:])
			s := *c
			if eighths {
				s = [4]float64{}
			}
			for l := 0; l < k; l += group {
				at := l*n + j
				alignedSum(&s, t.a[i*k+l:i*k+l+group], x.a[i*k+l:i*k+l+group], t.b[at:], x.b[at:], n, lowest, sumFraction)
				for i := range s {
					if single {
						s[i] = cutToFloat(s[i])
					} else {
						s[i] = roundToHalf(s[i])
					}
				}
			}
			for i, v := range s {
				if eighths {
					v += c[i]
				}
				c[i] = v
			}
		}
	}
}

// lowerFirst puts the lower two of each four columns of A, and rows of B, first: the
// conversion of 8-bit numbers to f16 takes them from a register in this order.
func lowerFirst(t *tile[float64], m, n, k int) {
	var a, b [512]float64
	copy(a[:], t.a[:m*k])
	copy(b[:], t.b[:k*n])
	for l := range k {
		to := l&2*(k/4) + l>>2*2 + l&1
		for i := range m {
			t.a[i*k+to] = a[i*k+l]
		}
		copy(t.b[to*n:to*n+n], b[l*n:])
	}
}

// alignedSum adds the products of a row of A and four columns of B to four summands, and keeps so many bits of
// fraction. It leaves out the last rounding. Rows of b are n elements apart.
func alignedSum(s *[4]float64, a []float64, ea []int32, b []float64, eb []int32, n int, lowest, fraction int32) {
	e0, e1, e2, e3 := int32(zeroExponent), int32(zeroExponent), int32(zeroExponent), int32(zeroExponent)
	at := 0
	for _, e := range ea {
		y := (*[4]int32)(eb[at:])
		e0, e1, e2, e3 = max(e0, e+y[0]), max(e1, e+y[1]), max(e2, e+y[2]), max(e3, e+y[3])
		at += n
	}
	var scale [4]float64
	var largest [4]int32
	special := false
	for i, e := range [4]int32{e0, e1, e2, e3} {
		e = max(e-bias, exponentOf(s[i], lowest))
		largest[i] = e
		if e >= specialExponent/2 {
			special = true
		}
		if e <= 0 || e >= specialExponent/2 { // all are zero, or the sum is not used
			e = bias
		}
		scale[i] = math.Float64frombits(uint64(2*bias+fraction-e) << 52)
	}
	var plain [4]float64
	if special {
		plain = plainSum(*s, a, b, n)
	}
	s0, s1, s2, s3 := int64(float64(s[0]*scale[0])), int64(float64(s[1]*scale[1])), int64(float64(s[2]*scale[2])), int64(float64(s[3]*scale[3]))
	at = 0
	for _, v := range a {
		y := (*[4]float64)(b[at:])
		s0 += int64(float64(float64(v*y[0]) * scale[0]))
		s1 += int64(float64(float64(v*y[1]) * scale[1]))
		s2 += int64(float64(float64(v*y[2]) * scale[2]))
		s3 += int64(float64(float64(v*y[3]) * scale[3]))
		at += n
	}
	for i, v := range [4]int64{s0, s1, s2, s3} {
		s[i] = 0
		if largest[i] >= specialExponent/2 {
			s[i] = plain[i]
		} else if v != 0 {
			s[i] = float64(float64(v) * math.Float64frombits(uint64(largest[i]-fraction)<<52))
		}
	}
}

// plainSum is alignedSum for columns with infinities or NaNs, whose sums are infinite or NaN.
func plainSum(s [4]float64, a, b []float64, n int) [4]float64 {
	for l, v := range a {
		y := (*[4]float64)(b[l*n:])
		for i := range s {
			s[i] += float64(v * y[i])
		}
	}
	return s
}

// roundToHalf returns what f16 holds of a sum, as f64.
func roundToHalf(v float64) float64 {
	return arith.FormatF16.Double(arith.FormatF16.Nearest(v)) + 0 // no -0
}

// cutToFloat returns what f32 holds of a sum, as f64. Bits below its precision are cut off.
func cutToFloat(v float64) float64 {
	u := math.Float64bits(v)
	e := int(u>>52&0x7ff) - bias
	switch {
	case e >= 128: // too large, infinite or NaN
		return float64(float32(v))
	case e >= -126:
		return math.Float64frombits(u &^ (1<<29 - 1))
	}
	drop := min(29-126-e, 63)
	if u = u >> drop << drop; u<<1 == 0 {
		return 0
	}
	return math.Float64frombits(u)
}
