package reproduce

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/claims"
)

// TestRowsAreMadeAgain: --rows puts a row of which the files say something else into them again, and nothing else
// changes: the files are then the committed ones.
func TestRowsAreMadeAgain(t *testing.T) {
	const row = "LATTE-69" // two runs of a second
	from, to := filepath.Join("..", "..", "..", "assets", "reproduction", "latte"), t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(to, "suite", "claims.json")
	var report claims.ClaimsReport
	readJSON(t, file, &report)
	for _, o := range report.Outcomes {
		if o.ID == row {
			o.Check, o.Standing = "1 > 2", claim.Standing{Verdict: claim.DoesNotHold}
		}
	}
	if err := os.WriteFile(file, compactJSON(&report), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"--paper", "LATTE", "--out", to, "--store", t.TempDir(), "--rows"}
	if err := reproduceVerb(append(args, row), &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.json", "runs.json", "suite/claims.json"} {
		want, errWant := os.ReadFile(filepath.Join(from, name))
		got, errGot := os.ReadFile(filepath.Join(to, name))
		if errWant != nil || errGot != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the committed one, %v, %v", name, errWant, errGot)
		}
	}
	if !strings.Contains(out.String(), "1 row, from 2 runs") {
		t.Errorf("said %q", out.String())
	}
	for given, said := range map[string]string{"SLC-01": "no row of this reproduction", row + ",": "no row"} {
		if err := reproduceVerb(append(args, given), &out); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("--rows %s: %v", given, err)
		}
	}
}
