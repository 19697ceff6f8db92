package suite

import (
	"math"
)

// wholeHalves are small whole numbers, whose sums of products are exact.
func (p *plan) wholeHalves(n int) []uint16 {
	return each(n, func(int) uint16 { return toHalf(float64(p.Intn(17) - 8)) })
}

// tensorProduct multiplies matrices of halves whose rows lie apart, by rows.
func tensorProduct(a, b []uint16, m, n, k, lda, ldb int) []float32 {
	return each(m*n, func(i int) float32 {
		s := 0.0
		for l := range k {
			s += fromHalf(a[i/n*lda+l]) * fromHalf(b[l*ldb+i%n])
		}
		return float32(s)
	})
}

var tensors = []program{
	{file: "tensor", name: "tiles of whole halves", arch: 80, build: func(p *plan) {
		const m, n, k = 128, 128, 96
		a, b := p.wholeHalves(m*k), p.wholeHalves(k*n)
		out := p.zeros(4 * m * n)
		p.run("tensorMultiply", xy(2, 2), x(128), p.put(a), p.put(b), out, int32(m), int32(n), int32(k), int32(k), int32(n))
		p.exact = true
		p.want(out, tensorProduct(a, b, m, n, k, k, n))
	}},
	{file: "tensor", name: "tiles with edges", arch: 80, build: func(p *plan) {
		// The last pieces of rows are cut off, and the matrices end with the last element.
		const m, n, k, lda, ldb = 70, 92, 43, 48, 96
		a, b := p.wholeHalves((m-1)*lda+k), p.wholeHalves((k-1)*ldb+n)
		out := p.zeros(4 * m * n)
		p.run("tensorMultiply", xy(2, 2), x(128), p.put(a), p.put(b), out, int32(m), int32(n), int32(k), int32(lda), int32(ldb))
		p.exact = true
		p.want(out, tensorProduct(a, b, m, n, k, lda, ldb))
	}},
	{file: "tensor", name: "tiles of any halves", arch: 80, build: func(p *plan) {
		const m, n, k = 64, 64, 200
		a, b := p.halves(m*k, -1, 1), p.halves(k*n, -1, 1)
		out := p.zeros(4 * m * n)
		p.run("tensorMultiply", x(1), x(128), p.put(a), p.put(b), out, int32(m), int32(n), int32(k), int32(k), int32(n))
		p.wantNear(out, tensorProduct(a, b, m, n, k, k, n), 1e-5)
	}},
	{file: "tensor", name: "attention", arch: 80, build: func(p *plan) {
		const queries, keys, d = 32, 80, 32
		q, k, v := p.halves(queries*d, -1, 1), p.halves(keys*d, -1, 1), p.halves(keys*d, -1, 1)
		out := p.zeros(2 * queries * d)
		p.run("tensorAttention", x(queries/16), x(32), p.put(q), p.put(k), p.put(v), out, int32(keys), float32(math.Log2E/4))
		want := make([]float64, queries*d)
		for i := range queries {
			total := 0.0
			for j := range keys {
				s := 0.0
				for l := range d {
					s += fromHalf(q[i*d+l]) * fromHalf(k[j*d+l])
				}
				weight := math.Exp(s / 4)
				total += weight
				for l := range d {
					want[i*d+l] += weight * fromHalf(v[j*d+l])
				}
			}
			for l := range d {
				want[i*d+l] /= total
			}
		}
		p.wantHalves(out, want, 1e-3)
	}},
	{file: "tensor", name: "bytes", arch: 80, build: func(p *plan) {
		const m, n, k = 32, 24, 96
		a, b := p.bytes(m*k, 256), p.bytes(n*k, 256)
		out := p.zeros(4 * m * n)
		p.run("tensorBytes", xy(n/8, m/16), x(32), p.put(a), p.put(b), out, int32(n), int32(k))
		p.want(out, each(m*n, func(i int) int32 {
			s := int32(0)
			for l := range k {
				s += int32(int8(a[i/n*k+l])) * int32(b[i%n*k+l])
			}
			return s
		}))
	}},
	{file: "tensor", name: "floats through tf32", arch: 80, build: func(p *plan) {
		const m, n, k = 32, 16, 64
		a, b := p.floats(m*k, -1, 1), p.floats(k*n, -1, 1)
		out := p.zeros(4 * m * n)
		p.run("tensorFloats", xy(n/8, m/16), x(32), p.put(a), p.put(b), out, int32(n), int32(k))
		short := func(v float32) float64 { // 11 bits, ties away from zero
			f, e := math.Frexp(float64(v))
			return math.Ldexp(math.Round(math.Ldexp(f, 11)), e-11)
		}
		p.wantNear(out, each(m*n, func(i int) float32 {
			s := 0.0
			for l := range k {
				s += short(a[i/n*k+l]) * short(b[l*n+i%n])
			}
			return float32(s)
		}), 2e-6)
	}},
	{file: "tensor", name: "wmma", arch: 80, build: func(p *plan) {
		const m, n, k = 32, 48, 64
		a, b := p.wholeHalves(m*k), p.wholeHalves(k*n)
		c := each(m*n, func(i int) float32 { return float32(i % 100) })
		out := p.put(c)
		p.run("tensorWmma", xy(n/16, m/16), x(32), p.put(a), p.put(b), out, int32(n), int32(k), float32(0.5), float32(2))
		p.exact = true
		p.want(out, each(m*n, func(i int) float32 {
			s := 0.0
			for l := range k {
				s += fromHalf(a[i/n*k+l]) * fromHalf(b[i%n*k+l])
			}
			return float32(s/2) + 2*c[i]
		}))
	}},
	{file: "tensor", name: "wmma on bytes", arch: 80, build: func(p *plan) {
		a, b := p.bytes(32*16, 256), p.bytes(16*8, 256)
		out := p.zeros(4 * 32 * 8)
		p.run("tensorWmmaBytes", x(1), x(32), p.put(a), p.put(b), out)
		p.want(out, each(32*8, func(i int) int32 { // by columns
			s := int32(1)
			for l := range 16 {
				s += int32(int8(a[i%32*16+l])) * int32(int8(b[l*8+i/32]))
			}
			return s
		}))
	}},
	{file: "tensor", name: "doubles", arch: 80, build: func(p *plan) {
		const m, n, k = 16, 24, 32
		a, b := p.doubles(m*k, -1, 1), p.doubles(k*n, -1, 1)
		out := p.zeros(8 * m * n)
		p.run("tensorDoubles", xy(n/8, m/8), x(32), p.put(a), p.put(b), out, int32(n), int32(k))
		p.exact = true
		p.want(out, each(m*n, func(i int) float64 {
			s := 0.0
			for l := range k {
				s = math.FMA(a[i/n*k+l], b[l*n+i%n], s)
			}
			return s
		}))
	}},
}
