package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/system/latte/policy"
)

// TestSameBitsMatrix: presets with memory schemes, programs under every policy of L1, every kind
// of backing and with predicted loads have one result, one energy and the same counters, natively
// and in WebAssembly, where each preset runs a third of the schemes and each scheme on a third of
// the presets.
func TestSameBitsMatrix(t *testing.T) {
	t.Parallel()
	native := matrix(t, nil)
	inNode := matrix(t, []string{"GOOS=js", "GOARCH=wasm"})
	if len(native) < 8*len(preset.Names())+len(policy.Table) || len(inNode) < len(native)/3 {
		t.Fatalf("%d runs natively, %d under node", len(native), len(inNode))
	}
	for name, result := range inNode {
		if native[name] != result {
			t.Errorf("%s: natively %s, under node %s", name, native[name], result)
		}
	}
}

// matrix runs the tests of the matrix in core/experiment and returns what they log: the results of
// each run by its name.
func matrix(t *testing.T, environment []string) map[string]string {
	t.Helper()
	args := []string{"test", "-count=1", "-vet=off", "-v", "-run", "^TestMatrix"}
	if environment != nil {
		args = append(args, "-exec", "'"+strings.Join(underNode(t), "' '")+"'")
	}
	cmd := exec.Command("go", append(args, "./core/experiment")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	results := map[string]string{}
	for _, line := range strings.Split(string(out), "\n") {
		if _, found, ok := strings.Cut(line, ": matrix "); ok {
			name, result, _ := strings.Cut(found, ": ")
			results[name] = result
		}
	}
	return results
}
