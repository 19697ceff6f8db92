package arith

import (
	"math"
	"math/bits"
)

// product is the exact product of two f64.
type product [2]float64

// The sum of products is kept in fixed point, two's complement. Its lowest bit is
// the square of the smallest f64, 2^-1074; the largest product is below 2^2048,
// so that 4196 bits hold one and 4352 the sum of many. math/big does the same in
// 24 kB of the page's engine.
const (
	sumLowest = 2 * 1074
	sumWords  = 68
)

// signOfSum returns the sign of the exact sum of products of finite numbers.
func signOfSum(terms ...product) int {
	var sum [sumWords]uint64
	for _, t := range terms {
		a, ea := integer64(t[0])
		b, eb := integer64(t[1])
		hi, lo := bits.Mul64(a, b)
		shift := uint(ea + eb + sumLowest)
		at, by := shift/64, shift%64
		part := [3]uint64{lo << by, hi<<by | lo>>(64-by), hi >> (64 - by)}
		add := bits.Add64
		if math.Signbit(t[0]) != math.Signbit(t[1]) {
			add = bits.Sub64
		}
		carry := uint64(0)
		for i := range sum[at:] {
			v := uint64(0)
			if i < len(part) {
				v = part[i]
			}
			sum[at+uint(i)], carry = add(sum[at+uint(i)], v, carry)
		}
	}
	if sum[sumWords-1]>>63 != 0 {
		return -1
	}
	if sum != [sumWords]uint64{} {
		return 1
	}
	return 0
}

// integer64 returns |f| = m * 2^e with a whole m, f finite.
func integer64(f float64) (m uint64, e int) {
	b := math.Float64bits(f)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

// against compares f, the f64 nearest to an exact value, with that value: -1
// below, 0 equal, 1 above. The terms are those of the value, negated.
func against(f float64, negated ...product) int {
	if math.IsInf(f, 0) {
		if f < 0 {
			return -1
		}
		return 1
	}
	var terms [3]product
	terms[0] = product{f, 1}
	n := 1 + copy(terms[1:], negated)
	return signOfSum(terms[:n]...)
}
