package scheme

import (
	"slices"

	"github.com/burstscope/burstscope/core/codec/codecs"
)

// The words a scenario may use, each list in one place. Codecs and approximations are
// the rows of the table of codecs.
var (
	probabilities = []string{"offline", "online", "online-copies"}
	headers       = []string{"fixed32", "variable", "literal"} // those of tslc.ParseHeader; the first is the default
	mags          = []int{16, 32, 64}
)

// Codecs returns the legal values of memory.codec.
func Codecs() []string { return slices.Concat([]string{"none"}, codecs.Names(), codecs.Readings()) }

// Approximations returns the legal values of memory.approximation.
func Approximations() []string { return slices.Concat([]string{"none"}, codecs.Lossy()) }

// Probabilities returns the legal values of memory.probabilities.
func Probabilities() []string { return append([]string(nil), probabilities...) }

// Headers returns the legal values of memory.header, the default first.
func Headers() []string { return append([]string(nil), headers...) }

// MAGs returns the legal values of memory.mag, in bytes.
func MAGs() []int { return append([]int(nil), mags...) }

// Trained reports whether the codes of a codec are made from what memory holds, so that
// memory.probabilities has an effect.
func Trained(codec string) bool { return codecs.Trained(codec) }

// HasWays reports whether memory.decodingWays has an effect on a codec.
func HasWays(codec string) bool {
	row := codecs.Find(codec)
	return row != nil && row.Ways
}
