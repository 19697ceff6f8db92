// Package bench has the command that measures speed.
package bench

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Bench = cli.Verb{Name: "bench", Help: benchHelp, Do: bench,
		Summary: "simulated warp instructions per second"}
)
