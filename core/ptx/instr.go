package ptx

// Family groups operations by how Execute runs them.
type Family uint8

const (
	FamilyWord      Family = iota // elementwise, 32-bit result
	FamilyLong                    // elementwise, 64-bit result
	FamilyFloat                   // elementwise on f32
	FamilyDouble                  // elementwise on f64
	FamilyCompare                 // predicates, or set
	FamilyPredicate               // logic on predicates
	FamilyLane                    // a function per lane
	FamilyCarry                   // extended-precision add and subtract
	FamilyMove                    // vectors, parameters, special registers
	FamilyMemory
	FamilyWarp   // shfl, vote, match, redux, elect
	FamilyMatrix // mma, ldmatrix, stmatrix, movmatrix
	FamilyControl
)

// LaneFunc computes one lane of an instruction that has no loop of its own. All
// operands are zero-extended; unused ones are zero.
type LaneFunc func(a, b, c, e uint64) uint64

type flags uint32

const (
	FlagFlush     flags = 1 << iota // .ftz
	FlagSaturate                    // .sat on floats
	FlagWideD                       // the operand has two slots (FamilyLane, FamilyMove)
	FlagWideA                       //
	FlagWideB                       //
	FlagWideC                       //
	FlagWideE                       //
	FlagInvert                      // the comparison is negated
	FlagNegateC                     // the predicate c is negated
	FlagHasC                        // there is a predicate c (compare) or a carry in
	FlagHasE                        // there is a second destination e
	FlagAddress64                   // the base address has two slots
	FlagPrimary                     // d is present (compare: p is not _)
	FlagNarrow                      // only 16 bits of the result count
	FlagSet                         // compare writes imm or 0 into a register
	FlagShaped                      // touches registers that may have a shape: shape.go
	FlagShapes                      // may be computed on shapes
)

// Instr is a pre-decoded instruction. The exported fields are for the timing
// model; the rest is for Execute.
type Instr struct {
	Op        Op
	Family    Family
	Class     Class
	Flags     flags
	Guard     uint32 // predicate index; 0 is always true
	GuardFlip uint32 // all ones for @!p
	// Operands: byte offsets into the register file, or predicate indices.
	D, A, B, C, E uint32
	Target        int32 // of a branch; a mode of other operations
	Targets       []int32
	Join          int32 // where its lanes meet again; NoJoin if nowhere
	Imm           uint64
	Lane          LaneFunc
	Mem           *MemoryOp
	Vector        *VectorOp
	Call          *CallOp
	// Registers read and written that may have a shape, as offsets.
	ShapedReads, ShapedWrites []uint32

	// Deps are the score ids read or written, the guard's included; Writes are
	// the score ids written.
	Deps, Writes []uint16
	// Atomic is what atom and red do.
	Atomic AtomicOp
	// IsMemory says that Execute may return EffectMemory; IsLoad that registers
	// are written when the data are back.
	IsMemory, IsLoad    bool
	IsBranch, IsBarrier bool
	// Work is how much mma and wmma.mma multiply, in parts of MatrixWork.
	Work uint8
	// IsConstant says that the instruction reads .const or .param.
	IsConstant   bool
	Line, Column int32 // in the PTX text
}

// NoJoin is the join of a branch whose lanes never meet again before they exit.
const NoJoin int32 = -1

// MemoryOp describes a memory instruction.
type MemoryOp struct {
	Kind     AccessKind
	Space    Space
	Operator CacheOperator
	Bytes    uint8 // of one element
	Count    uint8 // elements
	Signed   bool
	Sized    bool      // operand b is how many bytes of it are read: the rest need not be there
	Wide     [8]bool   // the register of the element has two slots
	Absent   [8]bool   // the element is _
	Keep     [8]uint32 // which bits a narrow register holds
	Shaped   [8]bool   // the register may have a shape
	Words    bool      // one word for each lane, in a word of the register file: the usual load or store
	Regs     [8]uint32 // offsets
}

// VectorOp describes a pack or unpack, a .param block of words, or what a matrix
// instruction reads and writes.
type VectorOp struct {
	Regs   []uint32
	Bytes  int // of one element
	Matrix *MatrixOp
}

// CallOp describes a call site.
type CallOp struct {
	Function int32 // index in Kernel.functions, -1 if indirect
	Args     []Transfer
	Results  []Transfer
}

// Transfer is one argument or result: where the caller keeps it.
type Transfer struct {
	Offset uint32 // register file offset
	Words  int    // 32-bit words
	Long   bool   // a 64-bit register, not a block of words
}

// Op is an operation within all families.
type Op uint8
