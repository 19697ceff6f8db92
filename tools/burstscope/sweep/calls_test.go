package sweep

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

var call, mustCall = calls.Of(Sweep, Noise, run.Run, run.Scenario)
