package ptx

// family groups operations by how Execute runs them.
type family uint8

const (
	familyWord      family = iota // elementwise, 32-bit result
	familyLong                    // elementwise, 64-bit result
	familyFloat                   // elementwise on f32
	familyDouble                  // elementwise on f64
	familyCompare                 // predicates, or set
	familyPredicate               // logic on predicates
	familyLane                    // a function per lane
	familyCarry                   // extended-precision add and subtract
	familyMove                    // vectors, parameters, special registers
	familyMemory
	familyWarp   // shfl, vote, match, redux, elect
	familyMatrix // mma, ldmatrix, stmatrix, movmatrix
	familyControl
)

// laneFunc computes one lane of an instruction that has no loop of its own. All
// operands are zero-extended; unused ones are zero.
type laneFunc func(a, b, c, e uint64) uint64

type flags uint32

const (
	flagFlush     flags = 1 << iota // .ftz
	flagSaturate                    // .sat on floats
	flagWideD                       // the operand has two slots (familyLane, familyMove)
	flagWideA                       //
	flagWideB                       //
	flagWideC                       //
	flagWideE                       //
	flagInvert                      // the comparison is negated
	flagNegateC                     // the predicate c is negated
	flagHasC                        // there is a predicate c (compare) or a carry in
	flagHasE                        // there is a second destination e
	flagAddress64                   // the base address has two slots
	flagPrimary                     // d is present (compare: p is not _)
	flagNarrow                      // only 16 bits of the result count
	flagSet                         // compare writes imm or 0 into a register
	flagShaped                      // touches registers that may have a shape: shape.go
	flagShapes                      // may be computed on shapes
)

// Instr is a pre-decoded instruction. The exported fields are for the timing
// model; the rest is for Execute.
type Instr struct {
	op        op
	family    family
	Class     Class
	flags     flags
	guard     uint32 // predicate index; 0 is always true
	guardFlip uint32 // all ones for @!p
	// Operands: byte offsets into the register file, or predicate indices.
	d, a, b, c, e uint32
	target        int32 // of a branch; a mode of other operations
	targets       []int32
	join          int32 // where its lanes meet again; noJoin if nowhere
	imm           uint64
	lane          laneFunc
	mem           *memoryOp
	vector        *vectorOp
	call          *callOp
	// Registers read and written that may have a shape, as offsets.
	shapedReads, shapedWrites []uint32

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

// noJoin is the join of a branch whose lanes never meet again before they exit.
const noJoin int32 = -1

// memoryOp describes a memory instruction.
type memoryOp struct {
	kind     AccessKind
	space    Space
	operator CacheOperator
	bytes    uint8 // of one element
	count    uint8 // elements
	signed   bool
	sized    bool      // operand b is how many bytes of it are read: the rest need not be there
	wide     [8]bool   // the register of the element has two slots
	absent   [8]bool   // the element is _
	keep     [8]uint32 // which bits a narrow register holds
	shaped   [8]bool   // the register may have a shape
	words    bool      // one word for each lane, in a word of the register file: the usual load or store
	regs     [8]uint32 // offsets
}

// vectorOp describes a pack or unpack, a .param block of words, or what a matrix
// instruction reads and writes.
type vectorOp struct {
	regs   []uint32
	bytes  int // of one element
	matrix *matrixOp
}

// callOp describes a call site.
type callOp struct {
	function int32 // index in Kernel.functions, -1 if indirect
	args     []transfer
	results  []transfer
}

// transfer is one argument or result: where the caller keeps it.
type transfer struct {
	offset uint32 // register file offset
	words  int    // 32-bit words
	long   bool   // a 64-bit register, not a block of words
}

// op is an operation within all families.
type op uint8
