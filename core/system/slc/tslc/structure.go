package tslc

import "github.com/burstscope/burstscope/core/codec/e2mc"

// HeaderBits returns the size of the header of figure 6 with a number of decoding
// ways: m, ss, len and the pointers.
func HeaderBits(ways int) int { return modeBits + extentBits + e2mc.PointerBits*(ways-1) }

// ExtraNodes returns how many nodes OPT adds between the levels of the tree, the
// smaller ones first.
func ExtraNodes() []int {
	var counts []int
	for _, shape := range shapes {
		if shape.extra {
			counts = append(counts, symbols/shape.stride)
		}
	}
	return counts
}
