package flow

import "slices"

// part is a segment, or a loop of segments. The whole function is a part too.
type part struct {
	first, last int     // segments
	parts       []*part // nil of a segment
	// entered says that a loop can be entered elsewhere than at its first segment.
	entered bool
}

// arranger puts segments into loops.
type arranger struct {
	jumps   []jump
	resumed []bool // as in segments; jumps into loops are added
	end     []int  // of each segment: the last one of the loop that it begins, -1 if it begins none
}

// arrange returns the whole function.
func (s *segments) arrange(jumps []jump) *part {
	a := &arranger{jumps, s.resumed, make([]int, len(s.list))}
	for i := range a.end {
		a.end[i] = -1
	}
	for _, j := range jumps {
		if j.to <= j.from {
			a.end[j.to] = max(a.end[j.to], j.from)
		}
	}
	// A loop takes in all of the loops that begin inside it.
	for first := len(a.end) - 1; first >= 0; first-- {
		for inner := first + 1; inner <= a.end[first]; inner++ {
			a.end[first] = max(a.end[first], a.end[inner])
		}
	}
	last := len(s.list) - 1
	return &part{last: last, parts: a.parts(0, last)}
}

// parts are the segments from first to last, and the loops among them.
func (a *arranger) parts(first, last int) (list []*part) {
	for k := first; k <= last; {
		p := &part{first: k, last: k}
		if a.end[k] >= 0 {
			p = a.loop(k)
		}
		list = append(list, p)
		k = p.last + 1
	}
	return list
}

// loop is the one that a segment begins.
func (a *arranger) loop(first int) *part {
	p := &part{first: first, last: a.end[first]}
	p.parts = append([]*part{{first: first, last: first}}, a.parts(first+1, p.last)...)
	p.entered = slices.Contains(a.resumed[first+1:p.last+1], true)
	for _, j := range a.jumps {
		if j.to > first && j.to <= p.last && (j.from < first || j.from > p.last) {
			p.entered = true
			a.resumed[j.to] = true
		}
	}
	return p
}
