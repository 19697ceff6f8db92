package rfvp

import (
	"fmt"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// rules are about the predictor and about machines.
var rules = []system.Rule{
	{
		Group: "loads", Path: "loads.entries", Choice: title, Not: "a number of rows that the ways do not divide",
		Why: "a set has a row for each way", Sample: fault.Fixes("loads.policy", name, "loads.ways", "5"),
		Broken: rowsWithoutSets,
	},
	{
		OfMachine: true, Group: "loads", Path: "loads.policy", Choice: title, Not: "global loads that bypass L1",
		Why: "it would do nothing", Sample: fault.Fixes("loads.policy", name), Broken: predictionWithoutLoads,
	},
}

func rowsWithoutSets(p system.Part, _ *parameter.GPU) (b system.Breach) {
	n, w := p.Int("entries"), p.Int("ways")
	if !predicts(p) || w <= 0 || n%w == 0 {
		return b
	}
	return system.Breach{
		Message: fmt.Sprintf("%d rows are no whole number of sets of %d ways", n, w),
		Mend:    fmt.Sprintf("use a multiple of %d", w),
		Fixes:   fault.Fixes("loads.entries", fmt.Sprint((n+w-1)/w*w)),
	}
}

func predictionWithoutLoads(p system.Part, g *parameter.GPU) (b system.Breach) {
	if !predicts(p) || g.SM.L1Loads {
		return b
	}
	return system.Breach{
		Message: fmt.Sprintf("global loads of %s bypass L1, so rfvp would do nothing", g.Name),
		Fixes:   fault.Fixes(system.L1Loads, "on", "loads.policy", system.None),
	}
}
