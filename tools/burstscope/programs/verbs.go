// Package programs has the commands about the shipped programs.
package programs

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Workloads = cli.Verb{Name: "workloads", Help: workloadsHelp, Do: workloadsVerb,
		Summary: "the shipped programs, their sizes and run times"}
	Estimate = cli.Verb{Name: "estimate", Help: estimateHelp, Do: estimateVerb,
		Summary: "what another memory scheme would do to the blocks of a run"}
)
