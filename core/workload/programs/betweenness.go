package programs

import "github.com/burstscope/burstscope/core/workload"

// betweenness is BC: bc of the Pannotia suite.
var betweenness = definition{
	info: Info{
		Name: "betweenness", Title: "Betweenness centrality",
		Doc: "From each of the chosen sources a search counts shortest paths level by level, and a second pass hands the dependencies back " +
			"(BC of LATTE-CC). The graph has 1024 nodes and 131,072 edges; the suite takes every node as a source. Few CTAs run, so latency limits them. Dependencies are " +
			"whole numbers of 1/65536, so their sums do not depend on the order of the atomics. Pannotia clears a matrix of all pairs of nodes for each source, " +
			"which no kernel reads; that is left out. Data `rmat`: a few nodes have very many edges; `suite`: edges between random nodes, as in the file of the suite. " +
			"Nothing is approximated.",
		Sizes: []int{1, 4, 16, 1024}, DefaultSize: 4, FullSize: 1024, SizeLabel: "sources",
		DataModes: []string{"rmat", Suite},
	},
	aliases: []string{"bc"},
	number:  30, file: "betweenness", metric: workload.MetricNRMSE,
	size:  sizeRule{min: 1, max: bcNodes, step: 1},
	build: buildBetweenness,
}

const (
	pannotiaThreads = 128 // of a CTA, as in Pannotia
	bcNodes         = 1024
	bcEdgesANode    = 128
)

func buildBetweenness(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	g := rmatGraph(&rnd, bcNodes, bcEdgesANode)
	if r.data == Suite {
		g = scatteredGraph(&rnd, bcNodes, bcEdgesANode, 0)
	}
	const n = bcNodes
	buffers := []workload.Buffer{
		s32("d_row", n+1, g.start),
		s32("d_col", len(g.target), g.target),
		s32("d_depth", n, nil),
		s32("d_paths", n, nil),
		s32("d_dependency", n, nil),
		f32("d_bc", n, nil).AsOutput(),
		s32("d_cont", 1, nil),
	}
	var launches []workload.Launch
	for source := range r.size {
		_, deepest := g.rounds(source)
		launches = append(launches, bcLaunches(source, deepest)...)
	}
	return buffers, launches
}

// bcLaunches are those for one source, from which the deepest node is so many edges away.
func bcLaunches(source, deepest int) []workload.Launch {
	launches := []workload.Launch{overNodes("bc_clear", bcNodes, args{2, 3, 4}, source)}
	for level := range deepest + 1 { // the last one finds nothing
		launches = append(launches, overNodes("bc_forward", bcNodes, args{0, 1, 2, 3, 6}, level))
	}
	for level := deepest; level >= 0; level-- {
		launches = append(launches, overNodes("bc_backward", bcNodes, args{0, 1, 2, 3, 4, 5}, level, source))
	}
	return launches
}

// overNodes launches a kernel with one thread a node. Its last argument is the number of
// nodes.
func overNodes(entry string, nodes int, buffers args, numbers ...int) workload.Launch {
	return over(entry, nodes, pannotiaThreads, buffers, append(numbers, nodes)...)
}
