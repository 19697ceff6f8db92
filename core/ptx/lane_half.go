package ptx

// halfMode is what the modifiers of an instruction on halves say.
type halfMode struct{ flush, saturate, relu bool }

// laneHalf makes the lane function of an arithmetic instruction on halves: f
// gives the exact result, or one rounded to odd.
func laneHalf(t scalar, m halfMode, f func(a, b, c float64) float64) laneFunc {
	h := t.halfFormat()
	if m == (halfMode{}) {
		return pairs(t, func(a, b, c, _ uint64) uint64 { return h.nearest(f(h.double(a), h.double(b), h.double(c))) })
	}
	return pairs(t, func(a, b, c, _ uint64) uint64 {
		if m.flush {
			a, b, c = h.flush(a), h.flush(b), h.flush(c)
		}
		v := h.nearest(f(h.double(a), h.double(b), h.double(c)))
		if m.flush {
			v = h.flush(v)
		}
		if m.saturate {
			v = h.saturate(v)
		}
		if m.relu {
			v = h.rectify(v)
		}
		return v
	})
}

// pairs applies a lane function of 16-bit values to both halves of a pair; other
// types pass.
func pairs(t scalar, f laneFunc) laneFunc {
	if !t.isPair() {
		return f
	}
	const m = 0xffff
	return func(a, b, c, _ uint64) uint64 {
		return f(a&m, b&m, c&m, 0) | f(a>>16, b>>16, c>>16, 0)<<16
	}
}

// laneHalfSign is neg and abs with .ftz.
func laneHalfSign(t scalar, magnitude bool) laneFunc {
	h := t.halfFormat()
	return pairs(t, func(a, _, _, _ uint64) uint64 {
		if magnitude {
			return h.flush(a) & 0x7fff
		}
		return h.flush(a) ^ 0x8000
	})
}

// laneHalfMinMax is min and max. A number wins over NaN unless nan says otherwise;
// -0 is less than +0.
func laneHalfMinMax(t scalar, greatest, flush, nan, xorSign bool) laneFunc {
	h := t.halfFormat()
	return pairs(t, func(a, b, _, _ uint64) uint64 {
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

// laneHalfCompare compares; bit 0 of the result is for the low half, bit 1 for
// the high half of a pair.
func laneHalfCompare(t scalar, c comparison, flush bool) laneFunc {
	h := t.halfFormat()
	f := func(a, b uint64) uint64 {
		if flush {
			a, b = h.flush(a), h.flush(b)
		}
		x, y := h.double(a), h.double(b)
		var is bool
		switch c.op {
		case compareFloatEq:
			is = x == y
		case compareFloatNe:
			is = x < y || x > y
		case compareFloatLt:
			is = x < y
		case compareFloatLe:
			is = x <= y
		case compareFloatNum:
			is = x == x && y == y
		}
		return uint64(bit(is != c.invert))
	}
	if !t.isPair() {
		return func(a, b, _, _ uint64) uint64 { return f(a, b) }
	}
	return func(a, b, _, _ uint64) uint64 { return f(a&0xffff, b&0xffff) | f(a>>16, b>>16)<<1 }
}

// atomicHalfAdd is atom.add.noftz on halves.
func atomicHalfAdd(t scalar, a, b uint64) uint64 {
	h := t.halfFormat()
	v := h.nearest(halfAdd(h.double(a&0xffff), h.double(b&0xffff), 0))
	if t.isPair() {
		v |= h.nearest(halfAdd(h.double(a>>16), h.double(b>>16), 0)) << 16
	}
	return v
}
