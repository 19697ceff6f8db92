package arith

import "github.com/burstscope/burstscope/core/ptx"

// ApplyGlobalAtomic is ApplyAtomic in L2. Its sums of f32 flush subnormal numbers to zero
// (PTX ISA, atom), and its sums of f64 keep a NaN as it is, the operand's before the old one
// (seen on an NVIDIA H200).
func ApplyGlobalAtomic(op ptx.AtomicOp, old, b, c uint64) (newValue uint64) {
	switch {
	case op.Code != ptx.AtomicAdd:
	case op.Type == ptx.TypeF32:
		return Flush32(Bits32(F32(Flush32(old)) + F32(Flush32(b))))
	case op.Type != ptx.TypeF64:
	case IsNaN64(b):
		return b
	case IsNaN64(old):
		return old
	}
	return ApplyAtomic(op, old, b, c)
}

// ApplyAtomic returns the new value of a location in shared memory. b is the operand; for
// cas b is compared with the old value and c is the new one.
func ApplyAtomic(op ptx.AtomicOp, old, b, c uint64) (newValue uint64) {
	t := op.Type
	switch op.Code {
	case ptx.AtomicAnd:
		return old & b
	case ptx.AtomicOr:
		return old | b
	case ptx.AtomicXor:
		return old ^ b
	case ptx.AtomicExchange:
		return b
	case ptx.AtomicCompare:
		if old == b&t.Mask() {
			return c & t.Mask()
		}
		return old
	case ptx.AtomicAdd:
		switch t {
		case ptx.TypeF32:
			return Bits32(F32(old) + F32(b))
		case ptx.TypeF64:
			return Result64(F64(old)+F64(b), old, b)
		case ptx.TypeF16, ptx.TypeF16x2, ptx.TypeBF16, ptx.TypeBF16x2:
			return atomicHalfAdd(t, old, b)
		}
		return (old + b) & t.Mask()
	case ptx.AtomicIncrement:
		if old >= b {
			return 0
		}
		return old + 1
	case ptx.AtomicDecrement:
		if old == 0 || old > b {
			return b
		}
		return old - 1
	case ptx.AtomicMin:
		if t.IsHalf() {
			return LaneHalfMinMax(t, false, false, false, false)(old, b, 0, 0)
		}
		return LaneMinMax(t, false)(old, b, 0, 0)
	case ptx.AtomicMax:
		if t.IsHalf() {
			return LaneHalfMinMax(t, true, false, false, false)(old, b, 0, 0)
		}
		return LaneMinMax(t, true)(old, b, 0, 0)
	}
	if op.Code.IsMbarrier() {
		return applyMbarrier(op.Code, old, b)
	}
	panic("ptx: unknown atomic operation")
}
