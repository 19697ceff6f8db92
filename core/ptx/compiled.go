package ptx

// Compile says in which order a machine executes the instructions of a block.
type Compile uint8

const (
	CompileAsWritten Compile = iota
	CompileScheduled         // by a list scheduler (package compile), as a driver's compiler orders them
)

// CompileNames are the words for them in values.
var CompileNames = [...]string{CompileAsWritten: "asWritten", CompileScheduled: "scheduled"}
