package compile

import (
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/syntax"
)

// isVideo reports whether registers of an instruction may be followed by the part
// that is meant, as in %r1.h0.
func isVideo(opcode string) bool {
	return len(opcode) > 3 && opcode[0] == 'v' && opcode != "vote"
}

// videoPart reads .b0 to .b3, .h0 and .h1; all 32 bits without one.
func (s *selector) videoPart(o *syntax.Operand) arith.VideoPart {
	word := o.Element()
	if word == "" {
		return arith.VideoPart{Bits: 32}
	}
	i := -1
	if len(word) == 2 {
		i = int(word[1]) - '0'
	}
	switch {
	case word[0] == 'b' && i >= 0 && i < 4:
		return arith.VideoPart{Shift: 8 * i, Bits: 8}
	case word[0] == 'h' && i >= 0 && i < 2:
		return arith.VideoPart{Shift: 16 * i, Bits: 16}
	}
	s.fail(o.At, "%s.%s: a part of a register is .b0 to .b3, .h0 or .h1 here", o.Name, word)
	return arith.VideoPart{Bits: 32}
}

// videoParts reads which elements of b:a a source has, .h10 or .b7654: the digits go
// from the most significant element to the least.
func (s *selector) videoParts(o *syntax.Operand, n int, normal string) []arith.VideoPart {
	word := o.Element()
	if word == "" {
		word = normal
	}
	parts := make([]arith.VideoPart, n)
	good := len(word) == n+1 && word[0] == normal[0]
	for i := 0; good && i < n; i++ {
		k := int(word[n-i]) - '0'
		good = k >= 0 && k < 2*n
		parts[i] = arith.VideoPart{Shift: k * 32 / n, Bits: 32 / n}
	}
	if !good {
		s.fail(o.At, "%s.%s: want .%c and %d digits from 0 to %d", o.Name, word, normal[0], n, 2*n-1)
	}
	return parts
}

// videoMask reads which elements of the destination are written, .h10 or .b320: digits
// that descend.
func (s *selector) videoMask(o *syntax.Operand, n int, normal string) (mask uint64) {
	word := o.Element()
	if word == "" {
		word = normal
	}
	good := len(word) > 1 && word[0] == normal[0]
	for i, last := 1, n; good && i < len(word); i++ {
		k := int(word[i]) - '0'
		good = k >= 0 && k < last
		mask |= 1 << max(k, 0)
		last = k
	}
	if !good {
		s.fail(o.At, "%s.%s: want .%c and descending digits below %d", o.Name, word, normal[0], n)
	}
	return mask
}

// emitVideo emits a video instruction of two sources. Compute capabilities 2.x and 3.x
// have it in hardware, where it takes twice the time of an addition as a product does
// (CUDA C Programming Guide 8.0, "Throughput of Native Arithmetic Instructions": 16 a
// cycle of 32 on 2.0, 32 of 160 on 3.x). From 5.0 on the table says "multiple
// instructions" and no number. Here they are three: one that extracts the elements of
// each source that needs it, as bfe or prmt would, and the operation itself.
func (s *selector) emitVideo(x, y ptx.LaneFunc, last ptx.LaneFunc, types [3]ptx.Scalar) {
	third := noValue
	if len(s.st.Operands) == 4 {
		third = s.videoRegister(3, types[0])
	}
	a, b := s.videoRegister(1, types[1]), s.videoRegister(2, types[2])
	if s.failed {
		return
	}
	sm, _ := smOf(s.module.Target)
	if sm < 50 {
		n := laneNode(ptx.ClassIntMul, func(a, b, c, _ uint64) uint64 {
			return last(x(a, b, 0, 0), y(a, b, 0, 0), c, 0)
		})
		n.srcA(a).srcB(b)
		s.videoEnd(n, third)
		return
	}
	n := laneNode(ptx.ClassIntAdd, last).wide(ptx.TypeNone, ptx.TypeB64, ptx.TypeB64, ptx.TypeNone, ptx.TypeNone)
	n.srcA(s.videoElements(x, a, b)).srcB(s.videoElements(y, a, b))
	s.videoEnd(n, third)
}

// videoElements emits the extraction of a source.
func (s *selector) videoElements(x ptx.LaneFunc, a, b uint32) uint32 {
	tmp := s.values.temporary(2)
	s.values.list[tmp].whole = true
	n := laneNode(ptx.ClassIntAdd, x).wide(ptx.TypeB64, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone, ptx.TypeNone)
	s.emit(*n.srcA(a).srcB(b).dst(tmp))
	return tmp
}

func (s *selector) videoEnd(n *node, third uint32) {
	if third != noValue {
		n.srcC(third)
	}
	s.emit(*n.dst(s.dest(0, ptx.TypeB32)))
}

// videoRegister returns a source as 32 bits; a minus of vmad is not done here.
func (s *selector) videoRegister(i int, t ptx.Scalar) uint32 {
	o := s.st.Operands[i]
	if s.st.Opcode == "vmad" {
		o.Minus = false
	}
	return s.sourceOf(&o, t, false)
}

// videoTypes takes the types of the destination and of the sources; those of vset have
// none for the destination.
func (s *selector) videoTypes() (types [3]ptx.Scalar) {
	first := 0
	if strings.HasPrefix(s.st.Opcode, "vset") {
		types[0], first = ptx.TypeU32, 1
	}
	for i := first; i < 3; i++ {
		types[i] = s.typedAs(ptx.TypeU32, ptx.TypeS32)
	}
	return types
}

// videoOf is the source with one element, of which a lies below b.
func (s *selector) videoOf(i int, t ptx.Scalar) ptx.LaneFunc {
	part := s.videoPart(&s.st.Operands[i])
	part.Shift += 32 * (i - 1)
	return arith.LaneVideoParts([]arith.VideoPart{part}, t.IsSigned())
}

// selectVideo has the scalar instructions except vmad: with two sources, with a second
// operation on a third one, or with a part of the third one replaced.
func selectVideo(s *selector) {
	op := s.st.Opcode
	saturate := op != "vset" && s.has("sat")
	types := s.videoTypes()
	var f arith.VideoOp
	switch op {
	case "vshl", "vshr":
		way := s.oneOf("clamp", "wrap")
		if way == "" || types[2] != ptx.TypeU32 {
			s.fail(s.st.At, "%s: want .clamp or .wrap, and .u32 for the amount", s.text())
		}
		f = arith.VideoShift(op == "vshl", way == "wrap")
	case "vset":
		f = s.videoCompare()
	default:
		f = arith.VideoOperation(op)
	}
	second := s.oneOf("add", "min", "max")
	if s.failed || !s.count(3, 4) {
		return
	}
	part := s.videoPart(&s.st.Operands[0])
	operands := 3
	if second != "" || part.Bits < 32 {
		operands = 4
	}
	if second != "" && part.Bits < 32 {
		s.fail(s.st.Operands[0].At, "%s: a second operation writes all of %s", s.text(), s.st.Operands[0].Name)
	}
	x, y := s.videoOf(1, types[1]), s.videoOf(2, types[2])
	if s.failed || !s.count(operands, operands) || !s.wholeThird() {
		return
	}
	if saturate {
		f = arith.VideoClamp(f, part.Bits, types[0].IsSigned())
	}
	last := arith.LaneVideoScalar(f, second, types[0].IsSigned())
	if part.Bits < 32 {
		last = arith.LaneVideoMerge(f, part)
	}
	s.emitVideo(x, y, last, types)
}

// wholeThird reports that the third source has no part.
func (s *selector) wholeThird() bool {
	if len(s.st.Operands) == 4 && s.st.Operands[3].Element() != "" {
		o := &s.st.Operands[3]
		s.fail(o.At, "%s.%s: the third source is a whole register", o.Name, o.Element())
	}
	return !s.failed
}

func (s *selector) videoCompare() arith.VideoOp {
	word := s.oneOf("eq", "ne", "lt", "le", "gt", "ge")
	if word == "" {
		s.fail(s.st.At, "%s: want a comparison: .eq, .ne, .lt, .le, .gt or .ge", s.text())
	}
	return arith.VideoCompare(word)
}

func selectVideoMad(s *selector) {
	var m arith.VideoMad
	m.PlusOne, m.Saturate = s.has("po"), s.has("sat")
	switch s.oneOf("shr7", "shr15") {
	case "shr7":
		m.Scale = 7
	case "shr15":
		m.Scale = 15
	}
	types := s.videoTypes()
	if s.failed || !s.count(4, 4) || !s.wholeThird() {
		return
	}
	ops := s.st.Operands
	m.NegateProduct, m.NegateC = ops[1].Minus != ops[2].Minus, ops[3].Minus
	if m.PlusOne && (ops[1].Minus || ops[2].Minus || m.NegateC) {
		s.fail(s.st.At, "%s: no operand can be negated with .po", s.text())
	}
	if m.NegateProduct && m.NegateC {
		s.fail(ops[3].At, "%s: either the product or the third source can be negated", s.text())
	}
	if ops[0].Element() != "" {
		s.fail(ops[0].At, "%s writes all of %s", s.text(), ops[0].Name)
	}
	m.SignedFinal = types[1].IsSigned() || types[2].IsSigned() || m.NegateProduct || m.NegateC
	types[0] = ptx.TypeB32
	s.emitVideo(s.videoOf(1, types[1]), s.videoOf(2, types[2]), arith.LaneVideoMad(m), types)
}

// selectVideoVector has the instructions on 2 halves or 4 bytes.
func selectVideoVector(s *selector) {
	op := s.st.Opcode
	n := int(op[len(op)-1] - '0')
	all, first, second := "h10", "h10", "h32"
	if n == 4 {
		all, first, second = "b3210", "b3210", "b7654"
	}
	types := s.videoTypes()
	var f arith.VideoOp
	if op = op[:len(op)-1]; op == "vset" {
		f = s.videoCompare()
	} else {
		f = arith.VideoOperation(op)
	}
	saturate, accumulate := op != "vset" && s.has("sat"), s.has("add")
	if saturate && accumulate {
		s.fail(s.st.At, "%s: a sum cannot be saturated, use .sat or .add", s.text())
	}
	if s.failed || !s.count(4, 4) || !s.wholeThird() {
		return
	}
	if saturate {
		f = arith.VideoClamp(f, 32/n, types[0].IsSigned())
	}
	ops := s.st.Operands
	x := arith.LaneVideoParts(s.videoParts(&ops[1], n, first), types[1].IsSigned())
	y := arith.LaneVideoParts(s.videoParts(&ops[2], n, second), types[2].IsSigned())
	s.emitVideo(x, y, arith.LaneVideoVector(f, n, s.videoMask(&ops[0], n, all), accumulate), types)
}
