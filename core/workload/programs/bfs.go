package programs

import "github.com/burstscope/burstscope/core/workload"

// bfs1 is BFS1: bfs of the Rodinia suite.
var bfs1 = definition{
	info: Info{
		Name: "bfs1", Title: "Breadth-first search (levels)",
		Doc: "One thread for each node and two kernels for each level, with byte masks and gathers over edges (BFS1 of E2MC, BFS of LATTE-CC). " +
			"Rodinia's host checks after every level whether to continue; here the graph gives the number of levels. Data `uniform`: 1 to 11 " +
			"edges a node to random nodes; `suite`: 2 to 4 edges a node that lead both ways, from a random start, as Rodinia's generator of graphs " +
			"makes them. Nothing is approximated.",
		Sizes: []int{4096, 16384, 32768, 65536}, DefaultSize: 32768, FullSize: 65536, StudySize: 65536, SizeLabel: "nodes",
		DataModes: []string{"uniform", Suite},
	},
	aliases: []string{"bfs"},
	number:  17, file: "bfs", metric: workload.MetricMissRate,
	size:  sizeRule{min: 32, max: 1 << 20, step: 1},
	build: buildBFS1,
}

const bfsThreads = 512 // MAX_THREADS_PER_BLOCK of Rodinia's bfs.cu

func buildBFS1(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	rnd := r.rand(0)
	var g graph
	source := 0
	if r.data == Suite {
		g = mutualGraph(&rnd, n)
		source = rnd.Intn(n)
	} else {
		g = uniformGraph(&rnd, n)
	}
	nodes, cost, first := make([]int32, 2*n), make([]int32, n), make([]byte, n)
	for i := range n {
		nodes[2*i], nodes[2*i+1] = g.start[i], g.start[i+1]-g.start[i]
		cost[i] = -1
	}
	cost[source], first[source] = 0, 1
	buffers := []workload.Buffer{
		s32("d_graph_nodes", 2*n, nodes),
		s32("d_graph_edges", len(g.target), g.target),
		u8("d_graph_mask", n, first),
		u8("d_updating_graph_mask", n, nil),
		u8("d_graph_visited", n, first),
		s32("d_cost", n, cost).AsOutput(),
		u8("d_over", 1, nil),
	}
	_, levels := g.rounds(source)
	var launches []workload.Launch
	for range levels + 1 { // the program stops after a level that finds nothing
		grid := line(int(blocks(n, bfsThreads)))
		launches = append(launches,
			workload.Launch{
				Entry: "bfs_visit", Grid: grid, Block: line(bfsThreads),
				Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(1), workload.BufferArg(2), workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(5), workload.U32(uint32(n))},
			},
			workload.Launch{
				Entry: "bfs_update", Grid: grid, Block: line(bfsThreads),
				Args: []workload.Arg{workload.BufferArg(2), workload.BufferArg(3), workload.BufferArg(4), workload.BufferArg(6), workload.U32(uint32(n))},
			})
	}
	return buffers, launches
}
