package ptx

// AtomicOp is what an atom or red instruction does with the old value.
type AtomicOp struct {
	Code  AtomicCode
	Type  Scalar
	Bytes uint8
}

// MbarrierName names an operation on an mbarrier object.
func (op AtomicOp) MbarrierName() string { return "mbarrier." + atomicNames[op.Code] }

// String names the operation as PTX does: add.f32.
func (op AtomicOp) String() string { return atomicNames[op.Code] + "." + op.Type.String() }

var atomicNames = [...]string{
	AtomicNone: "none", AtomicAnd: "and", AtomicOr: "or", AtomicXor: "xor", AtomicExchange: "exch", AtomicCompare: "cas",
	AtomicAdd: "add", AtomicIncrement: "inc", AtomicDecrement: "dec", AtomicMin: "min", AtomicMax: "max",
	MbarrierArrive: "arrive", MbarrierDrop: "arrive_drop", MbarrierExpect: "expect_tx",
	MbarrierArriveExpect: "arrive.expect_tx", MbarrierDropExpect: "arrive_drop.expect_tx", MbarrierComplete: "complete_tx",
	MbarrierInit: "init", MbarrierInvalidate: "inval", MbarrierTest: "test_wait", MbarrierTestParity: "test_wait.parity",
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
	MbarrierInit
	MbarrierInvalidate
	MbarrierTest       // of the phase of a state: the object stays
	MbarrierTestParity // of a parity
)

// IsMbarrier reports whether the operation is one on an mbarrier object.
func (c AtomicCode) IsMbarrier() bool { return c >= MbarrierArrive }
