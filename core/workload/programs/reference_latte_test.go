package programs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/workload"
)

// fused is a*b + c with one rounding. A float64 holds the product exactly; its sum with c is
// rounded to an odd last bit if it is inexact, so that the second rounding is the right one.
func fused(a, b, c float32) float32 {
	product, addend := float64(a)*float64(b), float64(c)
	sum := product + addend
	part := sum - product
	rest := (product - (sum - part)) + (addend - part)
	if bits := math.Float64bits(sum); rest != 0 && bits&1 == 0 {
		if (rest > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}

// TestFusedRoundsOnce: sums at which two roundings give another float than one.
func TestFusedRoundsOnce(t *testing.T) {
	for _, c := range []struct{ a, b, c, want float32 }{
		{3, 4, 5, 17},
		{1 + 0x1p-12, 1 + 0x1p-12, -1, 0x1p-11 + 0x1p-24},
		{1 + 0x1p-23, 1 + 0x1p-23, 0, 1 + 0x1p-22},
		{0x1p-60, 1, 1 + 0x1p-23, 1 + 0x1p-23},
		// The product is half a unit of c and 2^-70 more or less.
		{0x1p-24, 1 + 0x1p-23, 1, 1 + 0x1p-23},
		{0x1p-24, 1 - 0x1p-24, 1, 1},
		{-0x1p-24, 1 + 0x1p-23, 1 + 0x1p-23, 1},
	} {
		if got := fused(c.a, c.b, c.c); got != c.want {
			t.Errorf("fused(%v, %v, %v) is %v, want %v", c.a, c.b, c.c, got, c.want)
		}
	}
}

// sameFloats compares floats to the bit.
func sameFloats(what string, got []float64, want []float32) error {
	wide := make([]float64, len(want))
	for i, v := range want {
		wide[i] = float64(v)
	}
	return near(what, got, wide, 0, constant(0))
}

func narrow(v []float64) []float32 {
	return generate(len(v), func(i int) float32 { return float32(v[i]) })
}

// along is the sum of the products of two vectors, element by element.
func along(a, b []float32) (sum float32) {
	for i := range a {
		sum = fused(a[i], b[i], sum)
	}
	return sum
}

func checkSimilarity(p *workload.Program, before, after [][]byte) error {
	v, width := narrow(readFloats(before[0])), documentFeatures
	row := func(i int) []float32 { return v[i*width:][:width] }
	root := func(x float32) float32 { return float32(math.Sqrt(float64(x))) }
	var want []float32
	for i := range len(v) / width {
		for j := i + 1; j < len(v)/width; j++ {
			a, b := row(i), row(j)
			want = append(want, along(a, b)/float32(root(along(a, a))*root(along(b, b))))
		}
	}
	return sameFloats("d_scores", readFloats(after[2]), want)
}

func checkMapMatmul(_ *workload.Program, before, after [][]byte) error {
	a, b := narrow(readFloats(before[0])), narrow(readFloats(before[1]))
	n := int(math.Sqrt(float64(len(a))))
	want := generate(n*n, func(i int) float32 { return along(a[i/n*n:][:n], b[i%n*n:][:n]) })
	return sameFloats("d_product", readFloats(after[3]), want)
}

func targetsOf(start, target []int32) func(i int) []int32 {
	return func(i int) []int32 { return target[start[i]:start[i+1]] }
}

// checkBetweenness goes through the nodes from the deepest to the source.
func checkBetweenness(p *workload.Program, before, after [][]byte) error {
	start := readWords(before[0])
	targets := targetsOf(start, readWords(before[1]))
	n := len(start) - 1
	want := make([]float32, n)
	sources := 0
	for _, l := range p.Launches {
		if l.Entry != "bc_clear" {
			continue
		}
		source := sources
		sources++
		depth := hops(n, source, targets)
		order := make([]int, 0, n)
		for i := range n {
			if depth[i] >= 0 {
				order = append(order, i)
			}
		}
		slices.SortFunc(order, func(a, b int) int { return int(depth[a] - depth[b]) })
		paths, dependency := make([]int32, n), make([]int32, n)
		paths[source] = 1
		for _, i := range order {
			for _, to := range targets(i) {
				if depth[to] == depth[i]+1 {
					paths[to] += paths[i]
				}
			}
		}
		slices.Reverse(order)
		for _, i := range order {
			own := float32(dependency[i]) / 65536
			for _, to := range targets(i) {
				if depth[to] == depth[i]-1 && depth[to] >= 0 {
					share := float32(paths[to]) / float32(paths[i])
					dependency[to] += int32(float32(share*float32(own+1)) * 65536)
				}
			}
			if i != source {
				want[i] += own
			}
		}
	}
	return sameFloats("d_bc", readFloats(after[5]), want)
}

// TestDependenciesAreCentral: on the ends of a path no node lies, on its middle all do.
func TestDependenciesAreCentral(t *testing.T) {
	p := mustBuild(t, "betweenness", Params{Size: 1})
	// A path of 1024 nodes, from its first.
	start, target := make([]int32, bcNodes+1), []int32{}
	for i := range bcNodes {
		if i+1 < bcNodes {
			target = append(target, int32(i+1))
		}
		if i > 0 {
			target = append(target, int32(i-1))
		}
		start[i+1] = int32(len(target))
	}
	p.Buffers[0].Init, p.Buffers[1].Init, p.Buffers[1].Bytes = words(start), words(target), 4*uint64(len(target))
	p.Launches = bcLaunches(0, bcNodes-1)
	after, _ := runUntimed(t, p)
	got := readFloats(after[5])
	for i := 1; i < bcNodes; i++ {
		if want := float64(bcNodes - 1 - i); got[i] != want {
			t.Fatalf("node %d has %v, want %v: all nodes behind it", i, got[i], want)
		}
	}
}

// checkIndependentSet takes the nodes by ascending value, if no neighbour was taken.
func checkIndependentSet(_ *workload.Program, before, after [][]byte) error {
	targets := targetsOf(readWords(before[0]), readWords(before[1]))
	value := readFloats(before[2])
	chosen := make([]int32, len(value))
	for _, i := range sortedBy(value) {
		chosen[i] = 1
		for _, to := range targets(i) {
			if value[to] < value[i] && chosen[to] == 1 {
				chosen[i] = 0
			}
		}
	}
	if readWords(after[7])[0] != 1 || slices.Contains(readWords(after[3]), -1) {
		return fmt.Errorf("the set is not finished")
	}
	return same("d_s_array", readWords(after[6]), chosen)
}

// checkColouring takes the nodes by falling value.
func checkColouring(p *workload.Program, before, after [][]byte) error {
	targets := targetsOf(readWords(before[0]), readWords(before[1]))
	value := readFloats(before[2])
	colour := make([]int32, len(value))
	order := sortedBy(value)
	slices.Reverse(order)
	for _, i := range order {
		for _, to := range targets(i) {
			if value[to] > value[i] {
				colour[i] = max(colour[i], colour[to]+1)
			}
		}
	}
	if n := 2 * int(slices.Max(colour)+1); len(p.Launches) != n {
		return fmt.Errorf("%d launches, want %d", len(p.Launches), n)
	}
	return same("d_color", readWords(after[3]), colour)
}

func sortedBy(value []float64) []int {
	order := make([]int, len(value))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if value[a] < value[b] {
			return -1
		}
		return 1
	})
	return order
}

// checkFloydWarshall searches from every node on its own, as checkSSSP does.
func checkFloydWarshall(p *workload.Program, before, after [][]byte) error {
	n := len(p.Launches)
	length, got, by := readWords(before[0]), readWords(after[0]), readWords(after[1])
	want := make([]int32, 0, n*n)
	for source := range n {
		distance := slices.Repeat([]int32{floydFar}, n)
		distance[source] = 0
		closed := make([]bool, n)
		for range n {
			nearest := -1
			for i, d := range distance {
				if !closed[i] && (nearest < 0 || d < distance[nearest]) {
					nearest = i
				}
			}
			closed[nearest] = true
			for i := range n {
				distance[i] = min(distance[i], distance[nearest]+length[nearest*n+i])
			}
		}
		want = append(want, distance...)
	}
	for i, k := range by {
		from, to := i/n, i%n
		if k < 0 && got[i] != length[i] || k >= 0 && got[i] != got[from*n+int(k)]+got[int(k)*n+to] {
			return fmt.Errorf("the path from %d to %d does not lead by way of %d", from, to, k)
		}
	}
	return same("d_dist", got, want)
}

func checkPageRank(p *workload.Program, before, after [][]byte) error {
	start, target := readWords(before[0]), readWords(before[1])
	n := len(start) - 1
	rank := generate(n, func(int) float32 { return 1 / float32(n) })
	for range (len(p.Launches) - 2) / 2 {
		rank = generate(n, func(i int) float32 {
			var sum float32
			for _, from := range target[start[i]:start[i+1]] {
				sum = fused(1/float32(start[from+1]-start[from]), rank[from], sum)
			}
			return fused(sum, 0.85, float32(0.15)/float32(n))
		})
	}
	var total float64
	for _, r := range rank {
		total += float64(r)
	}
	if total < 0.3 || total > 1.001 { // nodes without edges give nothing on
		return fmt.Errorf("the ranks add up to %v", total)
	}
	return sameFloats("d_page_rank1", readFloats(after[4]), rank)
}

func checkDijkstra(p *workload.Program, before, after [][]byte) error {
	target, weight, distance := readWords(before[0]), readWords(before[1]), readWords(before[2])
	n := len(distance)
	for range ellRounds {
		last := slices.Clone(distance)
		for e := range target {
			distance[e%n] = min(distance[e%n], last[target[e]]+weight[e])
		}
	}
	if slices.Equal(distance, readWords(before[2])) {
		return fmt.Errorf("no round lowers a distance")
	}
	return same("d_vector1", readWords(after[2]), distance)
}

func readDoubles(b []byte) []float64 {
	v := make([]float64, len(b)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return v
}

// checkParticleFilter does the same in Go. A product and a sum are rounded once where the
// kernel has an fma.
func checkParticleFilter(p *workload.Program, before, after [][]byte) error {
	x, y := readDoubles(before[2]), readDoubles(before[3])
	disc, video, seed := readWords(before[5]), before[7], readWords(before[9])
	n, ones := len(x), len(disc)/2
	side := int(p.Launches[0].Args[15].Bits)
	next := func(i int) float64 {
		seed[i] = int32(1103515245*uint32(seed[i])+12345) % math.MaxInt32
		return math.Abs(float64(seed[i]))
	}
	normal := func(i int) float64 {
		var sum float64 // whole numbers below 2^36
		for range 12 {
			sum += next(i)
		}
		return sum/0x1p31 - 6
	}
	exp := func(x float64) float64 {
		half := 0.5
		if x < 0 {
			half = -half
		}
		k := math.Trunc(math.FMA(x, 1.4426950408889634, half))
		rest, sum, factorial := math.FMA(-k, 0.6931471805599453, x), 0.0, 479001600.0
		for d := 12.0; d >= 0; d-- {
			sum = math.FMA(sum, rest, 1/factorial)
			factorial /= max(d, 1)
		}
		return math.Ldexp(sum, int(k))
	}
	moved, movedY, weight := make([]float64, n), make([]float64, n), make([]float64, n)
	for frame := 1; frame < particleFrames; frame++ {
		sums := make([]float64, blocks(n, particleThreads)*particleThreads)
		for i := range n {
			moved[i] = math.FMA(5, normal(i), x[i]+1)
			movedY[i] = math.FMA(2, normal(i), y[i]-2)
			var sum float64
			for k := range ones {
				at := ((int(moved[i])+int(disc[2*k+1]))*side+int(movedY[i])+int(disc[2*k]))*particleFrames + frame
				if at = max(at, -at); at >= len(video) {
					at = 0
				}
				dark, bright := int(video[at])-particleDark, int(video[at])-particleBright
				sum += float64(float64(dark*dark-bright*bright) / 50)
			}
			weight[i] = float64(1/float64(n)) * exp(sum/float64(ones))
			sums[i] = weight[i]
		}
		var total float64
		for ; len(sums) > 0; sums = sums[particleThreads:] {
			for half := particleThreads / 2; half > 0; half /= 2 {
				for i := range half {
					sums[i] += sums[i+half]
				}
			}
			total += sums[0]
		}
		cdf, sum := make([]float64, n), 0.0
		for i := range n {
			weight[i] /= total
			sum += weight[i]
			cdf[i] = sum
		}
		first := float64(next(0)/0x1p31) / float64(n)
		for i := range n {
			k, _ := slices.BinarySearch(cdf, first+float64(float64(i)/float64(n)))
			x[i], y[i] = moved[min(k, n-1)], movedY[min(k, n-1)]
		}
	}
	for b, want := range map[int][]float64{0: moved, 1: movedY, 8: weight} {
		if err := near(p.Buffers[b].Name, readDoubles(after[b]), want, 0, constant(0)); err != nil {
			return err
		}
	}
	return nil
}

// TestParticlesFollowTheDisc: the mean of the last particles is where the disc is.
func TestParticlesFollowTheDisc(t *testing.T) {
	p := mustBuild(t, "particlefilter", Params{})
	after, _ := runUntimed(t, p)
	var x, y float64
	for i, w := range readDoubles(after[8]) {
		x += w * readDoubles(after[0])[i]
		y += w * readDoubles(after[1])[i]
	}
	if math.Abs(x-(64+8)) > 1.5 || math.Abs(y-(64-16)) > 1.5 {
		t.Errorf("the disc is at %.1f, %.1f, want 72, 48", x, y)
	}
}
