// Package reproduce has the commands that repeat the runs of papers.
package reproduce

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Reproduce = cli.Verb{Name: "reproduce", HelpOf: reproduceHelp, Do: reproduceVerb,
		Summary: "run and write all figures and claims"}
	Artifact = cli.Verb{Name: "artifact", Help: artifactHelp, Do: artifactVerb,
		Summary: "pack and check the artifact of a paper"}
)
