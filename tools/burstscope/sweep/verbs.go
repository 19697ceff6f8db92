// Package sweep runs many scenarios on all cores and keeps their results in a store.
package sweep

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Sweep = cli.Verb{Name: "sweep", Help: sweepHelp, Do: sweepVerb,
		Summary: "run many scenarios and keep their results"}
	Noise = cli.Verb{Name: "noise", Help: noiseHelp, Do: noiseVerb,
		Summary: "how far a speedup moves although nothing was saved"}
)
