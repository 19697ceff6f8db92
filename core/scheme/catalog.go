package scheme

import (
	"slices"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/system/e2mc"
	"github.com/burstscope/burstscope/core/system/slc"
)

// The words a scenario may use, each list in one place. Codecs and approximations are
// the rows of the table of codecs.
var (
	mags = []int{16, 32, 64}
)

// Codecs returns the legal values of memory.codec.
func Codecs() []string { return slices.Concat([]string{"none"}, codecs.Names(), codecs.Readings()) }

// Approximations returns the legal values of memory.approximation.
func Approximations() []string { return slices.Concat([]string{"none"}, codecs.Lossy()) }

// Probabilities returns the legal values of memory.probabilities.
func Probabilities() []string { return append([]string(nil), e2mc.Probabilities...) }

// Headers returns the legal values of memory.header, the default first.
func Headers() []string { return append([]string(nil), slc.Headers...) }

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
