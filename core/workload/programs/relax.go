package programs

import "github.com/burstscope/burstscope/core/workload"

// bfs2 is BFS2: bfs of the LonestarGPU suite.
var bfs2 = definition{
	info: Info{
		Name: "bfs2", Title: "Breadth-first search (relaxation)",
		Doc: "Every node sets the distance of its neighbours to its own plus 1 by atomic minimum, in sweeps over all nodes until nothing changes " +
			"(BFS2 of E2MC). Data `rmat` (also named `suite`; LonestarGPU reads files): a graph in which few hubs have most edges, with 8 edges a node before duplicates are removed. The search starts " +
			"at the largest hub. Nothing is approximated.",
		Sizes: []int{1 << 10, 1 << 12, 1 << 14, 1 << 16}, DefaultSize: 1 << 14, FullSize: 1 << 20, SizeLabel: "nodes",
		DataModes: []string{"rmat", Suite},
	},
	number: 21, file: "relax", metric: workload.MetricMissRate, suite: "rmat",
	size:  sizeRule{min: 32, max: 1 << 20, step: 1, powerOfTwo: true},
	build: buildBFS2,
}

// sssp is SSSP: sssp of the LonestarGPU suite.
var sssp = definition{
	info: Info{
		Name: "sssp", Title: "Shortest paths",
		Doc: "Finds the shortest distances along weighted edges from one node (SSSP of E2MC). Each launch reads a list of the nodes whose " +
			"distance the previous launch lowered, and writes a list of the nodes whose distance it lowers itself. Data `roads` (also named `suite`; LonestarGPU reads files): a grid of crossings " +
			"with some streets missing and some diagonals added. It takes hundreds of short launches. Nothing is approximated.",
		Sizes: []int{32, 64, 128, 256}, DefaultSize: 128, FullSize: 512, SizeLabel: "crossings on a side",
		DataModes: []string{"roads", Suite},
	},
	number: 22, file: "relax", metric: workload.MetricMissRate, suite: "roads",
	size:  sizeRule{min: roadTile, max: 512, step: roadTile},
	build: buildSSSP,
}

const (
	relaxEdgesANode = 8
	relaxThreads    = 256
	listThreads     = 128
	listCTAs        = 16 // if there are more nodes than threads, threads take several nodes
)

// relaxBuffers are rowStart, target and distance.
func relaxBuffers(g *graph, source int) []workload.Buffer {
	distance := make([]int32, g.nodes())
	for i := range distance {
		distance[i] = unreached
	}
	distance[source] = 0
	return []workload.Buffer{
		s32("row_start", len(g.start), g.start),
		s32("edge_dst", len(g.target), g.target),
		s32("dist", len(distance), distance).AsOutput(),
	}
}

func buildBFS2(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	g := rmatGraph(&rnd, n, relaxEdgesANode)
	source := g.hub()
	buffers := append(relaxBuffers(&g, source), s32("changed", 1, nil))
	_, sweeps := g.rounds(source)
	var launches []workload.Launch
	for range sweeps + 1 { // the program stops after a sweep that changes nothing
		launches = append(launches, workload.Launch{
			Entry: "relax_all", Grid: line(int(blocks(n, relaxThreads))), Block: line(relaxThreads),
			Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(3), workload.U32(uint32(n))},
		})
	}
	return buffers, launches
}

func buildSSSP(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	g := roadGraph(&rnd, r.size)
	source := g.hub()
	n := g.nodes()
	_, rounds := g.rounds(source)
	listed := make([]int32, rounds+2)
	listed[0] = 1
	first := make([]int32, n)
	first[0] = int32(source)
	buffers := append(relaxBuffers(&g, source),
		s32("edge_wt", len(g.weight), g.weight),
		s32("stamp", n, nil),
		s32("worklist0", n, first),
		s32("worklist1", n, nil),
		s32("worklist_sizes", len(listed), listed),
	)
	var launches []workload.Launch
	for i := range rounds + 1 {
		launches = append(launches, workload.Launch{
			Entry: "relax_listed", Grid: line(listCTAs), Block: line(listThreads),
			Args: []workload.Arg{
				workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(3), workload.BufferArg(2), workload.BufferArg(4),
				workload.BufferArg(5 + i%2), workload.BufferArg(6 - i%2), workload.BufferArg(7), workload.S32(int32(i)),
			},
		})
	}
	return buffers, launches
}
