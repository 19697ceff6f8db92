// Package data has the commands that measure a user's data: compressed sizes, target ratios, the fit of a model.
package data

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Codec = cli.Verb{Name: "codec", Help: codecHelp, Do: codecVerb,
		Summary: "compressed sizes of a file's blocks"}
	Buddy = cli.Verb{Name: "buddy", Help: buddyHelp, Do: buddyVerb,
		Summary: "target ratios of Buddy Compression for data or a program"}
	Fit = cli.Verb{Name: "fit", Help: fitHelp, Do: fitVerb,
		Summary: "whether a model fits into a GPU with a slower neighbour"}
)
