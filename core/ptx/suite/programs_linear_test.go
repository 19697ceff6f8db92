package suite

import (
	"math"
	"slices"
)

// multiply is a times b of m x k and k x n, summed in order.
func multiply(a, b []float32, m, n, k int) []float32 {
	c := make([]float32, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				c[i*n+j] += float32(a[i*k+l] * b[l*n+j])
			}
		}
	}
	return c
}

// sparse is a matrix in compressed rows.
type sparse struct {
	row, column []int32
	value       []float32
}

func (p *plan) sparse(n, perRow int) (s sparse) {
	s.row = []int32{0}
	for range n {
		columns := sorted(p.ints(p.Intn(perRow), 0, int32(n)))
		s.column = append(s.column, columns...)
		s.value = append(s.value, p.floats(len(columns), -1, 1)...)
		s.row = append(s.row, int32(len(s.column)))
	}
	return s
}

func (s sparse) times(v []float32) []float32 {
	return each(len(s.row)-1, func(i int) (sum float32) {
		for e := s.row[i]; e < s.row[i+1]; e++ {
			sum += float32(s.value[e] * v[s.column[e]])
		}
		return sum
	})
}

// conjugateGradients does what the kernel does, in its order.
func conjugateGradients(b []float64, steps int) (x []float64, rr float64) {
	const n = 64
	dot := func(u, v []float64) float64 {
		return tree(each(n, func(i int) float64 { return float64(u[i] * v[i]) }))
	}
	x, r, p := make([]float64, n), slices.Clone(b), slices.Clone(b)
	rr = dot(r, r)
	for range steps {
		q := each(n, func(i int) float64 {
			v := float64(2.5 * p[i])
			if i > 0 {
				v -= p[i-1]
			}
			if i < n-1 {
				v -= p[i+1]
			}
			return v
		})
		alpha := rr / dot(p, q)
		for i := range n {
			x[i] += float64(alpha * p[i])
			r[i] -= float64(alpha * q[i])
		}
		next := dot(r, r)
		for i := range n {
			p[i] = r[i] + float64(next/rr*p[i])
		}
		rr = next
	}
	return x, rr
}

// solve eliminates with pivots; a is n rows of n+1.
func solve(a [][]float64) []float64 {
	n := len(a)
	for k := range n {
		pivot := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[pivot][k]) {
				pivot = i
			}
		}
		a[k], a[pivot] = a[pivot], a[k]
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j <= n; j++ {
				a[i][j] -= float64(f * a[k][j])
			}
		}
	}
	out := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		v := a[i][n]
		for j := i + 1; j < n; j++ {
			v -= float64(a[i][j] * out[j])
		}
		out[i] = v / a[i][i]
	}
	return out
}

func cholesky(a []float64, n int) []float64 {
	f := slices.Clone(a)
	for k := range n {
		f[k*n+k] = math.Sqrt(f[k*n+k])
		for t := k + 1; t < n; t++ {
			f[t*n+k] /= f[k*n+k]
		}
		for t := k + 1; t < n; t++ {
			for j := k + 1; j <= t; j++ {
				f[t*n+j] -= float64(f[t*n+k] * f[j*n+k])
			}
		}
	}
	for i := range n {
		clear(f[i*n+i+1 : i*n+n])
	}
	return f
}

var linear = []program{
	{file: "linear", name: "matrices", build: func(p *plan) {
		const m, n, k = 13, 19, 17
		a, b := p.floats(m*k, -1, 1), p.floats(k*n, -1, 1)
		out := p.zeros(4 * m * n)
		p.run("multiplyNaive", xy(3, 4), xy(8, 4), p.put(a), p.put(b), out, int32(m), int32(n), int32(k))
		p.want(out, multiply(a, b, m, n, k))
	}},
	{file: "linear", name: "matrices in tiles", build: func(p *plan) {
		const m, n, k = 13, 19, 17
		a, b := p.floats(m*k, -1, 1), p.floats(k*n, -1, 1)
		out := p.zeros(4 * m * n)
		p.run("multiplyTiled", xy(3, 2), xy(8, 8), p.put(a), p.put(b), out, int32(m), int32(n), int32(k))
		p.want(out, multiply(a, b, m, n, k))
	}},
	{file: "linear", name: "matrices in registers", build: func(p *plan) {
		const n = 32
		a, b := p.floats(n*n, -1, 1), p.floats(n*n, -1, 1)
		out := p.zeros(4 * n * n)
		p.run("multiplyRegisters", x(1), xy(8, 8), p.put(a), p.put(b), out, int32(n))
		p.want(out, multiply(a, b, n, n, n))
	}},
	{file: "linear", name: "matrices in vectors", build: func(p *plan) {
		const n = 24
		a, b := p.floats(n*n, -1, 1), p.floats(n*n, -1, 1)
		out := p.zeros(4 * n * n)
		p.run("multiplyVectors", x(n), x(n/4), p.put(a), p.put(b), out, int32(n))
		p.want(out, multiply(a, b, n, n, n))
	}},
	{file: "linear", name: "transpose", build: func(p *plan) {
		const w, h = 37, 21
		in := p.doubles(w*h, -1, 1)
		out := p.zeros(8 * w * h)
		p.run("transposeTile", xy(3, 2), xy(16, 4), p.put(in), out, int32(w), int32(h))
		p.want(out, each(w*h, func(i int) float64 { return in[i%h*w+i/h] }))
	}},
	{file: "linear", name: "sparse rows", build: func(p *plan) {
		s, v := p.sparse(90, 9), p.floats(90, -1, 1)
		out := p.zeros(360)
		p.run("sparseScalar", x(3), x(32), p.put(s.row), p.put(s.column), p.put(s.value), p.put(v), out, int32(90))
		p.want(out, s.times(v))
	}},
	{file: "linear", name: "sparse rows by warps", build: func(p *plan) {
		s, v := p.sparse(30, 90), p.floats(30, -1, 1)
		out := p.zeros(120)
		p.run("sparseVector", x(8), x(128), p.put(s.row), p.put(s.column), p.put(s.value), p.put(v), out, int32(30))
		p.wantNear(out, s.times(v), 1e-5)
	}},
	{file: "linear", name: "sparse in columns", build: func(p *plan) {
		const n, width = 50, 5
		column, value, v := p.ints(n*width, -10, n), p.doubles(n*width, -1, 1), p.doubles(n, -1, 1)
		out := p.zeros(8 * n)
		p.run("sparseEll", x(2), x(32), p.put(column), p.put(value), p.put(v), out, int32(n), int32(width))
		p.want(out, each(n, func(i int) (sum float64) {
			for k := range width {
				if c := column[k*n+i]; c >= 0 {
					sum += float64(value[k*n+i] * v[c])
				}
			}
			return sum
		}))
	}},
	{file: "linear", name: "sparse coordinates", build: func(p *plan) {
		s, v := p.sparse(40, 12), p.floats(40, -1, 1)
		var rows []int32
		for i := range int32(40) {
			rows = append(rows, slices.Repeat([]int32{i}, int(s.row[i+1]-s.row[i]))...)
		}
		out := p.zeros(160)
		p.run("sparseCoordinates", x(2), x(64), p.put(rows), p.put(s.column), p.put(s.value), p.put(v), out, int32(len(rows)))
		p.wantNear(out, s.times(v), 1e-5)
	}},
	{file: "linear", name: "conjugate gradients", build: func(p *plan) {
		b := p.doubles(64, -1, 1)
		solution, residual := conjugateGradients(b, 12)
		out, rest := p.zeros(512), p.zeros(8)
		p.run("conjugateGradients", x(1), x(64), p.put(b), out, rest, int32(12))
		p.want(out, solution)
		p.want(rest, []float64{residual})
	}},
	{file: "linear", name: "axpy", build: func(p *plan) {
		a, b := p.floats(300, -1, 1), p.floats(300, -1, 1)
		out := p.put(b)
		p.run("axpy", x(2), x(64), float32(1.7), p.put(a), out, int32(300))
		p.want(out, each(300, func(i int) float32 { return b[i] + float32(1.7*a[i]) }))
	}},
	{file: "linear", name: "axpy of subnormal numbers", build: func(p *plan) {
		a, b := p.floats(64, -1e-38, 1e-38), p.floats(64, -1e-38, 1e-38)
		flush := func(v float32) float32 {
			if p.flushes && math.Abs(float64(v)) < 0x1p-126 {
				return float32(math.Copysign(0, float64(v)))
			}
			return v
		}
		out := p.put(b)
		p.run("axpy", x(1), x(32), float32(1.7), p.put(a), out, int32(64))
		p.want(out, each(64, func(i int) float32 { return flush(flush(float32(1.7*flush(a[i]))) + flush(b[i])) }))
	}},
	{file: "linear", name: "Jacobi", build: func(p *plan) {
		const w, h = 21, 13
		grid := p.floats(w*h, 0, 100)
		from, to := p.put(grid), p.zeros(4*w*h)
		for range 6 {
			p.run("jacobi2d", xy(2, 4), xy(16, 4), from, to, int32(w), int32(h))
			from, to = to, from
			next := slices.Clone(grid)
			for y := 1; y < h-1; y++ {
				for x := 1; x < w-1; x++ {
					i := y*w + x
					next[i] = 0.25 * (grid[i-1] + grid[i+1] + grid[i-w] + grid[i+w])
				}
			}
			grid = next
		}
		p.want(from, grid)
	}},
	{file: "linear", name: "stencil in space", build: func(p *plan) {
		const nx, ny, nz = 10, 8, 6
		in, want := p.floats(nx*ny*nz, -1, 1), make([]float32, nx*ny*nz)
		for i := range want {
			x, y, z := i%nx, i/nx%ny, i/nx/ny
			if x > 0 && x < nx-1 && y > 0 && y < ny-1 && z > 0 && z < nz-1 {
				want[i] = float32(in[i]*-6) + (in[i-1] + in[i+1]) + (in[i-nx] + in[i+nx]) + (in[i-nx*ny] + in[i+nx*ny])
			}
		}
		out := p.zeros(4 * len(want))
		p.run("stencil3d", x(1), xy(nx, ny), p.put(in), out, int32(nx), int32(ny), int32(nz))
		p.want(out, want)
	}},
	{file: "linear", name: "convolution", build: func(p *plan) {
		const w, h = 32, 16
		in := p.bytes(w*h, 256)
		out := p.zeros(w * h)
		p.run("convolve", xy(2, 4), xy(16, 4), p.put(in), out, int32(w), int32(h))
		p.want(out, each(w*h, func(i int) byte {
			sum := 8
			for k := range 9 {
				dx, dy := k%3-1, k/3-1
				weight := 4 >> (dx*dx + dy*dy)
				sum += weight * int(in[max(0, min(h-1, i/w+dy))*w+max(0, min(w-1, i%w+dx))])
			}
			return byte(sum / 16)
		}))
	}},
	{file: "linear", name: "systems of six equations", build: func(p *plan) {
		m, right := p.doubles(32*36, -1, 1), p.doubles(32*6, -1, 1)
		var want []float64
		for t := range 32 {
			want = append(want, solve(each(6, func(i int) []float64 {
				return append(slices.Clone(m[t*36+i*6:t*36+i*6+6]), right[t*6+i])
			}))...)
		}
		out := p.zeros(8 * 192)
		p.run("solveSmall", x(1), x(32), p.put(m), p.put(right), out)
		p.want(out, want)
	}},
	{file: "linear", name: "Cholesky", build: func(p *plan) {
		const n = 20
		m := p.doubles(n*n, -1, 1)
		for i := range n {
			for j := range i {
				m[i*n+j] = m[j*n+i]
			}
			m[i*n+i] += n
		}
		out := p.put(m)
		p.runShared("cholesky", x(1), x(n), 8*n*n, out, int32(n))
		p.want(out, cholesky(m, n))
	}},
	{file: "linear", name: "tridiagonal systems", build: func(p *plan) {
		const n, systems = 12, 32
		lower, middle, upper := p.floats(n*systems, -1, 1), p.floats(n*systems, 3, 4), p.floats(n*systems, -1, 1)
		right := p.floats(n*systems, -1, 1)
		out := p.put(right)
		want := slices.Clone(right)
		for t := range systems {
			var work [n]float32
			work[0], want[t] = upper[t]/middle[t], want[t]/middle[t]
			for i := 1; i < n; i++ {
				at := i*systems + t
				m := 1 / (middle[at] - float32(lower[at]*work[i-1]))
				work[i] = upper[at] * m
				want[at] = (want[at] - float32(lower[at]*want[at-systems])) * m
			}
			for i := n - 2; i >= 0; i-- {
				at := i*systems + t
				want[at] -= float32(work[i] * want[at+systems])
			}
		}
		p.run("thomas", x(1), x(systems), p.put(lower), p.put(middle), p.put(upper), out, p.zeros(4*n*systems), int32(n))
		p.want(out, want)
	}},
	{file: "linear", name: "matrices of bytes", build: func(p *plan) {
		const n = 32
		a, b := p.bytes(n*n, 256), p.bytes(n*n, 256)
		out := p.zeros(4 * n * n)
		p.run("multiplyBytes", x(n), x(n), p.put(a), p.put(b), out, int32(n))
		p.want(out, each(n*n, func(k int) (sum int32) {
			for l := range n {
				sum += int32(int8(a[k/n*n+l])) * int32(int8(b[k%n*n+l]))
			}
			return sum
		}))
	}},
}
