package ptx

import "github.com/burstscope/burstscope/core/mem"

// Hints are what a memory instruction says to the caches beside its cache operator. They change no value: sections
// Cache Eviction Priority Hints, ld, st, prefetch, applypriority, discard and createpolicy of the PTX ISA.
type Hints struct {
	// L1 is the priority in L1, mem.NoAllocate for none of its lines; L2 that in L2.
	L1, L2 mem.Priority
	// Ahead is the prefetch size in units of mem.AheadBytes, 0 without one.
	Ahead uint8
	// Streaming says that the priorities are those of .cs or .lu, Through that a store is .wt.
	Streaming, Through bool
	// ToL1 says that a prefetch brings its line to L1 too.
	ToL1 bool
	// Policy says that PolicyAt is the place of a register of 64 bits with a policy for L2.
	Policy   bool
	PolicyAt uint32
}

// A cache policy is opaque to PTX. Its bits here are those of NVIDIA's descriptors, so that constants that libraries
// keep work too: CUTLASS's 0x14F0000000000000 for evict_last, say (libcu++,
// cuda/__annotated_ptr/access_property_encoding.h; cute/arch/copy_sm90_desc.hpp).
const (
	policyFraction    = 52 // 4 bits: one less than the sixteenths of all lines that have the primary priority
	policyBlockCount  = 37 // 7 bits, of a range
	policyBlockStart  = 44 // 7 bits
	policyBlockSize   = 52 // 4 bits: log2 of bytes, less 12
	policySecondary   = 56 // 1 bit
	policyPrimary     = 57 // 2 bits
	policyMode        = 59 // 2 bits
	policyFractional  = 2  // modes
	policyRange       = 3
	policyFields      = 127
	policyBlockMin    = 12 // log2 of the smallest block
	policyRangeBlocks = 19 // a range up to 2^19 bytes has blocks of the smallest size
)

// policyCodes are the priorities of a policy: __l2_evict_t of libcu++.
var policyCodes = [4]mem.Priority{mem.EvictDefault, mem.EvictFirst, mem.EvictLast, mem.EvictNormal}

func policyCode(p mem.Priority) (code uint64) {
	for i, x := range policyCodes {
		if x == p {
			code = uint64(i)
		}
	}
	return code
}

func policyOf(mode uint64, primary, secondary mem.Priority) uint64 {
	return mode<<policyMode | policyCode(primary)<<policyPrimary | policyCode(secondary)&1<<policySecondary
}

// FractionalPolicy is createpolicy.fractional. A fraction that is not in (0, 1] has no meaning in PTX; the nearest
// one is taken.
func FractionalPolicy(primary, secondary mem.Priority, fraction float32) uint64 {
	const epsilon = 1.0 / (1 << 23) // so that 1/16 is one sixteenth (libcu++, __l2_interleave)
	n := uint64(0)
	if x := (fraction - epsilon) * 16; x >= 15 {
		n = 15
	} else if x > 0 {
		n = uint64(x)
	}
	return policyOf(policyFractional, primary, secondary) | n<<policyFraction
}

// RangePolicy is createpolicy.range: addresses from a on have the primary priority, up to whole blocks (libcu++,
// __block_encoding_host).
func RangePolicy(primary, secondary mem.Priority, a uint64, primaryBytes, totalBytes uint32) uint64 {
	size := uint64(0)
	for uint64(1)<<(policyRangeBlocks+size) < uint64(totalBytes) {
		size++
	}
	shift := policyBlockMin + size
	start, end := a>>shift, (a+uint64(primaryBytes)+1<<shift-1)>>shift
	count := min(max(end-start, 1), policyFields)
	return policyOf(policyRange, primary,
		secondary) | count<<policyBlockCount | start&policyFields<<policyBlockStart | size<<policyBlockSize
}

// PolicyPriority returns what a policy says about the line of an address. Which lines are in a fraction is not
// published (CUDA C++ Programming Guide, L2 Policy for Persisting Accesses: "random"); here the bits of the line's
// number decide, folded [ours]. If the word is not a policy, the answer is EvictDefault.
func PolicyPriority(policy, a uint64) mem.Priority {
	primary := false
	switch policy >> policyMode & 3 {
	case policyFractional:
		h := uint64(0)
		for n := a / mem.LineBytes; n != 0; n >>= 4 {
			h ^= n
		}
		primary = h&15 <= policy>>policyFraction&15
	case policyRange:
		block := a >> (policyBlockMin + policy>>policyBlockSize&15)
		primary = (block-policy>>policyBlockStart)&policyFields < policy>>policyBlockCount&policyFields
	default:
		return mem.EvictDefault
	}
	if primary {
		return policyCodes[policy>>policyPrimary&3]
	}
	return policyCodes[policy>>policySecondary&1]
}
