package ptx

// Comparisons; the result is a mask of lanes.
const (
	CompareEq Op = iota
	CompareLtU
	CompareLtS
	CompareLtS16
	CompareLongEq
	CompareLongLtU
	CompareLongLtS
	CompareFloatEq
	CompareFloatNe
	CompareFloatLt
	CompareFloatLe
	CompareFloatNum
	CompareDoubleEq
	CompareDoubleNe
	CompareDoubleLt
	CompareDoubleLe
	CompareDoubleNum
	CompareLane // a function that returns 0 or 1
	ComparePair // a function that returns one bit for each half of a pair
)

// How the result is combined with the predicate c.
const (
	CombineNone int32 = iota
	CombineAnd
	CombineOr
	CombineXor
)

// Logic on predicates; imm holds which operands are negated.
const (
	PredicateMove Op = iota
	PredicateAnd
	PredicateOr
	PredicateXor
	PredicateNot
)

// Operations that steer the warp.
const (
	ControlBranch Op = iota
	ControlBranchIndexed
	ControlCall
	ControlReturn
	ControlExit
	ControlTrap
	ControlBarrier
	ControlFence
	ControlNothing
	ControlWarpSync // bar.warp.sync, a is the member mask
	ControlPrint    // printf: a is its format, b where its arguments are
	ControlTensorPick
	ControlClusterArrive
	ControlRegisters // setmaxnreg: imm is the number of registers, target whether it grows
	// ControlBulkGroup commits or awaits copies in bulk, or the launch before, which have ended: only the sanitizer
	// looks at it.
	ControlBulkGroup
)

// Why a ControlTrap ends the program, in the instruction's Imm.
const (
	Trap           = iota
	TrapAssert     // an assertion without a text
	TrapAssertText // a is the message, b the file, c the line and e the function, as addresses of texts
	TrapFree       // free of a, which malloc has not given
)

// What a ControlFence waits for, and what it makes L1 do, in the instruction's Imm. An L1 that keeps its lines at an
// acquire (cache.AcquireKeep) waits for stores alone.
const (
	FenceStores = 1 << iota // until the warp's stores are performed
	FenceLoads              // until its loads and atomics are
	FenceForget             // L1 forgets what other SMs may have changed
)

// What a ControlFence orders between proxies, in the bits of Imm above. The sanitizer looks at it, and
// the copy unit, which forgets maps.
const (
	FenceAsyncShared = 1 << (8 + iota)
	FenceAsyncGlobal
	FenceTensorMap // acquires tensor maps
)

// What a ControlBulkGroup does, in target of the instruction. Imm is how many groups may stay open.
const (
	BulkCommit int32 = iota
	BulkWait
	BulkWaitRead
	GridWait // griddepcontrol.wait
)

// ClusterBarrierID is the barrier of barrier.cluster, which has no number in PTX.
const ClusterBarrierID = MaxBarriersPerCTA

// Operations on f64, rounded to nearest even.
const (
	DoubleNone Op = iota
	DoubleAdd
	DoubleSub
	DoubleMul
	DoubleFma
	DoubleMin
	DoubleMax
	DoubleNeg
	DoubleAbs
)

// Extended-precision add and subtract.
const (
	CarryAdd Op = iota
	CarrySub
)

// Moves that are more than a copy.
const (
	MovePack Op = iota
	MoveUnpack
	MoveSpecial   // imm is the special register
	MoveFrame     // address of a local variable of a recursive function
	MoveFromBlock // a .param block of a call to registers
	MoveToBlock
)

// Operations on f32. All round to nearest even; other roundings run per lane.
const (
	FloatNone Op = iota
	FloatAdd
	FloatSub
	FloatMul
	FloatFma
	FloatFmaRounded // with the product rounded first: Kernel.RoundProducts
	FloatMin
	FloatMax
	FloatNeg
	FloatAbs
	FloatRcp  // .rn and .approx
	FloatSqrt // .rn and .approx
	FloatDiv  // .rn and .full
	FloatFromS32
	FloatFromU32
)

// Operations with a 64-bit result, on 64-bit operands unless noted.
const (
	LongNone Op = iota
	LongMove
	LongAdd
	LongSub
	LongMul
	LongMad
	LongMulWideU // a, b have 32 bits
	LongMulWideS
	LongMadWideU // c has 64
	LongMadWideS
	LongAnd
	LongOr
	LongXor
	LongNot
	LongNeg
	LongShl // b has 32 bits
	LongShrU
	LongShrS
	LongMinU
	LongMinS
	LongMaxU
	LongMaxS
	LongSelect  // c is a predicate
	LongExtendU // a has 32 bits
	LongExtendS
)

// Operations of all lanes together.
const (
	MatrixMultiply  Op = iota
	MatrixRows         // ldmatrix, stmatrix; target is 1 with .trans
	MatrixTranspose    // movmatrix
	MatrixTogether     // nothing, but all lanes must be there; imm is 1 for wgmma.fence
	MatrixGroup        // wgmma.mma_async: A and B are descriptors, C is scale-d, E the metadata
	MatrixCommit       // wgmma.commit_group
	MatrixWait         // wgmma.wait_group; imm is how many groups may be open
)

// Operations of FamilyMemory. A copy in bulk is two instructions, the second one after the first: each takes an active
// lane and moves up to 32 elements of its block, one through each lane of hidden registers, until all blocks are moved.
// E is the number of bytes.
const (
	MemoryAccess Op = iota
	MemoryBulkRead
	MemoryBulkWrite
	// A copy with a tensor map: TensorOp says more. The first one reads the map of an active lane, the others are pairs as
	// above, for units of different sizes or types.
	MemoryTensorMap
	MemoryTensorRead
	MemoryTensorWrite
)

// Kinds of barrier operations; in target of the instruction.
const (
	BarrierRegistersLess int32 = iota - 4 // setmaxnreg
	BarrierRegistersMore
	BarrierClusterArrive // barrier.cluster, of all CTAs of a cluster
	BarrierClusterWait
	BarrierSync
	BarrierArrive
	BarrierPopc
	BarrierAnd
	BarrierOr
)

// Operations across the lanes of a warp.
const (
	WarpShuffleUp Op = iota
	WarpShuffleDown
	WarpShuffleXor
	WarpShuffleIndex
	WarpVoteAll
	WarpVoteAny
	WarpVoteUniform
	WarpBallot
	WarpMatchAny
	WarpMatchAll
	WarpReduce
	WarpElect
)

// Operations with a 32-bit result, on 32-bit operands unless noted. Zero is no
// operation: selectors use it to say that there is no loop.
const (
	WordNone Op = iota
	WordMove
	WordAdd
	WordSub
	WordMul
	WordMulHighU
	WordMulHighS
	WordMad
	WordDivU
	WordDivS
	WordRemU
	WordRemS
	WordAnd
	WordOr
	WordXor
	WordNot
	WordShl
	WordShrU
	WordShrS
	WordMinU
	WordMinS
	WordMaxU
	WordMaxS
	WordNeg
	WordAbs
	WordSelect // c is a predicate
	WordMask   // a & imm
	WordSign8  // sign extension of the low bits, then & imm
	WordSign16
	WordLow  // low half of a 64-bit operand, & imm
	WordBfeU // c is the length
	WordFromFloatS
	WordFromFloatU
)
