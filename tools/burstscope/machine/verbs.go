// Package machine has the commands about machines: their values, those of other simulators, a GPU beside them.
package machine

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Machine = cli.Verb{Name: "machine", Help: machineHelp, Do: machineVerb,
		Summary: "the machines, every value with its source"}
	Convert = cli.Verb{Name: "convert", Help: convertHelp, Do: convertVerb,
		Summary: "machines of GPGPU-Sim, DRAMsim3 and Ramulator 2"}
	Correlate = cli.Verb{Name: "correlate", Help: correlateHelp, Do: correlateVerb,
		Summary: "hold the simulator against a GPU"}
	Scheme = cli.Verb{Name: "scheme", Help: schemeHelp, Do: schemeVerb,
		Summary: "the groups of a memory scheme and every setting"}
)
