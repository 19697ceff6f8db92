package compile

import "github.com/burstscope/burstscope/core/ptx"

var atomicWords = map[string]ptx.AtomicCode{
	"and": ptx.AtomicAnd, "or": ptx.AtomicOr, "xor": ptx.AtomicXor, "exch": ptx.AtomicExchange, "cas": ptx.AtomicCompare,
	"add": ptx.AtomicAdd, "inc": ptx.AtomicIncrement, "dec": ptx.AtomicDecrement, "min": ptx.AtomicMin, "max": ptx.AtomicMax,
}

// atomicTypes lists which types an operation takes.
var atomicTypes = [...][]ptx.Scalar{
	ptx.AtomicNone:     nil,
	ptx.AtomicAnd:      {ptx.TypeB32, ptx.TypeB64},
	ptx.AtomicOr:       {ptx.TypeB32, ptx.TypeB64},
	ptx.AtomicXor:      {ptx.TypeB32, ptx.TypeB64},
	ptx.AtomicExchange: {ptx.TypeB32, ptx.TypeB64, ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64, ptx.TypeF32},
	ptx.AtomicCompare:  {ptx.TypeB16, ptx.TypeB32, ptx.TypeB64, ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64},
	ptx.AtomicAdd: {ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64,
		ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2},
	ptx.AtomicIncrement: {ptx.TypeU32},
	ptx.AtomicDecrement: {ptx.TypeU32},
	ptx.AtomicMin:       {ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64},
	ptx.AtomicMax:       {ptx.TypeU32, ptx.TypeS32, ptx.TypeU64, ptx.TypeS64},
}

// vectorAtomicTypes lists what the vector forms take: .add of f32, and .add, .min
// and .max of halves.
var vectorAtomicTypes = []ptx.Scalar{ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2, ptx.TypeF32}

func selectAtom(s *selector) { s.atomic(ptx.AccessAtomic) }

func selectRed(s *selector) { s.atomic(ptx.AccessReduction) }

func (s *selector) atomic(kind ptx.AccessKind) {
	if s.modifier("async") && kind == ptx.AccessReduction {
		s.reduceAsync()
		return
	}
	m := memoryMode{space: s.space(), operator: ptx.CacheBypass}
	order := s.oneOf("relaxed", "acquire", "release", "acq_rel")
	m.release, m.acquire = order == "release" || order == "acq_rel", order == "acquire" || order == "acq_rel"
	m.scope = s.scopeWord()
	word := s.oneOf("and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max")
	code := atomicWords[word]
	if kind == ptx.AccessReduction && (code == ptx.AtomicExchange || code == ptx.AtomicCompare) {
		code = ptx.AtomicNone
	}
	count := s.vectorCount()
	var t ptx.Scalar
	if count > 1 {
		t = s.typedAs(vectorAtomicTypes...)
		if code != ptx.AtomicAdd && !(t.IsHalf() && (code == ptx.AtomicMin || code == ptx.AtomicMax)) || count*t.Bytes() > 16 {
			s.unsupported()
		}
	} else {
		t = s.typedAs(atomicTypes[code]...)
	}
	switch noftz := s.has("noftz"); {
	case t.IsHalf() && !noftz:
		s.fail(s.st.At, "%s: halves need .noftz", s.text())
	case !t.IsHalf() && noftz:
		s.unsupported()
	}
	if s.failed {
		return
	}
	operands := 2
	if code == ptx.AtomicCompare {
		operands = 3
	}
	first := 0
	if kind == ptx.AccessAtomic {
		operands++
		first = 1
	}
	all := s.cacheHint(operands, &m)
	if s.failed || !s.count(all, all) {
		return
	}
	s.released(m)
	if count > 1 {
		s.vectorAtomic(kind, m, ptx.AtomicOp{Code: code, Type: t, Bytes: uint8(t.Bytes())}, count)
		s.acquired(m)
		return
	}
	n := s.access(kind, t, 1, m)
	n.Atomic = ptx.AtomicOp{Code: code, Type: t, Bytes: uint8(t.Bytes())}
	n.Mem.Space = s.address(&n, first, m.space)
	if sp := n.Mem.Space; sp != ptx.SpaceGlobal && sp != ptx.SpaceShared && sp != ptx.SpaceGeneric {
		s.unsupported()
		return
	}
	n.srcB(s.source(first+1, t))
	if code == ptx.AtomicCompare {
		n.srcC(s.source(first+2, t))
	}
	n.Mem.Wide[0] = t.Bits() == 64
	n.Mem.Absent[0], n.Mem.Keep[0] = true, ptx.FullMask
	if kind == ptx.AccessAtomic {
		v := s.dest(0, t)
		n.Mem.Regs[0] = v
		n.Mem.Absent[0] = v == noValue
		n.write(v)
		n.IsLoad = true
	}
	s.emit(n)
	s.acquired(m)
}
