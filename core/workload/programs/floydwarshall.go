package programs

import "github.com/burstscope/burstscope/core/workload"

// floydWarshall is FW: fw of the Pannotia suite.
var floydWarshall = definition{
	info: Info{
		Name: "floydwarshall", Title: "All shortest paths (Floyd-Warshall)",
		Doc: "One launch for each node looks for shorter paths by way of that node (FW of LATTE-CC). Neighbouring threads take neighbouring " +
			"rows of the matrix, so a warp reads 16 lines at a time. Pannotia starts with the second node; ours starts with the first. Data `scattered` (also " +
			"named `suite`): edges between random nodes, a quarter of all pairs, with lengths of 1 to 99, as in the file of the suite. Nothing is approximated.",
		Sizes: []int{64, 96, 128, 256}, DefaultSize: 128, FullSize: 256, SizeLabel: "nodes",
		DataModes: []string{"scattered", Suite},
	},
	aliases: []string{"fw"},
	number:  33, file: "floydwarshall", metric: workload.MetricMissRate, suite: "scattered",
	size:  sizeRule{min: 4, max: 512, step: 1},
	build: buildFloydWarshall,
}

const (
	floydTile  = 16     // a CTA has 16 x 16 threads, as in Pannotia
	floydFar   = 999999 // BIGNUM of Pannotia: no path yet
	mostLength = 99     // of an edge in the files of Pannotia
)

func buildFloydWarshall(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	g := scatteredGraph(&rnd, n, n/4, mostLength)
	distance, next := make([]int32, n*n), make([]int32, n*n)
	for i := range distance {
		distance[i], next[i] = floydFar, -1
	}
	for i := range n {
		for e := g.start[i]; e < g.start[i+1]; e++ {
			distance[i*n+int(g.target[e])] = g.weight[e]
		}
		distance[i*n+i] = 0
	}
	buffers := []workload.Buffer{s32("d_dist", n*n, distance).AsOutput(), s32("d_next", n*n, next).AsOutput()}
	var launches []workload.Launch
	for k := range n {
		l := over("floyd_warshall", n, floydTile, args{0, 1}, n, k)
		l.Grid[1], l.Block[1] = l.Grid[0], l.Block[0]
		launches = append(launches, l)
	}
	return buffers, launches
}
