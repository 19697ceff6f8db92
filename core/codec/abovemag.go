package codec

import "github.com/burstscope/burstscope/core/mem"

// BytesAboveMAG returns how far a size ends above a multiple of the MAG, as the histogram
// of SLC figure 2 counts it: 0 for blocks below one MAG, a whole MAG for blocks that do
// not compress.
func BytesAboveMAG(compBits, magBytes int) int {
	bytes := (compBits + 7) / 8
	switch {
	case bytes >= mem.LineBytes:
		return magBytes
	case bytes < magBytes:
		return 0
	}
	return bytes % magBytes
}
