// Package e2mc is E2MC (Lal, Lucas, Juurlink, IPDPS 2017) in the memory group: the settings of its codes and
// how long
// they are sampled. Its codec is core/codec/e2mc, whose codes SC and HyComp have too.
package e2mc

import (
	"strings"

	"github.com/burstscope/burstscope/core/system"
)

// DefaultSample is E2MC's best duration of sampling, 20 million instructions of the
// sampleUnit millions that its programs run (section VI-A, figure 4b).
const (
	DefaultSample = 20
	sampleUnit    = 400
)

// Probabilities are the words of the setting; the first is the default.
var Probabilities = []string{"offline", "online", "online-copies"}

// DecodingWays, Probability, LUT and Sample are settings of codes that are made from what memory holds.
var (
	DecodingWays = system.Setting{
		Name: "decodingWays", Title: "decoding ways", Numbers: []int{1, 2, 4, 8}, Default: 4,
		Short: "ways", Term: "decoding way", Label: "{} ways",
		Wrong: "no decoder has %d ways",
		About: "Parts of a block that decode at once.",
	}
	Probability = system.Setting{
		Name: "probabilities", Title: "probabilities", Words: Probabilities,
		Term: "probabilities", Label: "{} probabilities",
		About: "Where a code table comes from: offline from all of the traffic, " +
			"online from a sample at the start of the run, " +
			"online-copies from the host's copies into device memory and that sample.",
	}
	LUT = system.Setting{
		Name: "clut", Title: "c-LUT", Optional: true, Words: []string{"full", "sets"}, Label: "c-LUT {}",
		About: "Values that can have a codeword: full, the 1,024 most frequent; sets, of these at most eight with the " +
			"same lowest seven bits, and less frequent ones in free places of other sets (section III-E).",
	}
	Sample = system.Setting{
		Name: "sample", Title: "sample", Unit: "1/400 of the program", Optional: true,
		Low: 1, High: sampleUnit, Default: DefaultSample,
		Term: "sample", Label: "sample {}/400", Without: "its own sample",
		Offer: []string{"1", "10", "20", "30", "40", "50", "100"},
		About: "How long online probabilities are sampled; 20 if it is not given.",
	}
)

// Online reports whether code tables are made from a sample at the start of the run.
func Online(probabilities string) bool { return strings.HasPrefix(probabilities, "online") }

// CountsCopies reports whether such a sample begins with the blocks that the host copies
// into device memory before the first launch. E2MC fills its table from the blocks that
// pass the memory controller (section III-B2b), and copies pass it too.
func CountsCopies(probabilities string) bool { return probabilities == "online-copies" }

// SampleInstructions is the number of thread instructions that online probabilities sample.
// E2MC's durations are millions out of a nominal 400 million (figure 4b). Our programs are
// shorter, so we use the same share of a program [ours]; a share of 0 is the default.
func SampleInstructions(share int, threadInstructions uint64) uint64 {
	if share == 0 {
		share = DefaultSample
	}
	return threadInstructions * uint64(share) / sampleUnit
}
