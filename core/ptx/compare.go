package ptx

import "math/bits"

// Comparisons; the result is a mask of lanes.
const (
	compareEq op = iota
	compareLtU
	compareLtS
	compareLtS16
	compareLongEq
	compareLongLtU
	compareLongLtS
	compareFloatEq
	compareFloatNe
	compareFloatLt
	compareFloatLe
	compareFloatNum
	compareDoubleEq
	compareDoubleNe
	compareDoubleLt
	compareDoubleLe
	compareDoubleNum
	compareLane // a function that returns 0 or 1
	comparePair // a function that returns one bit for each half of a pair
)

// How the result is combined with the predicate c.
const (
	combineNone int32 = iota
	combineAnd
	combineOr
	combineXor
)

// compare runs set, setp and testp on the lanes of mask.
func (w *Warp) compare(in *Instr, mask uint32) {
	var r, high uint32
	switch in.op {
	case compareEq:
		r = eqMask(w.u32(in.a), w.u32(in.b))
	case compareLtU:
		r = ltMask(w.u32(in.a), w.u32(in.b))
	case compareLtS:
		r = ltMask(asInts(w.u32(in.a)), asInts(w.u32(in.b)))
	case compareLongEq:
		r = eqMask(w.u64(in.a), w.u64(in.b))
	case compareLongLtU:
		r = ltMask(w.u64(in.a), w.u64(in.b))
	case compareLongLtS:
		r = ltMask(asLongInts(w.u64(in.a)), asLongInts(w.u64(in.b)))
	case compareLtS16:
		a, b := w.u32(in.a), w.u32(in.b)
		for i := range a {
			if int16(a[i]) < int16(b[i]) {
				r |= 1 << i
			}
		}
	case compareLane, comparePair:
		wide := in.flags&flagWideA != 0
		b := w.u32(in.b)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := uint32(in.lane(w.lane(in.a, wide, i), uint64(b[i]), 0, 0))
			r |= v & 1 << i
			high |= v >> 1 << i
		}
	case compareDoubleEq, compareDoubleNe, compareDoubleLt, compareDoubleLe, compareDoubleNum:
		r = compareFloats(in.op-compareDoubleEq, asDoubles(w.u64(in.a)), asDoubles(w.u64(in.b)))
	default:
		a, b := w.u32(in.a), w.u32(in.b)
		if in.flags&flagFlush != 0 {
			var fa, fb [32]uint32
			flushLanes(&fa, a)
			flushLanes(&fb, b)
			a, b = &fa, &fb
		}
		r = compareFloats(in.op-compareFloatEq, asFloats(a), asFloats(b))
	}
	w.compared(in, mask, r, high)
}

// compared gives the result of a comparison to its destinations.
func (w *Warp) compared(in *Instr, mask, r, high uint32) {
	if in.flags&flagInvert != 0 {
		r = ^r
	}
	q := ^r
	if in.op == comparePair {
		q = high
	}
	if in.flags&flagHasC != 0 {
		c := w.predicates[in.c]
		if in.flags&flagNegateC != 0 {
			c = ^c
		}
		r, q = combine(in.target, r, c), combine(in.target, q, c)
	}
	if in.flags&flagSet != 0 {
		// The upper half of the value goes with the upper half of a pair.
		d, v, upper := w.u32(in.d), uint32(in.imm), uint32(0)
		if in.op == comparePair {
			v, upper = v&0xffff, v&^0xffff
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = v&-(r>>i&1) | upper&-(q>>i&1)
		}
		return
	}
	if in.flags&flagPrimary != 0 {
		p := &w.predicates[in.d]
		*p = *p&^mask | r&mask
	}
	if in.flags&flagHasE != 0 {
		p := &w.predicates[in.e]
		*p = *p&^mask | q&mask
	}
}

func combine(how int32, r, c uint32) uint32 {
	switch how {
	case combineAnd:
		return r & c
	case combineOr:
		return r | c
	case combineXor:
		return r ^ c
	}
	return r
}

func bit(b bool) uint32 {
	var x uint32
	if b {
		x = 1
	}
	return x
}

type number32or64 interface {
	~uint32 | ~int32 | ~uint64 | ~int64 | ~float32 | ~float64
}

func eqMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 8 {
		q := bit(a[i] == b[i]) | bit(a[i+1] == b[i+1])<<1 | bit(a[i+2] == b[i+2])<<2 | bit(a[i+3] == b[i+3])<<3
		q |= bit(a[i+4] == b[i+4])<<4 | bit(a[i+5] == b[i+5])<<5 | bit(a[i+6] == b[i+6])<<6 | bit(a[i+7] == b[i+7])<<7
		r |= q << uint(i)
	}
	return r
}

func ltMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 8 {
		q := bit(a[i] < b[i]) | bit(a[i+1] < b[i+1])<<1 | bit(a[i+2] < b[i+2])<<2 | bit(a[i+3] < b[i+3])<<3
		q |= bit(a[i+4] < b[i+4])<<4 | bit(a[i+5] < b[i+5])<<5 | bit(a[i+6] < b[i+6])<<6 | bit(a[i+7] < b[i+7])<<7
		r |= q << uint(i)
	}
	return r
}

func leMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 4 {
		q := bit(a[i] <= b[i]) | bit(a[i+1] <= b[i+1])<<1 | bit(a[i+2] <= b[i+2])<<2 | bit(a[i+3] <= b[i+3])<<3
		r |= q << uint(i)
	}
	return r
}

// compareFloats takes the operation counted from the Eq of its width.
func compareFloats[T float32 | float64](o op, a, b *[32]T) uint32 {
	switch o {
	case 0:
		return eqMask(a, b)
	case 1: // not equal, and both are numbers
		return ltMask(a, b) | ltMask(b, a)
	case 2:
		return ltMask(a, b)
	case 3:
		return leMask(a, b)
	}
	return eqMask(a, a) & eqMask(b, b)
}

// Logic on predicates; imm holds which operands are negated.
const (
	predicateMove op = iota
	predicateAnd
	predicateOr
	predicateXor
	predicateNot
)

func (w *Warp) predicateLogic(in *Instr, mask uint32) {
	a, b := w.predicates[in.a], w.predicates[in.b]
	if in.imm&1 != 0 {
		a = ^a
	}
	if in.imm&2 != 0 {
		b = ^b
	}
	switch in.op {
	case predicateAnd:
		a &= b
	case predicateOr:
		a |= b
	case predicateXor:
		a ^= b
	case predicateNot:
		a = ^a
	}
	p := &w.predicates[in.d]
	*p = *p&^mask | a&mask
}
