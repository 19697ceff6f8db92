package programs

import (
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/sim"
)

// graph is directed: the edges of node i lead to target[start[i]:start[i+1]].
type graph struct {
	start, target, weight []int32 // weight is nil if every edge counts 1
}

func (g *graph) nodes() int { return len(g.start) - 1 }

// unreached is UNREACHED of relax.cu: it is far above any distance, and adding a weight to
// it does not overflow.
const unreached = 0x3fffffff

// rounds returns the distances from a source and the number of rounds that change any
// distance. Each round relaxes the edges of the nodes that the previous round lowered. A
// round here does not see its own changes; a machine that sees some of them needs no more
// rounds.
func (g *graph) rounds(source int) (distance []int32, rounds int) {
	distance = make([]int32, g.nodes())
	for i := range distance {
		distance[i] = unreached
	}
	distance[source] = 0
	type lowered struct{ node, from int32 }
	list := []lowered{{int32(source), 0}}
	stamp := make([]int, g.nodes())
	for {
		var next []int32
		for _, l := range list {
			for e := g.start[l.node]; e < g.start[l.node+1]; e++ {
				d := l.from + 1
				if g.weight != nil {
					d = l.from + g.weight[e]
				}
				if to := g.target[e]; d < distance[to] {
					distance[to] = d
					if stamp[to] != rounds+1 {
						stamp[to] = rounds + 1
						next = append(next, to)
					}
				}
			}
		}
		if len(next) == 0 {
			return distance, rounds
		}
		rounds++
		list = list[:0]
		for _, node := range next {
			list = append(list, lowered{node, distance[node]})
		}
	}
}

// uniformGraph gives every node 1 to 11 edges to random nodes, like the random graphs of
// Rodinia.
func uniformGraph(rnd *sim.Rand, nodes int) graph {
	g := graph{start: make([]int32, nodes+1)}
	for i := range nodes {
		for range 1 + rnd.Intn(11) {
			g.target = append(g.target, int32(rnd.Intn(nodes)))
		}
		g.start[i+1] = int32(len(g.target))
	}
	return g
}

// mutualGraph lets every node draw 2 to 4 random nodes and joins each with it in both
// directions, as Rodinia's generator of graphs does. A node lists its edges in the order
// in which they were drawn; loops and repeated edges stay.
func mutualGraph(rnd *sim.Rand, nodes int) graph {
	type edge struct{ from, to int32 }
	edges := make([]edge, 0, 3*nodes)
	g := graph{start: make([]int32, nodes+1)}
	for i := range nodes {
		for range 2 + rnd.Intn(3) {
			e := edge{int32(i), int32(rnd.Intn(nodes))}
			edges = append(edges, e)
			g.start[e.from+1]++
			g.start[e.to+1]++
		}
	}
	for i := range nodes {
		g.start[i+1] += g.start[i]
	}
	g.target = make([]int32, 2*len(edges))
	next := slices.Clone(g.start)
	list := func(from, to int32) {
		g.target[next[from]] = to
		next[from]++
	}
	for _, e := range edges {
		list(e.from, e.to)
		list(e.to, e.from)
	}
	return g
}

// rmatGraph draws edges by the recursive matrix (0.57, 0.19, 0.19, 0.05), which gives a few
// nodes very many edges. Targets are ascending and distinct. The number of nodes is a power
// of two.
func rmatGraph(rnd *sim.Rand, nodes, edgesANode int) graph {
	pairs := make([]uint64, nodes*edgesANode)
	for i := range pairs {
		var from, to uint64
		for bit := 1; bit < nodes; bit *= 2 {
			from, to = 2*from, 2*to
			switch p := rnd.Intn(100); {
			case p < 57:
			case p < 76:
				to++
			case p < 95:
				from++
			default:
				from++
				to++
			}
		}
		pairs[i] = from<<32 | to
	}
	return fromPairs(pairs, nodes)
}

// fromPairs makes a graph of edges, from a node above to a node in the lower half of a
// number. Targets become ascending and distinct.
func fromPairs(pairs []uint64, nodes int) graph {
	slices.Sort(pairs)
	pairs = slices.Compact(pairs)
	g := graph{start: make([]int32, nodes+1), target: make([]int32, len(pairs))}
	for i, p := range pairs {
		g.start[p>>32+1]++
		g.target[i] = int32(uint32(p))
	}
	for i := range nodes {
		g.start[i+1] += g.start[i]
	}
	return g
}

// scatteredGraph gives each node the same number of edges on average, between random nodes,
// as in the random graphs of Pannotia: loops do not occur, repeated edges do. Edges keep the
// order in which they were drawn; lengths are 1 to longest, or none if that is 0.
func scatteredGraph(rnd *sim.Rand, nodes, edgesANode int, longest int) graph {
	type edge struct{ to, length int32 }
	edges := make([][]edge, nodes)
	for range nodes * edgesANode {
		from, to := rnd.Intn(nodes), rnd.Intn(nodes-1)
		if to >= from {
			to++
		}
		e := edge{to: int32(to)}
		if longest > 0 {
			e.length = int32(1 + rnd.Intn(longest))
		}
		edges[from] = append(edges[from], e)
	}
	g := graph{start: make([]int32, nodes+1)}
	for i, list := range edges {
		for _, e := range list {
			g.target = append(g.target, e.to)
			if longest > 0 {
				g.weight = append(g.weight, e.length)
			}
		}
		g.start[i+1] = int32(len(g.target))
	}
	return g
}

// roadTile is the side of the squares in which crossings are numbered, so that neighbours
// have close numbers.
const roadTile = 32

// roadGraph is a grid of crossings: 12 of 100 streets are missing, 3 of 100 crossings have
// a diagonal, and all streets lead both ways. Weights are rounded lengths times 100.
// Crossings are shifted from the grid, and lie far from each other in empty land. The side
// is a multiple of roadTile.
func roadGraph(rnd *sim.Rand, side int) graph {
	land := field(rnd, side, side, float64(side)/4, 3)
	x, y, spread := make([]float64, side*side), make([]float64, side*side), make([]float64, side*side)
	for i := range x {
		x[i] = float64(i%side) + float64(0.6*float64(rnd.Float32()))
		y[i] = float64(i/side) + float64(0.6*float64(rnd.Float32()))
		spread[i] = 2 + float64(8*float64(max(land[i], -0.2)))
	}
	number := func(i int) int32 {
		u, v := i%side, i/side
		tile := v/roadTile*(side/roadTile) + u/roadTile
		return int32(tile*roadTile*roadTile + v%roadTile*roadTile + u%roadTile)
	}
	type street struct{ to, weight int32 }
	streets := make([][]street, side*side)
	connect := func(i, j int) {
		dx, dy := x[i]-x[j], y[i]-y[j]
		length := float64(math.Sqrt(float64(dx*dx)+float64(dy*dy)) * (spread[i] + spread[j]) / 2)
		w := int32(min(max(math.Floor(float64(100*length)+0.5), 20), 2000))
		a, b := number(i), number(j)
		streets[a] = append(streets[a], street{b, w})
		streets[b] = append(streets[b], street{a, w})
	}
	for i := range x {
		u, v := i%side, i/side
		if u+1 < side && rnd.Intn(100) >= 12 {
			connect(i, i+1)
		}
		if v+1 < side && rnd.Intn(100) >= 12 {
			connect(i, i+side)
		}
		if u+1 < side && v+1 < side && rnd.Intn(100) < 3 {
			connect(i, i+side+1)
		}
	}
	g := graph{start: make([]int32, side*side+1)}
	for i, list := range streets {
		for _, s := range list {
			g.target, g.weight = append(g.target, s.to), append(g.weight, s.weight)
		}
		g.start[i+1] = int32(len(g.target))
	}
	return g
}

// hub is the node with the most edges. A search from it reaches the most nodes.
func (g *graph) hub() int {
	best := 0
	for i := range g.nodes() {
		if g.start[i+1]-g.start[i] > g.start[best+1]-g.start[best] {
			best = i
		}
	}
	return best
}
