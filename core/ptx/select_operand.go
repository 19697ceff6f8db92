package ptx

import "math"

// source returns the value of operand i as type t.
//
//go:noinline
func (s *selector) source(i int, t scalar) uint32 { return s.sourceOf(&s.st.operands[i], t, false) }

// sourceOf returns the value of an operand read as type t. With loose, a
// register may be wider than the type: its low bits are meant.
func (s *selector) sourceOf(o *operand, t scalar, loose bool) uint32 {
	words := wordsOf(t.bits())
	switch o.kind {
	case operandInteger:
		return s.values.constant(words, number{value: o.value, unsigned: int64(o.value) < 0 && !t.isSigned()}.as(t))
	case operandFloat:
		if !o.single && !t.isFloat() && !t.isHalf() && t != typeB64 || o.single && t.isInteger() {
			s.fail(o.at, "%s takes .%s here, not a floating-point number", s.text(), t)
		}
		return s.values.constant(words, number{value: o.value, float: true, single: o.single}.as(t))
	case operandName:
	default:
		s.fail(o.at, "want a register or a constant here")
		return s.values.constant(words, 0)
	}
	if o.special != specialNone {
		return s.specialSource(o, t)
	}
	if o.sym == nil {
		s.failed = true // reported by resolve
		return s.values.constant(words, 0)
	}
	switch o.sym.kind {
	case symbolRegister:
		v := s.registerOperand(o, t, loose)
		if o.minus {
			v = s.negated(v, t)
		}
		return v
	case symbolVariable:
		return s.addressValue(o.sym.variable, o.value, words)
	case symbolFunction:
		return s.values.constant(words, functionAddress(o.sym.function)&t.mask())
	}
	s.fail(o.at, "%s cannot be used as a value", o.name)
	return s.values.constant(words, 0)
}

func (s *selector) registerOperand(o *operand, t scalar, loose bool) uint32 {
	r := o.sym.register
	have, want := r.typ.bits(), t.bits()
	switch {
	case (r.typ == typePred) != (t == typePred):
		s.fail(o.at, "%s is a .%s register, but %s takes .%s", r.name, r.typ, s.text(), t)
	case have == 128 || want == 128:
		s.fail(o.at, "unsupported: 128-bit register %s", r.name)
	case loose && have < want, !loose && have != want:
		s.fail(o.at, "%s has %d bits, but %s takes %d", r.name, have, s.text(), want)
	case !agree(r.typ, t):
		s.fail(o.at, "%s is a .%s register, but %s takes .%s here: declare it as .b%d, or move its bits with mov.b%d",
			r.name, r.typ, s.text(), t, have, have)
	}
	if o.negate && t != typePred {
		s.fail(o.at, "only predicates can be negated with !")
	}
	return s.values.register(r)
}

// agree reports whether a register of one type may be an operand of another (PTX
// ISA, operand type checking): integers go with integers, formats of
// floating-point numbers with themselves, and bits with everything.
func agree(register, operand scalar) bool {
	switch {
	case register.isBits() || operand.isBits() || register == operand || register == typePred:
		return true
	case register.isInteger():
		return operand.isInteger() || operand == typeU16x2 || operand == typeS16x2
	}
	return false
}

// negated emits the negation of a register operand written -%r.
func (s *selector) negated(v uint32, t scalar) uint32 {
	tmp := s.values.temporary(wordsOf(t.bits()))
	n := laneNode(ClassIntAdd, laneNeg(t))
	if t.isFloat() || t.isHalf() {
		sign := uint64(1) << (t.bits() - 1)
		if t.isHalf() {
			sign = halfSigns & t.mask()
		}
		n = laneNode(ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return a ^ sign })
	}
	s.emit(*n.wide(t, t, typeNone, typeNone, typeNone).dst(tmp).srcA(v))
	return tmp
}

// specialSource returns a special register as a value of type t.
func (s *selector) specialSource(o *operand, t scalar) uint32 {
	bits := o.special.bits()
	var v uint32
	if o.special.isFixed() {
		v = s.values.fixed(o.special)
	} else {
		v = s.values.temporary(wordsOf(bits))
		n := instruction(familyMove, moveSpecial, ClassMove)
		n.imm = uint64(o.special)
		if bits == 64 {
			n.flags |= flagWideD
		}
		s.emit(*n.dst(v))
	}
	if t.bits() == bits {
		return v
	}
	// PTX 1.x reads the 32-bit registers as 16 bits; %clock64 may be narrowed.
	tmp := s.values.temporary(wordsOf(t.bits()))
	from := typeU32
	if bits == 64 {
		from = typeU64
	}
	n := laneNode(ClassMove, laneMask(t))
	s.emit(*n.wide(t, from, typeNone, typeNone, typeNone).dst(tmp).srcA(v))
	return tmp
}

// addressValue returns the address of a variable plus an offset.
func (s *selector) addressValue(v *variable, offset uint64, words int) uint32 {
	if c := s.fn.copies[v]; c != nil {
		v = c
	}
	if v.space == SpaceParam && (v.owner == nil || !v.owner.entry || !s.isFormal(v)) {
		s.fail(s.st.at, "unsupported: address of parameter %s of a function", v.name)
		return s.values.constant(words, 0)
	}
	if v.space == SpaceLocal && s.layout != nil && s.layout.recursive[v.owner] {
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
	n := instruction(familyMove, moveFrame, ClassMove)
	n.imm = offset
	if words == 2 {
		n.flags |= flagWideD
	}
	s.emit(*n.dst(tmp))
	return tmp
}

// isFormal reports whether v is a parameter of the function, not a .param
// variable of its body.
func (s *selector) isFormal(v *variable) bool {
	for _, p := range s.fn.params {
		if p.variable == v {
			return true
		}
	}
	return false
}

// dest returns the register operand i is written to as type t; noValue for _.
//
//go:noinline
func (s *selector) dest(i int, t scalar) uint32 { return s.destOf(&s.st.operands[i], t, false) }

// destOf is dest for any operand. With loose, the register may be wider.
func (s *selector) destOf(o *operand, t scalar, loose bool) uint32 {
	if o.kind == operandSink {
		return noValue
	}
	if o.kind != operandName || o.sym == nil || o.sym.kind != symbolRegister || o.negate || o.minus {
		if o.kind == operandName && o.sym == nil && o.special == specialNone {
			s.failed = true // reported by resolve
		}
		s.fail(o.at, "want a register to write to")
		return noValue
	}
	return s.registerOperand(o, t, loose)
}

// sinkable returns dest, or a temporary nobody reads in place of _.
func (s *selector) sinkable(i int, t scalar) uint32 {
	if s.st.operands[i].kind == operandSink {
		return s.values.add(value{words: wordsOf(t.bits()), predicate: t == typePred})
	}
	return s.dest(i, t)
}

// predicate returns a predicate operand and whether it is negated. Constants
// are allowed where PTX allows them.
func (s *selector) predicate(o *operand) (v uint32, negate bool) {
	if o.kind == operandInteger {
		return alwaysTrue, o.value == 0 != o.negate
	}
	if o.special == specialZero { // %is_explicit_cluster
		return alwaysTrue, !o.negate
	}
	if o.kind != operandName || o.sym == nil || o.sym.kind != symbolRegister {
		if o.kind == operandName && o.sym == nil && o.special == specialNone {
			s.failed = true
		}
		s.fail(o.at, "want a predicate register")
		return alwaysTrue, false
	}
	return s.registerOperand(o, typePred, false), o.negate
}

// alwaysTrue stands for predicate index 0 in place of a value.
const alwaysTrue = noValue - 1

// laneNode starts a node that runs f in every lane.
//
//go:noinline
func laneNode(c Class, f laneFunc) *node {
	n := instruction(familyLane, 0, c)
	n.lane = f
	return &n
}

// wide notes which operands have two slots.
func (n *node) wide(d, a, b, c, e scalar) *node {
	for i, t := range [5]scalar{d, a, b, c, e} {
		if t.bits() == 64 {
			n.flags |= flagWideD << i
		}
	}
	return n
}
