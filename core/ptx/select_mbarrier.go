package ptx

// selectMbarrier has the mbarrier instructions: atomic operations on 64 bits of
// shared memory, and loads whose value is tested. A wait that may block does not.
func selectMbarrier(s *selector) {
	if s.has("pending_count") {
		s.typedAs(typeB64)
		s.mixed(ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a & mbarrierCountMask }, typeB32, typeB64)
		return
	}
	word := s.oneOf("init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait")
	expect := s.has("expect_tx")
	parity := s.has("parity")
	s.oneOf("release", "acquire", "relaxed")
	s.oneOf("cta", "cluster")
	s.has("noComplete")
	m := memoryMode{space: s.space(), operator: CacheBypass}
	s.typedAs(typeB64)
	waits := word == "test_wait" || word == "try_wait"
	if m.space != SpaceShared && m.space != SpaceGeneric || expect && word != "arrive" && word != "arrive_drop" || parity && !waits {
		s.unsupported()
	}
	if s.failed {
		return
	}
	switch word {
	case "init":
		s.mbarrierInit(m)
	case "inval":
		if s.count(1, 1) {
			s.mbarrierStore(m, s.values.constant(2, 0))
		}
	case "arrive":
		s.mbarrierArrive(m, mbarrierArrive, mbarrierArriveExpect, expect)
	case "arrive_drop":
		s.mbarrierArrive(m, mbarrierDrop, mbarrierDropExpect, expect)
	case "expect_tx", "complete_tx":
		code := mbarrierExpect
		if word == "complete_tx" {
			code = mbarrierComplete
		}
		if s.count(2, 2) {
			s.mbarrierUpdate(m, code, 0, s.source(1, typeU32), noValue)
		}
	case "test_wait":
		s.mbarrierWait(m, parity, 3)
	case "try_wait":
		s.mbarrierWait(m, parity, 4)
	default:
		s.unsupported()
	}
}

func (s *selector) mbarrierInit(m memoryMode) {
	if !s.count(2, 2) {
		return
	}
	if o := &s.st.operands[1]; o.kind == operandInteger && (o.value == 0 || o.value > mbarrierCountMask) {
		s.fail(o.at, "an mbarrier is for 1 to %d arrivals", mbarrierCountMask)
		return
	}
	n := laneNode(ClassIntAdd, func(a, _, _, _ uint64) uint64 { return mbarrierInit(a) })
	state := s.mbarrierTemporary(2)
	s.emit(*n.wide(typeB64, typeU32, typeNone, typeNone, typeNone).srcA(s.source(1, typeU32)).dst(state))
	s.mbarrierStore(m, state)
}

// mbarrierTemporary returns a register for a value of this statement alone.
func (s *selector) mbarrierTemporary(words int) uint32 {
	tmp := s.values.temporary(words)
	s.values.list[tmp].whole = true
	return tmp
}

// mbarrierStore writes the object whose address is operand 0.
func (s *selector) mbarrierStore(m memoryMode, v uint32) {
	n := s.access(AccessStore, typeB64, 1, m)
	n.mem.space = s.address(&n, 0, m.space)
	n.mem.regs[0], n.mem.wide[0] = v, true
	s.emit(*n.read(v))
}

// mbarrierArrive is arrive and arrive_drop: the state, or _, an address, and the
// number of arrivals or, with expect_tx, of bytes.
func (s *selector) mbarrierArrive(m memoryMode, code, withBytes atomicCode, expect bool) {
	least := 2
	if expect {
		code, least = withBytes, 3
	}
	if !s.count(least, 3) {
		return
	}
	amount := s.values.constant(1, 1)
	if len(s.st.operands) == 3 {
		amount = s.source(2, typeU32)
	}
	s.mbarrierUpdate(m, code, 1, amount, s.dest(0, typeB64))
}

// mbarrierUpdate emits an operation on the object whose address is operand at.
func (s *selector) mbarrierUpdate(m memoryMode, code atomicCode, at int, amount, state uint32) {
	wide := s.mbarrierTemporary(2)
	extend := instruction(familyLong, longExtendU, ClassIntAdd)
	s.emit(*extend.srcA(amount).dst(wide))
	kind := AccessReduction
	if state != noValue {
		kind = AccessAtomic
	}
	n := s.access(kind, typeB64, 1, m)
	n.Atomic = AtomicOp{code: code, typ: typeB64, Bytes: 8}
	n.mem.space = s.address(&n, at, m.space)
	n.mem.wide[0], n.mem.absent[0], n.mem.keep[0] = true, state == noValue, FullMask
	n.srcB(wide)
	if state != noValue {
		n.mem.regs[0] = state
		n.write(state)
		n.IsLoad = true
	}
	s.emit(n)
}

// mbarrierWait says whether a phase is over: that of a state, or that of a parity.
// The fourth operand of try_wait is the longest time to wait.
func (s *selector) mbarrierWait(m memoryMode, parity bool, most int) {
	if !s.count(3, most) {
		return
	}
	if len(s.st.operands) == 4 {
		s.source(3, typeU32)
	}
	state := s.mbarrierTemporary(2)
	load := s.access(AccessLoad, typeB64, 1, m)
	load.mem.space = s.address(&load, 1, m.space)
	load.mem.regs[0], load.mem.wide[0], load.mem.keep[0] = state, true, FullMask
	load.IsLoad = true
	s.emit(*load.write(state))

	over := s.mbarrierTemporary(1)
	t, f := typeB64, func(a, b, _, _ uint64) uint64 { return mbarrierDifferent(a, b) }
	if parity {
		t, f = typeU32, func(a, b, _, _ uint64) uint64 { return mbarrierPassed(a, b) }
	}
	n := laneNode(ClassIntAdd, f).wide(typeU32, typeB64, t, typeNone, typeNone)
	s.emit(*n.srcA(state).srcB(s.source(2, t)).dst(over))
	test := instruction(familyCompare, compareEq, ClassIntAdd)
	test.flags |= flagInvert | flagPrimary
	s.emit(*test.srcA(over).srcB(s.values.constant(1, 0)).dst(s.sinkable(0, typePred)))
}

// mbarrierArriveAsync is cp.async.mbarrier.arrive. All copies of the thread are
// done; without .noinc the arrival is one more than is waited for, and nothing
// changes.
func (s *selector) mbarrierArriveAsync() {
	s.has("arrive")
	noIncrement := s.has("noinc")
	m := memoryMode{space: s.space(), operator: CacheBypass}
	s.typedAs(typeB64)
	if m.space != SpaceShared && m.space != SpaceGeneric {
		s.unsupported()
	}
	if s.failed || !s.count(1, 1) {
		return
	}
	if !noIncrement {
		s.emit(instruction(familyControl, controlNothing, ClassBranch))
		return
	}
	s.mbarrierUpdate(m, mbarrierArrive, 0, s.values.constant(1, 1), noValue)
}
