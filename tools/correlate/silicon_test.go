package correlate

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCommittedRecordings: every recording can be read, and each of its cases still exists.
func TestCommittedRecordings(t *testing.T) {
	const folder = "../../core/machine/testdata/silicon"
	files, err := filepath.Glob(folder + "/h*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s (%v)", folder, err)
	}
	known := map[Case]bool{}
	for _, c := range Cases() {
		known[c] = true
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := ReadRecording(file, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			r := &rows[i]
			if !known[r.Case] {
				t.Errorf("%s: there is no case %s: record anew", file, r.Key())
			}
			if r.Kind == Program && (r.OutputHash == "" || (r.OutputsEqual == "yes") != (r.FirstDifference == "")) {
				t.Errorf("%s: %s: outputs %q, difference %q, hash %q", file, r.Key(), r.OutputsEqual, r.FirstDifference, r.OutputHash)
			}
		}
	}
}
