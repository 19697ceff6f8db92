// Package rfvp predicts the values of loads that miss L1, so that some of their
// requests can be dropped: the rollback-free value prediction (RFVP) of Yazdanbakhsh et al.
// (ACM TACO 12(4), 2016). A Predictor guesses whole lines from values that the same load of
// the same warp has fetched. A Policy drops misses at a rate, and gives the loads the
// guesses. Nothing checks a guess or takes it back.
package rfvp

import "math/bits"

// Kind is how a Predictor makes a value from the values before it.
type Kind uint8

const (
	// TwoDelta adds a stride that was seen twice in a row; floating-point loads get the last
	// value (section 4.1).
	TwoDelta Kind = iota
	// LastValue is TwoDelta without strides.
	LastValue
	// SingleValue has one last value in a row, and no values for gaps: a reading of the
	// last-value predictor of figure 11.
	SingleValue
	// Zero is always 0, for every load.
	Zero
	// Stride adds the last stride, as soon as it has come once: the plain stride predictor of
	// Sazeides and Smith (MICRO 1997), with which section 4.1 compares TwoDelta.
	Stride
	// DFCM adds the stride that followed the last strides when they came before: the differential
	// finite context method of Goeman et al. (HPCA 2001), the other predictor of section 4.1.
	DFCM
	numKinds
)

// KindNames are the names of the kinds, in their order.
var KindNames = [numKinds]string{"two-delta", "last-value", "single-value", "zero", "stride", "dfcm"}

// Gaps says what the words of a line get that no lane of the load reads.
type Gaps uint8

const (
	// GapColumns is a word of the last line: word 0 for the first half, word 16 for the
	// second (section 4.2).
	GapColumns Gaps = iota
	// GapRandom is random bits, the alternative that section 4.2 rejects.
	GapRandom
	numGaps
)

// GapNames are the names of the gap rules, in their order.
var GapNames = [numGaps]string{"columns", "random"}

// Config describes a predictor. The paper's values are in its section 4.2.
type Config struct {
	Kind    Kind
	Gaps    Gaps
	Entries int // rows: 192
	Ways    int // rows of a set: 4
	Groups  int // of threads, each with a value of its own: 2
}

// lineWords is the number of 32-bit words of a line (section 4.2: 128 bytes).
const lineWords = 32

// Bits of the fields of a row (section 4.1 and figure 6). The paper gives no widths for
// the tag: 6 bits tell 48 warps apart, and a PC has 32 [ours].
const (
	valueBits  = 64
	strideBits = 16
	gapBits    = 64 // as wide as a last value [ours]; a word fills half of it
	floatBits  = 1
	warpBits   = 6
	pcBits     = 32
)

// RowBits returns the size of a row in bits: what figure 6 shows, and the bits of LRU.
func (c Config) RowBits() int {
	lru := bits.Len(uint(c.Ways - 1))
	return c.Groups*(valueBits+c.historyBits()+gapBits) + floatBits + warpBits + pcBits + lru
}

// historyBits returns the bits of a group that its strides come from. The rows of LastValue, SingleValue and
// Zero count as rows of TwoDelta, with which figure 11 compares them [ours].
func (c Config) historyBits() int {
	switch c.Kind {
	case Stride:
		return strideBits
	case DFCM:
		return contextBits
	}
	return 2 * strideBits
}

// AccessBits returns the bits that a prediction or training reads or writes: a row, and for DFCM a stride of
// the second table for each group.
func (c Config) AccessBits() int {
	if c.Kind == DFCM {
		return c.RowBits() + c.Groups*strideBits
	}
	return c.RowBits()
}

// Bytes returns the size of the table, and for DFCM of its second one.
func (c Config) Bytes() int {
	n := c.Entries * c.RowBits() / 8
	if c.Kind == DFCM {
		n += contexts * strideBits / 8
	}
	return n
}

// PaperBytes is the size that the paper quotes for 192 rows with two groups (section 6.1).
// It would be 597 bits a row, 236 more than the fields named here have.
const PaperBytes = 14 << 10
