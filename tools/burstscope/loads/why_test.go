package loads_test

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestWhyVerb: a picture's point, and command lines that ask for nothing that is there.
func TestWhyVerb(t *testing.T) {
	small := []string{"why", "gaussian", "--set", "workload.size=64"}
	text := mustCall(t, append(small, "--most", "1")...)
	for _, want := range []string{"gaussian of 64 on gtx480v3: element ", "predicted line ", "gaussian.cu:", "memory held ", "the element goes from "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := mustCall(t, append(small, "--at", "3,2", "--set", "loads.drop=0")...); !strings.Contains(text, "element 515 of d_dest") || !strings.Contains(text, "the element is exact") {
		t.Errorf("point 3, 2 of 256 columns: a pixel has four channels:\n%s", text)
	}
	for _, c := range []struct {
		words  string
		status int
		want   string
	}{
		{"why", cli.ExitUsage, "no program"},
		{"why matmul --most 0", cli.ExitUsage, "--most 0"},
		{"why matmul --within 100", cli.ExitUsage, "--within 100"},
		{"why matmul --element -2", cli.ExitUsage, "--element -2"},
		{"why matmul --element 1 --at 1,1", cli.ExitUsage, "--element 1"},
		{"why gaussian --set workload.size=64 --at 3", cli.ExitUsage, `--at "3"`},
		{"why gaussian --set workload.size=64 --at 256,0", cli.ExitFault, "picture of 256 x 64: give 0,0 to 255,63"},
		{"why fwt --set workload.size=4096 --at 1,1", cli.ExitFault, "output d_Data is no picture"},
		{"why matmul --set workload.size=32 --output x", cli.ExitFault, `no output "x"`},
	} {
		if status, _, errs := call(strings.Fields(c.words)...); status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %s", c.words, status, errs)
		}
	}
}
