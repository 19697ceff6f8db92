package data

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

var call, mustCall = calls.Of(Codec, Buddy, Fit, run.Run, run.Exec, sweep.Sweep)
