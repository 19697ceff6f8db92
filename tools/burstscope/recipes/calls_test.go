package recipes

import (
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/command"
)

var call, mustCall = calls.Of(command.Verbs()...)

func TestMain(m *testing.M) { calls.Main(m, command.Verbs()...) }
