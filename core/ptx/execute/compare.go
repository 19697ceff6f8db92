package execute

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// compare runs set, setp and testp on the lanes of mask.
func (w *Warp) compare(in *ptx.Instr, mask uint32) {
	var r, high uint32
	switch in.Op {
	case ptx.CompareEq:
		r = eqMask(w.u32(in.A), w.u32(in.B))
	case ptx.CompareLtU:
		r = ltMask(w.u32(in.A), w.u32(in.B))
	case ptx.CompareLtS:
		r = ltMask(asInts(w.u32(in.A)), asInts(w.u32(in.B)))
	case ptx.CompareLongEq:
		r = eqMask(w.u64(in.A), w.u64(in.B))
	case ptx.CompareLongLtU:
		r = ltMask(w.u64(in.A), w.u64(in.B))
	case ptx.CompareLongLtS:
		r = ltMask(asLongInts(w.u64(in.A)), asLongInts(w.u64(in.B)))
	case ptx.CompareLtS16:
		a, b := w.u32(in.A), w.u32(in.B)
		for i := range a {
			if int16(a[i]) < int16(b[i]) {
				r |= 1 << i
			}
		}
	case ptx.CompareLane, ptx.ComparePair:
		wide := in.Flags&ptx.FlagWideA != 0
		b := w.u32(in.B)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			v := uint32(in.Lane(w.lane(in.A, wide, i), uint64(b[i]), 0, 0))
			r |= v & 1 << i
			high |= v >> 1 << i
		}
	case ptx.CompareDoubleEq, ptx.CompareDoubleNe, ptx.CompareDoubleLt, ptx.CompareDoubleLe, ptx.CompareDoubleNum:
		r = compareFloats(in.Op-ptx.CompareDoubleEq, asDoubles(w.u64(in.A)), asDoubles(w.u64(in.B)))
	default:
		a, b := w.u32(in.A), w.u32(in.B)
		if in.Flags&ptx.FlagFlush != 0 {
			var fa, fb [32]uint32
			flushLanes(&fa, a)
			flushLanes(&fb, b)
			a, b = &fa, &fb
		}
		r = compareFloats(in.Op-ptx.CompareFloatEq, asFloats(a), asFloats(b))
	}
	w.compared(in, mask, r, high)
}

// compared gives the result of a comparison to its destinations.
func (w *Warp) compared(in *ptx.Instr, mask, r, high uint32) {
	if in.Flags&ptx.FlagInvert != 0 {
		r = ^r
	}
	q := ^r
	if in.Op == ptx.ComparePair {
		q = high
	}
	if in.Flags&ptx.FlagHasC != 0 {
		c := *w.predicate(in.C)
		if in.Flags&ptx.FlagNegateC != 0 {
			c = ^c
		}
		r, q = combine(in.Target, r, c), combine(in.Target, q, c)
	}
	if in.Flags&ptx.FlagSet != 0 {
		// The upper half of the value goes with the upper half of a pair.
		d, v, upper := w.u32(in.D), uint32(in.Imm), uint32(0)
		if in.Op == ptx.ComparePair {
			v, upper = v&0xffff, v&^0xffff
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			d[i] = v&-(r>>i&1) | upper&-(q>>i&1)
		}
		return
	}
	if in.Flags&ptx.FlagPrimary != 0 {
		p := w.predicate(in.D)
		*p = *p&^mask | r&mask
	}
	if in.Flags&ptx.FlagHasE != 0 {
		p := w.predicate(in.E)
		*p = *p&^mask | q&mask
	}
}

func combine(how int32, r, c uint32) uint32 {
	switch how {
	case ptx.CombineAnd:
		return r & c
	case ptx.CombineOr:
		return r | c
	case ptx.CombineXor:
		return r ^ c
	}
	return r
}

type number32or64 interface {
	~uint32 | ~int32 | ~uint64 | ~int64 | ~float32 | ~float64
}

func eqMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 8 {
		q := arith.Bit(a[i] == b[i]) | arith.Bit(a[i+1] == b[i+1])<<1 | arith.Bit(a[i+2] == b[i+2])<<2 | arith.Bit(a[i+3] == b[i+3])<<3
		q |= arith.Bit(a[i+4] == b[i+4])<<4 | arith.Bit(a[i+5] == b[i+5])<<5 | arith.Bit(a[i+6] == b[i+6])<<6 | arith.Bit(a[i+7] == b[i+7])<<7
		r |= q << uint(i)
	}
	return r
}

func ltMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 8 {
		q := arith.Bit(a[i] < b[i]) | arith.Bit(a[i+1] < b[i+1])<<1 | arith.Bit(a[i+2] < b[i+2])<<2 | arith.Bit(a[i+3] < b[i+3])<<3
		q |= arith.Bit(a[i+4] < b[i+4])<<4 | arith.Bit(a[i+5] < b[i+5])<<5 | arith.Bit(a[i+6] < b[i+6])<<6 | arith.Bit(a[i+7] < b[i+7])<<7
		r |= q << uint(i)
	}
	return r
}

func leMask[T number32or64](a, b *[32]T) uint32 {
	var r uint32
	for i := 0; i < 32; i += 4 {
		q := arith.Bit(a[i] <= b[i]) | arith.Bit(a[i+1] <= b[i+1])<<1 | arith.Bit(a[i+2] <= b[i+2])<<2 | arith.Bit(a[i+3] <= b[i+3])<<3
		r |= q << uint(i)
	}
	return r
}

// compareFloats takes the operation counted from the Eq of its width.
func compareFloats[T float32 | float64](o ptx.Op, a, b *[32]T) uint32 {
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

func (w *Warp) predicateLogic(in *ptx.Instr, mask uint32) {
	a, b := *w.predicate(in.A), *w.predicate(in.B)
	if in.Imm&1 != 0 {
		a = ^a
	}
	if in.Imm&2 != 0 {
		b = ^b
	}
	switch in.Op {
	case ptx.PredicateAnd:
		a &= b
	case ptx.PredicateOr:
		a |= b
	case ptx.PredicateXor:
		a ^= b
	case ptx.PredicateNot:
		a = ^a
	}
	p := w.predicate(in.D)
	*p = *p&^mask | a&mask
}
