// Package claims has the commands that evaluate the statements and figures of papers.
package claims

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Claims = cli.Verb{Name: "claims", Help: claimsHelp, Do: claimsVerb,
		Summary: "which statements of the papers hold"}
	Figure = cli.Verb{Name: "figure", Help: figureHelp, Do: figureVerb,
		Summary: "draw a figure of the papers"}
	Paper = cli.Verb{Name: "paper", Help: paperHelp, Do: paperVerb,
		Summary: "claims, figures and text of a paper as a folder, and its page"}
)
