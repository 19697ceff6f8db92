package scenario

import "strings"

// The words a scenario may use, each list in one place.
var (
	codecs         = []string{"none", "bdi", "fpc", "cpack", "bpc", "e2mc4", "e2mc8", "e2mc16", "e2mc32"}
	probabilities  = []string{"offline", "online"}
	headers        = []string{"fixed32", "variable", "literal"} // those of tslc.ParseHeader; the first is the default
	approximations = []string{"none", "tslc-simp", "tslc-pred", "tslc-opt"}
	mags           = []int{16, 32, 64}
)

// Codecs returns the legal values of memory.codec.
func Codecs() []string { return append([]string(nil), codecs...) }

// Approximations returns the legal values of memory.approximation.
func Approximations() []string { return append([]string(nil), approximations...) }

// Probabilities returns the legal values of memory.probabilities.
func Probabilities() []string { return append([]string(nil), probabilities...) }

// Headers returns the legal values of memory.header, the default first.
func Headers() []string { return append([]string(nil), headers...) }

// MAGs returns the legal values of memory.mag, in bytes.
func MAGs() []int { return append([]int(nil), mags...) }

// Coded reports whether a codec codes symbols by their probabilities, so that how
// these come to be known and the ways of decoding have an effect.
func Coded(codec string) bool { return strings.HasPrefix(codec, "e2mc") }
