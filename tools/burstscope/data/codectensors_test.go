package data

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
)

// TestTensors: the table of real arrays has every lossless codec, and can be sorted by any column.
func TestTensors(t *testing.T) {
	read := func(args ...string) [][]string {
		text := mustCall(t, append([]string{"codec", "tensors", "--format", "csv"}, args...)...)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := read("--sort", "zipnn")
	if len(rows) < 21 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, name := range codecs.Names() {
		if !slices.Contains(rows[0], name) || !slices.Contains(rows[0], name+"MAG32") {
			t.Errorf("codec %s is missing", name)
		}
	}
	k := slices.Index(rows[0], "zipnn")
	last := 1e9
	for _, row := range rows[1:] {
		v, err := strconv.ParseFloat(row[k], 64)
		if err != nil || v > last || v < 1 {
			t.Errorf("%s has %s after %v: %v", row[0], row[k], last, err)
		}
		last = v
	}
	ids := read("--sort", "id")[1:]
	if !slices.IsSortedFunc(ids, func(a, b []string) int { return strings.Compare(a[0], b[0]) }) {
		t.Error("not sorted by id")
	}
	out := mustCall(t, "codec", "tensors", "--codec", "bpc")
	if !strings.Contains(out, "speech-state-bf16") || strings.Contains(out, "zipnn") {
		t.Errorf("as text:\n%s", out)
	}
	for _, args := range [][]string{{"--sort", "colour"}, {"--codec", "zip"}, {"word"}} {
		if status, _, errs := call(append([]string{"codec", "tensors"}, args...)...); status == 0 || errs == "" {
			t.Errorf("%v is taken", args)
		}
	}
}
