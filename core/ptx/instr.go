package ptx

// Family groups operations by how they are executed.
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
	FamilyTexture
)

// LaneFunc computes one lane of an instruction that has no loop over 32 lanes. All
// operands are zero-extended. Unused operands are zero.
type LaneFunc func(a, b, c, e uint64) uint64

// Flags are modifiers of an instruction, and how its operands are stored.
type Flags uint32

const (
	FlagFlush     Flags = 1 << iota // .ftz
	FlagSaturate                    // .sat on floats
	FlagWideD                       // the operand has two slots (FamilyLane, FamilyMove)
	FlagWideA                       //
	FlagWideB                       //
	FlagWideC                       //
	FlagWideE                       //
	FlagInvert                      // the result of the comparison is negated
	FlagNegateC                     // the predicate c is negated
	FlagHasC                        // there is a predicate c (compare) or a carry in
	FlagHasE                        // there is a second destination e
	FlagAddress64                   // the base address has two slots
	FlagPrimary                     // d is present (compare: p is not _)
	FlagNarrow                      // the result has 16 bits
	FlagSet                         // compare writes imm or 0 into a register
	FlagShaped                      // reads or writes registers that may have a shape (package execute)
	FlagShapes                      // may be computed on shapes
	FlagMeets                       // .sync where lanes run one by one: waits for the lanes of its member mask
	FlagTurns                       // a branch back over reads, where lanes are scheduled one by one
	FlagAligned                     // of a barrier or a fence: all threads of the warp execute it together
	FlagMulticast                   // c is a mask of CTAs of the cluster: what is written goes to each
)

// Instr is a decoded instruction. The timing model reads the fields from Deps on;
// package execute reads the others. The first ones, which most instructions need, lie in one line of the
// host's caches.
type Instr struct {
	Op        Op
	Family    Family
	Class     Class
	Flags     Flags
	Guard     uint32 // predicate index; 0 is always true
	GuardFlip uint32 // all ones for @!p
	// Operands: byte offsets into the register file, or predicate indices.
	D, A, B, C, E uint32
	Target        int32 // of a branch; other operations keep a mode here
	Mem           *MemoryOp
	Imm           uint64
	// Registers read and written that may have a shape, as offsets. Those read leave out a
	// register that a load or store needs for its addresses alone.
	ShapedReads, ShapedWrites []uint32
	Lane                      LaneFunc
	Join                      int32 // where the lanes of a branch meet again, or NoJoin
	Targets                   []int32
	Vector                    *VectorOp
	Call                      *CallOp
	Texture                   *TextureOp

	// Deps are the score ids that the instruction reads or writes, the guard's
	// included. Writes are the score ids it writes.
	Deps, Writes []uint16
	// Atomic is the operation of atom and red.
	Atomic AtomicOp
	// IsMemory says that the instruction may ask for a memory access, IsLoad that it
	// writes registers when the data arrive.
	IsMemory, IsLoad    bool
	IsBranch, IsBarrier bool
	// Work is how much mma and wmma.mma multiply: MatrixWork for m16n8k16 on f16.
	Work uint8
	// IsConstant says that the instruction reads .const or .param.
	IsConstant   bool
	Line, Column int32 // in the PTX text
	_            [16]byte
}

// ReadsShared reports whether an instruction reads memory that other threads may write.
func (in *Instr) ReadsShared() bool {
	if in.Mem == nil || in.Family != FamilyMemory || in.Mem.Kind != AccessLoad && in.Mem.Kind != AccessAtomic {
		return false
	}
	return in.Mem.Space == SpaceGlobal || in.Mem.Space == SpaceShared || in.Mem.Space == SpaceGeneric
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
	Sized    bool      // operand b is the number of bytes read; the other bytes may be outside of memory
	Words    bool      // the usual load or store: one 32-bit word and register for each lane
	Constant bool      // a load of one element from .param or .const
	Wide     [8]bool   // the register of the element has two slots
	Shaped   [8]bool   // the register may have a shape
	Regs     [8]uint32 // offsets
	Absent   [8]bool   // the element is _
	Keep     [8]uint32 // the bits that a narrow register holds
	Hints    Hints
}

// VectorOp describes a pack or unpack, a .param block of words, what a matrix
// instruction reads and writes, or the member mask of a shuffle.
type VectorOp struct {
	Regs   []uint32
	Bytes  int // of one element
	Matrix *MatrixOp
	Group  *GroupOp
	// Held are the score ids of the registers of A of wgmma.mma_async.
	Held   []uint16
	Tensor *TensorOp
	// Copy is how many instructions the copy in bulk has that begins with this one, 0 after it. Grouped says that a bulk
	// group tells of its end.
	Copy    int32
	Grouped bool
}

// CopyDepth is how many parts of a copy are read before the first one is written, as a copy engine has many requests
// under way. 16 parts of 512 bytes are a half of what an SM must have under way for its share of the bandwidth of an
// H200 (Little's law: 4.8 TB/s over 132 SMs, times 600 cycles of latency at 1.98 GHz, are 11 kB); a multistage ring has
// some copies at a time [ours].
const CopyDepth = 16

// CopyStep is the Target of a part of a copy in bulk: its place among the reads or the writes, and how many of either
// there are.
func CopyStep(place, depth int) int32 { return int32(place<<8 | depth) }

// CopyPlace takes such a Target apart.
func CopyPlace(step int32) (place, depth int32) { return step >> 8, step & 0xff }

// TensorOp describes a copy with a tensor map. It is a row of instructions: the one that reads the map,
// ControlTensorPick, which chooses reads and writes, and these, the last of which goes back to the first one while
// lanes are left. Target of an instruction is its place in the row. Regs of the VectorOp are the register with the map,
// the coordinates and the offsets.
type TensorOp struct {
	Rank   int
	Im2col bool
	Load   bool       // from global to shared memory
	Reduce AtomicCode // AtomicNone for a copy
	Pairs  []Scalar   // units of copies: a B8, B16, B32, B64 or B128; types of reductions
}

// Depth is how many reads, and then writes, each of Pairs has.
func (t *TensorOp) Depth() int32 {
	if t.Reduce != AtomicNone {
		return 1
	}
	return CopyDepth
}

// Row is the number of instructions.
func (t *TensorOp) Row() int32 { return 2 + 2*t.Depth()*int32(len(t.Pairs)) }

// CallOp describes a call site.
type CallOp struct {
	Function int32 // index in Kernel.Functions, -1 for a call through a pointer
	Args     []Transfer
	Results  []Transfer
}

// Transfer says where one argument or result is in the register file.
type Transfer struct {
	Offset uint32 // register file offset
	Words  int    // 32-bit words
	Long   bool   // a 64-bit register, not a block of words
	// Predicate says that Offset is an index of the predicate file.
	Predicate bool
}

// Op is an operation; each family numbers its own.
type Op uint8
