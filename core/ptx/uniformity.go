package ptx

// spread is how the lanes of a warp differ in a value, at most. It is a bound by
// which the compiler finds the instructions for which it is worth looking; what
// holds is found when they run (shape.go).
type spread uint8

const (
	spreadUniform spread = iota // not at all
	spreadAffine                // by a multiple of the lane's column and row
	spreadAny
)

// uniformity is the fifth pass: the spread of each value, over all instructions
// that write it. Control flow does not matter here, because an instruction that
// runs in some of the lanes only leaves a value without a shape.
func (s *selector) uniformity() {
	s.phase.enter(phaseUniformity)
	for i := range s.values.list {
		v := &s.values.list[i]
		switch {
		case v.kind == valueStorage:
			v.spread = spreadAny
		case v.kind == valueFixed:
			v.spread = v.special.spread()
		}
	}
	if !s.fn.entry { // calls fill them lane by lane
		for _, list := range [][]*symbol{s.fn.params, s.fn.returns} {
			for _, p := range list {
				s.values.list[s.formal(p)].spread = spreadAny
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range s.nodes {
			n := &s.nodes[i]
			r := spreadAny
			if len(n.writes) > 0 {
				r = s.spreadOf(n)
			}
			for _, id := range n.writes {
				if v := &s.values.list[id]; r > v.spread {
					v.spread, changed = r, true
				}
			}
		}
	}
	for i := range s.nodes {
		if n := &s.nodes[i]; s.onShapes(n) {
			n.flags |= flagShapes
		}
	}
}

// onShapes reports whether a node may run on shapes alone.
func (s *selector) onShapes(n *node) bool {
	switch n.family {
	case familyWord, familyLong, familyFloat, familyDouble, familyLane:
		return s.spreadOf(n) != spreadAny
	case familyCompare:
		return n.op <= compareLongLtS && n.flags&flagSet == 0 && s.spreadAt(n.a) != spreadAny && s.spreadAt(n.b) != spreadAny
	}
	return false
}

func (s *selector) spreadAt(id uint32) spread {
	if id >= alwaysTrue {
		return spreadUniform
	}
	return s.values.list[id].spread
}

// spread returns how a fixed special register differs between the lanes.
func (s specialRegister) spread() spread {
	switch {
	case !s.perLane():
		return spreadUniform
	case s <= specialTIDZ || s == specialLaneID:
		return spreadAffine
	}
	return spreadAny
}

// spreadOf returns the spread of what a node writes.
func (s *selector) spreadOf(n *node) spread {
	a, b, c := s.spreadAt(n.a), s.spreadAt(n.b), s.spreadAt(n.c)
	switch n.family {
	case familyWord, familyLong:
		if isSelect(n) {
			c = spreadUniform // a predicate; where it differs, so does the result
		}
		most := max(a, b, c)
		if most == spreadAffine && !keepsShape(n, a, b) {
			return spreadAny
		}
		return most
	case familyFloat, familyDouble, familyLane:
		if max(a, b, c, s.spreadAt(n.e)) == spreadUniform {
			return spreadUniform
		}
	case familyMemory:
		if n.mem.kind == AccessLoad && a == spreadUniform {
			return spreadUniform
		}
	}
	return spreadAny
}

func isSelect(n *node) bool {
	return n.family == familyWord && n.op == wordSelect || n.family == familyLong && n.op == longSelect
}

// keepsShape reports whether a word or long operation may turn shapes into a
// shape that is not uniform: those that shapeWord and shapeLong compute.
func keepsShape(n *node, a, b spread) bool {
	if n.family == familyWord {
		switch n.op {
		case wordMove, wordAdd, wordSub, wordNeg, wordNot, wordMask, wordLow, wordSelect:
			return true
		case wordMul, wordMad:
			return min(a, b) == spreadUniform
		case wordShl, wordShrU, wordAnd:
			return b == spreadUniform
		}
		return false
	}
	switch n.op {
	case longMove, longAdd, longSub, longNeg, longNot, longExtendU, longExtendS, longSelect:
		return true
	case longMul, longMad, longMulWideU, longMulWideS, longMadWideU, longMadWideS:
		return min(a, b) == spreadUniform
	case longShl:
		return b == spreadUniform
	}
	return false
}
