package compile

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// source returns the value of operand i as type t.
//
//go:noinline
func (s *selector) source(i int, t ptx.Scalar) uint32 { return s.sourceOf(&s.st.Operands[i], t, false) }

// sourceOf returns the value of an operand read as type t. With loose, a
// register may be wider than the type: its low bits are meant.
func (s *selector) sourceOf(o *syntax.Operand, t ptx.Scalar, loose bool) uint32 {
	words := wordsOf(t.Bits())
	switch o.Kind {
	case syntax.OperandInteger:
		switch {
		case t.IsFloat():
			s.fail(o.At, "%s takes .%s here, not an integer: write the number with a decimal point", s.text(), t)
		case !fits(o.Value, t.Bits()):
			s.fail(o.At, "%d does not fit into the %d bits that %s takes here", int64(o.Value), t.Bits(), s.text())
		}
		return s.values.constant(words, syntax.Number{Value: o.Value, Unsigned: int64(o.Value) < 0 && !t.IsSigned()}.As(t))
	case syntax.OperandFloat:
		if !o.Single && !t.IsFloat() && !t.IsHalf() && t != ptx.TypeB64 || o.Single && t.IsInteger() {
			s.fail(o.At, "%s takes .%s here, not a floating-point number", s.text(), t)
		}
		return s.values.constant(words, syntax.Number{Value: o.Value, Float: true, Single: o.Single}.As(t))
	case syntax.OperandName:
	default:
		s.fail(o.At, "want a register or a constant here")
		return s.values.constant(words, 0)
	}
	if o.Value != 0 && (o.Sym == nil || o.Sym.Kind != syntax.SymbolVariable) {
		s.fail(o.At, "%s plus a constant is a value of st only: add it with add", o.Name)
	}
	if o.Special != ptx.SpecialNone {
		return s.specialSource(o, t)
	}
	if o.Sym == nil {
		s.failed = true // reported by resolve
		return s.values.constant(words, 0)
	}
	switch o.Sym.Kind {
	case syntax.SymbolRegister:
		v := s.registerOperand(o, t, loose)
		if o.Minus {
			v = s.negated(v, t)
		}
		return v
	case syntax.SymbolVariable:
		if o.By() != nil {
			return s.elementAddress(o, words)
		}
		return s.addressValue(o.Sym.Variable, o.Value, words)
	case syntax.SymbolFunction:
		return s.values.constant(words, functionAddress(o.Sym.Function)&t.Mask())
	}
	s.fail(o.At, "%s cannot be used as a value", o.Name)
	return s.values.constant(words, 0)
}

// fits reports whether a constant is a number of so many bits, with a sign or without. One bit is a predicate.
func fits(value uint64, bits int) bool {
	return bits >= 64 || bits < 8 || value>>bits == 0 || int64(value)>>(bits-1) == -1
}

// isNumber reports whether registers of a type hold whole numbers of 32 or 64 bits.
func isNumber(t ptx.Scalar) bool {
	return (t.IsInteger() || t.IsBits()) && (t.Bits() == 32 || t.Bits() == 64)
}

// elementAddress emits the address of the element of an array that a register names.
func (s *selector) elementAddress(o *syntax.Operand, words int) uint32 {
	by := o.By()
	v := o.Sym.Variable
	tmp := s.values.temporary(words)
	if by.Sym == nil || by.Sym.Kind != syntax.SymbolRegister || !isNumber(by.Sym.Register.Type) {
		s.fail(by.At, "%s cannot number an element of an array: use a register of 32 or 64 bits", by.Name)
		return tmp
	}
	r := by.Sym.Register
	size := v.ElementBytes()
	start := s.addressValue(v, o.Value, 2)
	address := func(a, b, _, _ uint64) uint64 { return b + a*size }
	if r.Type.IsSigned() && r.Type.Bits() == 32 {
		address = func(a, b, _, _ uint64) uint64 { return b + uint64(int64(int32(a)))*size }
	}
	to := ptx.TypeU64
	if words == 1 {
		to = ptx.TypeU32
	}
	n := laneNode(ptx.ClassIntMad, address).wide(to, r.Type, ptx.TypeU64, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.dst(tmp).srcA(s.values.register(r)).srcB(start))
	return tmp
}

func (s *selector) registerOperand(o *syntax.Operand, t ptx.Scalar, loose bool) uint32 {
	r := o.Sym.Register
	have, want := r.Type.Bits(), t.Bits()
	switch {
	case (r.Type == ptx.TypePred) != (t == ptx.TypePred):
		s.fail(o.At, "%s is a .%s register, but %s takes .%s", r.Name, r.Type, s.text(), t)
	case have == 128 || want == 128:
		s.fail(o.At, "unsupported: 128-bit register %s", r.Name)
	case loose && have < want, !loose && have != want:
		s.fail(o.At, "%s has %d bits, but %s takes %d", r.Name, have, s.text(), want)
	case !agree(r.Type, t):
		s.fail(o.At, "%s is a .%s register, but %s takes .%s here: declare it as .b%d, or move its bits with mov.b%d",
			r.Name, r.Type, s.text(), t, have, have)
	}
	if o.Negate && t != ptx.TypePred {
		s.fail(o.At, "only predicates can be negated with !")
	}
	return s.values.register(r)
}

// agree reports whether a register of one type may be an operand of another (PTX
// ISA, operand type checking): integers go with integers, formats of
// floating-point numbers with themselves, and bits with everything.
func agree(register, operand ptx.Scalar) bool {
	switch {
	case register.IsBits() || operand.IsBits() || register == operand || register == ptx.TypePred:
		return true
	case register.IsInteger():
		return operand.IsInteger() || operand == ptx.TypeU16x2 || operand == ptx.TypeS16x2
	}
	return false
}

// negated emits the negation of a register operand written -%r.
func (s *selector) negated(v uint32, t ptx.Scalar) uint32 {
	tmp := s.values.temporary(wordsOf(t.Bits()))
	n := laneNode(ptx.ClassIntAdd, arith.LaneNeg(t))
	if t.IsFloat() || t.IsHalf() {
		sign := uint64(1) << (t.Bits() - 1)
		if t.IsHalf() {
			sign = arith.HalfSigns & t.Mask()
		}
		n = laneNode(ptx.ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return a ^ sign })
	}
	s.emit(*n.wide(t, t, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).dst(tmp).srcA(v))
	return tmp
}

// specialSource returns the value of a special register as type t.
func (s *selector) specialSource(o *syntax.Operand, t ptx.Scalar) uint32 {
	bits := o.Special.Bits()
	var v uint32
	if o.Special.IsFixed() {
		v = s.values.fixed(o.Special)
	} else {
		v = s.values.temporary(wordsOf(bits))
		n := instruction(ptx.FamilyMove, ptx.MoveSpecial, ptx.ClassMove)
		n.Imm = uint64(o.Special)
		if bits == 64 {
			n.Flags |= ptx.FlagWideD
		}
		s.emit(*n.dst(v))
	}
	if t.Bits() == bits {
		return v
	}
	// PTX 1.x reads the 32-bit registers as 16 bits; %clock64 may be narrowed.
	tmp := s.values.temporary(wordsOf(t.Bits()))
	from := ptx.TypeU32
	if bits == 64 {
		from = ptx.TypeU64
	}
	n := laneNode(ptx.ClassMove, arith.LaneMask(t))
	s.emit(*n.wide(t, from, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone).dst(tmp).srcA(v))
	return tmp
}

// addressValue returns the address of a variable plus an offset.
func (s *selector) addressValue(v *syntax.Variable, offset uint64, words int) uint32 {
	if c := s.fn.Copies[v]; c != nil {
		v = c
	}
	if v.Space == ptx.SpaceParam && (v.Owner == nil || !v.Owner.Entry || !s.isFormal(v)) {
		s.fail(s.st.At, "unsupported: address of parameter %s of a function", v.Name)
		return s.values.constant(words, 0)
	}
	if v.Space == ptx.SpaceLocal && s.layout != nil && s.layout.recursive[v.Owner] {
		return s.frameAddress(s.layout.address(v)+offset, words)
	}
	c := s.layout.address(v) + offset
	if words == 1 {
		c &= math.MaxUint32
	}
	return s.values.constant(words, c)
}

// frameAddress emits the address of a local variable of a recursive function,
// which has one copy per activation.
func (s *selector) frameAddress(offset uint64, words int) uint32 {
	tmp := s.values.temporary(words)
	n := instruction(ptx.FamilyMove, ptx.MoveFrame, ptx.ClassMove)
	n.Imm = offset
	if words == 2 {
		n.Flags |= ptx.FlagWideD
	}
	s.emit(*n.dst(tmp))
	return tmp
}

// isFormal reports whether v is a parameter of the function, not a .param
// variable of its body.
func (s *selector) isFormal(v *syntax.Variable) bool {
	for _, p := range s.fn.Params {
		if p.Variable == v {
			return true
		}
	}
	return false
}

// dest returns the register operand i is written to as type t; noValue for _.
//
//go:noinline
func (s *selector) dest(i int, t ptx.Scalar) uint32 { return s.destOf(&s.st.Operands[i], t, false) }

// destOf is dest for any operand. With loose, the register may be wider.
func (s *selector) destOf(o *syntax.Operand, t ptx.Scalar, loose bool) uint32 {
	if o.Kind == syntax.OperandSink {
		return noValue
	}
	if o.Kind != syntax.OperandName || o.Sym == nil || o.Sym.Kind != syntax.SymbolRegister || o.Negate || o.Minus {
		if o.Kind == syntax.OperandName && o.Sym == nil && o.Special == ptx.SpecialNone {
			s.failed = true // reported by resolve
		}
		s.fail(o.At, "want a register to write to")
		return noValue
	}
	return s.registerOperand(o, t, loose)
}

// sinkable returns dest; for _ it returns a temporary that nothing reads.
func (s *selector) sinkable(i int, t ptx.Scalar) uint32 {
	if s.st.Operands[i].Kind == syntax.OperandSink {
		return s.values.add(value{words: wordsOf(t.Bits()), predicate: t == ptx.TypePred})
	}
	return s.dest(i, t)
}

// predicate returns a predicate operand and whether it is negated. Constants
// are allowed where PTX allows them.
func (s *selector) predicate(o *syntax.Operand) (v uint32, negate bool) {
	if o.Kind == syntax.OperandInteger {
		return alwaysTrue, o.Value == 0 != o.Negate
	}
	if o.Special == ptx.SpecialExplicitCluster { // a predicate
		n := instruction(ptx.FamilyCompare, ptx.CompareEq, ptx.ClassIntAdd)
		n.Flags |= ptx.FlagInvert | ptx.FlagPrimary
		p := s.values.add(value{words: 1, predicate: true})
		s.emit(*n.srcA(s.values.fixed(o.Special)).srcB(s.values.constant(1, 0)).dst(p))
		return p, o.Negate
	}
	if o.Kind != syntax.OperandName || o.Sym == nil || o.Sym.Kind != syntax.SymbolRegister {
		if o.Kind == syntax.OperandName && o.Sym == nil && o.Special == ptx.SpecialNone {
			s.failed = true
		}
		s.fail(o.At, "want a predicate register")
		return alwaysTrue, false
	}
	return s.registerOperand(o, ptx.TypePred, false), o.Negate
}

// alwaysTrue stands for predicate index 0 in place of a value.
const alwaysTrue = noValue - 1

// laneNode starts a node that runs f in every lane.
//
//go:noinline
func laneNode(c ptx.Class, f ptx.LaneFunc) *node {
	n := instruction(ptx.FamilyLane, 0, c)
	n.Lane = f
	return &n
}

// wide notes which operands have two slots.
func (n *node) wide(d, a, b, c, e ptx.Scalar) *node {
	for i, t := range [5]ptx.Scalar{d, a, b, c, e} {
		if t.Bits() == 64 {
			n.Flags |= ptx.FlagWideD << i
		}
	}
	return n
}
