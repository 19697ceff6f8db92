package ptx

// AtomicOp is what an atom or red instruction does with the old value.
type AtomicOp struct {
	Code  AtomicCode
	Type  Scalar
	Bytes uint8
}

// String names the operation as PTX does: add.f32.
func (op AtomicOp) String() string { return atomicNames[op.Code] + "." + op.Type.String() }

var atomicNames = [...]string{
	AtomicNone: "none", AtomicAnd: "and", AtomicOr: "or", AtomicXor: "xor", AtomicExchange: "exch", AtomicCompare: "cas",
	AtomicAdd: "add", AtomicIncrement: "inc", AtomicDecrement: "dec", AtomicMin: "min", AtomicMax: "max",
	MbarrierArrive: "arrive", MbarrierDrop: "arrive_drop", MbarrierExpect: "expect_tx",
	MbarrierArriveExpect: "arrive.expect_tx", MbarrierDropExpect: "arrive_drop.expect_tx", MbarrierComplete: "complete_tx",
}

type AtomicCode uint8

const (
	AtomicNone AtomicCode = iota
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExchange
	AtomicCompare // cas
	AtomicAdd
	AtomicIncrement
	AtomicDecrement
	AtomicMin
	AtomicMax
	MbarrierArrive
	MbarrierDrop
	MbarrierExpect
	MbarrierArriveExpect
	MbarrierDropExpect
	MbarrierComplete
)
