package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/policy"
)

// TestSameBitsMatrix: every preset with every memory scheme, programs under every policy of L1,
// every kind of backing and with predicted loads have one result, one energy and the same counters, natively and in
// WebAssembly.
func TestSameBitsMatrix(t *testing.T) {
	t.Parallel()
	native := matrix(t, nil)
	inNode := matrix(t, []string{"GOOS=js", "GOARCH=wasm"})
	if len(native) < 8*len(preset.Names())+len(policy.Table) || len(native) != len(inNode) {
		t.Fatalf("%d runs natively, %d under node", len(native), len(inNode))
	}
	for i, line := range native {
		if inNode[i] != line {
			t.Errorf("natively %s, under node %s", line, inNode[i])
		}
	}
}

// matrix runs the tests of the matrix in core/experiment and returns what they log.
func matrix(t *testing.T, environment []string) []string {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"test", "-count=1", "-vet=off", "-v", "-run", "^TestMatrix"}
	if environment != nil {
		args = append(args, "-exec", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"))
	}
	cmd := exec.Command("go", append(args, "./core/experiment")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var lines []string
	for _, line := range strings.Split(string(out), "\n") {
		if _, found, ok := strings.Cut(line, ": matrix "); ok {
			lines = append(lines, found)
		}
	}
	return lines
}
