package arith

import (
	"fmt"

	"github.com/burstscope/burstscope/core/ptx"
)

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
	MbarrierPhaseMask = 1<<(64-MbarrierPhase) - 1
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

// MbarrierFault says what is wrong with an operation on an object, "" if nothing is. PTX leaves all of it undefined.
// noComplete says that the phase may not end.
func MbarrierFault(code ptx.AtomicCode, state, b uint64, noComplete bool) string {
	if code == ptx.MbarrierInit {
		if b == 0 || b > MbarrierCountMask {
			return fmt.Sprintf("an mbarrier is for 1 to %d arrivals, not %d", MbarrierCountMask, b)
		}
		return ""
	}
	if state == 0 {
		return "the mbarrier is not initialized"
	}
	pending, arrivals, bytes := state&MbarrierCountMask, uint64(0), int64(0)
	switch code {
	case ptx.MbarrierTest:
		if behind := (state>>MbarrierPhase - b>>MbarrierPhase) & MbarrierPhaseMask; behind > 1 {
			return fmt.Sprintf("the state is of a phase %d before the mbarrier's, which is forgotten", behind)
		}
		return ""
	case ptx.MbarrierTestParity, ptx.MbarrierInvalidate:
		return ""
	case ptx.MbarrierArrive, ptx.MbarrierDrop:
		arrivals = b
	case ptx.MbarrierArriveExpect, ptx.MbarrierDropExpect:
		arrivals, bytes = 1, int64(b)
	case ptx.MbarrierExpect:
		bytes = int64(b)
	case ptx.MbarrierComplete:
		bytes = -int64(b)
	}
	switch sum := mbarrierBytes(state) + bytes; {
	case arrivals > pending:
		return fmt.Sprintf("%d arrivals at an mbarrier that waits for %d", arrivals, pending)
	case arrivals == 0 && (code == ptx.MbarrierArrive || code == ptx.MbarrierDrop):
		return "an arrival counts for 1 or more, not 0"
	case sum > MbarrierCountMask || sum < -MbarrierCountMask:
		return fmt.Sprintf("the mbarrier would wait for %d bytes: the limit is %d", sum, MbarrierCountMask)
	case noComplete && arrivals == pending && sum == 0:
		return ".noComplete, but this arrival completes the phase"
	}
	return ""
}

// MbarrierText says what an object waits for.
func MbarrierText(state uint64) string {
	bytes, what := mbarrierBytes(state), "and %d bytes"
	if bytes < 0 {
		bytes, what = -bytes, "and has %d bytes too many"
	}
	return fmt.Sprintf("phase %d, which lacks %d arrivals "+what, state>>MbarrierPhase, state&MbarrierCountMask, bytes)
}

// mbarrierBytes returns the bytes that an object waits for.
func mbarrierBytes(state uint64) int64 {
	return int64(state<<(64-MbarrierPhase)) >> (64 - MbarrierByteBits)
}

// applyMbarrier performs an operation on an mbarrier object: b is the number of
// arrivals or of bytes. Whoever performs it has asked MbarrierFault.
func applyMbarrier(code ptx.AtomicCode, state, b uint64) uint64 {
	switch code {
	case ptx.MbarrierInit:
		return MbarrierInit(b)
	case ptx.MbarrierInvalidate:
		return 0
	case ptx.MbarrierTest, ptx.MbarrierTestParity:
		return state
	}
	pending := state & MbarrierCountMask
	expected := state >> MbarrierExpected & MbarrierCountMask
	bytes := mbarrierBytes(state)
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
	state = pending | expected<<MbarrierExpected | uint64(bytes)<<(64-MbarrierByteBits)>>(64-MbarrierPhase) | phase<<MbarrierPhase
	if state == 0 { // all threads have dropped out, in a phase whose number is zero: still no object without init
		state = 1 << (MbarrierPhase - 1)
	}
	return state
}
