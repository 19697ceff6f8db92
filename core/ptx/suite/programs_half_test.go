package suite

import (
	"fmt"
	"math"
)

// toHalf rounds to binary16, ties to even; values here are finite and in range.
func toHalf(v float64) uint16 {
	sign := uint16(0)
	if math.Signbit(v) {
		sign, v = 0x8000, -v
	}
	if v == 0 {
		return sign
	}
	_, e := math.Frexp(v)  // v = f * 2^e, f in [0.5, 1)
	unit := max(e-11, -24) // exponent of the last place
	n := uint16(math.RoundToEven(math.Ldexp(v, -unit)))
	if unit == -24 {
		return sign | n // subnormal, or just not any more
	}
	return sign | (uint16(unit+24)<<10 + n)
}

func fromHalf(h uint16) float64 {
	e, m := int(h>>10&31), int(h&1023)
	v := math.Ldexp(float64(m), -24)
	if e > 0 {
		v = math.Ldexp(float64(m+1024), e-25)
	}
	if h>>15 == 1 {
		v = -v
	}
	return v
}

func (p *plan) halves(n int, low, high float64) []uint16 {
	return each(n, func(int) uint16 { return toHalf(low + (high-low)*p.Float64()) })
}

// wantHalves checks halves with an absolute tolerance.
func (p *plan) wantHalves(b *buffer, want []float64, tolerance float64) {
	p.checks = append(p.checks, func(read func(*buffer) []byte) error {
		got := read(b)
		for i, w := range want {
			v := fromHalf(uint16(got[2*i]) | uint16(got[2*i+1])<<8)
			if !(math.Abs(v-w) <= tolerance) {
				return fmt.Errorf("element %d is %g, want %g", i, v, w)
			}
		}
		return nil
	})
}

var halves = []program{
	{file: "half", name: "axpy of halves", build: func(p *plan) {
		a, u, v := toHalf(0.7), p.halves(100, -2, 2), p.halves(100, -2, 2)
		out := p.put(v)
		p.run("halfAxpy", x(2), x(64), a, p.put(u), out, int32(100))
		want := each(100, func(i int) float64 {
			return fromHalf(toHalf(fromHalf(toHalf(fromHalf(a)*fromHalf(u[i]))) + fromHalf(v[i])))
		})
		p.wantHalves(out, want, p.halfTolerance())
	}},
	{file: "half", name: "matrices of halves", build: func(p *plan) {
		const m, n, k = 20, 18, 24
		a, b := p.halves(m*k, -1, 1), p.halves(k*n, -1, 1)
		out := p.zeros(2 * m * n)
		p.run("halfMultiply", xy(2, 2), xy(16, 16), p.put(a), p.put(b), out, int32(m), int32(n), int32(k))
		wide := func(v []uint16) []float32 {
			return each(len(v), func(i int) float32 { return float32(fromHalf(v[i])) })
		}
		product := multiply(wide(a), wide(b), m, n, k)
		p.wantHalves(out, each(m*n, func(i int) float64 { return fromHalf(toHalf(float64(product[i]))) }), p.halfTolerance())
	}},
	{file: "half", name: "pairs of halves", build: func(p *plan) {
		a, b := p.halves(128, -2, 2), p.halves(128, -2, 2)
		out := p.zeros(256)
		p.run("halfPairs", x(2), x(32), p.put(a), p.put(b), out)
		p.wantHalves(out, each(128, func(i int) float64 {
			u, v := fromHalf(a[i]), fromHalf(b[i])
			return fromHalf(toHalf(fromHalf(toHalf(fromHalf(toHalf(u*v))+u)) - v))
		}), p.halfTolerance())
	}},
	{file: "half", name: "softmax of halves", build: func(p *plan) {
		const rows, n = 3, 50
		in := p.halves(rows*n, -4, 4)
		out := p.zeros(2 * rows * n)
		p.run("halfSoftmax", x(rows), x(32), p.put(in), out, int32(n))
		p.wantHalves(out, each(rows*n, func(i int) float64 {
			sum := 0.0
			for _, v := range in[i/n*n : i/n*n+n] {
				sum += math.Exp(fromHalf(v))
			}
			return math.Exp(fromHalf(in[i])) / sum
		}), 2e-4)
	}},
	{file: "half", name: "halves compared", build: func(p *plan) {
		in := p.halves(64, -9, 9)
		in[4], in[7], in[10], in[11] = in[5], 0x7e00, 0x8000, 0
		out := p.zeros(256)
		p.run("halfCompare", x(1), x(64), p.put(in), out)
		p.want(out, each(64, func(i int) int32 {
			v, w := fromHalf(in[i]), fromHalf(in[i^1])
			switch {
			case i == 7:
				return 8 + 1<<20
			case i == 6:
				return 8 + int32(v)*16
			case v < w:
				return 1 + int32(v)*16
			case v == w:
				return 2 + int32(v)*16
			}
			return 4 + int32(v)*16
		}))
	}},
	{file: "half", name: "dot product of bf16", build: func(p *plan) {
		a, b, want := p.words(200), p.words(200), 0.0
		short := func(v []uint32) []uint16 {
			return each(len(v), func(i int) uint16 { return uint16(math.Float32bits(float32(int32(v[i])>>16)/8192) >> 16) })
		}
		u, v := short(a), short(b)
		for i := range u {
			want += float64(math.Float32frombits(uint32(u[i])<<16)) * float64(math.Float32frombits(uint32(v[i])<<16))
		}
		out := p.zeros(4)
		p.run("brainDot", x(1), x(32), p.put(u), p.put(v), out, int32(200))
		p.wantNear(out, []float32{float32(want)}, 1e-5)
	}},
}

// halfTolerance is a last place of numbers around 4 where fma rounds once.
func (p *plan) halfTolerance() float64 {
	if p.exact {
		return 0
	}
	return 1.0 / 256
}
