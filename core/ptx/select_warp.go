package ptx

func selectShfl(s *selector) {
	sync := s.has("sync")
	mode := map[string]op{"up": warpShuffleUp, "down": warpShuffleDown, "bfly": warpShuffleXor, "idx": warpShuffleIndex}
	o, ok := mode[s.oneOf("up", "down", "bfly", "idx")]
	s.typedAs(typeB32)
	if !ok {
		s.unsupported()
		return
	}
	operands := 4
	if sync {
		operands = 5
	}
	if s.failed || !s.count(operands, operands) {
		return
	}
	n := instruction(familyWarp, o, ClassShuffle)
	n.srcA(s.source(1, typeB32)).srcB(s.source(2, typeB32)).srcC(s.source(3, typeB32))
	if sync {
		n.read(s.source(4, typeB32))
	}
	n.dst(s.sinkable(0, typeB32))
	s.second(&n)
	s.emit(n)
}

// second sets the predicate after the bar in d|p.
func (s *selector) second(n *node) {
	if p := s.st.operands[0].pair; p != nil && p.kind != operandSink {
		n.e = s.destOf(p, typePred, false)
		n.write(n.e)
		n.flags |= flagHasE
	}
}

// memberMask sets the mask of a .sync instruction as operand b, or all lanes.
func (s *selector) memberMask(n *node, i int) {
	if i < len(s.st.operands) {
		n.srcB(s.source(i, typeB32))
	} else {
		n.srcB(s.values.constant(1, uint64(FullMask)))
	}
}

func selectVote(s *selector) {
	operands := 2
	if s.has("sync") {
		operands = 3
	}
	mode := map[string]op{"all": warpVoteAll, "any": warpVoteAny, "uni": warpVoteUniform, "ballot": warpBallot}
	word := s.oneOf("all", "any", "uni", "ballot")
	t := s.typedAs(typePred, typeB32)
	if word == "" || (word == "ballot") != (t == typeB32) {
		s.unsupported()
		return
	}
	if !s.count(operands, operands) {
		return
	}
	n := instruction(familyWarp, mode[word], ClassShuffle)
	p, negate := s.predicate(&s.st.operands[1])
	n.srcC(p)
	if negate {
		n.flags |= flagNegateC
	}
	s.memberMask(&n, 2)
	s.emit(*n.dst(s.sinkable(0, t)))
}

func selectMatch(s *selector) {
	if !s.has("sync") {
		s.unsupported()
	}
	word := s.oneOf("any", "all")
	t := s.typedAs(typeB32, typeB64)
	if word == "" {
		s.unsupported()
		return
	}
	if !s.count(3, 3) {
		return
	}
	n := instruction(familyWarp, warpMatchAny, ClassShuffle)
	if word == "all" {
		n.op = warpMatchAll
	}
	n.wide(typeNone, t, typeNone, typeNone, typeNone)
	n.srcA(s.source(1, t))
	s.memberMask(&n, 2)
	if word == "any" && s.st.operands[0].pair != nil {
		s.fail(s.st.operands[0].pair.at, "%s has no predicate; match.all has", s.text())
	}
	n.dst(s.sinkable(0, typeB32))
	s.second(&n)
	s.emit(n)
}

func selectRedux(s *selector) {
	if !s.has("sync") {
		s.unsupported()
	}
	word := s.oneOf("add", "min", "max", "and", "or", "xor")
	t := s.typedAs(typeU32, typeS32, typeB32, typeF32)
	code := atomicWords[word]
	logical := code == atomicAnd || code == atomicOr || code == atomicXor
	ordered := code == atomicMin || code == atomicMax
	if code == atomicNone || logical != (t == typeB32) || t == typeF32 && !ordered {
		s.unsupported()
		return
	}
	if !s.count(3, 3) {
		return
	}
	n := instruction(familyWarp, warpReduce, ClassShuffle)
	n.Atomic = AtomicOp{code: code, typ: t, Bytes: 4}
	if t == typeF32 { // of magnitudes with .abs; NaN counts with .NaN only
		n.lane = laneMinMax3(code == atomicMax, s.has("NaN"), s.has("abs"))
	}
	n.srcA(s.source(1, t))
	s.memberMask(&n, 2)
	s.emit(*n.dst(s.dest(0, t)))
}

func selectActivemask(s *selector) {
	s.typedAs(typeB32)
	if !s.count(1, 1) {
		return
	}
	n := instruction(familyMove, moveSpecial, ClassShuffle)
	n.imm = uint64(specialActiveMask)
	s.emit(*n.dst(s.dest(0, typeB32)))
}

func selectElect(s *selector) {
	if !s.has("sync") {
		s.unsupported()
		return
	}
	if !s.count(2, 2) {
		return
	}
	n := instruction(familyWarp, warpElect, ClassShuffle)
	s.memberMask(&n, 1)
	n.dst(s.sinkable(0, typeB32))
	s.second(&n)
	s.emit(n)
}

// selectors holds every instruction that is supported.
var selectors = map[string]func(*selector){
	"add": selectAdd, "sub": selectSub, "addc": selectAddc, "subc": selectSubc,
	"mul": selectMul, "mad": selectMad, "madc": selectMadc, "mul24": selectMul24, "mad24": selectMad24, "sad": selectSad,
	"div": selectDiv, "rem": selectRem, "abs": selectAbs, "neg": selectNeg, "min": selectMin, "max": selectMax,
	"and": selectAnd, "or": selectOr, "xor": selectXor, "not": selectNot, "cnot": selectCnot,
	"shl": selectShl, "shr": selectShr, "shf": selectShf, "lop3": selectLop3,
	"bfe": selectBfe, "bfi": selectBfi, "bfind": selectBfind, "popc": selectPopc, "clz": selectClz, "brev": selectBrev,
	"fns": selectFns, "prmt": selectPrmt, "bmsk": selectBmsk, "szext": selectSzext, "dp4a": selectDp4a, "dp2a": selectDp2a,
	"fma": selectFma, "rcp": selectRcp, "sqrt": selectSqrt, "rsqrt": selectRsqrt, "sin": selectSin, "cos": selectCos,
	"ex2": selectEx2, "lg2": selectLg2, "tanh": selectTanh, "copysign": selectCopysign, "testp": selectTestp,
	"set": selectSet, "setp": selectSetp, "selp": selectSelp, "slct": selectSlct, "isspacep": selectIsspacep,
	"mov": selectMov, "cvt": selectCvt, "cvta": selectCvta,
	"ld": selectLd, "ldu": selectLd, "st": selectSt, "atom": selectAtom, "red": selectRed,
	"discard": selectLineHint, "applypriority": selectLineHint, "createpolicy": selectCreatePolicy,
	"mbarrier": selectMbarrier, "setmaxnreg": selectNothing, "getctarank": selectCTARank,
	"cp": selectCp, "prefetch": selectPrefetch, "prefetchu": selectPrefetch, "membar": selectMembar, "fence": selectFence,
	"bra": selectBra, "brx": selectBrx, "call": selectCall, "ret": selectReturn, "exit": selectExit, "trap": selectTrap,
	"bar": selectBar, "barrier": selectBar, "brkpt": selectNothing, "pmevent": selectNothing, "nanosleep": selectNothing, "griddepcontrol": selectNothing,
	"shfl": selectShfl, "vote": selectVote, "match": selectMatch, "redux": selectRedux,
	"activemask": selectActivemask, "elect": selectElect,
	"mma": selectMma, "wmma": selectWmma, "ldmatrix": selectLdmatrix, "stmatrix": selectStmatrix, "movmatrix": selectMovmatrix,
}
