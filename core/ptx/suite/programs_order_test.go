package suite

import (
	"cmp"
	"slices"
)

// tree adds up like the shared memory trees do.
func tree[T float32 | float64](v []T) T {
	v = slices.Clone(v)
	for d := len(v) / 2; d > 0; d /= 2 {
		for i := range d {
			v[i] += v[i+d]
		}
	}
	return v[0]
}

func sum(v []int32) (s int32) {
	for _, x := range v {
		s += x
	}
	return s
}

func prefix[T int32 | float32](v []T) []T {
	out := make([]T, len(v))
	var s T
	for i := range v {
		s += v[i]
		out[i] = s
	}
	return out
}

var reductions = []program{
	{file: "reduce", name: "sum by shuffles", build: func(p *plan) {
		in := p.ints(1000, -5000, 5000)
		out := p.zeros(4)
		p.run("sumShuffle", x(3), x(96), p.put(in), out, int32(len(in)))
		p.want(out, []int32{sum(in)})
	}},
	{file: "reduce", name: "sum by a tree", build: func(p *plan) {
		in := p.floats(256, -10, 10)
		out := p.zeros(8)
		p.runShared("sumTree", x(2), x(128), 512, p.put(in), out)
		p.want(out, []float32{tree(in[:128]), tree(in[128:])})
	}},
	{file: "reduce", name: "minimum and maximum", build: func(p *plan) {
		in := p.ints(500, -1e9, 1e9)
		out := p.put([]int32{0, 0})
		p.run("extremes", x(5), x(128), p.put(in), out, int32(len(in)))
		p.want(out, []int32{slices.Min(in), slices.Max(in)})
	}},
	{file: "reduce", name: "sums by key", build: func(p *plan) {
		key, value, want := p.ints(200, 0, 12), p.ints(200, -99, 99), make([]int32, 12)
		slices.Sort(key)
		for i := range key {
			want[key[i]] += value[i]
		}
		out := p.zeros(48)
		p.run("sumByKey", x(4), x(64), p.put(key), p.put(value), out, int32(200))
		p.want(out, want)
	}},
	{file: "reduce", name: "smallest and its place", build: func(p *plan) {
		in := p.floats(256, 0, 100)
		in[77], in[200] = -1, -1
		value, index := p.zeros(4), p.zeros(4)
		p.run("smallest", x(1), x(256), p.put(in), value, index)
		p.want(value, []float32{-1})
		p.want(index, []int32{77})
	}},
	{file: "reduce", name: "dot product of doubles", build: func(p *plan) {
		a, b, part := p.doubles(500, -1, 1), p.doubles(500, -1, 1), make([]float64, 128)
		for i := range a {
			part[i%128] += float64(a[i] * b[i])
		}
		out := p.zeros(8)
		p.run("dotDouble", x(1), x(128), p.put(a), p.put(b), out, int32(500))
		p.want(out, []float64{tree(part)})
	}},
	{file: "reduce", name: "mean and variance", build: func(p *plan) {
		in := p.floats(64, 5, 9)
		type moments struct{ count, mean, square float32 }
		var m [64]moments
		for i := range m {
			m[i] = moments{1, in[i], 0}
		}
		for d := 32; d > 0; d /= 2 {
			for i := range d {
				a, b := m[i], m[i+d]
				delta, n := b.mean-a.mean, a.count+b.count
				m[i] = moments{n, a.mean + float32(delta*float32(b.count/n)),
					a.square + b.square + float32(float32(delta*delta)*float32(float32(a.count*b.count)/n))}
			}
		}
		out := p.zeros(8)
		p.run("moments", x(1), x(64), p.put(in), out)
		p.want(out, []float32{m[0].mean, m[0].square / 63})
	}},
	{file: "reduce", name: "norm by float atomics", build: func(p *plan) {
		in, want := p.floats(100, -1, 1), 0.0
		for _, v := range in {
			want += float64(v) * float64(v)
		}
		out := p.zeros(4)
		p.run("norms", x(2), x(64), p.put(in), out, int32(100))
		p.wantNear(out, []float32{float32(want)}, 1e-5)
	}},
	{file: "reduce", name: "the last block sums up", build: func(p *plan) {
		in := p.ints(640, -1000, 1000)
		out := p.zeros(4)
		p.run("sumLastBlock", x(20), x(32), p.put(in), p.zeros(80), p.zeros(4), out)
		p.want(out, []int32{sum(in)})
	}},
}

var scans = []program{
	{file: "scan", name: "Hillis and Steele", build: func(p *plan) {
		in := p.ints(128, -99, 99)
		out := p.zeros(512)
		p.run("scanHillisSteele", x(1), x(128), p.put(in), out)
		p.want(out, prefix(in))
	}},
	{file: "scan", name: "Blelloch", build: func(p *plan) {
		in := p.ints(128, 0, 1000) // small whole numbers: sums of floats are exact
		f, want := make([]float32, 128), make([]float32, 128)
		for i, v := range in {
			f[i] = float32(v)
		}
		copy(want[1:], prefix(f))
		out := p.zeros(512)
		p.runShared("scanBlelloch", x(1), x(64), 512, p.put(f), out)
		p.want(out, want)
	}},
	{file: "scan", name: "scan by warps", build: func(p *plan) {
		in := p.ints(1024, -99, 99)
		out := p.zeros(4096)
		p.run("scanWarps", x(1), x(1024), p.put(in), out)
		p.want(out, prefix(in))
	}},
	{file: "scan", name: "decoupled look-back", build: func(p *plan) {
		in := p.ints(40*64, 0, 99)
		out := p.zeros(4 * len(in))
		p.run("scanLookBack", x(40), x(64), p.put(in), out, p.zeros(4), p.zeros(8*40))
		p.want(out, prefix(in))
	}},
	{file: "scan", name: "compaction by ballot", build: func(p *plan) {
		in := p.ints(300, 0, 1e6)
		out, count := p.zeros(4*300), p.zeros(4)
		p.run("compactBallot", x(5), x(64), p.put(in), out, count, int32(300))
		want := slices.DeleteFunc(slices.Clone(in), func(v int32) bool { return v%3 != 0 })
		p.want(count, []int32{int32(len(want))})
		p.wantSet(out, want)
	}},
	{file: "scan", name: "run lengths", build: func(p *plan) {
		in := p.bytes(256, 2)
		var value []byte
		var length []int32
		for i, v := range in {
			if i == 0 || v != in[i-1] {
				value, length = append(value, v), append(length, 0)
			}
			length[len(length)-1]++
		}
		values, lengths, runs := p.zeros(256), p.zeros(1024), p.zeros(4)
		p.run("encodeRuns", x(1), x(256), p.put(in), values, lengths, runs)
		p.want(runs, []int32{int32(len(value))})
		p.want(values, value)
		p.want(lengths, length)
	}},
	{file: "scan", name: "linear recurrence", build: func(p *plan) {
		a, b, want := p.words(64), p.words(64), make([]uint32, 64)
		for i := range want {
			want[i] = b[i]
			if i%32 > 0 {
				want[i] += a[i] * want[i-1]
			}
		}
		out := p.zeros(256)
		p.run("recurrence", x(1), x(64), p.put(a), p.put(b), out)
		p.want(out, want)
	}},
}

func sorted[T cmp.Ordered](v []T) []T {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}

// sortPieces sorts pieces of n.
func sortPieces(v []int32, n int) []int32 {
	v = slices.Clone(v)
	for piece := range slices.Chunk(v, n) {
		slices.Sort(piece)
	}
	return v
}

var sorts = []program{
	{file: "sort", name: "bitonic", build: func(p *plan) {
		in := p.words(256)
		data := p.put(in)
		p.run("sortBitonic", x(1), x(256), data)
		p.want(data, sorted(in))
	}},
	{file: "sort", name: "odd-even transposition", build: func(p *plan) {
		in := p.floats(75, -1, 1)
		data := p.put(in)
		p.run("sortOddEven", x(1), x(38), data, int32(75))
		p.wantNear(data, sorted(in), 0)
	}},
	{file: "sort", name: "radix", build: func(p *plan) {
		in := p.words(256)
		a, b := p.put(in), p.zeros(1024)
		for shift := int32(0); shift < 32; shift += 4 {
			p.run("sortRadixPass", x(1), x(256), a, b, shift)
			a, b = b, a
		}
		p.want(a, sorted(in))
	}},
	{file: "sort", name: "by rank", build: func(p *plan) {
		in := p.ints(150, 0, 60)
		out := p.zeros(600)
		p.run("sortRank", x(3), x(64), p.put(in), out, int32(150))
		p.want(out, sorted(in))
	}},
	{file: "sort", name: "merge path", build: func(p *plan) {
		a, b := sorted(p.ints(133, 0, 500)), sorted(p.ints(90, 0, 500))
		out := p.zeros(4 * 223)
		p.run("mergePath", x(2), x(32), p.put(a), int32(133), p.put(b), int32(90), out, int32(5))
		p.want(out, sorted(slices.Concat(a, b)))
	}},
	{file: "sort", name: "quicksort with a stack", build: func(p *plan) {
		in := p.ints(64*20, -50, 50)
		data := p.put(in)
		p.run("sortQuickStack", x(2), x(32), data, int32(20))
		p.want(data, sortPieces(in, 20))
	}},
	{file: "sort", name: "quicksort by recursion", build: func(p *plan) {
		in := p.ints(32*12, -50, 50)
		data := p.put(in)
		p.run("sortQuickRecursive", x(1), x(32), data, int32(12))
		p.want(data, sortPieces(in, 12))
	}},
	{file: "sort", name: "binary search", build: func(p *plan) {
		in, wanted := slices.Compact(sorted(p.ints(200, 0, 400))), p.ints(64, -5, 405)
		want := make([]int32, 64)
		for i, v := range wanted {
			at, found := slices.BinarySearch(in, v)
			if want[i] = int32(at); !found {
				want[i] = ^want[i]
			}
		}
		out := p.zeros(256)
		p.run("searchBinary", x(2), x(32), p.put(in), int32(len(in)), p.put(wanted), out)
		p.want(out, want)
	}},
	{file: "sort", name: "eight largest by heaps", build: func(p *plan) {
		in := p.ints(900, -1000, 1000)
		var want []int32
		for t := range 32 {
			var mine []int32
			for i := t; i < 900; i += 32 {
				mine = append(mine, in[i])
			}
			slices.SortFunc(mine, func(a, b int32) int { return cmp.Compare(b, a) })
			want = append(want, mine[:8]...)
		}
		out := p.zeros(1024)
		p.run("largestEight", x(1), x(32), p.put(in), int32(900), out)
		p.want(out, want)
	}},
}
