package ptx

// floatPairs emits an instruction of n sources on pairs of f32.
func (s *selector) floatPairs(sources int, class Class, arith laneArith) {
	m := s.floatMode(typeF32, mayRound)
	if sources == 3 {
		s.wantsRounding(m, roundingWords)
	}
	f := arith(typeF32, m.mode)
	if m.flush {
		f = flushed(f)
	}
	const low = 0xffffffff
	n := laneNode(class, func(a, b, c, _ uint64) uint64 {
		return f(a&low, b&low, c&low, 0) | f(a>>32, b>>32, c>>32, 0)<<32
	})
	t := typeF32x2
	s.floatOperands(n.wide(t, t, t, t, typeNone), sources, t)
}

// mixesHalf reports whether a type of halves follows: add.f32.f16.
func (s *selector) mixesHalf() bool {
	for _, m := range s.mods {
		if m.text == "f16" || m.text == "bf16" {
			return true
		}
	}
	return false
}

// mixedFloat emits an instruction on f32 whose operands but the last are halves,
// which are exact as f32.
func (s *selector) mixedFloat(sources int, class Class, arith laneArith) {
	t := s.typedAs(typeF16, typeBF16)
	h := t.halfFormat()
	m := s.floatMode(typeF32, mayRound|maySaturate)
	if m.flush && !s.module.isSM1() {
		s.unsupported()
	}
	f := arith(typeF32, m.mode)
	if m.saturate {
		f = saturated(f)
	}
	wide := func(v uint64) uint64 { return bits32(float32(h.double(v))) }
	if sources == 2 {
		s.mixed(class, func(a, b, _, _ uint64) uint64 { return f(wide(a), b, 0, 0) }, typeF32, t, typeF32)
		return
	}
	s.mixed(class, func(a, b, c, _ uint64) uint64 { return f(wide(a), wide(b), c, 0) }, typeF32, t, t, typeF32)
}
