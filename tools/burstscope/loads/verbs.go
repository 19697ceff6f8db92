// Package loads has the commands about predicted loads.
package loads

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Loads = cli.Verb{Name: "loads", Help: loadsHelp, Do: loadsVerb,
		Summary: "which loads miss L1, and which may get predicted values"}
	Why = cli.Verb{Name: "why", Help: whyHelp, Do: whyVerb,
		Summary: "which predicted lines made an element of the output wrong, or what a block was read for"}
)
