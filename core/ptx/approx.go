package ptx

import "math"

// The .approx functions are computed in float64 and rounded once, so they are
// within half a unit of the last place: inside every bound the PTX manual gives.
// They use no function of package math that may differ between targets, and no
// product feeds a sum without an explicit conversion, so that nothing is fused.

const (
	ln2    = 0.693147180559945309417232121458
	halfPi = 1.57079632679489661923132169164
)

// exp2 returns 2**x.
func exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 1100:
		return math.Inf(1)
	case x < -1100:
		return 0
	}
	n := math.Floor(x + 0.5)
	t := float64((x - n) * ln2) // |t| <= 0.347
	s := 1.0
	for k := 14.0; k >= 1; k-- {
		s = 1 + float64(float64(s*t)/k)
	}
	return math.Ldexp(s, int(n))
}

// log2 returns the binary logarithm of x.
func log2(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	s := (m - 1) / (m + 1) // |s| <= 0.172; log m = 2 atanh s
	q := s * s
	sum := 0.0
	for k := 23.0; k >= 1; k -= 2 {
		sum = 1/k + float64(sum*q)
	}
	return float64(e) + float64(float64(2*s)*sum)/ln2
}

// twoOverPi holds the first 256 bits of 2/pi after the binary point.
var twoOverPi = [4]uint64{0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561}

// reduce returns x as a quadrant and an angle of at most pi/4 either way.
func reduce(x float32) (quadrant int, r float64) {
	b := math.Float32bits(x)
	if b&0x7fffffff <= 0x3f490fda { // pi/4
		return 0, float64(x)
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

func sinSmall(r float64) float64 {
	q := r * r
	s := 1.0
	for k := 18.0; k >= 2; k -= 2 {
		s = 1 - float64(float64(s*q)/(k*(k+1)))
	}
	return s * r
}

func cosSmall(r float64) float64 {
	q := r * r
	s := 1.0
	for k := 17.0; k >= 1; k -= 2 {
		s = 1 - float64(float64(s*q)/(k*(k+1)))
	}
	return s
}

func sin32(x float32) float32 {
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

func cos32(x float32) float32 {
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

func ex2(x float32) float32   { return float32(exp2(float64(x))) }
func lg2(x float32) float32   { return float32(log2(float64(x))) }
func rsqrt(x float32) float32 { return float32(1 / math.Sqrt(float64(x))) }

func tanh32(x float32) float32 {
	t := float64(x)
	switch {
	case t != t:
		return x
	case math.Abs(t) < 0.05:
		q := t * t
		return float32(t * (1 - float64(q*(1.0/3-float64(q*(2.0/15-float64(q*(17.0/315-float64(q*62/2835)))))))))
	case t > 20:
		return 1
	case t < -20:
		return -1
	}
	return float32(1 - 2/(exp2(float64(2*t)/ln2)+1))
}

// divApprox is div.approx.f32: a times the reciprocal of b, which is zero for
// very large b (PTX ISA, div).
func divApprox(a, b float32) float32 {
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
