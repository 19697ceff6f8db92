package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// selectMbarrier has the mbarrier instructions: atomic operations on 64 bits of
// shared memory, of which some only look. A wait that may block does not.
func selectMbarrier(s *selector) {
	if s.has("pending_count") {
		s.typedAs(ptx.TypeB64)
		s.mixed(ptx.ClassIntAdd, func(a, _, _, _ uint64) uint64 { return a & arith.MbarrierCountMask }, ptx.TypeB32, ptx.TypeB64)
		return
	}
	word := s.oneOf("init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait")
	expect := s.has("expect_tx")
	parity := s.has("parity")
	s.mbarrierOrder(word)
	s.oneOf("cta", "cluster")
	noComplete := s.has("noComplete")
	remote := s.modifier("shared::cluster")
	m := memoryMode{space: s.space(), operator: ptx.CacheBypass}
	s.typedAs(ptx.TypeB64)
	waits := word == "test_wait" || word == "try_wait"
	if m.space != ptx.SpaceShared && m.space != ptx.SpaceGeneric || expect && word != "arrive" && word != "arrive_drop" || parity && !waits ||
		noComplete && (expect || word != "arrive" && word != "arrive_drop") {
		s.unsupported()
	}
	if remote && (waits || word == "init" || word == "inval" || noComplete) {
		s.fail(s.st.At, "%s: an mbarrier of another CTA takes arrivals and bytes only: want .shared::cta",
			s.text())
	}
	if remote && strings.HasPrefix(word, "arrive") && len(s.st.Operands) > 0 && s.st.Operands[0].Kind != syntax.OperandSink {
		s.fail(s.st.Operands[0].At, "%s gives no state: want _", s.text())
	}
	if s.failed {
		return
	}
	switch word {
	case "init":
		s.mbarrierInit(m)
	case "inval":
		if s.count(1, 1) {
			s.mbarrierUpdate(m, ptx.MbarrierInvalidate, 0, s.values.constant(1, 0), noValue)
		}
	case "arrive":
		s.mbarrierArrive(m, ptx.MbarrierArrive, ptx.MbarrierArriveExpect, expect, noComplete)
	case "arrive_drop":
		s.mbarrierArrive(m, ptx.MbarrierDrop, ptx.MbarrierDropExpect, expect, noComplete)
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

// mbarrierOrder takes the order of an operation: a wait acquires, an arrival releases, a count of bytes does neither.
func (s *selector) mbarrierOrder(word string) {
	switch word {
	case "test_wait", "try_wait":
		s.oneOf("acquire", "relaxed")
	case "arrive", "arrive_drop":
		s.oneOf("release", "relaxed")
	case "expect_tx", "complete_tx":
		s.has("relaxed")
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
	s.mbarrierUpdate(m, ptx.MbarrierInit, 0, s.source(1, ptx.TypeU32), noValue)
}

// mbarrierTemporary returns a register for a value of this statement alone.
func (s *selector) mbarrierTemporary(words int) uint32 {
	tmp := s.values.temporary(words)
	s.values.list[tmp].whole = true
	return tmp
}

// mbarrierArrive is arrive and arrive_drop: the state, or _, an address, and the
// number of arrivals or, with expect_tx, of bytes.
func (s *selector) mbarrierArrive(m memoryMode, code, withBytes ptx.AtomicCode, expect, noComplete bool) {
	least := 2
	if expect {
		code = withBytes
	}
	if expect || noComplete {
		least = 3
	}
	if !s.count(least, 3) {
		return
	}
	amount := s.values.constant(1, 1)
	if len(s.st.Operands) == 3 {
		amount = s.source(2, ptx.TypeU32)
	}
	n := s.mbarrierUpdate(m, code, 1, amount, s.dest(0, ptx.TypeB64))
	if noComplete {
		n.Flags |= ptx.FlagInvert
	}
}

// mbarrierUpdate emits an operation on the object whose address is operand at, with an amount of 32 bits.
func (s *selector) mbarrierUpdate(m memoryMode, code ptx.AtomicCode, at int, amount, state uint32) *node {
	wide := s.mbarrierTemporary(2)
	extend := instruction(ptx.FamilyLong, ptx.LongExtendU, ptx.ClassIntAdd)
	s.emit(*extend.srcA(amount).dst(wide))
	return s.mbarrierOperation(m, code, at, wide, state)
}

// mbarrierOperation is mbarrierUpdate with an operand of 64 bits.
func (s *selector) mbarrierOperation(m memoryMode, code ptx.AtomicCode, at int, wide, state uint32) *node {
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
	return s.emit(n)
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
	state, wanted := s.mbarrierTemporary(2), noValue
	if parity {
		wanted = s.source(2, ptx.TypeU32)
		s.mbarrierUpdate(m, ptx.MbarrierTestParity, 1, wanted, state)
	} else {
		wanted = s.source(2, ptx.TypeB64)
		s.mbarrierOperation(m, ptx.MbarrierTest, 1, wanted, state)
	}

	over := s.mbarrierTemporary(1)
	t, f := ptx.TypeB64, func(a, b, _, _ uint64) uint64 { return arith.MbarrierDifferent(a, b) }
	if parity {
		t, f = ptx.TypeU32, func(a, b, _, _ uint64) uint64 { return arith.MbarrierPassed(a, b) }
	}
	n := laneNode(ptx.ClassIntAdd, f).wide(ptx.TypeU32, ptx.TypeB64, t, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.srcA(state).srcB(wanted).dst(over))
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
