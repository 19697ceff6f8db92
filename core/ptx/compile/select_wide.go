package compile

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// An access of the interpreter has up to 16 bytes, an atomic operation up to 8. Wider
// ones are done in pieces.

// wideAccess is ld.global and st.global of 256 bits, the address in operand at and
// the vector in operand values: two accesses of 128 bits.
func (s *selector) wideAccess(kind ptx.AccessKind, m memoryMode, t ptx.Scalar, count, at, values int) {
	if m.space != ptx.SpaceGlobal || t.Bytes() < 4 || t.Bytes()*count != 32 {
		s.unsupported()
		return
	}
	s.accessParts(kind, m, t, count, 2, at, values)
}

// accessParts is an access to a vector in parts, one after the other.
func (s *selector) accessParts(kind ptx.AccessKind, m memoryMode, t ptx.Scalar, count, parts, at, values int) {
	list := s.elements(values, count)
	if list == nil {
		return
	}
	var first node
	base, each := noValue, count/parts
	for i := range parts {
		n := s.access(kind, t, each, m)
		if i == 0 {
			n.Mem.Space = s.address(&n, at, m.space)
			first, base = n, n.A
		} else {
			n.Mem.Space, n.Flags, n.Imm = first.Mem.Space, first.Flags, first.Imm+uint64(each*t.Bytes()*i)
			n.srcA(base)
		}
		part := list[i*each : (i+1)*each]
		if kind == ptx.AccessStore {
			s.storeFrom(&n, part, t)
			s.emit(n)
			continue
		}
		s.loadInto(&n, part, t)
		if i < parts-1 && base != noValue && slices.Contains(n.writes, base) { // the next part has the address still to read
			base = s.copied(base)
		}
		s.emit(n)
	}
}

// copied emits a copy of a register.
func (s *selector) copied(v uint32) uint32 {
	tmp := s.values.temporary(s.values.list[v].words)
	s.values.list[tmp].whole = true
	s.move(tmp, v)
	return tmp
}

// move emits a copy of one value to another of the same width.
func (s *selector) move(to, from uint32) {
	n := instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassMove)
	if s.values.list[from].words == 2 {
		n = instruction(ptx.FamilyLong, ptx.LongMove, ptx.ClassMove)
	}
	s.emit(*n.srcA(from).dst(to))
}

// vectorAtomic is atom and red on a vector: one operation per element, as the
// manual has it. Results are moved to their registers at the end, because the
// result register of one element may be an operand of the next.
func (s *selector) vectorAtomic(kind ptx.AccessKind, m memoryMode, op ptx.AtomicOp, count int) {
	at := 0
	var results []syntax.Operand
	if kind == ptx.AccessAtomic {
		at, results = 1, s.elements(0, count)
	}
	sources := s.elements(at+1, count)
	if s.failed {
		return
	}
	old := make([]uint32, count)
	for k := range count {
		n := s.access(kind, op.Type, 1, m)
		n.Atomic = op
		n.Mem.Space = s.address(&n, at, m.space)
		if sp := n.Mem.Space; sp != ptx.SpaceGlobal && sp != ptx.SpaceGeneric {
			s.unsupported()
			return
		}
		n.Imm += uint64(k) * uint64(op.Bytes)
		n.srcB(s.sourceOf(&sources[k], op.Type, false))
		n.Mem.Absent[0], n.Mem.Keep[0] = kind != ptx.AccessAtomic, ptx.FullMask
		if kind == ptx.AccessAtomic {
			old[k] = s.values.temporary(1)
			s.values.list[old[k]].whole = true
			n.Mem.Regs[0] = old[k]
			n.write(old[k])
			n.IsLoad = true
		}
		s.emit(n)
	}
	for k := range results {
		if v := s.destOf(&results[k], op.Type, false); v != noValue {
			s.move(v, old[k])
		}
	}
}
