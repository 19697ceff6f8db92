package ptx

// floatConversion is a cvt between floating-point types.
type floatConversion struct {
	d, a     scalar
	mode     rounding
	integral bool // .rni .rzi .rmi .rpi: to an integral value, in the direction of whole
	whole    rounding
	flush    bool // .ftz, which concerns f32 only
	saturate bool // .sat: to [0, 1]
	relu     bool
	finite   bool // .satfinite: too large a number becomes the largest
	away     bool // .rna: ties go away from zero
}

// node makes the instruction.
func (c floatConversion) node() node {
	plain := !c.integral && !c.flush && !c.saturate && !c.relu && !c.finite
	switch {
	case c.d == c.a && plain && c.d == typeF64:
		return instruction(familyLong, longMove, ClassDoubleAdd)
	case c.d == c.a && plain && c.d == typeF32:
		return instruction(familyWord, wordMove, ClassFloatAdd)
	case plain && c.d == typeF32 && c.a.isHalf():
		h := c.a.halfFormat()
		return *laneNode(ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return bits32(float32(h.double(a & 0xffff))) })
	case plain && c.a == typeF32 && c.d.isHalf() && c.mode == roundNearest:
		h := c.d.halfFormat()
		return *laneNode(ClassFloatAdd, func(a, _, _, _ uint64) uint64 { return h.nearest(float64(f32(a))) })
	}
	class := ClassFloatAdd
	if c.d == typeF64 || c.a == typeF64 {
		class = ClassDoubleAdd
	}
	return *laneNode(class, c.lane())
}

func (c floatConversion) lane() laneFunc {
	return func(a, _, _, _ uint64) uint64 { return c.convert(a) }
}

// widenFrom returns a value of a floating-point type as f64 bits; a NaN keeps its
// sign and payload.
func widenFrom(a scalar, v uint64, flush bool) uint64 {
	switch a {
	case typeF16, typeBF16:
		return bits64(a.halfFormat().double(v & 0xffff))
	case typeF32:
		if flush {
			v = flush32(v)
		}
		return widen(v)
	}
	return v
}

func (c *floatConversion) convert(v uint64) uint64 {
	if c.d == typeTF32 {
		return c.toTF32(v)
	}
	v = widenFrom(c.a, v, c.flush)
	if c.integral && !isNaN64(v) {
		v = bits64(integral64(f64(v), c.whole))
	}
	switch {
	case c.d.isHalf():
		return c.toHalf(v)
	case c.d == typeF64:
		if c.saturate {
			return saturate01Double(v)
		}
		return v
	}
	r := bits32(round32(f64(v), 0, c.mode))
	if c.flush {
		r = flush32(r)
	}
	if c.saturate {
		r = saturate01(r)
	}
	return r
}

func (c *floatConversion) toHalf(v uint64) uint64 {
	h := c.d.halfFormat()
	r := h.round(f64(v), c.mode)
	if c.finite && r&0x7fff == h.infinity {
		r--
	}
	if c.saturate {
		r = h.saturate(r)
	}
	if c.relu {
		r = h.rectify(r)
	}
	return r
}

func (c *floatConversion) toTF32(v uint64) uint64 {
	r := tf32(v&0xffffffff, c.away, c.mode)
	const infinity, largest = 0x7f800000, 0x7f7fe000
	if c.finite && r&0x7fffffff == infinity {
		r = r&0x80000000 | largest
	}
	if c.relu && r>>31 != 0 && !isNaN32(r) {
		r = 0
	}
	return r
}
