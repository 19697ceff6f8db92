package approximate

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
)

// loop is a natural loop: the instructions from which a branch goes back to a head that
// every way into the loop passes.
type loop struct {
	head    int32
	latches []int32 // instructions after which the head comes again
	body    []bool  // by PC
	size    int
}

// graph is the control flow of a kernel, by PC.
type graph struct {
	flow      *flow
	next      [][]int32
	before    [][]int32
	dominator []int32 // the last instruction on every way to this one; -1 if it is never reached
	depth     []int   // of it, from the kernel's first instruction
}

func graphOf(k *ptx.Kernel) *graph {
	n := len(k.Code)
	g := &graph{flow: &flow{kernel: k, list: statements(k)}, next: make([][]int32, n), before: make([][]int32, n), dominator: make([]int32, n), depth: make([]int, n)}
	for pc := range int32(n) {
		for i := 0; ; i++ {
			to, ok := g.flow.successor(pc, i)
			if !ok {
				break
			}
			g.next[pc] = append(g.next[pc], to)
			g.before[to] = append(g.before[to], pc)
		}
		g.dominator[pc] = -1
	}
	g.dominators()
	return g
}

// dominators finds each instruction's dominator by repeated intersection (Cooper, Harvey
// and Kennedy, A Simple, Fast Dominance Algorithm, 2001).
func (g *graph) dominators() {
	order := g.order()
	rank := make([]int, len(g.next))
	for i, pc := range order {
		rank[pc] = i
	}
	g.dominator[0] = 0
	for changed := true; changed; {
		changed = false
		for _, pc := range order[1:] {
			common := int32(-1)
			for _, from := range g.before[pc] {
				switch {
				case g.dominator[from] < 0:
				case common < 0:
					common = from
				default:
					for common != from {
						if rank[common] > rank[from] {
							common = g.dominator[common]
						} else {
							from = g.dominator[from]
						}
					}
				}
			}
			changed = changed || g.dominator[pc] != common
			g.dominator[pc] = common
		}
	}
	for _, pc := range order[1:] {
		g.depth[pc] = g.depth[g.dominator[pc]] + 1
	}
}

// order returns the instructions that are reached, each before those that follow it, except along
// branches back.
func (g *graph) order() []int32 {
	type visit struct {
		pc   int32
		next int
	}
	seen := make([]bool, len(g.next))
	seen[0] = true
	var list []int32
	for path := []visit{{}}; len(path) > 0; {
		v := &path[len(path)-1]
		if v.next == len(g.next[v.pc]) {
			list = append(list, v.pc)
			path = path[:len(path)-1]
			continue
		}
		to := g.next[v.pc][v.next]
		v.next++
		if !seen[to] {
			seen[to] = true
			path = append(path, visit{pc: to})
		}
	}
	slices.Reverse(list)
	return list
}

// dominates reports whether every way to b passes a.
func (g *graph) dominates(a, b int32) bool {
	for g.depth[b] > g.depth[a] {
		b = g.dominator[b]
	}
	return a == b
}

// loops returns the natural loops.
func (g *graph) loops() (list []*loop) {
	for from := range int32(len(g.next)) {
		if g.dominator[from] < 0 {
			continue
		}
		for _, head := range g.next[from] {
			if !g.dominates(head, from) {
				continue
			}
			i := slices.IndexFunc(list, func(l *loop) bool { return l.head == head })
			if i < 0 {
				i = len(list)
				list = append(list, &loop{head: head, body: make([]bool, len(g.next)), size: 1})
				list[i].body[head] = true
			}
			list[i].latches = append(list[i].latches, from)
			list[i].take(g, from)
		}
	}
	return list
}

// take adds what leads to an instruction without passing the head.
func (l *loop) take(g *graph, pc int32) {
	if l.body[pc] || g.dominator[pc] < 0 {
		return
	}
	for list := []int32{pc}; len(list) > 0; {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		if l.body[at] || g.dominator[at] < 0 {
			continue
		}
		l.body[at] = true
		l.size++
		list = append(list, g.before[at]...)
	}
}

// innermost returns the smallest loop around an instruction, nil if there is none.
func innermost(loops []*loop, pc int32) (found *loop) {
	for _, l := range loops {
		if l.body[pc] && (found == nil || l.size < found.size) {
			found = l
		}
	}
	return found
}
