package programs

import "github.com/burstscope/burstscope/core/workload"

// dijkstra is DJK: sssp_ell of the Pannotia suite.
var dijkstra = definition{
	info: Info{
		Name: "dijkstra", Title: "Shortest paths (padded edges)",
		Doc: "Every round lowers the distance of each node by its edges, which are padded to the same number for all nodes and stored edge by " +
			"edge; two kernels compare and copy the distances (DJK of LATTE-CC). The run is 12 rounds from the middle of the search; Pannotia goes on until nothing changes. " +
			"Data `roads` (also named `suite`): a grid of crossings that lost some streets and gained some diagonals, searched from the crossing with the most streets. " +
			"The suite reads a map of New York with 264,346 crossings. Nothing is approximated.",
		Sizes: []int{64, 128, 256, 512}, DefaultSize: 128, FullSize: 512, SizeLabel: "crossings on a side",
		DataModes: []string{"roads", Suite},
	},
	aliases: []string{"djk"},
	number:  35, file: "dijkstra", metric: workload.MetricMissRate, suite: "roads",
	size:  sizeRule{min: roadTile, max: 512, step: roadTile},
	build: buildDijkstra,
}

const (
	ellRounds = 12       // of the some hundred that the whole search takes [ours]
	ellFar    = 99999999 // BIG_NUM of Pannotia: a node without a path yet, and padding
)

func buildDijkstra(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	g := roadGraph(&rnd, r.size)
	n, height := g.nodes(), 0
	for i := range n {
		height = max(height, int(g.start[i+1]-g.start[i]))
	}
	target, weight := make([]int32, n*height), make([]int32, n*height)
	for i := range n {
		last := int32(0)
		for j := range height {
			at := j*n + i
			weight[at] = ellFar
			if e := g.start[i] + int32(j); e < g.start[i+1] {
				last, weight[at] = g.target[e], g.weight[e]
			}
			target[at] = last // padding repeats the last edge, as in Pannotia
		}
	}
	distance := g.halfway(g.hub())
	buffers := []workload.Buffer{
		s32("d_col", n*height, target),
		s32("d_data", n*height, weight),
		s32("d_vector1", n, distance).AsOutput(),
		s32("d_vector2", n, distance),
		s32("d_stop", 1, nil),
	}
	var launches []workload.Launch
	for range ellRounds {
		launches = append(launches,
			overNodes("ell_relax", n, args{0, 1, 2, 3}, height),
			overNodes("ell_compare", n, args{2, 3, 4}),
			overNodes("ell_assign", n, args{2, 3}))
	}
	return buffers, launches
}

// halfway returns the distances after half of the rounds that change any.
func (g *graph) halfway(source int) []int32 {
	_, all := g.rounds(source)
	distance := make([]int32, g.nodes())
	for i := range distance {
		distance[i] = ellFar
	}
	distance[source] = 0
	before := make([]int32, len(distance))
	for range all / 2 {
		copy(before, distance)
		for i := range distance {
			for e := g.start[i]; e < g.start[i+1]; e++ {
				distance[i] = min(distance[i], before[g.target[e]]+g.weight[e])
			}
		}
	}
	return distance
}
