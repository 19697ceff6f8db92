package arith

import "github.com/burstscope/burstscope/core/ptx"

// The layout of the 64 bits of an mbarrier object, which PTX does not define: pending arrivals, the
// arrivals expected in the next phase, the bytes of transactions that are still
// awaited (signed), and the number of the phase.
const (
	MbarrierCountBits = 20 // PTX ISA: counts are up to 2^20 - 1
	MbarrierCountMask = 1<<MbarrierCountBits - 1
	MbarrierExpected  = MbarrierCountBits
	MbarrierBytes     = 2 * MbarrierCountBits
	MbarrierByteBits  = 21
	MbarrierPhase     = MbarrierBytes + MbarrierByteBits
)

// MbarrierInit returns an object that waits for n arrivals per phase.
func MbarrierInit(n uint64) uint64 {
	n &= MbarrierCountMask
	return n | n<<MbarrierExpected
}

// MbarrierDifferent is not zero if two states are of different phases.
func MbarrierDifferent(a, b uint64) uint64 { return (a ^ b) >> MbarrierPhase }

// MbarrierPassed is not zero if the phase of the given parity is complete: the
// current one has the other parity.
func MbarrierPassed(state, parity uint64) uint64 { return (state>>MbarrierPhase ^ parity) & 1 }

// applyMbarrier performs an operation on an mbarrier object: b is the number of
// arrivals or of bytes. A surplus arrival counts as the last one.
func applyMbarrier(code ptx.AtomicCode, state, b uint64) uint64 {
	pending := state & MbarrierCountMask
	expected := state >> MbarrierExpected & MbarrierCountMask
	bytes := int64(state<<(64-MbarrierPhase)) >> (64 - MbarrierByteBits)
	phase := state >> MbarrierPhase
	b &= MbarrierCountMask
	arrivals := uint64(0)
	switch code {
	case ptx.MbarrierArrive:
		arrivals = b
	case ptx.MbarrierDrop:
		arrivals = b
		expected -= min(b, expected)
	case ptx.MbarrierExpect:
		bytes += int64(b)
	case ptx.MbarrierArriveExpect:
		arrivals = 1
		bytes += int64(b)
	case ptx.MbarrierDropExpect:
		arrivals = 1
		expected -= min(1, expected)
		bytes += int64(b)
	case ptx.MbarrierComplete:
		bytes -= int64(b)
	}
	pending -= min(arrivals, pending)
	if pending == 0 && bytes == 0 {
		pending = expected
		phase++
	}
	return pending | expected<<MbarrierExpected | uint64(bytes)<<(64-MbarrierByteBits)>>(64-MbarrierPhase) | phase<<MbarrierPhase
}
