package ptx

// AtomicOp is what an atom or red instruction does with the old value.
type AtomicOp struct {
	code  atomicCode
	typ   scalar
	Bytes uint8
}

// String names the operation as PTX does: add.f32.
func (op AtomicOp) String() string { return atomicNames[op.code] + "." + op.typ.String() }

var atomicNames = [...]string{
	atomicNone: "none", atomicAnd: "and", atomicOr: "or", atomicXor: "xor", atomicExchange: "exch", atomicCompare: "cas",
	atomicAdd: "add", atomicIncrement: "inc", atomicDecrement: "dec", atomicMin: "min", atomicMax: "max",
	mbarrierArrive: "arrive", mbarrierDrop: "arrive_drop", mbarrierExpect: "expect_tx",
	mbarrierArriveExpect: "arrive.expect_tx", mbarrierDropExpect: "arrive_drop.expect_tx", mbarrierComplete: "complete_tx",
}

// ApplyAtomic returns the new value of a memory location. b is the operand; for
// cas b is compared with the old value and c is the new one.
func ApplyAtomic(op AtomicOp, old, b, c uint64) (newValue uint64) {
	t := op.typ
	switch op.code {
	case atomicAnd:
		return old & b
	case atomicOr:
		return old | b
	case atomicXor:
		return old ^ b
	case atomicExchange:
		return b
	case atomicCompare:
		if old == b&t.mask() {
			return c & t.mask()
		}
		return old
	case atomicAdd:
		switch t {
		case typeF32:
			return bits32(f32(old) + f32(b))
		case typeF64:
			return result64(f64(old)+f64(b), old, b)
		case typeF16, typeF16x2, typeBF16, typeBF16x2:
			return atomicHalfAdd(t, old, b)
		}
		return (old + b) & t.mask()
	case atomicIncrement:
		if old >= b {
			return 0
		}
		return old + 1
	case atomicDecrement:
		if old == 0 || old > b {
			return b
		}
		return old - 1
	case atomicMin:
		if t.isHalf() {
			return laneHalfMinMax(t, false, false, false, false)(old, b, 0, 0)
		}
		return laneMinMax(t, false)(old, b, 0, 0)
	case atomicMax:
		if t.isHalf() {
			return laneHalfMinMax(t, true, false, false, false)(old, b, 0, 0)
		}
		return laneMinMax(t, true)(old, b, 0, 0)
	case mbarrierArrive, mbarrierDrop, mbarrierExpect, mbarrierArriveExpect, mbarrierDropExpect, mbarrierComplete:
		return applyMbarrier(op.code, old, b)
	}
	panic("ptx: unknown atomic operation")
}
