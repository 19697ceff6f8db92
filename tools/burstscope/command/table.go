// Package command is the list of the commands: what their help, the completion of shells and the errors about a name
// show, and what runs a command line.
package command

import (
	"github.com/burstscope/burstscope/tools/burstscope/bench"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/data"
	"github.com/burstscope/burstscope/tools/burstscope/lessons"
	"github.com/burstscope/burstscope/tools/burstscope/loads"
	"github.com/burstscope/burstscope/tools/burstscope/machine"
	"github.com/burstscope/burstscope/tools/burstscope/programs"
	"github.com/burstscope/burstscope/tools/burstscope/reproduce"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/serve"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// Verbs are the commands in the order of the help.
func Verbs() []cli.Verb {
	return []cli.Verb{
		run.Run,
		run.Exec,
		run.PTX,
		data.Codec,
		run.Scenario,
		programs.Workloads,
		run.Requests,
		machine.Convert,
		machine.Machine,
		data.Buddy,
		data.Fit,
		machine.Scheme,
		loads.Loads,
		programs.Estimate,
		sweep.Noise,
		loads.Why,
		sweep.Sweep,
		claims.Claims,
		claims.Figure,
		claims.Paper,
		reproduce.Artifact,
		machine.Correlate,
		reproduce.Reproduce,
		lessons.Lesson,
		lessons.Grade,
		serve.Serve,
		bench.Bench,
	}
}
