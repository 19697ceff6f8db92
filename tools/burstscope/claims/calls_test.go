package claims

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/run"
)

var call, mustCall = calls.Of(Claims, Figure, Paper, run.Run)
