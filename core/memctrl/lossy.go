package memctrl

import (
	"math/bits"

	"github.com/burstscope/burstscope/core/codec"
)

// lossyLevels are the levels of SLC's tree from which nodes are cut: 1, 2, 4, 8
// and 16 symbols (section III-D, figure 5). The nodes of 6 and 12 symbols count for the levels of 4 and 8, as in the
// paper.
const lossyLevels = 5

// Lossy holds figures of the lossy blocks beyond the counters: maxima, and sums by the
// level of the node that was cut. It is not part of a result's hash.
type Lossy struct {
	// Blocks and ExcessBits are by level; the first level is single symbols.
	Blocks     [lossyLevels]uint64 `json:"blocksByLevel"`
	ExcessBits [lossyLevels]uint64 `json:"excessBitsByLevel"`
	// MostSymbols is the largest number of symbols cut from one block.
	MostSymbols int `json:"mostSymbols"`
	// MostBytesOver is the largest number of bytes by which a block ended above its budget,
	// the next multiple of the granularity below its lossless size; at most 0 if all fit.
	MostBytesOver int `json:"mostBytesOverBudget"`
}

// any reports whether there are lossy blocks.
func (l *Lossy) any() bool { return l.Blocks != [lossyLevels]uint64{} }

func (l *Lossy) add(s *codec.Stored, magBytes int) {
	mag := magBytes * 8
	over := int(s.Bits) - int(s.LosslessBits)/mag*mag
	overBytes := (over + 7) >> 3 // rounded up, also below 0
	if !l.any() || overBytes > l.MostBytesOver {
		l.MostBytesOver = overBytes
	}
	l.MostSymbols = max(l.MostSymbols, int(s.TruncatedSymbols))
	level := min(bits.Len8(s.TruncatedSymbols), lossyLevels) - 1
	l.Blocks[level]++
	l.ExcessBits[level] += uint64(s.ExcessBits)
}

// Merge adds the account of another controller.
func (l *Lossy) Merge(other *Lossy) {
	switch {
	case !other.any():
		return
	case !l.any():
		l.MostBytesOver = other.MostBytesOver
	}
	l.MostSymbols = max(l.MostSymbols, other.MostSymbols)
	l.MostBytesOver = max(l.MostBytesOver, other.MostBytesOver)
	for i := range l.Blocks {
		l.Blocks[i] += other.Blocks[i]
		l.ExcessBits[i] += other.ExcessBits[i]
	}
}

// Lossy returns the account of the lossy blocks up to now.
func (c *Controller) Lossy() *Lossy { return &c.lossy }
