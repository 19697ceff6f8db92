package suite

import (
	"bytes"
	"fmt"
	"slices"
)

// graph is a random undirected graph in compressed rows, edges ascending.
type graph struct {
	row, edge []int32
	n         int32
}

func (p *plan) graph(n int32, edges int) graph {
	next := make([][]int32, n)
	for range edges {
		a, b := p.Int31n(n), p.Int31n(n)
		if a != b && !slices.Contains(next[a], b) {
			next[a], next[b] = append(next[a], b), append(next[b], a)
		}
	}
	g := graph{row: []int32{0}, n: n}
	for _, list := range next {
		g.edge = append(g.edge, sorted(list)...)
		g.row = append(g.row, int32(len(g.edge)))
	}
	return g
}

func (g graph) of(v int32) []int32 { return g.edge[g.row[v]:g.row[v+1]] }

// levels are the distances from vertex 0 in edges, or -1.
func (g graph) levels() []int32 {
	level := slices.Repeat([]int32{-1}, int(g.n))
	level[0] = 0
	for queue := []int32{0}; len(queue) > 0; queue = queue[1:] {
		for _, w := range g.of(queue[0]) {
			if level[w] < 0 {
				level[w] = level[queue[0]] + 1
				queue = append(queue, w)
			}
		}
	}
	return level
}

func editDistance(a, b []byte) int32 {
	if len(a) == 0 || len(b) == 0 {
		return int32(len(a) + len(b))
	}
	d := make([][]int32, len(a)+1)
	for i := range d {
		d[i] = make([]int32, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = int32(i + j)
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
		}
	}
	return d[len(a)][len(b)]
}

// queens counts the ways to go on from the columns chosen so far.
func queens(n int32, chosen []int32) (found int32) {
	for i, a := range chosen {
		for j, b := range chosen[:i] {
			if a == b || int(a)-int(b) == i-j || int(b)-int(a) == i-j {
				return 0
			}
		}
	}
	if len(chosen) == int(n) {
		return 1
	}
	for c := range n {
		found += queens(n, append(slices.Clone(chosen), c))
	}
	return found
}

var graphs = []program{
	{file: "graph", name: "breadth first", build: func(p *plan) {
		g := p.graph(150, 200)
		want := g.levels()
		start := slices.Repeat([]int32{-1}, 150)
		start[0] = 0
		row, edge, level, changed := p.put(g.row), p.put(g.edge), p.put(start), p.zeros(4)
		for depth := range slices.Max(want) + 1 {
			p.run("bfsStep", x(3), x(64), row, edge, level, g.n, depth, changed)
		}
		p.want(level, want)
		p.want(changed, []int32{1})
	}},
	{file: "graph", name: "connected components", build: func(p *plan) {
		g := p.graph(128, 90)
		label := make([]int32, 128)
		for i := range label {
			label[i] = int32(i)
		}
		row, edge, labels := p.put(g.row), p.put(g.edge), p.put(label)
		for range 20 {
			p.run("labelStep", x(2), x(64), row, edge, labels, g.n)
		}
		for changed := true; changed; {
			changed = false
			for v := range g.n {
				for _, w := range g.of(v) {
					if label[w] < label[v] {
						label[v], changed = label[w], true
					}
				}
			}
		}
		p.want(labels, label)
	}},
	{file: "graph", name: "Floyd and Warshall", build: func(p *plan) {
		const n = 20
		d := p.ints(n*n, 1, 1000)
		buffer := p.put(d)
		for k := range n {
			p.run("floydStep", xy(2, 3), xy(16, 8), buffer, int32(n), int32(k))
			for i := range n {
				for j := range n {
					d[i*n+j] = min(d[i*n+j], d[i*n+k]+d[k*n+j])
				}
			}
		}
		p.want(buffer, d)
	}},
	{file: "graph", name: "shortest paths by relaxing", build: func(p *plan) {
		g := p.graph(64, 150)
		weight := p.ints(len(g.edge), 1, 50)
		d := slices.Repeat([]int32{0x7fffffff}, 64)
		d[0] = 0
		row, edge, weights, distance := p.put(g.row), p.put(g.edge), p.put(weight), p.put(d)
		for range 20 {
			p.run("relax", x(2), x(32), row, edge, weights, distance, g.n)
		}
		for range 64 {
			for v := range g.n {
				for e := g.row[v]; d[v] != 0x7fffffff && e < g.row[v+1]; e++ {
					d[g.edge[e]] = min(d[g.edge[e]], d[v]+weight[e])
				}
			}
		}
		p.want(distance, d)
	}},
	{file: "graph", name: "list ranking", build: func(p *plan) {
		order := p.Perm(64)
		next, rank, want := make([]int32, 64), make([]int32, 64), make([]int32, 64)
		for i, v := range order {
			next[v], rank[v], want[v] = int32(order[min(i+1, 63)]), 1, int32(63-i)
		}
		rank[order[63]] = 0
		nextA, rankA, nextB, rankB := p.put(next), p.put(rank), p.zeros(256), p.zeros(256)
		for range 6 {
			p.run("listRank", x(2), x(32), nextA, rankA, nextB, rankB)
			nextA, rankA, nextB, rankB = nextB, rankB, nextA, rankA
		}
		p.want(rankA, want)
	}},
	{file: "graph", name: "triangles", build: func(p *plan) {
		g := p.graph(64, 300)
		found := int32(0)
		for a := range g.n {
			for _, b := range g.of(a) {
				for _, c := range g.of(b) {
					if a < b && b < c && slices.Contains(g.of(a), c) {
						found++
					}
				}
			}
		}
		count := p.zeros(4)
		p.run("triangles", x(1), x(64), p.put(g.row), p.put(g.edge), g.n, count)
		p.want(count, []int32{found})
	}},
	{file: "graph", name: "Needleman and Wunsch", build: func(p *plan) {
		const n, w = 40, 41
		a, b := p.bytes(n, 4), p.bytes(n, 4)
		var s [w * w]int32
		for i := range int32(w) {
			s[i], s[i*w] = -2*i, -2*i
		}
		for i := 1; i < w; i++ {
			for j := 1; j < w; j++ {
				match := int32(-1)
				if a[i-1] == b[j-1] {
					match = 3
				}
				s[i*w+j] = max(s[(i-1)*w+j-1]+match, s[(i-1)*w+j]-2, s[i*w+j-1]-2)
			}
		}
		score := p.zeros(4 * w * w)
		p.run("align", x(1), x(64), p.put(a), p.put(b), score, int32(n))
		p.want(score, s[:])
	}},
	{file: "graph", name: "edit distance", build: func(p *plan) {
		const each = 20
		a, b, want := make([]byte, 32*each), make([]byte, 32*each), make([]int32, 32)
		for i := range want {
			x, y := p.bytes(p.Intn(each), 3), p.bytes(p.Intn(each), 3)
			for k := range x {
				x[k] += 'a'
			}
			for k := range y {
				y[k] += 'a'
			}
			copy(a[i*each:], x)
			copy(b[i*each:], y)
			want[i] = editDistance(x, y)
		}
		out := p.zeros(128)
		p.run("editDistance", x(1), x(32), p.put(a), p.put(b), int32(each), out)
		p.want(out, want)
	}},
	{file: "graph", name: "game of life", build: func(p *plan) {
		const n = 24
		board := p.bytes(n*n, 2)
		from, to := p.put(board), p.zeros(n*n)
		for range 5 {
			p.run("lifeStep", xy(3, 6), xy(8, 4), from, to, int32(n), int32(n))
			from, to = to, from
			next := make([]byte, n*n)
			for i := range next {
				count := -int(board[i])
				for dy := range 3 {
					for dx := range 3 {
						count += int(board[(i/n+dy+n-1)%n*n+(i%n+dx+n-1)%n])
					}
				}
				if count == 3 || count == 2 && board[i] == 1 {
					next[i] = 1
				}
			}
			board = next
		}
		p.want(from, board)
	}},
	{file: "graph", name: "eight queens", build: func(p *plan) {
		var want []int32
		for i := range int32(36) {
			want = append(want, queens(6, []int32{i / 6, i % 6}))
		}
		out := p.zeros(4 * 64)
		p.run("queens", x(1), x(64), int32(6), out)
		p.want(out, want)
	}},
}

func mixKey(k uint32) uint32 {
	k ^= k >> 16
	k *= 0x85ebca6b
	k ^= k >> 13
	k *= 0xc2b2ae35
	return k ^ k>>16
}

// places are where a pattern with ? fits.
func places(text, pattern []byte) (at []int32) {
	for i := range len(text) - len(pattern) + 1 {
		fits := true
		for j, c := range pattern {
			fits = fits && (c == '?' || text[i+j] == c)
		}
		if fits {
			at = append(at, int32(i))
		}
	}
	return at
}

// text returns letters of a small alphabet.
func (p *plan) text(n int) []byte {
	return bytes.Map(func(r rune) rune { return r + 'a' }, p.bytes(n, 3))
}

// wantSet checks that a buffer begins with these elements in any order.
func (p *plan) wantSet(b *buffer, want []int32) {
	p.checks = append(p.checks, func(read func(*buffer) []byte) error {
		if got := sorted(int32s(read(b))[:len(want)]); !slices.Equal(got, sorted(want)) {
			return fmt.Errorf("%v, want %v in any order", got, want)
		}
		return nil
	})
}
