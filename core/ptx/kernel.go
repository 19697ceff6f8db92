package ptx

// Variable is a module-scope variable that the loader places in memory.
type Variable struct {
	Name  string
	Space Space
	Bytes uint64
	Align uint64
	// Init is the start of the initial value; the rest is zero. Addresses in it
	// are left out: Module.InitialData fills them in.
	Init []byte

	variable *variable
}

// Param is a parameter of a kernel.
type Param struct {
	Name, Type           string
	Offset, Bytes, Align int
}

// SourcePos is where an instruction comes from.
type SourcePos struct {
	Line, Column int32  // in the PTX text
	File         string // by .loc; empty if there is none
	FileLine     uint32
}

// maxLocalBytes bounds the local memory of a thread (CUDA C++ Programming Guide,
// technical specifications).
const maxLocalBytes = 512 << 10

// Kernel is a compiled kernel with all functions it calls. It does not change
// any more and may be shared.
type Kernel struct {
	Name              string
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
	Code               []Instr
	// Const is the constant bank.
	Const  []byte
	Source []SourcePos

	text       []string // of each instruction
	functions  []callee
	template   []uint32 // the first slots of a register file
	shapes     []shape  // of the same
	fixed      []fixedSlot
	predicates int
	// firstVariable is the slot where registers begin that change.
	firstVariable int
	// Local memory of recursive functions: what one activation takes, and what
	// there is for all of them.
	frameBytes, stackBytes uint32
}

// fixedSlot is a slot that holds a special register.
type fixedSlot struct {
	special specialRegister
	offset  uint32
}

// callee is what a call needs to know about a function.
type callee struct {
	address   uint64
	entry     int32 // first instruction
	params    []transfer
	results   []transfer
	recursive bool
	// The function's share of the register and predicate files.
	slot, slots           int
	longSlots             int // the first of them are pairs
	predicate, predicates int
}

// Text returns the PTX text of an instruction.
func (k *Kernel) Text(pc int32) string { return k.text[pc] }

// Slots before the constants: zero stands for absent operands, dump takes
// results nobody wants. Both are two slots wide.
const (
	zeroSlot   = 0
	dumpSlot   = 2
	firstSlot  = 4
	slotBytes  = MaxLanes * 4
	truePred   = 0
	dumpPred   = 1
	firstPred  = 2
	localStack = 1024 // memory for recursion, as CUDA's default stack
)
