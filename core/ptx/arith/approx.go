package arith

import "math"

// The .approx functions are computed in float64 and rounded once, so they are
// within half a unit of the last place: inside every bound the PTX manual gives.
// They use no function of package math that may differ between targets, and no
// product feeds a sum without an explicit conversion, so that nothing is fused.

const (
	ln2    = 0.693147180559945309417232121458
	halfPi = 1.5707963267948966192313216916397514420985846996875529
)

// exp2 returns 2**x for the range of f32 results.
func exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 300:
		return math.Inf(1)
	case x < -300:
		return 0
	}
	n := math.Floor(x + 0.5)
	t := float64((x - n) * ln2) // |t| <= 0.347
	// Taylor's series of e**t.
	s := float64(1.0/6227020800*t) + 1.0/479001600
	s = float64(s*t) + 1.0/39916800
	s = float64(s*t) + 1.0/3628800
	s = float64(s*t) + 1.0/362880
	s = float64(s*t) + 1.0/40320
	s = float64(s*t) + 1.0/5040
	s = float64(s*t) + 1.0/720
	s = float64(s*t) + 1.0/120
	s = float64(s*t) + 1.0/24
	s = float64(s*t) + 1.0/6
	s = float64(s*t) + 1.0/2
	s = float64(s*t) + 1
	s = float64(s*t) + 1
	return s * math.Float64frombits(uint64(int64(n)+1023)<<52)
}

// log2 returns the binary logarithm of an f32.
func log2(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	// Every f32 is a normal f64: take the exponent off.
	u := math.Float64bits(x)
	e := int64(u>>52) - 1023
	m := math.Float64frombits(u&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m, e = m/2, e+1
	}
	s := (m - 1) / (m + 1) // |s| <= 0.172; log m = 2 atanh s
	q := s * s
	p := float64(1.0/21*q) + 1.0/19
	p = float64(p*q) + 1.0/17
	p = float64(p*q) + 1.0/15
	p = float64(p*q) + 1.0/13
	p = float64(p*q) + 1.0/11
	p = float64(p*q) + 1.0/9
	p = float64(p*q) + 1.0/7
	p = float64(p*q) + 1.0/5
	p = float64(p*q) + 1.0/3
	p = float64(p*q) + 1
	return float64(e) + float64(float64(s*p)*(2/ln2))
}

// twoOverPi holds the first 256 bits of 2/pi after the binary point.
var twoOverPi = [4]uint64{0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561}

// reduce returns x as a quadrant and an angle of at most pi/4 either way.
func reduce(x float32) (quadrant int, r float64) {
	b := math.Float32bits(x)
	if b&0x7fffffff <= 0x3f490fda { // pi/4
		return 0, float64(x)
	}
	if b&0x7fffffff < 0x47800000 { // 65536: the multiple of pi/2 can be subtracted exactly
		const high = 0x1.921fb544p0 // 33 bits of pi/2
		const low = halfPi - high
		k := math.RoundToEven(float64(float64(x) * (1 / halfPi)))
		return int(int64(k)) & 3, float64(x) - float64(k*high) - float64(k*low)
	}
	m, e := uint64(b&0x7fffff|0x800000), int(b>>23&0xff)-150
	// The product of m and 2/pi, most significant word first.
	var p [5]uint64
	var carry uint64
	for i := 3; i >= 0; i-- {
		lo := m * (twoOverPi[i] & 0xffffffff)
		hi := m*(twoOverPi[i]>>32) + lo>>32
		sum := hi<<32 | lo&0xffffffff
		p[i+1] = sum + carry
		if p[i+1] < sum {
			hi += 1 << 32
		}
		carry = hi >> 32
	}
	p[0] = carry
	// The binary point stands before p[1]; multiply by 2**e, that is take 66 bits
	// from there on.
	word := func(at int) uint64 { // 64 bits starting at bit at, counted from the top of p[0]
		i, s := at>>6, uint(at&63)
		get := func(i int) uint64 {
			if i < 0 || i >= len(p) {
				return 0
			}
			return p[i]
		}
		return get(i)<<s | get(i+1)>>1>>(63-s)
	}
	whole := word(e) // integer part of the scaled product, modulo 2**64
	frac := int64(word(64 + e))
	quadrant = int(whole & 3)
	if frac < 0 { // more than a half: count back from the next quadrant
		quadrant++
	}
	r = float64(float64(frac)*(1.0/(1<<64))) * halfPi
	if b>>31 != 0 {
		return -quadrant & 3, -r
	}
	return quadrant & 3, r
}

// sinSmall and cosSmall are Taylor's series for |r| <= pi/4.
func sinSmall(r float64) float64 {
	q := r * r
	s := float64(1.0/355687428096000*q) - 1.0/1307674368000
	s = float64(s*q) + 1.0/6227020800
	s = float64(s*q) - 1.0/39916800
	s = float64(s*q) + 1.0/362880
	s = float64(s*q) - 1.0/5040
	s = float64(s*q) + 1.0/120
	s = float64(s*q) - 1.0/6
	s = float64(s*q) + 1
	return s * r
}

func cosSmall(r float64) float64 {
	q := r * r
	s := float64(1.0/20922789888000*q) - 1.0/87178291200
	s = float64(s*q) + 1.0/479001600
	s = float64(s*q) - 1.0/3628800
	s = float64(s*q) + 1.0/40320
	s = float64(s*q) - 1.0/720
	s = float64(s*q) + 1.0/24
	s = float64(s*q) - 1.0/2
	return float64(s*q) + 1
}

func Sin32(x float32) float32 {
	if !finite(float64(x)) {
		return float32(math.NaN())
	}
	if x == 0 {
		return x
	}
	q, r := reduce(x)
	s := sinSmall(r)
	if q&1 != 0 {
		s = cosSmall(r)
	}
	if q&2 != 0 {
		s = -s
	}
	return float32(s)
}

func Cos32(x float32) float32 {
	if !finite(float64(x)) {
		return float32(math.NaN())
	}
	q, r := reduce(x)
	s := cosSmall(r)
	if q&1 != 0 {
		s = sinSmall(r)
	}
	if (q+1)&2 != 0 {
		s = -s
	}
	return float32(s)
}

func Ex2(x float32) float32 { return float32(exp2(float64(x))) }

func Lg2(x float32) float32 { return float32(log2(float64(x))) }

func Rsqrt(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

func Tanh32(x float32) float32 { return float32(tanh(float64(x))) }

func tanh(t float64) float64 {
	switch {
	case t != t:
		return t
	case math.Abs(t) < 0.05:
		q := t * t
		return t * (1 - float64(q*(1.0/3-float64(q*(2.0/15-float64(q*(17.0/315-float64(q*62/2835))))))))
	case t > 20:
		return 1
	case t < -20:
		return -1
	}
	return 1 - 2/(exp2(float64(2*t)/ln2)+1)
}

// DivApprox is div.approx.f32: a times the reciprocal of b, which is zero for
// very large b (PTX ISA, div).
func DivApprox(a, b float32) float32 {
	if m := math.Abs(float64(b)); m > 0x1p126 && m < 0x1p128 {
		if math.IsInf(float64(a), 0) {
			return float32(math.NaN())
		}
		if a != a {
			return a
		}
		if negative(a) != negative(b) {
			return float32(math.Copysign(0, -1))
		}
		return 0
	}
	return a / b
}
