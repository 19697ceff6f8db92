package compile

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// conversionNode makes the instruction of a conversion.
func conversionNode(c arith.FloatConversion) node {
	plain := !c.Integral && !c.Flush && !c.Saturate && !c.Relu && !c.Finite
	switch {
	case c.D == c.A && plain && c.D == ptx.TypeF64:
		return instruction(ptx.FamilyLong, ptx.LongMove, ptx.ClassDoubleAdd)
	case c.D == c.A && plain && c.D == ptx.TypeF32:
		return instruction(ptx.FamilyWord, ptx.WordMove, ptx.ClassFloatAdd)
	case plain && c.D == ptx.TypeF32 && c.A == ptx.TypeF16:
		h := arith.FormatOf(c.A)
		return *laneNode(ptx.ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return arith.Bits32(float32(h.Double(a & 0xffff))) })
	case plain && c.A == ptx.TypeF32 && c.D.IsHalf() && c.Mode == ptx.RoundNearest:
		h := arith.FormatOf(c.D)
		return *laneNode(ptx.ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return h.Nearest(float64(arith.F32(a))) })
	}
	class := ptx.ClassFloatAdd
	if c.D == ptx.TypeF64 || c.A == ptx.TypeF64 {
		class = ptx.ClassDoubleAdd
	}
	return *laneNode(class, c.Lane())
}

var convertTypes = []ptx.Scalar{ptx.TypeU8, ptx.TypeU16, ptx.TypeU32, ptx.TypeU64, ptx.TypeS8, ptx.TypeS16, ptx.TypeS32, ptx.TypeS64, ptx.TypeF32, ptx.TypeF64,
	ptx.TypeF16, ptx.TypeBF16}

func selectCvt(s *selector) {
	if s.has("pack") {
		s.convertPack()
		return
	}
	if word := s.oneOf("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2"); word != "" {
		s.convertSmall(word)
		return
	}
	whole := ptx.Rounding(0)
	integral := true
	switch s.oneOf("rni", "rzi", "rmi", "rpi") {
	case "rni":
	case "rzi":
		whole = ptx.RoundZero
	case "rmi":
		whole = ptx.RoundDown
	case "rpi":
		whole = ptx.RoundUp
	default:
		integral = false
	}
	mode := ptx.RoundNearest
	direction := s.oneOf("rn", "rz", "rm", "rp", "rna")
	switch direction {
	case "rz":
		mode = ptx.RoundZero
	case "rm":
		mode = ptx.RoundDown
	case "rp":
		mode = ptx.RoundUp
	}
	if integral && direction != "" {
		s.fail(s.st.At, "%s: there is one rounding", s.text())
	}
	flush, saturate := s.has("ftz"), s.has("sat")
	relu, finite := s.has("relu"), s.has("satfinite")
	d := s.typed()
	if d == ptx.TypeTF32 || d == ptx.TypeF16x2 || d == ptx.TypeBF16x2 {
		s.typedAs(ptx.TypeF32)
		away := direction == "rna"
		if integral || saturate || flush || direction == "" || mode > ptx.RoundZero || away && (d != ptx.TypeTF32 || relu) {
			s.unsupported()
			return
		}
		c := arith.FloatConversion{D: d, A: ptx.TypeF32, Mode: mode, Relu: relu, Finite: finite, Away: away}
		if d == ptx.TypeTF32 {
			s.mixed(ptx.ClassFloatAdd, c.Lane(), ptx.TypeB32, ptx.TypeF32)
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
	if flush && d != ptx.TypeF32 && a != ptx.TypeF32 && !s.module.isSM1() {
		s.fail(s.st.At, "%s: .ftz is for conversions from or to .f32", s.text())
	}
	if saturate && d.IsInteger() && a.IsInteger() && holds(d, a) {
		s.fail(s.st.At, "%s: .%s holds every .%s, so there is nothing to saturate", s.text(), d, a)
	}
	if (relu || finite) && (!d.IsHalf() || a.IsInteger() || a == ptx.TypeF64 || mode > ptx.RoundZero) ||
		saturate && d == ptx.TypeBF16 {
		s.unsupported()
	}
	s.checkRounding(d, a, direction, integral, flush)
	if s.failed || !s.count(2, 2) {
		return
	}
	src := s.sourceOf(&s.st.Operands[1], a, true)
	dst := s.destOf(&s.st.Operands[0], d, true)
	if s.failed {
		return
	}
	dstBits := s.registerBits(0, d)
	srcBits := s.registerBits(1, a)
	var n node
	switch {
	case d.IsInteger() && a.IsInteger():
		n = convertIntegers(d, a, dstBits, srcBits, saturate)
	case d.IsInteger():
		if !integral {
			whole = ptx.RoundZero
		}
		n = convertToInteger(d, a, dstBits, whole, flush)
	case a.IsInteger():
		n = convertFromInteger(d, a, srcBits, mode, saturate)
	default:
		c := arith.FloatConversion{D: d, A: a, Mode: mode, Integral: integral, Whole: whole,
			Flush: flush, Saturate: saturate, Relu: relu, Finite: finite}
		n = conversionNode(c)
	}
	if n.Family == ptx.FamilyLane {
		if dstBits == 64 {
			n.Flags |= ptx.FlagWideD
		}
		if srcBits == 64 {
			n.Flags |= ptx.FlagWideA
		}
	}
	s.emit(*n.srcA(src).dst(dst))
}

// checkRounding reports a missing rounding of a conversion that may be inexact, and
// a superfluous rounding of one that is always exact. Up to PTX 1.4 there were
// defaults.
func (s *selector) checkRounding(d, a ptx.Scalar, direction string, integral, flush bool) {
	old := s.module.before(2, 0)
	switch {
	case d.IsInteger() && a.IsInteger():
		if integral || direction != "" || flush {
			s.fail(s.st.At, "%s: a conversion between integers does not round: remove the rounding and .ftz", s.text())
		}
	case d.IsInteger():
		if direction != "" || !integral && !old {
			s.fail(s.st.At, "%s: want a rounding to an integer: .rni, .rzi, .rmi or .rpi", s.text())
		}
	case a.IsInteger():
		if integral || direction == "" && !old {
			s.fail(s.st.At, "%s: want a rounding of floating-point numbers: %s", s.text(), roundingWords)
		}
	case d.Bits() < a.Bits() && direction == "" && !integral && !old:
		s.fail(s.st.At, "%s: want a rounding: %s", s.text(), roundingWords)
	}
}

// holds reports whether an integer type has all values of another: then nothing saturates.
func holds(d, a ptx.Scalar) bool {
	if d.IsSigned() == a.IsSigned() {
		return d.Bits() >= a.Bits()
	}
	return d.IsSigned() && d.Bits() > a.Bits()
}

// registerBits returns the width of operand i's register, or of the type if it
// is a constant.
func (s *selector) registerBits(i int, t ptx.Scalar) int {
	o := &s.st.Operands[i]
	if o.Kind == syntax.OperandName && o.Sym != nil && o.Sym.Kind == syntax.SymbolRegister && !o.Minus {
		return o.Sym.Register.Type.Bits()
	}
	return t.Bits()
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
func convertIntegers(d, a ptx.Scalar, dstBits, srcBits int, saturate bool) node {
	keep := registerMask(dstBits) // which bits of the extended value stay
	if !d.IsSigned() {
		keep &= d.Mask()
	}
	narrow := d
	if a.Bits() < d.Bits() {
		narrow = a
	}
	if saturate {
		return *laneNode(ptx.ClassIntAdd, func(v, _, _, _ uint64) uint64 {
			return d.Extend(saturateInteger(d, a, a.Extend(v))) & keep
		})
	}
	if dstBits <= 32 && srcBits <= 32 {
		o := ptx.WordMask
		switch {
		case narrow == ptx.TypeS8:
			o = ptx.WordSign8
		case narrow == ptx.TypeS16:
			o = ptx.WordSign16
		default:
			keep &= narrow.Mask()
		}
		n := instruction(ptx.FamilyWord, o, ptx.ClassIntAdd)
		n.Imm = keep
		if o == ptx.WordMask && uint32(keep) == ptx.FullMask {
			n.Op = ptx.WordMove
		}
		return n
	}
	switch {
	case dstBits == 64 && srcBits == 32 && narrow == ptx.TypeU32:
		return instruction(ptx.FamilyLong, ptx.LongExtendU, ptx.ClassIntAdd)
	case dstBits == 64 && srcBits == 32 && narrow == ptx.TypeS32 && keep == ^uint64(0):
		return instruction(ptx.FamilyLong, ptx.LongExtendS, ptx.ClassIntAdd)
	case dstBits == 64 && srcBits == 64 && narrow.Bits() == 64:
		return instruction(ptx.FamilyLong, ptx.LongMove, ptx.ClassIntAdd)
	case dstBits <= 32 && srcBits == 64 && (narrow.IsUnsigned() || narrow.Bits() == 32):
		n := instruction(ptx.FamilyWord, ptx.WordLow, ptx.ClassIntAdd)
		n.Imm = keep & narrow.Mask()
		return n
	}
	return *laneNode(ptx.ClassIntAdd, func(v, _, _, _ uint64) uint64 {
		return d.Extend(a.Extend(v)) & keep
	})
}

// saturateInteger clamps v, a value of type a, to the range of type d.
func saturateInteger(d, a ptx.Scalar, v uint64) uint64 {
	top := d.Mask()
	if d.IsSigned() {
		top >>= 1
	}
	if a.IsSigned() && int64(v) < 0 {
		if !d.IsSigned() {
			return 0
		}
		bottom := -int64(top) - 1
		return uint64(max(int64(v), bottom))
	}
	return min(v, top)
}

func convertToInteger(d, a ptx.Scalar, dstBits int, whole ptx.Rounding, flush bool) node {
	// With .ftz a subnormal input is zero, which only .rmi and .rpi can tell.
	directed := whole == ptx.RoundDown || whole == ptx.RoundUp
	if a == ptx.TypeF32 && d.Bits() == 32 && dstBits == 32 && !(flush && directed) {
		o := ptx.WordFromFloatU
		if d == ptx.TypeS32 {
			o = ptx.WordFromFloatS
		}
		n := instruction(ptx.FamilyWord, o, ptx.ClassIntAdd)
		n.Target = int32(whole)
		return n
	}
	keep := registerMask(dstBits)
	if !d.IsSigned() {
		keep &= d.Mask()
	}
	return *laneNode(ptx.ClassIntAdd, func(v, _, _, _ uint64) uint64 {
		v = arith.WidenFrom(a, v, flush)
		if arith.IsNaN64(v) {
			return d.Extend(convertNaN(d, a)) & keep
		}
		return d.Extend(arith.ToInteger(d, arith.Integral64(arith.F64(v), whole))) & keep
	})
}

// convertNaN returns what NaN becomes as an integer (PTX ISA, cvt).
func convertNaN(d, a ptx.Scalar) uint64 {
	if a != ptx.TypeF64 && d.Bits() != 64 {
		return 0
	}
	return 1 << (d.Bits() - 1)
}

func convertFromInteger(d, a ptx.Scalar, srcBits int, mode ptx.Rounding, saturate bool) node {
	if d == ptx.TypeF32 && a.Bits() == 32 && srcBits == 32 && mode == ptx.RoundNearest && !saturate {
		o := ptx.FloatFromU32
		if a.IsSigned() {
			o = ptx.FloatFromS32
		}
		return instruction(ptx.FamilyFloat, o, ptx.ClassIntAdd)
	}
	class := ptx.ClassIntAdd
	if d == ptx.TypeF64 {
		class = ptx.ClassDoubleAdd
	}
	return *laneNode(class, func(v, _, _, _ uint64) uint64 {
		if d == ptx.TypeF64 {
			r := arith.Bits64(arith.IntTo64(a.Extend(v), a.IsSigned(), mode))
			if saturate {
				r = arith.SaturateDouble(r)
			}
			return r
		}
		if d.IsHalf() {
			h := arith.FormatOf(d)
			r := h.Round(arith.WithError(arith.SplitInteger(a.Extend(v), a.IsSigned())), mode)
			if saturate {
				r = h.Saturate(r)
			}
			return r
		}
		r := uint64(arith.Bits32(arith.IntTo32(a.Extend(v), a.IsSigned(), mode)))
		if saturate {
			r = arith.Saturate01(r)
		}
		return r
	})
}
