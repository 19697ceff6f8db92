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
	if c.D == ptx.TypeF32 && c.A == ptx.TypeBF16 && !c.Saturate && !c.Flush { // its upper half
		return v & 0xffff << 16
	}
	v = WidenFrom(c.A, v, c.Flush && !c.D.IsHalf())
	switch {
	case IsNaN64(v):
		return c.nan(v)
	case c.Integral:
		v = Bits64(Integral64(F64(v), c.Whole))
	}
	switch {
	case c.D.IsHalf():
		return c.toHalf(v)
	case c.D == ptx.TypeF64:
		if c.Saturate {
			return SaturateDouble(v)
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

// nan returns what NaN becomes. A payload survives among the formats of f64 and in f32 to
// f64 without .ftz; otherwise there is one NaN.
func (c *FloatConversion) nan(v uint64) uint64 {
	switch {
	case c.Saturate:
		return 0
	case c.D == ptx.TypeF64:
		if c.Flush {
			return widen(nan32)
		}
		if c.Integral {
			return v | 1<<51
		}
		return v
	case c.A == ptx.TypeF64 && c.D == ptx.TypeF32:
		return v>>63<<31 | 0x7fc00000 | v>>29&0x3fffff
	case c.A == ptx.TypeF64:
		h := FormatOf(c.D)
		return v>>63<<15 | h.infinity | 1<<(h.fraction-1) | v>>h.shift&(1<<h.fraction-1)
	case c.D == ptx.TypeF32:
		return nan32
	}
	return nan16
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
	const infinity, unit = 0x7f800000, 1 << 13
	if c.Finite && r&0x7fffffff >= infinity { // of NaN too, as on an NVIDIA H200
		r -= unit
	}
	if c.Relu && r>>31 != 0 && !isNaN32(r) {
		r = 0
	}
	return r
}
