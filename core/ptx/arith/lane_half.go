package arith

import "github.com/burstscope/burstscope/core/ptx"

// HalfMode is what the modifiers of an instruction on halves say.
type HalfMode struct{ Flush, Saturate, Relu bool }

// LaneHalf makes the lane function of an arithmetic instruction on halves: f
// gives the exact result, or one rounded to odd.
func LaneHalf(t ptx.Scalar, m HalfMode, f func(a, b, c float64) float64) ptx.LaneFunc {
	h := FormatOf(t)
	if m == (HalfMode{}) {
		return Pairs(t, func(a, b, c, _ uint64) uint64 { return h.Nearest(f(h.Double(a), h.Double(b), h.Double(c))) })
	}
	return Pairs(t, func(a, b, c, _ uint64) uint64 {
		if m.Flush {
			a, b, c = h.flush(a), h.flush(b), h.flush(c)
		}
		x := f(h.Double(a), h.Double(b), h.Double(c))
		v := h.Nearest(x)
		if m.Flush {
			v = h.flushExact(v, x)
		}
		if m.Saturate {
			v = h.Saturate(v)
		}
		if m.Relu {
			v = h.rectify(v)
		}
		return v
	})
}

// Pairs applies a lane function of 16-bit values to both halves of a pair; other
// types pass.
func Pairs(t ptx.Scalar, f ptx.LaneFunc) ptx.LaneFunc {
	if !t.IsPair() {
		return f
	}
	const m = 0xffff
	return func(a, b, c, _ uint64) uint64 {
		return f(a&m, b&m, c&m, 0) | f(a>>16, b>>16, c>>16, 0)<<16
	}
}

// LaneHalfSign is neg and abs.
func LaneHalfSign(t ptx.Scalar, magnitude, flush bool) ptx.LaneFunc {
	h := FormatOf(t)
	return Pairs(t, func(a, _, _, _ uint64) uint64 {
		if flush {
			a = h.flush(a)
		}
		switch {
		case h.isNaN(a):
			return nan16
		case magnitude:
			return a & 0x7fff
		}
		return a ^ 0x8000
	})
}

// LaneHalfMinMax is min and max. A number wins over NaN unless nan says otherwise;
// -0 is less than +0.
func LaneHalfMinMax(t ptx.Scalar, greatest, flush, nan, xorSign bool) ptx.LaneFunc {
	h := FormatOf(t)
	return Pairs(t, func(a, b, _, _ uint64) uint64 {
		if flush {
			a, b = h.flush(a), h.flush(b)
		}
		sign := (a ^ b) & 0x8000
		if xorSign {
			a, b = a&0x7fff, b&0x7fff
		}
		v := a
		switch {
		case h.isNaN(a) && (nan || h.isNaN(b)), nan && h.isNaN(b):
			return nan16
		case h.isNaN(a), !h.isNaN(b) && (halfOrder(b) > halfOrder(a)) == greatest:
			v = b
		}
		if xorSign {
			v |= sign
		}
		return v
	})
}

// halfOrder maps the bits of numbers to integers of the same order.
func halfOrder(v uint64) int64 {
	if v >= 0x8000 {
		return 0x7fff - int64(v)
	}
	return int64(v)
}

// LaneHalfCompare compares; bit 0 of the result is for the low half, bit 1 for
// the high half of a pair.
func LaneHalfCompare(t ptx.Scalar, c Comparison, flush bool) ptx.LaneFunc {
	h := FormatOf(t)
	f := func(a, b uint64) uint64 {
		if flush {
			a, b = h.flush(a), h.flush(b)
		}
		x, y := h.Double(a), h.Double(b)
		var is bool
		switch c.Op {
		case ptx.CompareFloatEq:
			is = x == y
		case ptx.CompareFloatNe:
			is = x < y || x > y
		case ptx.CompareFloatLt:
			is = x < y
		case ptx.CompareFloatLe:
			is = x <= y
		case ptx.CompareFloatNum:
			is = x == x && y == y
		}
		return uint64(Bit(is != c.Invert))
	}
	if !t.IsPair() {
		return func(a, b, _, _ uint64) uint64 { return f(a, b) }
	}
	return func(a, b, _, _ uint64) uint64 { return f(a&0xffff, b&0xffff) | f(a>>16, b>>16)<<1 }
}

// atomicHalfAdd is atom.add.noftz on halves.
func atomicHalfAdd(t ptx.Scalar, a, b uint64) uint64 {
	h := FormatOf(t)
	v := h.Nearest(HalfAdd(h.Double(a&0xffff), h.Double(b&0xffff), 0))
	if t.IsPair() {
		v |= h.Nearest(HalfAdd(h.Double(a>>16), h.Double(b>>16), 0)) << 16
	}
	return v
}

// Comparison expresses a comparison operator by one of the few that have loops.
type Comparison struct {
	Op     ptx.Op
	Swap   bool
	Invert bool
}
