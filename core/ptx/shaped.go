package ptx

import "math"

// shaped runs an elementwise instruction of all lanes on shapes, which a and b have.
// It returns false if another operand has none, or the result would have none: then
// nothing has changed.
func (w *Warp) shaped(in *Instr) bool {
	switch in.family {
	case familyWord:
		return w.shapeWord(in) || w.shapeUniform(in)
	case familyLong:
		return w.shapeLong(in) || w.shapeUniform(in)
	case familyCompare:
		return w.shapeCompare(in)
	}
	return w.shapeUniform(in)
}

// shapeUniform runs an instruction whose operands are the same in all lanes.
func (w *Warp) shapeUniform(in *Instr) bool {
	if len(in.shapedWrites) == 0 || in.family == familyWord && in.op == wordSelect || in.family == familyLong && in.op == longSelect {
		return false
	}
	a, b, c, e := w.shape(in.a), w.shape(in.b), w.shape(in.c), w.shape(in.e)
	if c.form == formLanes || e.form == formLanes ||
		a.column|a.row|b.column|b.row|c.column|c.row|e.column|e.row != 0 {
		return false
	}
	d := w.shape(in.d)
	switch in.family {
	case familyLane:
		v := in.lane(a.base, b.base, c.base, e.base)
		if in.flags&flagWideD != 0 {
			d.set(formLong, v, 0, 0)
		} else {
			d.set(formWord, v, 0, 0)
		}
		return true
	case familyWord:
		w.settle(in, true)
		w.word(in, w.u32(in.d))
	case familyFloat:
		w.settle(in, true)
		w.float(in, w.u32(in.d))
	case familyLong:
		w.settle(in, true)
		w.long(in, w.u64(in.d))
	case familyDouble:
		w.settle(in, true)
		w.double(in, w.u64(in.d))
	}
	if in.family == familyLong || in.family == familyDouble {
		d.set(formLong, w.u64(in.d)[0], 0, 0)
	} else {
		d.set(formWord, uint64(w.u32(in.d)[0]), 0, 0)
	}
	d.form = formBoth
	return true
}

func (w *Warp) shapeWord(in *Instr) bool {
	a, b := w.shape(in.a), w.shape(in.b)
	base, column, row := a.base, a.column, a.row
	switch in.op {
	case wordMove:
	case wordAdd:
		base, column, row = base+b.base, column+b.column, row+b.row
	case wordSub:
		base, column, row = base-b.base, column-b.column, row-b.row
	case wordNeg:
		base, column, row = -base, -column, -row
	case wordNot:
		base, column, row = ^base, -column, -row
	case wordMul, wordMad:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		k := int64(b.base)
		base, column, row = a.base*b.base, a.column*k, a.row*k
		if in.op == wordMad {
			c := w.shape(in.c)
			if c.form == formLanes {
				return false
			}
			base, column, row = base+c.base, int64(int32(column))+c.column, int64(int32(row))+c.row
		}
	case wordShl:
		if !b.isUniform() {
			return false
		}
		base, column, row = base<<b.base, column<<b.base, row<<b.base
	case wordShrU:
		low, high, ok := w.reachWord(a, false)
		if !ok || !b.isUniform() || low>>b.base != high>>b.base {
			return false
		}
		base, column, row = uint64(low)>>b.base, 0, 0
	case wordAnd:
		if !b.isUniform() {
			return false
		}
		var ok bool
		if base, ok = w.lowBits(a, b.base); !ok {
			return false
		}
	case wordMask, wordLow:
		if m := in.imm & math.MaxUint32; m != math.MaxUint32 {
			if in.op == wordLow && !a.isUniform() {
				return false
			}
			var ok bool
			if base, ok = w.lowBits(a, m); !ok {
				return false
			}
		}
	case wordSelect:
		p := w.predicates[in.c]
		if in.flags&flagNegateC != 0 {
			p = ^p
		}
		switch p {
		case FullMask:
		case 0:
			base, column, row = b.base, b.column, b.row
		default:
			return false
		}
	default:
		return false
	}
	if in.flags&flagNarrow != 0 {
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

// putShape makes the result of an instruction a shape.
func (w *Warp) putShape(in *Instr, f form, base uint64, column, row int64) bool {
	d := w.shape(in.d)
	d.set(f, base, column, row)
	if len(in.shapedWrites) == 0 { // a register that nobody expects to have one
		w.expand(in.d, d)
		d.form = formLanes
	}
	return true
}

func (w *Warp) shapeLong(in *Instr) bool {
	a, b := w.shape(in.a), w.shape(in.b)
	base, column, row := a.base, a.column, a.row
	switch in.op {
	case longMove:
	case longAdd:
		base, column, row = base+b.base, column+b.column, row+b.row
	case longSub:
		base, column, row = base-b.base, column-b.column, row-b.row
	case longNeg:
		base, column, row = -base, -column, -row
	case longNot:
		base, column, row = ^base, -column, -row
	case longMul, longMad:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		k := int64(b.base)
		base, column, row = a.base*b.base, a.column*k, a.row*k
	case longMulWideU, longMadWideU, longMulWideS, longMadWideS:
		if !b.isUniform() {
			a, b = b, a
			if !b.isUniform() {
				return false
			}
		}
		isSigned := in.op == longMulWideS || in.op == longMadWideS
		if _, _, ok := w.reachWord(a, isSigned); !ok {
			return false
		}
		v, k := int64(a.base), int64(b.base)
		if isSigned {
			v, k = int64(int32(v)), int64(int32(k))
		}
		base, column, row = uint64(v*k), a.column*k, a.row*k
	case longShl:
		if !b.isUniform() {
			return false
		}
		base, column, row = base<<b.base, column<<b.base, row<<b.base
	case longExtendU, longExtendS:
		if _, _, ok := w.reachWord(a, in.op == longExtendS); !ok {
			return false
		}
		if in.op == longExtendS {
			base = uint64(int64(int32(base)))
		}
	case longSelect:
		p := w.predicates[in.c]
		if in.flags&flagNegateC != 0 {
			p = ^p
		}
		switch p {
		case FullMask:
		case 0:
			base, column, row = b.base, b.column, b.row
		default:
			return false
		}
	default:
		return false
	}
	if in.op == longMad || in.op == longMadWideU || in.op == longMadWideS {
		c := w.shape(in.c)
		if c.form == formLanes {
			return false
		}
		base, column, row = base+c.base, column+c.column, row+c.row
	}
	return w.putShape(in, formLong, base, column, row)
}

// shapeCompare is compare for an instruction that writes predicates.
func (w *Warp) shapeCompare(in *Instr) bool {
	r, ok := w.compareShapes(in)
	if ok {
		w.compared(in, FullMask, r, 0)
	}
	return ok
}

// compareShapes compares two registers, if all lanes agree.
func (w *Warp) compareShapes(in *Instr) (r uint32, ok bool) {
	a, b := w.shape(in.a), w.shape(in.b)
	isSigned := in.op == compareLtS || in.op == compareLongLtS
	if a.column|a.row|b.column|b.row == 0 {
		switch in.op {
		case compareEq, compareLongEq:
			return -bit(a.base == b.base), true
		case compareLtU, compareLongLtU:
			return -bit(a.base < b.base), true
		case compareLtS:
			return -bit(int32(a.base) < int32(b.base)), true
		case compareLongLtS:
			return -bit(int64(a.base) < int64(b.base)), true
		}
		return 0, false
	}
	switch in.op {
	case compareEq, compareLtU, compareLtS:
	default:
		return 0, false
	}
	lowA, highA, okA := w.reachWord(a, isSigned)
	lowB, highB, okB := w.reachWord(b, isSigned)
	switch {
	case !okA || !okB:
		return 0, false
	case highA < lowB: // all less
		return -bit(in.op != compareEq), true
	case highB < lowA:
		return 0, true
	case in.op != compareEq && lowA >= highB:
		return 0, true
	}
	return 0, false
}
