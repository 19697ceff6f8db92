package reproduce

import (
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/claims"
	"github.com/burstscope/burstscope/tools/burstscope/cli/calls"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

var call, mustCall = calls.Of(Reproduce, Artifact, claims.Claims, sweep.Sweep, claims.Figure, claims.Paper)

func TestMain(m *testing.M) {
	calls.Main(m, Reproduce, Artifact, claims.Claims, sweep.Sweep, claims.Figure, claims.Paper)
}
