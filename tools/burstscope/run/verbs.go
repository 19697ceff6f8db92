// Package run has the commands that run a scenario or a kernel, and what writes its figures.
package run

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Run = cli.Verb{Name: "run", Help: runHelp, Do: runScenario,
		Summary: "run a scenario and print its figures"}
	Exec = cli.Verb{Name: "exec", Help: execHelp, Do: execPTX,
		Summary: "run a kernel of a PTX file on files"}
	PTX = cli.Verb{Name: "ptx", Help: ptxHelp, Do: ptxVerb,
		Summary: "check PTX files"}
	Scenario = cli.Verb{Name: "scenario", Help: scenarioHelp, Do: scenarioVerb,
		Summary: "pack, unpack and check scenarios"}
	Requests = cli.Verb{Name: "requests", Help: requestsHelp, Do: requestsVerb,
		Summary: "traces of DRAM bursts for other simulators, and back"}
)
