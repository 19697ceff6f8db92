package ptx

type atomicCode uint8

const (
	atomicNone atomicCode = iota
	atomicAnd
	atomicOr
	atomicXor
	atomicExchange
	atomicCompare // cas
	atomicAdd
	atomicIncrement
	atomicDecrement
	atomicMin
	atomicMax
	mbarrierArrive
	mbarrierDrop
	mbarrierExpect
	mbarrierArriveExpect
	mbarrierDropExpect
	mbarrierComplete
)

var atomicWords = map[string]atomicCode{
	"and": atomicAnd, "or": atomicOr, "xor": atomicXor, "exch": atomicExchange, "cas": atomicCompare,
	"add": atomicAdd, "inc": atomicIncrement, "dec": atomicDecrement, "min": atomicMin, "max": atomicMax,
}

// atomicTypes lists which types an operation takes.
var atomicTypes = [...][]scalar{
	atomicNone:     nil,
	atomicAnd:      {typeB32, typeB64},
	atomicOr:       {typeB32, typeB64},
	atomicXor:      {typeB32, typeB64},
	atomicExchange: {typeB32, typeB64, typeU32, typeS32, typeU64, typeS64, typeF32},
	atomicCompare:  {typeB16, typeB32, typeB64, typeU32, typeS32, typeU64, typeS64},
	atomicAdd: {typeU32, typeS32, typeU64, typeS64, typeF32, typeF64,
		typeF16, typeF16x2, typeBF16, typeBF16x2},
	atomicIncrement: {typeU32},
	atomicDecrement: {typeU32},
	atomicMin:       {typeU32, typeS32, typeU64, typeS64},
	atomicMax:       {typeU32, typeS32, typeU64, typeS64},
}

// vectorAtomicTypes lists what the vector forms take: .add of f32, and .add, .min
// and .max of halves.
var vectorAtomicTypes = []scalar{typeF16, typeF16x2, typeBF16, typeBF16x2, typeF32}

func selectAtom(s *selector) { s.atomic(AccessAtomic) }
func selectRed(s *selector)  { s.atomic(AccessReduction) }

func (s *selector) atomic(kind AccessKind) {
	if s.refusedAsync() {
		return
	}
	m := memoryMode{space: s.space(), operator: CacheBypass}
	order := s.oneOf("relaxed", "acquire", "release", "acq_rel")
	m.release = order == "release" || order == "acq_rel"
	m.scope = s.scopeWord()
	word := s.oneOf("and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max")
	code := atomicWords[word]
	if kind == AccessReduction && (code == atomicExchange || code == atomicCompare) {
		code = atomicNone
	}
	count := s.vectorCount()
	var t scalar
	if count > 1 {
		t = s.typedAs(vectorAtomicTypes...)
		if code != atomicAdd && !(t.isHalf() && (code == atomicMin || code == atomicMax)) || count*t.bytes() > 16 {
			s.unsupported()
		}
	} else {
		t = s.typedAs(atomicTypes[code]...)
	}
	if t.isHalf() != s.has("noftz") {
		s.unsupported()
	}
	if s.failed {
		return
	}
	operands := 2
	if code == atomicCompare {
		operands = 3
	}
	first := 0
	if kind == AccessAtomic {
		operands++
		first = 1
	}
	all := s.cacheHint(operands)
	if s.failed || !s.count(all, all) {
		return
	}
	if m.release {
		s.fence(m.scope)
	}
	if count > 1 {
		s.vectorAtomic(kind, m, AtomicOp{code: code, typ: t, Bytes: uint8(t.bytes())}, count)
		return
	}
	n := s.access(kind, t, 1, m)
	n.Atomic = AtomicOp{code: code, typ: t, Bytes: uint8(t.bytes())}
	n.mem.space = s.address(&n, first, m.space)
	if sp := n.mem.space; sp != SpaceGlobal && sp != SpaceShared && sp != SpaceGeneric {
		s.unsupported()
		return
	}
	n.srcB(s.source(first+1, t))
	if code == atomicCompare {
		n.srcC(s.source(first+2, t))
	}
	n.mem.wide[0] = t.bits() == 64
	n.mem.absent[0], n.mem.keep[0] = true, FullMask
	if kind == AccessAtomic {
		v := s.dest(0, t)
		n.mem.regs[0] = v
		n.mem.absent[0] = v == noValue
		n.write(v)
		n.IsLoad = true
	}
	s.emit(n)
}
