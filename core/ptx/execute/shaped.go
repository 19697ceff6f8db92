package execute

import (
	"math"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
)

// shaped runs an elementwise instruction of all lanes on the shapes of a and b. It
// returns false, and changes nothing, if another operand or the result has no shape.
func (w *Warp) shaped(in *ptx.Instr) bool {
	switch in.Family {
	case ptx.FamilyWord:
		return w.shapeWord(in) || w.shapeUniform(in)
	case ptx.FamilyLong:
		return w.shapeLong(in) || w.shapeUniform(in)
	case ptx.FamilyCompare:
		return w.shapeCompare(in)
	}
	return w.shapeUniform(in)
}

// shapeUniform runs an instruction whose operands are the same in all lanes.
func (w *Warp) shapeUniform(in *ptx.Instr) bool {
	if len(in.ShapedWrites) == 0 || in.Family == ptx.FamilyWord && in.Op == ptx.WordSelect || in.Family == ptx.FamilyLong && in.Op == ptx.LongSelect {
		return false
	}
	a, b, c, e := w.shape(in.A), w.shape(in.B), w.shape(in.C), w.shape(in.E)
	if c.form() == formLanes || e.form() == formLanes ||
		a.column()|a.row()|b.column()|b.row()|c.column()|c.row()|e.column()|e.row() != 0 {
		return false
	}
	d := w.shape(in.D)
	switch in.Family {
	case ptx.FamilyLane:
		v := in.Lane(a.base, b.base, c.base, e.base)
		if in.Flags&ptx.FlagWideD != 0 {
			d.set(formLong, v, 0, 0)
		} else {
			d.set(formWord, v, 0, 0)
		}
		return true
	case ptx.FamilyWord:
		w.settle(in, true)
		w.word(in, w.u32(in.D))
	case ptx.FamilyFloat:
		w.settle(in, true)
		w.float(in, w.u32(in.D))
	case ptx.FamilyLong:
		w.settle(in, true)
		w.long(in, w.u64(in.D))
	case ptx.FamilyDouble:
		w.settle(in, true)
		w.double(in, w.u64(in.D))
	}
	if in.Family == ptx.FamilyLong || in.Family == ptx.FamilyDouble {
		d.set(formLong, w.u64(in.D)[0], 0, 0)
	} else {
		d.set(formWord, uint64(w.u32(in.D)[0]), 0, 0)
	}
	d.setForm(formBoth)
	return true
}

func (w *Warp) shapeWord(in *ptx.Instr) bool {
	a, b := w.shape(in.A), w.shape(in.B)
	base, column, row := a.base, a.column(), a.row()
	switch in.Op {
	case ptx.WordMove:
	case ptx.WordAdd:
		base, column, row = base+b.base, column+b.column(), row+b.row()
	case ptx.WordSub:
		base, column, row = base-b.base, column-b.column(), row-b.row()
	case ptx.WordNeg:
		base, column, row = -base, -column, -row
	case ptx.WordNot:
		base, column, row = ^base, -column, -row
	case ptx.WordMul, ptx.WordMad:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		k := int64(b.base)
		base, column, row = a.base*b.base, a.column()*k, a.row()*k
		if in.Op == ptx.WordMad {
			c := w.shape(in.C)
			if c.form() == formLanes {
				return false
			}
			base, column, row = base+c.base, int64(int32(column))+c.column(), int64(int32(row))+c.row()
		}
	case ptx.WordShl:
		if !b.isUniform() {
			return false
		}
		base, column, row = base<<b.base, column<<b.base, row<<b.base
	case ptx.WordShrU:
		low, high, ok := w.reachWord(a, false)
		if !ok || !b.isUniform() || low>>b.base != high>>b.base {
			return false
		}
		base, column, row = uint64(low)>>b.base, 0, 0
	case ptx.WordAnd:
		if !b.isUniform() {
			return false
		}
		var ok bool
		if base, ok = w.lowBits(a, b.base); !ok {
			return false
		}
	case ptx.WordMask, ptx.WordLow:
		if m := in.Imm & math.MaxUint32; m != math.MaxUint32 {
			if in.Op == ptx.WordLow && !a.isUniform() {
				return false
			}
			var ok bool
			if base, ok = w.lowBits(a, m); !ok {
				return false
			}
		}
	case ptx.WordSelect:
		p := *w.predicate(in.C)
		if in.Flags&ptx.FlagNegateC != 0 {
			p = ^p
		}
		switch p {
		case ptx.FullMask:
		case 0:
			base, column, row = b.base, b.column(), b.row()
		default:
			return false
		}
	default:
		return false
	}
	if in.Flags&ptx.FlagNarrow != 0 {
		if column|row != 0 {
			return false
		}
		base &= 0xffff
	}
	return w.putShape(in, formWord, base, column, row)
}

// lowBits returns lane 0 of a register of which only the bits of m are kept, if
// that changes all lanes alike.
func (w *Warp) lowBits(a *shape, m uint64) (base uint64, ok bool) {
	if a.isUniform() {
		return a.base & m, true
	}
	low, high, ok := w.reachWord(a, false)
	if !ok || m&(m+1) != 0 || (uint64(low)^uint64(high))&^m != 0 {
		return 0, false
	}
	return a.base - uint64(low)&^m, true
}

// putShape makes the result of an instruction a shape, or lanes if it does not fit into one or nobody expects the register
// to have one.
func (w *Warp) putShape(in *ptx.Instr, f form, base uint64, column, row int64) bool {
	if f == formWord {
		column, row = int64(int32(column)), int64(int32(row))
	}
	d := w.shape(in.D)
	if len(in.ShapedWrites) == 0 || !fits(column, row) {
		w.spread(in.D, f, base, column, row)
		d.setForm(formLanes)
	} else {
		d.set(f, base, column, row)
	}
	return true
}

func (w *Warp) shapeLong(in *ptx.Instr) bool {
	a, b := w.shape(in.A), w.shape(in.B)
	base, column, row := a.base, a.column(), a.row()
	switch in.Op {
	case ptx.LongMove:
	case ptx.LongAdd:
		base, column, row = base+b.base, column+b.column(), row+b.row()
	case ptx.LongSub:
		base, column, row = base-b.base, column-b.column(), row-b.row()
	case ptx.LongNeg:
		base, column, row = -base, -column, -row
	case ptx.LongNot:
		base, column, row = ^base, -column, -row
	case ptx.LongMul, ptx.LongMad:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		k := int64(b.base)
		base, column, row = a.base*b.base, a.column()*k, a.row()*k
	case ptx.LongMulWideU, ptx.LongMadWideU, ptx.LongMulWideS, ptx.LongMadWideS:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		isSigned := in.Op == ptx.LongMulWideS || in.Op == ptx.LongMadWideS
		if _, _, ok := w.reachWord(a, isSigned); !ok {
			return false
		}
		v, k := int64(a.base), int64(b.base)
		if isSigned {
			v, k = int64(int32(v)), int64(int32(k))
		}
		base, column, row = uint64(v*k), a.column()*k, a.row()*k
	case ptx.LongShl:
		if !b.isUniform() {
			return false
		}
		base, column, row = base<<b.base, column<<b.base, row<<b.base
	case ptx.LongExtendU, ptx.LongExtendS:
		if _, _, ok := w.reachWord(a, in.Op == ptx.LongExtendS); !ok {
			return false
		}
		if in.Op == ptx.LongExtendS {
			base = uint64(int64(int32(base)))
		}
	case ptx.LongSelect:
		p := *w.predicate(in.C)
		if in.Flags&ptx.FlagNegateC != 0 {
			p = ^p
		}
		switch p {
		case ptx.FullMask:
		case 0:
			base, column, row = b.base, b.column(), b.row()
		default:
			return false
		}
	default:
		return false
	}
	if in.Op == ptx.LongMad || in.Op == ptx.LongMadWideU || in.Op == ptx.LongMadWideS {
		c := w.shape(in.C)
		if c.form() == formLanes {
			return false
		}
		base, column, row = base+c.base, column+c.column(), row+c.row()
	}
	return w.putShape(in, formLong, base, column, row)
}

// shapeCompare is compare for an instruction that writes predicates.
func (w *Warp) shapeCompare(in *ptx.Instr) bool {
	r, ok := w.compareShapes(in)
	if ok {
		w.compared(in, ptx.FullMask, r, 0)
	}
	return ok
}

// compareShapes compares two registers, if all lanes agree.
func (w *Warp) compareShapes(in *ptx.Instr) (r uint32, ok bool) {
	a, b := w.shape(in.A), w.shape(in.B)
	isSigned := in.Op == ptx.CompareLtS || in.Op == ptx.CompareLongLtS
	if a.column()|a.row()|b.column()|b.row() == 0 {
		switch in.Op {
		case ptx.CompareEq, ptx.CompareLongEq:
			return -arith.Bit(a.base == b.base), true
		case ptx.CompareLtU, ptx.CompareLongLtU:
			return -arith.Bit(a.base < b.base), true
		case ptx.CompareLtS:
			return -arith.Bit(int32(a.base) < int32(b.base)), true
		case ptx.CompareLongLtS:
			return -arith.Bit(int64(a.base) < int64(b.base)), true
		}
		return 0, false
	}
	switch in.Op {
	case ptx.CompareEq, ptx.CompareLtU, ptx.CompareLtS:
	default:
		return 0, false
	}
	lowA, highA, okA := w.reachWord(a, isSigned)
	lowB, highB, okB := w.reachWord(b, isSigned)
	switch {
	case !okA || !okB:
		return 0, false
	case highA < lowB: // all less
		return -arith.Bit(in.Op != ptx.CompareEq), true
	case highB < lowA:
		return 0, true
	case in.Op != ptx.CompareEq && lowA >= highB:
		return 0, true
	}
	return 0, false
}
