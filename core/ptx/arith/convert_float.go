package arith

import "github.com/burstscope/burstscope/core/ptx"

// FloatConversion is a cvt between floating-point types.
type FloatConversion struct {
	D, A     ptx.Scalar
	Mode     ptx.Rounding
	Integral bool // .rni .rzi .rmi .rpi: to an integral value, in the direction of whole
	Whole    ptx.Rounding
	Flush    bool // .ftz, which concerns f32 only
	Saturate bool // .sat: to [0, 1]
	Relu     bool
	Finite   bool // .satfinite: too large a number becomes the largest
	Away     bool // .rna: ties go away from zero
}

func (c FloatConversion) Lane() ptx.LaneFunc {
	return func(a, _, _, _ uint64) uint64 { return c.Convert(a) }
}

// WidenFrom returns a value of a floating-point type as f64 bits; a NaN keeps its
// sign and payload.
func WidenFrom(a ptx.Scalar, v uint64, flush bool) uint64 {
	switch a {
	case ptx.TypeF16, ptx.TypeBF16:
		return Bits64(FormatOf(a).Double(v & 0xffff))
	case ptx.TypeF32:
		if flush {
			v = Flush32(v)
		}
		return widen(v)
	}
	return v
}

func (c *FloatConversion) Convert(v uint64) uint64 {
	if c.D == ptx.TypeTF32 {
		return c.toTF32(v)
	}
	v = WidenFrom(c.A, v, c.Flush)
	if c.Integral && !IsNaN64(v) {
		v = Bits64(Integral64(F64(v), c.Whole))
	}
	switch {
	case c.D.IsHalf():
		return c.toHalf(v)
	case c.D == ptx.TypeF64:
		if c.Saturate {
			return saturate01Double(v)
		}
		return v
	}
	r := Bits32(round32(F64(v), 0, c.Mode))
	if c.Flush {
		r = Flush32(r)
	}
	if c.Saturate {
		r = Saturate01(r)
	}
	return r
}

func (c *FloatConversion) toHalf(v uint64) uint64 {
	h := FormatOf(c.D)
	r := h.Round(F64(v), c.Mode)
	if c.Finite && r&0x7fff == h.infinity {
		r--
	}
	if c.Saturate {
		r = h.Saturate(r)
	}
	if c.Relu {
		r = h.rectify(r)
	}
	return r
}

func (c *FloatConversion) toTF32(v uint64) uint64 {
	r := tf32(v&0xffffffff, c.Away, c.Mode)
	const infinity, largest = 0x7f800000, 0x7f7fe000
	if c.Finite && r&0x7fffffff == infinity {
		r = r&0x80000000 | largest
	}
	if c.Relu && r>>31 != 0 && !isNaN32(r) {
		r = 0
	}
	return r
}
