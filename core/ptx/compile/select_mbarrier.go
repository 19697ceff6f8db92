package compile

import (
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// selectMbarrier has the mbarrier instructions: atomic operations on 64 bits of
// shared memory, and loads whose value is tested. A wait that may block does not.
func selectMbarrier(s *selector) {
	if s.has("pending_count") {
		s.typedAs(ptx.TypeB64)
		s.mixed(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a & arith.MbarrierCountMask }, ptx.TypeB32, ptx.TypeB64)
		return
	}
	word := s.oneOf("init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait")
	expect := s.has("expect_tx")
	parity := s.has("parity")
	s.oneOf("release", "acquire", "relaxed")
	s.oneOf("cta", "cluster")
	s.has("noComplete")
	m := memoryMode{space: s.space(), operator: ptx.CacheBypass}
	s.typedAs(ptx.TypeB64)
	waits := word == "test_wait" || word == "try_wait"
	if m.space != ptx.SpaceShared && m.space != ptx.SpaceGeneric || expect && word != "arrive" && word != "arrive_drop" || parity && !waits {
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
		s.mbarrierArrive(m, ptx.MbarrierArrive, ptx.MbarrierArriveExpect, expect)
	case "arrive_drop":
		s.mbarrierArrive(m, ptx.MbarrierDrop, ptx.MbarrierDropExpect, expect)
	case "expect_tx", "complete_tx":
		code := ptx.MbarrierExpect
		if word == "complete_tx" {
			code = ptx.MbarrierComplete
		}
		if s.count(2, 2) {
			s.mbarrierUpdate(m, code, 0, s.source(1, ptx.TypeU32), noValue)
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
	if o := &s.st.Operands[1]; o.Kind == syntax.OperandInteger && (o.Value == 0 || o.Value > arith.MbarrierCountMask) {
		s.fail(o.At, "an mbarrier is for 1 to %d arrivals", arith.MbarrierCountMask)
		return
	}
	n := laneNode(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return arith.MbarrierInit(a) })
	state := s.mbarrierTemporary(2)
	s.emit(*n.wide(ptx.TypeB64, ptx.TypeU32, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).srcA(s.source(1, ptx.TypeU32)).dst(state))
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
	n := s.access(ptx.AccessStore, ptx.TypeB64, 1, m)
	n.Mem.Space = s.address(&n, 0, m.space)
	n.Mem.Regs[0], n.Mem.Wide[0] = v, true
	s.emit(*n.read(v))
}

// mbarrierArrive is arrive and arrive_drop: the state, or _, an address, and the
// number of arrivals or, with expect_tx, of bytes.
func (s *selector) mbarrierArrive(m memoryMode, code, withBytes ptx.AtomicCode, expect bool) {
	least := 2
	if expect {
		code, least = withBytes, 3
	}
	if !s.count(least, 3) {
		return
	}
	amount := s.values.constant(1, 1)
	if len(s.st.Operands) == 3 {
		amount = s.source(2, ptx.TypeU32)
	}
	s.mbarrierUpdate(m, code, 1, amount, s.dest(0, ptx.TypeB64))
}

// mbarrierUpdate emits an operation on the object whose address is operand at.
func (s *selector) mbarrierUpdate(m memoryMode, code ptx.AtomicCode, at int, amount, state uint32) {
	wide := s.mbarrierTemporary(2)
	extend := instruction(ptx.FamilyLong, ptx.LongExtendU, ptx.ClassIntAdd)
	s.emit(*extend.srcA(amount).dst(wide))
	kind := ptx.AccessReduction
	if state != noValue {
		kind = ptx.AccessAtomic
	}
	n := s.access(kind, ptx.TypeB64, 1, m)
	n.Atomic = ptx.AtomicOp{Code: code, Type: ptx.TypeB64, Bytes: 8}
	n.Mem.Space = s.address(&n, at, m.space)
	n.Mem.Wide[0], n.Mem.Absent[0], n.Mem.Keep[0] = true, state == noValue, ptx.FullMask
	n.srcB(wide)
	if state != noValue {
		n.Mem.Regs[0] = state
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
	if len(s.st.Operands) == 4 {
		s.source(3, ptx.TypeU32)
	}
	state := s.mbarrierTemporary(2)
	load := s.access(ptx.AccessLoad, ptx.TypeB64, 1, m)
	load.Mem.Space = s.address(&load, 1, m.space)
	load.Mem.Regs[0], load.Mem.Wide[0], load.Mem.Keep[0] = state, true, ptx.FullMask
	load.IsLoad = true
	s.emit(*load.write(state))

	over := s.mbarrierTemporary(1)
	t, f := ptx.TypeB64, func(a, b, _, _ uint64) uint64 { return arith.MbarrierDifferent(a, b) }
	if parity {
		t, f = ptx.TypeU32, func(a, b, _, _ uint64) uint64 { return arith.MbarrierPassed(a, b) }
	}
	n := laneNode(ptx.ClassIntAdd, f).wide(ptx.TypeU32, ptx.TypeB64, t, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.srcA(state).srcB(s.source(2, t)).dst(over))
	test := instruction(ptx.FamilyCompare, ptx.CompareEq, ptx.ClassIntAdd)
	test.Flags |= ptx.FlagInvert | ptx.FlagPrimary
	s.emit(*test.srcA(over).srcB(s.values.constant(1, 0)).dst(s.sinkable(0, ptx.TypePred)))
}

// mbarrierArriveAsync is cp.async.mbarrier.arrive. All copies of the thread are
// done; without .noinc the arrival is one more than is waited for, and nothing
// changes.
func (s *selector) mbarrierArriveAsync() {
	s.has("arrive")
	noIncrement := s.has("noinc")
	m := memoryMode{space: s.space(), operator: ptx.CacheBypass}
	s.typedAs(ptx.TypeB64)
	if m.space != ptx.SpaceShared && m.space != ptx.SpaceGeneric {
		s.unsupported()
	}
	if s.failed || !s.count(1, 1) {
		return
	}
	if !noIncrement {
		s.emit(instruction(ptx.FamilyControl, ptx.ControlNothing, ptx.ClassBranch))
		return
	}
	s.mbarrierUpdate(m, ptx.MbarrierArrive, 0, s.values.constant(1, 1), noValue)
}
