package suite

import (
	"fmt"
	"math"
)

// bodies sums the forces in the kernel's order; the last component is the
// inverse root of the mass.
func bodies(in []float32) []float32 {
	out := make([]float32, len(in))
	for i := 0; i < len(in); i += 4 {
		var f [3]float32
		for k := 0; k < len(in); k += 4 {
			dx, dy, dz := in[k]-in[i], in[k+1]-in[i+1], in[k+2]-in[i+2]
			d := float32(dx*dx) + float32(dy*dy) + float32(dz*dz) + 0.01
			r := 1 / float32(math.Sqrt(float64(d)))
			s := float32(float32(float32(in[k+3]*r)*r) * r)
			f[0] += float32(dx * s)
			f[1] += float32(dy * s)
			f[2] += float32(dz * s)
		}
		copy(out[i:], f[:])
		out[i+3] = float32(1 / math.Sqrt(float64(in[i+3])))
	}
	return out
}

func mandelbrot(px, py int, scale float32, limit int) uint16 {
	cx, cy := float32(float32(px)*scale)-2, float32(float32(py)*scale)-1
	var u, v float32
	i := 0
	for ; i < limit; i++ {
		uu, vv := float32(u*u), float32(v*v)
		if uu+vv > 4 {
			break
		}
		v = float32(float32(2*u)*v) + cy
		u = uu - vv + cx
	}
	return uint16(i)
}

// option is Black and Scholes with the error function.
func option(s, k, t float64) (call, put float64) {
	normal := func(d float64) float64 { return math.Erfc(-d/math.Sqrt2) / 2 }
	d1 := (math.Log(s/k) + (0.02+0.5*0.3*0.3)*t) / (0.3 * math.Sqrt(t))
	d2 := d1 - 0.3*math.Sqrt(t)
	discount := k * math.Exp(-0.02*t)
	return s*normal(d1) - discount*normal(d2), discount*normal(-d2) - s*normal(-d1)
}

// fourier is the sum itself, of n complex numbers.
func fourier(in []float32) []float32 {
	n := len(in) / 2
	out := make([]float32, len(in))
	for k := range n {
		var re, im float64
		for i := range n {
			sin, cos := math.Sincos(-2 * math.Pi * float64(i*k%n) / float64(n))
			a, b := float64(in[2*i]), float64(in[2*i+1])
			re += a*cos - b*sin
			im += a*sin + b*cos
		}
		out[2*k], out[2*k+1] = float32(re), float32(im)
	}
	return out
}

func pendulum(a float64, steps int) float64 {
	v, h := 0.0, 0.01
	for range steps {
		var ka, kv [4]float64
		for k := range 4 {
			w := [4]float64{0, h / 2, h / 2, h}[k]
			q, s := a, v
			if k > 0 {
				q, s = a+float64(w*ka[k-1]), v+float64(w*kv[k-1])
			}
			term, sine := q, q
			for i := 1; i < 12; i++ {
				term = float64(term * (float64(-q*q) / float64(2*i*(2*i+1))))
				sine += term
			}
			ka[k], kv[k] = s, -sine
		}
		a += float64(h / 6 * (ka[0] + float64(2*ka[1]) + float64(2*ka[2]) + ka[3]))
		v += float64(h / 6 * (kv[0] + float64(2*kv[1]) + float64(2*kv[2]) + kv[3]))
	}
	return a
}

var numeric = []program{
	{file: "numeric", name: "bodies", build: func(p *plan) {
		in := p.floats(4*64, 0.5, 2)
		out := p.zeros(1024)
		p.run("bodies", x(2), x(32), p.put(in), out, int32(64))
		want := bodies(in)
		p.checks = append(p.checks, func(read func(*buffer) []byte) error {
			got := int32s(read(out))
			for i, exact := range want {
				v, tolerance := math.Float32frombits(uint32(got[i])), 1e-4
				if i%4 == 3 {
					tolerance = 1e-6
				} else if p.exact {
					tolerance = 0
				}
				if !(math.Abs(float64(v-exact)) <= tolerance*max(1, math.Abs(float64(exact)))) {
					return fmt.Errorf("component %d is %g, want %g", i, v, exact)
				}
			}
			return nil
		})
	}},
	{file: "numeric", name: "Mandelbrot", build: func(p *plan) {
		const w, h, scale = 32, 20, float32(0.1)
		out := p.zeros(2 * w * h)
		p.run("mandelbrot", xy(4, 5), xy(8, 4), out, int32(w), scale, int32(60))
		want := each(w*h, func(i int) uint16 { return mandelbrot(i%w, i/w, scale, 60) })
		p.checks = append(p.checks, func(read func(*buffer) []byte) error {
			got, differ := read(out), 0
			for i, v := range want {
				if uint16(got[2*i])|uint16(got[2*i+1])<<8 != v {
					differ++
				}
			}
			// With fma, points at the border leave earlier or later.
			if differ > 0 && p.exact || differ > w*h/30 {
				return fmt.Errorf("%d points differ", differ)
			}
			return nil
		})
	}},
	{file: "numeric", name: "Black and Scholes", build: func(p *plan) {
		price, strike, years := p.floats(64, 10, 50), p.floats(64, 10, 50), p.floats(64, 0.2, 3)
		calls, puts := make([]float32, 64), make([]float32, 64)
		for i := range calls {
			c, q := option(float64(price[i]), float64(strike[i]), float64(years[i]))
			calls[i], puts[i] = float32(c), float32(q)
		}
		call, put := p.zeros(256), p.zeros(256)
		p.run("options", x(2), x(32), p.put(price), p.put(strike), p.put(years), call, put)
		p.wantNear(call, calls, 1e-4)
		p.wantNear(put, puts, 1e-4)
	}},
	{file: "numeric", name: "fast Fourier", build: func(p *plan) {
		in := p.floats(256, -1, 1)
		twiddle := make([]float32, 64)
		for k := range 32 {
			sin, cos := math.Sincos(-2 * math.Pi * float64(k) / 64)
			twiddle[2*k], twiddle[2*k+1] = float32(cos), float32(sin)
		}
		out := p.zeros(1024)
		p.run("fourier", x(2), x(32), p.put(in), out, p.put(twiddle))
		p.wantNear(out, append(fourier(in[:128]), fourier(in[128:])...), 1e-5)
	}},
	{file: "numeric", name: "Fourier by sums", build: func(p *plan) {
		in := p.floats(48, -1, 1)
		pairs := make([]float32, 96)
		for i, v := range in {
			pairs[2*i] = v
		}
		out := p.zeros(8 * 48)
		p.run("fourierDirect", x(1), x(48), p.put(in), out, int32(48))
		p.wantNear(out, fourier(pairs), 3e-5)
	}},
	{file: "numeric", name: "softmax", build: func(p *plan) {
		const rows, n = 3, 200
		in := p.floats(rows*n, -5, 5)
		out := p.zeros(4 * rows * n)
		p.run("softmax", x(rows), x(128), p.put(in), out, int32(n))
		p.wantNear(out, each(rows*n, func(i int) float32 {
			sum := 0.0
			for _, v := range in[i/n*n : i/n*n+n] {
				sum += math.Exp(float64(v))
			}
			return float32(math.Exp(float64(in[i])) / sum)
		}), 1e-6)
	}},
	{file: "numeric", name: "layer norm", build: func(p *plan) {
		const rows, n = 4, 100
		in, gain, bias := p.floats(rows*n, -3, 5), p.floats(n, 0, 2), p.floats(n, -1, 1)
		out := p.zeros(4 * rows * n)
		p.run("layerNorm", x(rows), x(32), p.put(in), p.put(gain), p.put(bias), out, int32(n))
		p.wantNear(out, each(rows*n, func(i int) float32 {
			mean, square := 0.0, 0.0
			for _, v := range in[i/n*n : i/n*n+n] {
				mean += float64(v) / n
				square += float64(v) * float64(v) / n
			}
			scale := 1 / math.Sqrt(square-mean*mean+1e-5)
			return float32((float64(in[i])-mean)*scale*float64(gain[i%n]) + float64(bias[i%n]))
		}), 1e-5)
	}},
	{file: "numeric", name: "GELU", build: func(p *plan) {
		in := p.floats(100, -4, 4)
		out := p.zeros(400)
		p.run("gelu", x(2), x(64), p.put(in), out, int32(100))
		p.wantNear(out, each(100, func(i int) float32 {
			v := float64(in[i])
			return float32(0.5 * v * (1 + math.Tanh(0.7978846*(v+0.044715*v*v*v))))
		}), 1e-5)
	}},
	{file: "numeric", name: "nearest centre", build: func(p *plan) {
		points, centres := p.floats(4*64, -1, 1), p.floats(4*7, -1, 1)
		out := p.zeros(256)
		p.run("nearestCentre", x(2), x(32), p.put(points), p.put(centres), out, int32(7))
		p.wantMost(out, each(64, func(i int) (at int32) {
			best := float32(1e30)
			for c := range 7 {
				d := float32(0)
				for k := range 4 {
					e := points[4*i+k] - centres[4*c+k]
					d += float32(e * e)
				}
				if d < best {
					best, at = d, int32(c)
				}
			}
			return at
		}), 0.02)
	}},
	{file: "numeric", name: "polynomial", build: func(p *plan) {
		at, c := p.doubles(64, -2, 2), p.doubles(9, -1, 1)
		out := p.zeros(512)
		p.run("polynomial", x(2), x(32), p.put(at), p.put(c), out, int32(8))
		p.wantNear(out, each(64, func(i int) (r float64) {
			for k := 8; k >= 0; k-- {
				r = math.FMA(r, at[i], c[k])
			}
			return r
		}), 0)
	}},
	{file: "numeric", name: "cube roots", build: func(p *plan) {
		in := p.doubles(64, 0.01, 1000)
		out := p.zeros(512)
		p.run("cubeRoot", x(2), x(32), p.put(in), out)
		p.wantNear(out, each(64, func(i int) float64 { return math.Cbrt(in[i]) }), 1e-14)
	}},
	{file: "numeric", name: "rays and spheres", build: func(p *plan) {
		const n, count = 24, 6
		s := p.floats(4*count, -2, 2)
		for i := range count {
			s[4*i+2], s[4*i+3] = s[4*i+2]+5, 1+s[4*i+3]/4
		}
		hits, depths := make([]int32, n*n), make([]float32, n*n)
		root := func(v float32) float32 { return float32(math.Sqrt(float64(v))) }
		for i := range hits {
			dx, dy := float32(2*(i%n)-n)/n, float32(2*(i/n)-n)/n
			scale := 1 / root(float32(dx*dx)+float32(dy*dy)+1)
			dx, dy = dx*scale, dy*scale
			hits[i], depths[i] = -1, 1e9
			for k := range count {
				c := s[4*k : 4*k+4]
				b := float32(dx*c[0]) + float32(dy*c[1]) + float32(scale*c[2])
				rest := float32(c[0]*c[0]) + float32(c[1]*c[1]) + float32(c[2]*c[2]) - float32(c[3]*c[3])
				d := float32(b*b) - rest
				if d < 0 {
					continue
				}
				if t := b - root(d); t > 0 && t < depths[i] {
					hits[i], depths[i] = int32(k), t
				}
			}
		}
		hit, depth := p.zeros(4*n*n), p.zeros(4*n*n)
		p.run("rays", xy(3, n), x(8), p.put(s), int32(count), hit, depth, int32(n))
		p.wantMost(hit, hits, 0.01)
		if p.exact {
			p.want(depth, depths)
		}
	}},
	{file: "numeric", name: "pendulum", build: func(p *plan) {
		in := p.doubles(32, -3, 3)
		out := p.zeros(256)
		p.run("pendulum", x(1), x(32), p.put(in), out, int32(20))
		p.wantNear(out, each(32, func(i int) float64 { return pendulum(in[i], 20) }), 1e-12)
	}},
	{file: "numeric", name: "quantise", build: func(p *plan) {
		const scale = float32(0.037)
		in := p.floats(128, -6, 6)
		q := each(128, func(i int) int8 {
			return int8(max(-128, min(127, math.RoundToEven(float64(in[i]/scale)))))
		})
		out, back := p.zeros(128), p.zeros(512)
		p.run("quantise", x(2), x(64), p.put(in), scale, out, back)
		p.want(out, q)
		p.wantNear(back, each(128, func(i int) float32 { return float32(q[i]) * scale }), 0)
	}},
}
