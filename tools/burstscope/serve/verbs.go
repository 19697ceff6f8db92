// Package serve has the command that serves the page.
package serve

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Serve = cli.Verb{Name: "serve", Help: serveHelp, Do: serveVerb,
		Summary: "serve the page on this machine"}
)
