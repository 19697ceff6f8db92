package serve

import (
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
)

var call, mustCall = calls.Of(Serve)
