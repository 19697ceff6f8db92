package compile

import "github.com/burstscope/burstscope/core/ptx"

// The three instructions that only functions of the library have (syntax/library.ptx).

func librarySelector(name string) func(*selector) {
	switch name {
	case "_print":
		return selectPrint
	case "_assert":
		return selectAssert
	case "_fault":
		return selectFault
	}
	return nil
}

// own reports whether the statement is one of the library, with n operands.
func (s *selector) own(n int) bool {
	if !s.fn.Provided {
		s.unsupported()
	}
	return !s.failed && s.count(n, n)
}

// pointer returns operand i, which is an address.
func (s *selector) pointer(i int) (v uint32, t ptx.Scalar) {
	t = ptx.TypeU32
	if s.module.AddressBits == 64 {
		t = ptx.TypeU64
	}
	return s.source(i, t), t
}

// selectPrint is _print format, arguments.
func selectPrint(s *selector) {
	if !s.own(2) {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlPrint, ptx.ClassBranch)
	format, t := s.pointer(0)
	arguments, _ := s.pointer(1)
	n.srcA(format).srcB(arguments).wide(0, t, t, 0, 0)
	s.emit(n)
}

// selectAssert is _assert message, file, line, function.
func selectAssert(s *selector) {
	if !s.own(4) {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlTrap, ptx.ClassBranch)
	n.Imm, n.leaves = ptx.TrapAssertText, true
	message, t := s.pointer(0)
	file, _ := s.pointer(1)
	function, _ := s.pointer(3)
	n.srcA(message).srcB(file).srcC(s.source(2, ptx.TypeU32)).srcE(function).wide(0, t, t, 0, t)
	s.emit(n)
}

// selectFault is _fault pointer, of a free.
func selectFault(s *selector) {
	if !s.own(1) {
		return
	}
	n := instruction(ptx.FamilyControl, ptx.ControlTrap, ptx.ClassBranch)
	n.Imm, n.leaves = ptx.TrapFree, true
	pointer, t := s.pointer(0)
	n.srcA(pointer).wide(0, t, 0, 0, 0)
	s.emit(n)
}
