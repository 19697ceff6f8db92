package claims

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestVerbsGoOnWithoutARun: a page is written without the value of a run that fails, and the status is 1.
func TestVerbsGoOnWithoutARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	mustCall(t, "paper", "new", "MINE", "--dir", dir)
	first := filepath.Join(dir, "scenarios", "first.yaml")
	b, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	// Its kernel has no loop that could skip iterations, which only the run finds out.
	text := strings.Replace(string(b), "version: 1", "version: 2\nloads: {policy: perforation}", 1)
	if err := os.WriteFile(first, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call("paper", "page", dir, "--store", t.TempDir())
	if status != cli.ExitFault || !strings.Contains(errs, "loads.which: ") || !strings.Contains(out, "runs were not made: the values that need them are empty") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "page", "index.html")); err != nil {
		t.Error(err)
	}
}
