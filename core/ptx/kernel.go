package ptx

// Param is a parameter of a kernel.
type Param struct {
	Name, Type           string
	Offset, Bytes, Align int
}

// SourcePos is the place of an instruction in the PTX text and in the source file
// it was compiled from.
type SourcePos struct {
	Line, Column int32  // in the PTX text
	File         string // by .loc; empty if there is none
	FileLine     uint32
}

// MaxLocalBytes bounds the local memory of a thread (CUDA C++ Programming Guide,
// technical specifications).
const MaxLocalBytes = 512 << 10

// Kernel is a compiled kernel with all functions it calls. Nothing changes it after
// compilation, so launches may share it.
type Kernel struct {
	Name              string
	Module            int // of the program
	Params            []Param
	ParamBytes        int
	StaticSharedBytes int
	LocalBytes        int // per thread
	// RegisterSlots is the number of 32-bit slots of 32 lanes in a warp's
	// register file, constants included.
	RegisterSlots int
	// ScoreIDs is the number of ids in Instr.Deps.
	ScoreIDs int
	// RegistersPerThread is the largest number of 32-bit registers live at once.
	RegistersPerThread int
	ReqNTID, MaxNTID   [3]uint32
	// MaxRegisters is .maxnreg, MinCTAs .minnctapersm; 0 without it.
	MaxRegisters, MinCTAs int
	// ReqCluster is .reqnctapercluster, zeros without it; MaxClusterRank is 0 without .maxclusterrank.
	ReqCluster      [3]uint32
	MaxClusterRank  int
	ExplicitCluster bool
	Code            []Instr
	// Const is the constant bank.
	Const  []byte
	Source []SourcePos
	Text   []string // the PTX text of each instruction
	// Marked are the lines of the PTX after .pragma "approximate", of the functions in Code.
	Marked []int32
	// Textures names the .texref variables that Code uses.
	Textures []string

	// LanesRunApart says that the lanes of a warp make progress one by one, as from sm_70 on.
	LanesRunApart bool

	Functions  []Callee
	Constants  []ConstantSlot
	Fixed      []FixedSlot
	Predicates int
	// FirstVariable is the first slot whose value may change.
	FirstVariable int
	// Shaped are the registers after FirstVariable that may have a shape, Cleared the runs of the
	// other slots there: first and after the last.
	Shaped  []ShapedSlot
	Cleared [][2]int
	// Local memory of recursive functions: bytes of one activation, and of all
	// activations together.
	FrameBytes, StackBytes uint32
}

// ConstantSlot is a register that holds a constant: one slot, or two if it is wide.
type ConstantSlot struct {
	Offset uint32
	Wide   bool
	Value  uint64
}

// FixedSlot is a slot that holds a special register.
type FixedSlot struct {
	Special SpecialRegister
	Offset  uint32
}

// ShapedSlot is a register that may have a shape: one slot, or two if it is wide.
type ShapedSlot struct {
	Offset uint32
	Wide   bool
}

// Callee describes a function to its callers.
type Callee struct {
	Address   uint64
	Entry     int32 // first instruction
	Params    []Transfer
	Results   []Transfer
	Recursive bool
	// The function's share of the register and predicate files.
	Slot, Slots           int
	LongSlots             int // the first of them are pairs
	Predicate, Predicates int
}

// Slots before the constants. Absent operands read ZeroSlot; unused results go to
// DumpSlot. Both are two slots wide.
const (
	ZeroSlot  = 0
	DumpSlot  = 2
	FirstSlot = 4
	SlotBytes = MaxLanes * 4
	TruePred  = 0
	DumpPred  = 1
	FirstPred = 2
)
