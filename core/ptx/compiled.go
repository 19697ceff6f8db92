package ptx

// Compile says which instructions a machine executes for the PTX of a block, and in which order.
type Compile uint8

const (
	CompileAsWritten   Compile = iota
	CompileScheduled           // in the order of a list scheduler (package compile), as a driver's compiler orders them
	CompileScalarLoads         // as written, with one load for each element of a vector from global memory
)

// CompileNames are the words for them in values.
var CompileNames = [...]string{
	CompileAsWritten: "asWritten", CompileScheduled: "scheduled", CompileScalarLoads: "scalarLoads",
}
