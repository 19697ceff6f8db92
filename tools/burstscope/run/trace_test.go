package run

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

// TestTrace: run --trace writes a trace of the run, compressed or not, and does not
// change the output.
func TestTrace(t *testing.T) {
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "out.json"), filepath.Join(dir, "out.json.gz")
	without := mustCall(t, clitest.Small()...)
	for _, name := range []string{plain, packed} {
		if out := mustCall(t, clitest.Small("--trace", name)...); out != without {
			t.Errorf("with --trace the run prints\n%s\nwithout it\n%s", out, without)
		}
	}
	a, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%d bytes plain, %d packed", len(a), len(b))
	}
	var trace struct{ TraceEvents []any }
	if err := json.Unmarshal(a, &trace); err != nil || len(trace.TraceEvents) < 1000 {
		t.Errorf("%d events: %v", len(trace.TraceEvents), err)
	}
	if status, _, errs := call(clitest.Small("--trace", plain, "--trace-limit", "0")...); status != cli.ExitUsage ||
		errs == "" {
		t.Errorf("a bound of nothing: status %d %s", status, errs)
	}
	if status, _, errs := call(clitest.Small("--trace", filepath.Join(dir, "no", "out.json"))...); status != cli.ExitFault || errs == "" {
		t.Errorf("a folder that is not there: status %d %s", status, errs)
	}
}
