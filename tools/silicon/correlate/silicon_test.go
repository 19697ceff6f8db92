package correlate

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const folder = "../../../core/machine/testdata/silicon"

func readRecording(t *testing.T, file string) []Row {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := ReadRecording(file, f)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// otherOutputs are the programs whose outputs are not the device's, bit by bit: all of them
// use approximate functions (ex2, lg2, div, ...), of which PTX states the error only.
var otherOutputs = []string{"attention", "binomial", "blackscholes", "libor", "pageddecode", "softmax", "srad1", "srad2", "sradreduce"}

// TestProgramsHaveTheOutputsOfTheDevice compares the simulator's outputs with the hashes of the
// recordings, for each program at its smallest size.
func TestProgramsHaveTheOutputsOfTheDevice(t *testing.T) {
	hashes := map[Case]string{}
	for _, file := range []string{"h200.csv", "h200-heldout.csv", "h200-later.csv", "h200-formats.csv"} {
		for _, r := range readRecording(t, folder+"/"+file) {
			hashes[r.Case] = r.OutputHash
		}
	}
	seen := map[string]bool{}
	for _, c := range Cases() {
		if c.Kind != Program || seen[c.Name+c.Data] {
			continue
		}
		seen[c.Name+c.Data] = true
		if hashes[c] == "" {
			t.Logf("%s came after the recordings", c.Key())
			continue
		}
		t.Run(c.Name+"/"+c.Data, func(t *testing.T) {
			p, err := c.Build()
			if err != nil {
				t.Fatal(err)
			}
			exact, err := functional(p)
			if err != nil {
				t.Fatal(err)
			}
			equal, want := Hash(exact) == hashes[c], !slices.Contains(otherOutputs, c.Name)
			if equal != want {
				t.Errorf("%s: outputs equal to the recorded ones: %v, want %v; a program whose outputs are equal now leaves the list", c.Key(), equal, want)
			}
		})
	}
}

// TestCommittedRecordings: every recording can be read, and each of its cases still exists.
func TestCommittedRecordings(t *testing.T) {
	files, err := filepath.Glob(folder + "/h*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s (%v)", folder, err)
	}
	known := map[Case]bool{}
	for _, c := range Cases() {
		known[c] = true
	}
	for _, file := range files {
		rows := readRecording(t, file)
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
