package loads_test

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/loads"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

var call, mustCall = calls.Of(loads.Loads, loads.Why, run.Run)
