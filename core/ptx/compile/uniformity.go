package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// spread is an upper bound on how the lanes of a warp differ in a value. With it the
// compiler marks the instructions that may run on shapes; whether the registers have
// shapes is known when the instruction runs (package execute, shape.go).
type spread uint8

const (
	spreadUniform spread = iota // not at all
	spreadAffine                // by a multiple of the lane's column and row
	spreadAny
)

// uniformity is the fifth pass: the spread of each value, over all instructions
// that write it. Control flow does not matter, because an instruction that runs
// in some lanes only leaves a value without a shape.
func (s *selector) uniformity() {
	s.phase.enter(phaseUniformity)
	for i := range s.values.list {
		v := &s.values.list[i]
		switch {
		case v.kind == valueStorage:
			v.spread = spreadAny
		case v.kind == valueFixed:
			v.spread = spreadOfSpecial(v.special)
		}
	}
	if !s.fn.Entry { // calls fill them lane by lane
		for _, list := range [][]*syntax.Symbol{s.fn.Params, s.fn.Returns} {
			for _, p := range list {
				s.values.list[s.formal(p)].spread = spreadAny
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range int32(s.nodes.length) {
			n := s.nodes.at(i)
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
	for i := range int32(s.nodes.length) {
		if n := s.nodes.at(i); s.onShapes(n) {
			n.Flags |= ptx.FlagShapes
		}
	}
}

// onShapes reports whether a node may run on shapes alone.
func (s *selector) onShapes(n *node) bool {
	switch n.Family {
	case ptx.FamilyWord, ptx.FamilyLong, ptx.FamilyFloat, ptx.FamilyDouble, ptx.FamilyLane:
		return s.spreadOf(n) != spreadAny
	case ptx.FamilyCompare:
		return n.Op <= ptx.CompareLongLtS && n.Flags&ptx.FlagSet == 0 && s.spreadAt(n.A) != spreadAny && s.spreadAt(n.B) != spreadAny
	}
	return false
}

func (s *selector) spreadAt(id uint32) spread {
	if id >= alwaysTrue {
		return spreadUniform
	}
	return s.values.list[id].spread
}

// spreadOfSpecial returns how a fixed special register differs between the lanes.
func spreadOfSpecial(s ptx.SpecialRegister) spread {
	switch {
	case !s.PerLane():
		return spreadUniform
	case s <= ptx.SpecialTIDZ || s == ptx.SpecialLaneID:
		return spreadAffine
	}
	return spreadAny
}

// spreadOf returns the spread of what a node writes.
func (s *selector) spreadOf(n *node) spread {
	a, b, c := s.spreadAt(n.A), s.spreadAt(n.B), s.spreadAt(n.C)
	switch n.Family {
	case ptx.FamilyWord, ptx.FamilyLong:
		if isSelect(n) {
			c = spreadUniform // a predicate; where it differs, so does the result
		}
		most := max(a, b, c)
		if most == spreadAffine && !keepsShape(n, a, b) {
			return spreadAny
		}
		return most
	case ptx.FamilyFloat, ptx.FamilyDouble, ptx.FamilyLane:
		if max(a, b, c, s.spreadAt(n.E)) == spreadUniform {
			return spreadUniform
		}
	case ptx.FamilyMemory:
		if n.Op == ptx.MemoryAccess && n.Mem.Kind == ptx.AccessLoad && a == spreadUniform {
			return spreadUniform
		}
	}
	return spreadAny
}

func isSelect(n *node) bool {
	return n.Family == ptx.FamilyWord && n.Op == ptx.WordSelect || n.Family == ptx.FamilyLong && n.Op == ptx.LongSelect
}

// keepsShape reports whether a word or long operation may turn shapes into a
// shape that is not uniform: those that shapeWord and shapeLong compute.
func keepsShape(n *node, a, b spread) bool {
	if n.Family == ptx.FamilyWord {
		switch n.Op {
		case ptx.WordMove, ptx.WordAdd, ptx.WordSub, ptx.WordNeg, ptx.WordNot, ptx.WordMask, ptx.WordLow, ptx.WordSelect:
			return true
		case ptx.WordMul, ptx.WordMad:
			return min(a, b) == spreadUniform
		case ptx.WordShl, ptx.WordShrU, ptx.WordAnd:
			return b == spreadUniform
		}
		return false
	}
	switch n.Op {
	case ptx.LongMove, ptx.LongAdd, ptx.LongSub, ptx.LongNeg, ptx.LongNot, ptx.LongExtendU, ptx.LongExtendS, ptx.LongSelect:
		return true
	case ptx.LongMul, ptx.LongMad, ptx.LongMulWideU, ptx.LongMulWideS, ptx.LongMadWideU, ptx.LongMadWideS:
		return min(a, b) == spreadUniform
	case ptx.LongShl:
		return b == spreadUniform
	}
	return false
}
