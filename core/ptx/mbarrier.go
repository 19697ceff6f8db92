package ptx

// The 64 bits of an mbarrier object, which PTX leaves open: pending arrivals, the
// arrivals expected in the next phase, the bytes of transactions that are still
// awaited (signed), and the number of the phase.
const (
	mbarrierCountBits = 20 // PTX ISA: counts are up to 2^20 - 1
	mbarrierCountMask = 1<<mbarrierCountBits - 1
	mbarrierExpected  = mbarrierCountBits
	mbarrierBytes     = 2 * mbarrierCountBits
	mbarrierByteBits  = 21
	mbarrierPhase     = mbarrierBytes + mbarrierByteBits
)

// mbarrierInit returns an object that waits for n arrivals per phase.
func mbarrierInit(n uint64) uint64 {
	n &= mbarrierCountMask
	return n | n<<mbarrierExpected
}

// mbarrierDifferent is not zero if two states are of different phases.
func mbarrierDifferent(a, b uint64) uint64 { return (a ^ b) >> mbarrierPhase }

// mbarrierPassed is not zero if the phase of the given parity is complete: the
// current one has the other parity.
func mbarrierPassed(state, parity uint64) uint64 { return (state>>mbarrierPhase ^ parity) & 1 }

// applyMbarrier performs an operation on an mbarrier object: b is the number of
// arrivals or of bytes. An arrival too many counts as the last one.
func applyMbarrier(code atomicCode, state, b uint64) uint64 {
	pending := state & mbarrierCountMask
	expected := state >> mbarrierExpected & mbarrierCountMask
	bytes := int64(state<<(64-mbarrierPhase)) >> (64 - mbarrierByteBits)
	phase := state >> mbarrierPhase
	b &= mbarrierCountMask
	arrivals := uint64(0)
	switch code {
	case mbarrierArrive:
		arrivals = b
	case mbarrierDrop:
		arrivals = b
		expected -= min(b, expected)
	case mbarrierExpect:
		bytes += int64(b)
	case mbarrierArriveExpect:
		arrivals = 1
		bytes += int64(b)
	case mbarrierDropExpect:
		arrivals = 1
		expected -= min(1, expected)
		bytes += int64(b)
	case mbarrierComplete:
		bytes -= int64(b)
	}
	pending -= min(arrivals, pending)
	if pending == 0 && bytes == 0 {
		pending = expected
		phase++
	}
	return pending | expected<<mbarrierExpected | uint64(bytes)<<(64-mbarrierByteBits)>>(64-mbarrierPhase) | phase<<mbarrierPhase
}
