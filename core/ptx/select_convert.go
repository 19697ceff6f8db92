package ptx

import "slices"

var convertTypes = []scalar{typeU8, typeU16, typeU32, typeU64, typeS8, typeS16, typeS32, typeS64, typeF32, typeF64,
	typeF16, typeBF16}

func selectCvt(s *selector) {
	if s.has("pack") {
		s.convertPack()
		return
	}
	if word := s.oneOf("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2"); word != "" {
		s.convertSmall(word)
		return
	}
	whole := rounding(0)
	integral := true
	switch s.oneOf("rni", "rzi", "rmi", "rpi") {
	case "rni":
	case "rzi":
		whole = roundZero
	case "rmi":
		whole = roundDown
	case "rpi":
		whole = roundUp
	default:
		integral = false
	}
	mode := roundNearest
	direction := s.oneOf("rn", "rz", "rm", "rp", "rna")
	switch direction {
	case "rz":
		mode = roundZero
	case "rm":
		mode = roundDown
	case "rp":
		mode = roundUp
	}
	flush, saturate := s.has("ftz"), s.has("sat")
	relu, finite := s.has("relu"), s.has("satfinite")
	d := s.typed()
	if d == typeTF32 || d == typeF16x2 || d == typeBF16x2 {
		s.typedAs(typeF32)
		away := direction == "rna"
		if integral || saturate || flush || direction == "" || mode > roundZero || away && (d != typeTF32 || relu) {
			s.unsupported()
			return
		}
		c := floatConversion{d: d, a: typeF32, mode: mode, relu: relu, finite: finite, away: away}
		if d == typeTF32 {
			s.mixed(ClassFloatAdd, c.lane(), typeB32, typeF32)
		} else {
			s.convertPair(d, c)
		}
		return
	}
	if !slices.Contains(convertTypes, d) || direction == "rna" {
		s.unsupported()
		return
	}
	a := s.typedAs(convertTypes...)
	if (relu || finite) && (!d.isHalf() || a.isInteger()) {
		s.unsupported()
	}
	s.checkRounding(d, a, direction, integral, flush)
	if s.failed || !s.count(2, 2) {
		return
	}
	src := s.sourceOf(&s.st.operands[1], a, true)
	dst := s.destOf(&s.st.operands[0], d, true)
	if s.failed {
		return
	}
	dstBits := s.registerBits(0, d)
	srcBits := s.registerBits(1, a)
	var n node
	switch {
	case d.isInteger() && a.isInteger():
		n = convertIntegers(d, a, dstBits, srcBits, saturate)
	case d.isInteger():
		if !integral {
			whole = roundZero
		}
		n = convertToInteger(d, a, dstBits, whole, flush)
	case a.isInteger():
		n = convertFromInteger(d, a, srcBits, mode, saturate)
	default:
		c := floatConversion{d: d, a: a, mode: mode, integral: integral, whole: whole,
			flush: flush, saturate: saturate, relu: relu, finite: finite}
		n = c.node()
	}
	if n.family == familyLane {
		if dstBits == 64 {
			n.flags |= flagWideD
		}
		if srcBits == 64 {
			n.flags |= flagWideA
		}
	}
	s.emit(*n.srcA(src).dst(dst))
}

// checkRounding wants a rounding where a conversion loses something, and none where
// it does not. Up to PTX 1.4 there were defaults.
func (s *selector) checkRounding(d, a scalar, direction string, integral, flush bool) {
	old := s.module.beforeVersion(2, 0)
	switch {
	case d.isInteger() && a.isInteger():
		if integral || direction != "" || flush {
			s.fail(s.st.at, "%s: between integers nothing is rounded: leave the rounding and .ftz out", s.text())
		}
	case d.isInteger():
		if direction != "" || !integral && !old {
			s.fail(s.st.at, "%s: want a rounding to an integer: .rni, .rzi, .rmi or .rpi", s.text())
		}
	case a.isInteger():
		if integral || direction == "" && !old {
			s.fail(s.st.at, "%s: want a rounding of floating-point numbers: %s", s.text(), roundingWords)
		}
	case d.bits() < a.bits() && direction == "" && !integral && !old:
		s.fail(s.st.at, "%s: want a rounding: %s", s.text(), roundingWords)
	}
}

// registerBits returns the width of operand i's register, or of the type if it
// is a constant.
func (s *selector) registerBits(i int, t scalar) int {
	o := &s.st.operands[i]
	if o.kind == operandName && o.sym != nil && o.sym.kind == symbolRegister && !o.minus {
		return o.sym.register.typ.bits()
	}
	return t.bits()
}

// registerMask returns the bits a register of the given width holds.
func registerMask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// convertIntegers makes a conversion between integers. The destination register
// may be wider than the type: the value is extended by the type's sign.
func convertIntegers(d, a scalar, dstBits, srcBits int, saturate bool) node {
	keep := registerMask(dstBits) // which bits of the extended value stay
	if !d.isSigned() {
		keep &= d.mask()
	}
	narrow := d
	if a.bits() < d.bits() {
		narrow = a
	}
	if saturate {
		return *laneNode(ClassIntAdd, func(v, _, _, _ uint64) uint64 {
			return d.extend(saturateInteger(d, a, a.extend(v))) & keep
		})
	}
	if dstBits <= 32 && srcBits <= 32 {
		o := wordMask
		switch {
		case narrow == typeS8:
			o = wordSign8
		case narrow == typeS16:
			o = wordSign16
		default:
			keep &= narrow.mask()
		}
		n := instruction(familyWord, o, ClassIntAdd)
		n.imm = keep
		if o == wordMask && uint32(keep) == FullMask {
			n.op = wordMove
		}
		return n
	}
	switch {
	case dstBits == 64 && srcBits == 32 && narrow == typeU32:
		return instruction(familyLong, longExtendU, ClassIntAdd)
	case dstBits == 64 && srcBits == 32 && narrow == typeS32 && keep == ^uint64(0):
		return instruction(familyLong, longExtendS, ClassIntAdd)
	case dstBits == 64 && srcBits == 64 && narrow.bits() == 64:
		return instruction(familyLong, longMove, ClassIntAdd)
	case dstBits <= 32 && srcBits == 64 && (narrow.isUnsigned() || narrow.bits() == 32):
		n := instruction(familyWord, wordLow, ClassIntAdd)
		n.imm = keep & narrow.mask()
		return n
	}
	return *laneNode(ClassIntAdd, func(v, _, _, _ uint64) uint64 {
		return d.extend(a.extend(v)) & keep
	})
}

// saturateInteger clamps v, a value of type a, to the range of type d.
func saturateInteger(d, a scalar, v uint64) uint64 {
	top := d.mask()
	if d.isSigned() {
		top >>= 1
	}
	if a.isSigned() && int64(v) < 0 {
		if !d.isSigned() {
			return 0
		}
		bottom := -int64(top) - 1
		return uint64(max(int64(v), bottom))
	}
	return min(v, top)
}

func convertToInteger(d, a scalar, dstBits int, whole rounding, flush bool) node {
	// With .ftz a subnormal input is zero, which only .rmi and .rpi can tell.
	directed := whole == roundDown || whole == roundUp
	if a == typeF32 && d.bits() == 32 && dstBits == 32 && !(flush && directed) {
		o := wordFromFloatU
		if d == typeS32 {
			o = wordFromFloatS
		}
		n := instruction(familyWord, o, ClassIntAdd)
		n.target = int32(whole)
		return n
	}
	keep := registerMask(dstBits)
	if !d.isSigned() {
		keep &= d.mask()
	}
	return *laneNode(ClassIntAdd, func(v, _, _, _ uint64) uint64 {
		v = widenFrom(a, v, flush)
		if isNaN64(v) {
			return d.extend(convertNaN(d, a)) & keep
		}
		return d.extend(toInteger(d, integral64(f64(v), whole))) & keep
	})
}

// convertNaN returns what NaN becomes as an integer (PTX ISA, cvt).
func convertNaN(d, a scalar) uint64 {
	if a != typeF64 && d.bits() != 64 {
		return 0
	}
	return 1 << (d.bits() - 1)
}

func convertFromInteger(d, a scalar, srcBits int, mode rounding, saturate bool) node {
	if d == typeF32 && a.bits() == 32 && srcBits == 32 && mode == roundNearest && !saturate {
		o := floatFromU32
		if a.isSigned() {
			o = floatFromS32
		}
		return instruction(familyFloat, o, ClassIntAdd)
	}
	class := ClassIntAdd
	if d == typeF64 {
		class = ClassDoubleAdd
	}
	return *laneNode(class, func(v, _, _, _ uint64) uint64 {
		if d == typeF64 {
			return bits64(intTo64(a.extend(v), a.isSigned(), mode))
		}
		if d.isHalf() {
			h := d.halfFormat()
			r := h.round(withError(splitInteger(a.extend(v), a.isSigned())), mode)
			if saturate {
				r = h.saturate(r)
			}
			return r
		}
		r := uint64(bits32(intTo32(a.extend(v), a.isSigned(), mode)))
		if saturate {
			r = saturate01(r)
		}
		return r
	})
}
