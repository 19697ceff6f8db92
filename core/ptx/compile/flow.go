package compile

import "github.com/burstscope/burstscope/core/ptx"

// block is a run of nodes that is entered at its first and left at its last.
type block struct {
	first, last  int32 // nodes, inclusive
	next         []int32
	previous     []int32
	reached      bool
	order        int32 // in the walk back from the exit; -1 if it never gets there
	postDominate int32 // immediate post-dominator; -1 is the virtual exit
}

// graph is the control flow of one function.
type graph struct {
	blocks  []block
	blockOf []int32 // of each node
}

// flow is the fourth pass: blocks, immediate post-dominators, and from them the
// place where the lanes of a divergent branch meet again.
//
// Lanes that exit early do not take part in later meetings, so their paths do not
// count when the meeting point of the other lanes is chosen: only the last exit of
// the text is the exit node of the graph, and all others are dead ends.
func (s *selector) flow() *graph {
	s.phase.enter(phaseFlow)
	for i := range int32(s.nodes.length) { // targets were statements until here
		n := s.nodes.at(i)
		for k := range n.branch {
			n.branch[k] = s.starts[n.branch[k]]
		}
	}
	g := s.blocks()
	g.reach()
	if !g.postDominators(&s.nodes) {
		s.rep.Errorf(s.fn.At, "function %s is too large: the branches between its %d blocks take too long to analyse", s.fn.Name, len(g.blocks))
	}
	for i := range int32(s.nodes.length) {
		n := s.nodes.at(i)
		if !n.IsBranch {
			continue
		}
		n.Join = ptx.NoJoin
		if b := &g.blocks[g.blockOf[i]]; b.order >= 0 && b.postDominate >= 0 {
			n.Join = g.blocks[b.postDominate].first
		}
	}
	return g
}

// ends reports whether a node ends its block.
func (n *node) ends() bool { return n.IsBranch || n.leaves }

// falls reports whether control may pass to the next node.
func (n *node) falls() bool { return !n.leaves && !(n.IsBranch && n.Guard == noValue) }

func (s *selector) blocks() *graph {
	n := s.nodes.length
	leader := make([]bool, n+1)
	leader[0] = true
	for i := range int32(s.nodes.length) {
		for _, t := range s.nodes.at(i).branch {
			leader[t] = true
		}
		if s.nodes.at(i).ends() {
			leader[i+1] = true
		}
	}
	g := &graph{blockOf: make([]int32, n)}
	for i := range n {
		if leader[i] {
			g.blocks = append(g.blocks, block{first: int32(i), order: -1, postDominate: -1})
		}
		b := int32(len(g.blocks) - 1)
		g.blocks[b].last = int32(i)
		g.blockOf[i] = b
	}
	for b := range g.blocks {
		last := s.nodes.at(g.blocks[b].last)
		for _, t := range last.branch {
			g.edge(int32(b), g.blockOf[t])
		}
		if last.falls() && b+1 < len(g.blocks) {
			g.edge(int32(b), int32(b)+1)
		}
	}
	return g
}

func (g *graph) edge(from, to int32) {
	g.blocks[from].next = append(g.blocks[from].next, to)
	g.blocks[to].previous = append(g.blocks[to].previous, from)
}

func (g *graph) reach() {
	work := []int32{0}
	g.blocks[0].reached = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, t := range g.blocks[b].next {
			if !g.blocks[t].reached {
				g.blocks[t].reached = true
				work = append(work, t)
			}
		}
	}
}

// maxFlowSteps bounds the search for post-dominators. In the worst graphs it is
// quadratic in the blocks; compiled code takes a few steps per block.
const maxFlowSteps = 1 << 27

// postDominators finds immediate post-dominators by the iteration of Cooper,
// Harvey and Kennedy on the reversed graph. It reports false if that takes too
// long.
func (g *graph) postDominators(nodes *nodeList) bool {
	exit := int32(-1)
	for i := range g.blocks {
		if b := &g.blocks[i]; b.reached && nodes.at(b.last).leaves {
			exit = int32(i)
		}
	}
	if exit < 0 {
		return true // it never ends
	}
	steps := 0
	order := g.walkBack(exit)
	n := int32(len(order))
	for i, b := range order {
		g.blocks[b].order = n - 1 - int32(i) // the exit has the highest
	}
	g.blocks[exit].postDominate = exit
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			best := int32(-1)
			for _, t := range g.blocks[b].next {
				if g.blocks[t].order < 0 || g.blocks[t].postDominate < 0 {
					continue
				}
				if best < 0 {
					best = t
					continue
				}
				x, y := best, t
				for x != y {
					if steps++; steps > maxFlowSteps {
						return false
					}
					for g.blocks[x].order < g.blocks[y].order {
						x = g.blocks[x].postDominate
						steps++
					}
					for g.blocks[y].order < g.blocks[x].order {
						y = g.blocks[y].postDominate
						steps++
					}
				}
				best = x
			}
			if best != g.blocks[b].postDominate {
				g.blocks[b].postDominate = best
				changed = true
			}
		}
	}
	g.blocks[exit].postDominate = -1
	return true
}

// walkBack returns the blocks from which exit can be reached, in reverse
// postorder of the reversed graph.
func (g *graph) walkBack(exit int32) []int32 {
	type visit struct {
		block int32
		next  int
	}
	seen := make([]bool, len(g.blocks))
	seen[exit] = true
	stack := []visit{{exit, 0}}
	var post []int32
	for len(stack) > 0 {
		v := &stack[len(stack)-1]
		previous := g.blocks[v.block].previous
		if v.next == len(previous) {
			post = append(post, v.block)
			stack = stack[:len(stack)-1]
			continue
		}
		p := previous[v.next]
		v.next++
		if !seen[p] && g.blocks[p].reached {
			seen[p] = true
			stack = append(stack, visit{p, 0})
		}
	}
	for i, k := 0, len(post)-1; i < k; i, k = i+1, k-1 {
		post[i], post[k] = post[k], post[i]
	}
	return post
}
