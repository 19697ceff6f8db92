package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// independentSet is MIS: mis of the Pannotia suite.
var independentSet = definition{
	info: Info{
		Name: "independentset", Title: "Maximal independent set",
		Doc: "Nodes whose random value is below those of all open neighbours join the set and close their neighbours, until no node is open " +
			"(MIS of LATTE-CC). Pannotia's host checks after every round whether to continue; here the graph gives the number of rounds. Data `ecology` (also named " +
			"`suite`): the grid of the matrix ecology1, 1000 x 1000 points with their four neighbours, with random values. Nothing is approximated.",
		Sizes: []int{64, 128, 256, 1000}, DefaultSize: 128, FullSize: 1000, SizeLabel: "points on a side",
		DataModes: []string{"ecology", Suite},
	},
	aliases: []string{"mis"},
	number:  31, file: "independentset", metric: workload.MetricMissRate, suite: "ecology",
	size:  sizeRule{min: 2, max: 1024, step: 1},
	build: buildIndependentSet,
}

// colouring is CLR: color_max of the Pannotia suite.
var colouring = definition{
	info: Info{
		Name: "colouring", Title: "Colouring of a graph",
		Doc: "In each round the nodes whose random value is above those of all neighbours without a colour get the next colour (CLR of " +
			"LATTE-CC). Pannotia's host checks after every round whether to continue; here the graph gives the number of rounds. Data `ecology` (also named " +
			"`suite`): the grid of the matrix ecology1, 1000 x 1000 points with their four neighbours, with random values. Nothing is approximated.",
		Sizes: []int{64, 128, 256, 1000}, DefaultSize: 128, FullSize: 1000, SizeLabel: "points on a side",
		DataModes: []string{"ecology", Suite},
	},
	aliases: []string{"clr"},
	number:  32, file: "colouring", metric: workload.MetricMissRate, suite: "ecology",
	size:  sizeRule{min: 2, max: 1024, step: 1},
	build: buildColouring,
}

func buildIndependentSet(r *request) ([]workload.Buffer, []workload.Launch) {
	g := gridGraph(r.size)
	n := g.nodes()
	rnd := r.rand(0)
	value := g.values(&rnd)
	open := slices.Repeat([]int32{-1}, n)
	buffers := []workload.Buffer{
		s32("d_row", n+1, g.start),
		s32("d_col", len(g.target), g.target),
		f32("d_node_value", n, value),
		s32("d_c_array", n, open),
		s32("d_cu_array", n, open),
		f32("d_min_array", n, nil),
		s32("d_s_array", n, nil).AsOutput(),
		s32("d_stop", 1, nil),
	}
	var launches []workload.Launch
	for range g.setRounds(value) + 1 { // in the last one no node is open
		launches = append(launches,
			overNodes("mis_least", n, args{0, 1, 2, 3, 5, 7}),
			overNodes("mis_join", n, args{0, 1, 2, 5, 3, 4, 6}),
			overNodes("mis_settle", n, args{4, 3}))
	}
	return buffers, launches
}

func buildColouring(r *request) ([]workload.Buffer, []workload.Launch) {
	g := gridGraph(r.size)
	n := g.nodes()
	rnd := r.rand(0)
	value := g.values(&rnd)
	buffers := []workload.Buffer{
		s32("d_row", n+1, g.start),
		s32("d_col", len(g.target), g.target),
		f32("d_node_value", n, value),
		s32("d_color", n, slices.Repeat([]int32{-1}, n)).AsOutput(),
		f32("d_max", n, nil),
		s32("d_stop", 1, nil),
	}
	var launches []workload.Launch
	for next := range g.colourRounds(value) {
		launches = append(launches,
			overNodes("colour_most", n, args{0, 1, 2, 3, 4, 5}),
			overNodes("colour_give", n, args{2, 4, 3}, next))
	}
	return buffers, launches
}

// gridGraph joins each point of a square with its four neighbours, row by row.
func gridGraph(side int) graph {
	g := graph{start: make([]int32, side*side+1)}
	for i := range side * side {
		for _, neighbour := range [...]struct {
			inside bool
			at     int
		}{{i >= side, i - side}, {i%side > 0, i - 1}, {i%side < side-1, i + 1}, {i < side*(side-1), i + side}} {
			if neighbour.inside {
				g.target = append(g.target, int32(neighbour.at))
			}
		}
		g.start[i+1] = int32(len(g.target))
	}
	return g
}

// values draws rand() / RAND_MAX for every node, again if a neighbour has the same: two
// equal neighbours would keep Pannotia's host waiting for ever.
func (g *graph) values(rnd *sim.Rand) []float32 {
	v := make([]float32, g.nodes())
	for i := range v {
		for drawn := false; !drawn; {
			v[i], drawn = overRandMax(rnd), true
			for _, to := range g.target[g.start[i]:g.start[i+1]] {
				drawn = drawn && (int(to) >= i || v[to] != v[i])
			}
		}
	}
	return v
}

// setRounds is the number of rounds after which no node is open.
func (g *graph) setRounds(value []float32) (rounds int) {
	closed := make([]bool, len(value))
	for open := len(value); open > 0; rounds++ {
		joins := g.extremes(closed, func(to, i int32) bool { return value[to] <= value[i] })
		for _, i := range joins {
			closed[i] = true
			open--
			for _, to := range g.target[g.start[i]:g.start[i+1]] {
				if !closed[to] {
					closed[to] = true
					open--
				}
			}
		}
	}
	return rounds
}

// colourRounds is the number of colours: in each round the nodes above all their neighbours
// without a colour get one.
func (g *graph) colourRounds(value []float32) (rounds int) {
	coloured := make([]bool, len(value))
	for left := len(value); left > 0; rounds++ {
		given := g.extremes(coloured, func(to, i int32) bool { return value[to] >= value[i] })
		for _, i := range given {
			coloured[i] = true
		}
		left -= len(given)
	}
	return rounds
}

// extremes are the nodes that are not done, and are beaten by no neighbour that is not.
func (g *graph) extremes(done []bool, beats func(neighbour, i int32) bool) (found []int32) {
next:
	for i := range int32(g.nodes()) {
		if done[i] {
			continue
		}
		for _, to := range g.target[g.start[i]:g.start[i+1]] {
			if !done[to] && beats(to, i) {
				continue next
			}
		}
		found = append(found, i)
	}
	return found
}
