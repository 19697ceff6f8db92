package machine

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

var call, mustCall = calls.Of(Machine, Convert, Correlate, Scheme, run.Run, sweep.Sweep)
