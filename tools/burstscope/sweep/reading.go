package sweep

import (
	"flag"

	"github.com/burstscope/burstscope/core/claim"
)

// ReadingHelp describes the flags of a reading.
const ReadingHelp = `READING says how the papers' programs run and how rows are evaluated; the first word
of each is the default, which the committed results have. Every row names its reading.
  --machine          gtx580b, or another preset: gtx580a, gtx580c, gtx580v4, gtx480v3 ...
  --data             inputs: suite, by the generator or file of each program's suite,
                     calibrated to the block sizes that SLC states, or natural, by rule
  --sizes            study, which fill the machine, claim: smaller ones, or paper: those
                     that the papers state, as far as a run ends within minutes
  --online           table of online probabilities from the host's copies and a sample of
                     the program's blocks (copies), or from the sample alone (sample)
  --error            relative errors of at most 1 each (capped), or without a bound (own)
  --bandwidth        what "times the bandwidth" multiplies: clock, or channels
`

// ReadingFlags declares the flags of a reading.
func ReadingFlags(flags *flag.FlagSet) *claim.Reading {
	r := &claim.Reading{}
	for _, c := range claim.Choices() {
		flags.Func(c.Flag, "", func(word string) error { return r.Set(c.Flag, word) })
	}
	return r
}

// StoreOf is the folder of results that a command line names. Without one, each reading has
// its own.
func StoreOf(dir string, r *claim.Reading) string {
	switch {
	case dir != "":
		return dir
	case r.IsDefault():
		return DefaultStore
	}
	return DefaultStore + "-" + r.Label()
}
