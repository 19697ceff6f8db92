package codec

// Arithmetic on two 32-bit lanes of a 64-bit word, for sizes without branches.
const (
	// LaneTops are the highest bits of both lanes, LaneRests the others.
	LaneTops  = 0x8000000080000000
	LaneRests = 0x7fffffff7fffffff
)

// LanesNonzero sets the highest bit of each lane that is not zero.
func LanesNonzero(x uint64) uint64 { return ((x & LaneRests) + LaneRests | x) & LaneTops }
