package claims

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

func TestUnknownVerdictsAreRefused(t *testing.T) {
	status, _, errs := call("claims", "--verdict", "holds well", "--store", t.TempDir())
	if status != cli.ExitUsage || !strings.Contains(errs, `"holds in order, not in size"`) {
		t.Errorf("status %d: %s", status, errs)
	}
}
