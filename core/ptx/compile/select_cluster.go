package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// Addresses of the shared memory of a cluster (PTX ISA, mapa, getctarank, cvta), and accesses to it that report to an
// mbarrier (st.async, red.async). Loads, stores and atomics take these addresses as they take any.

const offsetMask = ptx.WindowBytes - 1

// selectMapa is mapa: the same place in another CTA of the cluster. An address of the own CTA stays one.
func selectMapa(s *selector) {
	shared := s.has("shared::cluster")
	t := s.typedAs(ptx.TypeU32, ptx.TypeU64)
	if !shared && t == ptx.TypeU32 {
		s.fail(s.st.At, "unsupported instruction %s (generic addresses of 32 bits)", s.text())
	}
	if s.failed || !s.count(3, 3) {
		return
	}
	f := func(a, rank, own, _ uint64) uint64 {
		at := a & offsetMask
		switch {
		case rank == own && shared:
			return at
		case rank == own:
			return ptx.SharedWindow + at
		case shared:
			return at + (min(rank, 0xfe)+1)<<ptx.ClusterRankBit
		}
		return ptx.ClusterWindow + at + rank<<ptx.ClusterRankBit
	}
	n := laneNode(ptx.ClassIntAdd, f).wide(t, t, ptx.TypeU32, ptx.TypeU32, ptx.TypeNone)
	n.srcA(s.mappedAddress(1, t)).srcB(s.source(2, ptx.TypeU32)).srcC(s.values.fixed(ptx.SpecialClusterRank))
	s.emit(*n.dst(s.dest(0, t)))
}

// mappedAddress returns operand i, an address, a variable or their sum with a constant.
func (s *selector) mappedAddress(i int, t ptx.Scalar) uint32 {
	o := s.st.Operands[i]
	if o.Value == 0 || o.Kind != syntax.OperandName || o.Sym == nil || o.Sym.Kind != syntax.SymbolRegister {
		return s.sourceOf(&o, t, false)
	}
	by := o.Value
	o.Value = 0
	sum := s.values.temporary(wordsOf(t.Bits()))
	n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return (a + by) & t.Mask() })
	s.emit(*n.wide(t, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).srcA(s.sourceOf(&o, t, false)).dst(sum))
	return sum
}

// selectCTARank is getctarank.
func selectCTARank(s *selector) {
	shared := s.has("shared::cluster")
	t := s.typedAs(ptx.TypeU32, ptx.TypeU64)
	if s.failed || !s.count(2, 2) {
		return
	}
	f := func(a, own, _, _ uint64) uint64 {
		switch {
		case shared && a>>ptx.ClusterRankBit != 0:
			return a>>ptx.ClusterRankBit - 1
		case !shared && a >= ptx.ClusterWindow:
			return (a - ptx.ClusterWindow) >> ptx.ClusterRankBit
		}
		return own
	}
	n := laneNode(ptx.ClassIntAdd, f).wide(ptx.TypeU32, t, ptx.TypeU32, ptx.TypeNone, ptx.TypeNone)
	n.srcA(s.mappedAddress(1, t)).srcB(s.values.fixed(ptx.SpecialClusterRank))
	s.emit(*n.dst(s.dest(0, ptx.TypeU32)))
}

// clusterAddress is cvta.shared::cluster: it converts an address of the cluster from or to a generic one.
func (s *selector) clusterAddress(t ptx.Scalar, to bool) {
	f := func(a, _, _, _ uint64) uint64 {
		if a>>ptx.ClusterRankBit == 0 {
			return a + ptx.SharedWindow
		}
		return a - 1<<ptx.ClusterRankBit + ptx.ClusterWindow
	}
	if to {
		f = func(a, _, _, _ uint64) uint64 {
			if a < ptx.ClusterWindow {
				return a - ptx.SharedWindow
			}
			return a - ptx.ClusterWindow + 1<<ptx.ClusterRankBit
		}
	}
	n := laneNode(ptx.ClassIntAdd, f).wide(t, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.srcA(s.source(1, t)).dst(s.dest(0, t)))
}

// asyncSpace takes what st.async and red.async have in common.
func (s *selector) asyncSpace() (memoryMode, bool) {
	s.has("async")
	m := memoryMode{space: ptx.SpaceGeneric, operator: ptx.CacheBypass}
	if s.has("shared::cluster") {
		m.space = ptx.SpaceShared
	}
	if !s.has("mbarrier::complete_tx::bytes") {
		s.fail(s.st.At, "unsupported instruction %s (asynchronous stores to global memory)", s.text())
	}
	return m, !s.failed
}

// storeAsync is st.async: the bytes are there, and reported, at the next instruction.
func (s *selector) storeAsync() {
	s.has("weak")
	m, ok := s.asyncSpace()
	count := s.vectorCount()
	t := s.typedAs(ptx.TypeB32, ptx.TypeU32, ptx.TypeS32, ptx.TypeF32, ptx.TypeB64, ptx.TypeU64, ptx.TypeS64,
		ptx.TypeF64)
	if !ok || s.failed || !s.count(3, 3) {
		return
	}
	if count > 4 || t.Bytes()*count > 32 {
		s.unsupported()
		return
	}
	if t.Bytes()*count > 16 {
		s.wideAccess(ptx.AccessStore, m, t, count, 0, 1)
	} else {
		n := s.access(ptx.AccessStore, t, count, m)
		n.Mem.Space = s.address(&n, 0, m.space)
		s.storeFrom(&n, s.elements(1, count), t)
		s.emit(n)
	}
	s.mbarrierUpdate(m, ptx.MbarrierComplete, 2, s.values.constant(1, uint64(t.Bytes()*count)), noValue)
}

// asyncReductions are the types of each operation of red.async.
var asyncReductions = map[string][]ptx.Scalar{
	"inc": {ptx.TypeU32}, "dec": {ptx.TypeU32}, "min": {ptx.TypeU32, ptx.TypeS32}, "max": {ptx.TypeU32, ptx.TypeS32},
	"and": {ptx.TypeB32}, "or": {ptx.TypeB32}, "xor": {ptx.TypeB32}, "add": {ptx.TypeU32, ptx.TypeS32, ptx.TypeU64},
}

// reduceAsync is red.async.
func (s *selector) reduceAsync() {
	m, ok := s.asyncSpace()
	if ok && (!s.has("relaxed") || !s.has("cluster")) {
		s.unsupported()
	}
	word := s.oneOf("inc", "dec", "min", "max", "and", "or", "xor", "add")
	t := s.typedAs(asyncReductions[word]...)
	if !ok || s.failed || !s.count(3, 3) {
		return
	}
	n := s.access(ptx.AccessReduction, t, 1, m)
	n.Atomic = ptx.AtomicOp{Code: atomicWords[word], Type: t, Bytes: uint8(t.Bytes())}
	n.Mem.Space = s.address(&n, 0, m.space)
	n.srcB(s.source(1, t))
	n.Mem.Wide[0], n.Mem.Absent[0], n.Mem.Keep[0] = t.Bits() == 64, true, ptx.FullMask
	s.emit(n)
	s.mbarrierUpdate(m, ptx.MbarrierComplete, 2, s.values.constant(1, uint64(t.Bytes())), noValue)
}
