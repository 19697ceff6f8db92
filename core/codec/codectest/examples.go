package codectest

import (
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// Words returns the line of 32-bit words; missing ones are zero.
func Words(w ...uint32) *mem.Line {
	var l mem.Line
	for i, v := range w {
		binary.LittleEndian.PutUint32(l[4*i:], v)
	}
	return &l
}

// WordsOf returns the line whose word i is f(i).
func WordsOf(f func(i uint32) uint32) *mem.Line {
	var l mem.Line
	words(&l, func(i int) uint32 { return f(uint32(i)) })
	return &l
}

// Shared returns a file of the reference shelf, which lies beside the checkout.
// Without it the test is skipped.
func Shared(t testing.TB, parts ...string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if b, err := os.ReadFile(filepath.Join(append([]string{dir, "shared"}, parts...)...)); err == nil {
			return b
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skipf("the reference shelf with %s is not beside this checkout", strings.Join(parts, "/"))
		}
		dir = up
	}
}

// CheckExamples compares uncapped sizes of the worked blocks of the reference
// shelf with a column of its table.
func CheckExamples(t *testing.T, column string, sizeBits func(*mem.Line) int) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(Shared(t, "conformance", "codecs", "examples.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, hexAt := -1, -1
	for i, name := range rows[0] {
		switch name {
		case column:
			at = i
		case "hex":
			hexAt = i
		}
	}
	if at < 0 || hexAt < 0 {
		t.Fatalf("the examples have no column %q", column)
	}
	for _, row := range rows[1:] {
		var l mem.Line
		if n, err := hex.Decode(l[:], []byte(row[hexAt])); err != nil || n != len(l) {
			t.Fatalf("%s: %d bytes, %v", row[0], n, err)
		}
		want, err := strconv.Atoi(row[at])
		if err != nil {
			t.Fatal(err)
		}
		if got := sizeBits(&l); got != want {
			t.Errorf("%s, %s: %d bits, want %d", column, row[0], got, want)
		}
	}
}
