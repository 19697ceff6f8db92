package tslc

import (
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/mem"
)

// nodeShape describes nodes of count symbols at every multiple of stride.
type nodeShape struct {
	count, stride int
	extra         bool // only in OPT
}

// shapes in the order they are searched: fewest symbols first. A level of the
// binary tree has aligned nodes of a power of two. OPT's additions lie between
// two levels (section III-F: 8 and 4 nodes): the first 6 of each aligned 8 and
// the first 12 of each aligned 16 symbols.
var shapes = [...]nodeShape{
	{count: 1, stride: 1}, {count: 2, stride: 2}, {count: 4, stride: 4}, {count: 6, stride: 8, extra: true},
	{count: 8, stride: 8}, {count: 12, stride: 16, extra: true}, {count: 16, stride: 16},
}

// tree holds the sums of code lengths that the nodes are compared by.
type tree struct {
	before  [symbols + 1]uint16 // sum of the lengths before a symbol
	way     [e2mc.Eighths]int   // bits of each way, the first with the lossy header
	perWay  int                 // symbols
	base    int                 // size with the lossy header and nothing truncated
	budget  int
	needCut int  // bits that a node needs before it is examined
	exact   bool // the exact size must be computed even inside one way
	literal bool
}

// read fills t for a block that ends d.extra bits above d.budget.
func (t *tree) read(s *Scheme, line *mem.Line, sums *[e2mc.Eighths]int, d *decision) {
	s.table.Before16(line, &t.before)
	t.perWay = symbols / s.p.Ways
	t.budget = d.budget
	t.needCut = d.extra
	t.literal = s.p.Header == HeaderLiteral
	if t.literal {
		t.base = d.comp
		return
	}
	t.base = e2mc.TotalBits(sums, s.p.Ways, s.lossy)
	eighths := e2mc.Eighths / s.p.Ways
	for e, bits := range sums {
		t.way[e/eighths] += bits
	}
	t.way[0] += s.lossy
	if s.p.Header == HeaderVariable {
		// A lossy block has ten header bits more than comp counted, but padding may
		// absorb bits too: only the exact size decides. A cut saves at most 7 bits
		// of padding in each way it touches, two at most.
		t.exact = true
		t.needCut = t.base - d.budget - 14
	}
}

// find stores the first node that brings the block into its budget in d.
func (t *tree) find(extraNodes bool, d *decision) bool {
	for _, shape := range shapes {
		if shape.extra && !extraNodes {
			continue
		}
		for first := 0; first < symbols; first += shape.stride {
			cut := int(t.before[first+shape.count]) - int(t.before[first])
			if cut < t.needCut {
				continue
			}
			n := node{first, shape.count}
			if !t.fits(n, cut) {
				continue
			}
			d.node, d.cut = n, cut
			return true
		}
	}
	return false
}

// fits reports whether a node with enough bits really frees them. Inside one way it does,
// because extra is a multiple of 8 if lossless and lossy header are equal:
// up8(x-cut) <= up8(x)-extra. Across ways, the padding of each way may take some back.
func (t *tree) fits(n node, cut int) bool {
	if t.literal || !t.exact && n.count <= t.perWay {
		return true
	}
	return t.lossyBits(n, cut) <= t.budget
}

// lossyBits returns the size of the block without a node of cut bits.
func (t *tree) lossyBits(n node, cut int) int {
	if t.literal {
		return t.base - cut
	}
	total := t.base
	for w := n.first / t.perWay; w*t.perWay < n.first+n.count; w++ {
		from, to := max(n.first, w*t.perWay), min(n.first+n.count, (w+1)*t.perWay)
		saved := int(t.before[to]) - int(t.before[from])
		total += (t.way[w]-saved+7)&^7 - (t.way[w]+7)&^7
	}
	return total
}

// LevelName returns the level of the tree whose nodes have a number of symbols:
// leaves are level 0, and OPT's additions of 6 and 12 symbols are 2b and 3b.
func LevelName(nodeSymbols int) string {
	switch nodeSymbols {
	case 1:
		return "0"
	case 2:
		return "1"
	case 4:
		return "2"
	case 6:
		return "2b"
	case 8:
		return "3"
	case 12:
		return "3b"
	case 16:
		return "4"
	}
	return ""
}
