package compile

// callGraph says which functions each function may call. Functions are numbered;
// the last number may stand for all calls through a pointer.
type callGraph struct {
	calls [][]int
	// component numbers the groups of functions that can all reach each other.
	// What a group calls outside of itself has a lower number.
	component  []int
	components int
}

// findComponents is Tarjan's algorithm with a stack of its own, because a text may
// nest its calls deeper than Go's stack allows.
func (g *callGraph) findComponents() {
	n := len(g.calls)
	g.component = make([]int, n)
	order, low := make([]int, n), make([]int, n) // order 0: not visited yet
	next := make([]int, n)                       // of each function, the call to follow next
	var path, open []int
	visited := 0
	for root := range n {
		if order[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			i := path[len(path)-1]
			if order[i] == 0 {
				visited++
				order[i], low[i] = visited, visited
				open = append(open, i)
				g.component[i] = -1
			}
			if next[i] < len(g.calls[i]) {
				t := g.calls[i][next[i]]
				next[i]++
				if order[t] == 0 {
					path = append(path, t)
				} else if g.component[t] < 0 {
					low[i] = min(low[i], order[t])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				caller := path[len(path)-1]
				low[caller] = min(low[caller], low[i])
			}
			if low[i] < order[i] {
				continue
			}
			for done := false; !done; { // i is the first of its group
				t := open[len(open)-1]
				open = open[:len(open)-1]
				g.component[t] = g.components
				done = t == i
			}
			g.components++
		}
	}
}

// recursive returns which functions can call themselves, directly or through
// others.
func (g *callGraph) recursive() []bool {
	size := make([]int, g.components)
	for _, c := range g.component {
		size[c]++
	}
	list := make([]bool, len(g.calls))
	for i, c := range g.component {
		list[i] = size[c] > 1
		for _, t := range g.calls[i] {
			list[i] = list[i] || t == i
		}
	}
	return list
}

// deepest returns the largest sum of weights along a chain of calls from the first
// function. Functions that can reach each other all count once.
func (g *callGraph) deepest(weight []int) int {
	sum, below := make([]int, g.components), make([]int, g.components)
	members := make([][]int, g.components)
	for i, c := range g.component {
		sum[c] += weight[i]
		members[c] = append(members[c], i)
	}
	for c := range g.components { // callees come before callers
		for _, i := range members[c] {
			for _, t := range g.calls[i] {
				if d := g.component[t]; d != c {
					below[c] = max(below[c], sum[d]+below[d])
				}
			}
		}
	}
	first := g.component[0]
	return sum[first] + below[first]
}
