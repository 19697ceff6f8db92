package run

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
)

var call, mustCall = calls.Of(Run, Exec, PTX, Scenario, Requests)
