package codectest

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
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

// CheckSameJSON compares our copy of a file with the shelf's, blanks aside.
func CheckSameJSON(t *testing.T, ours string, shelf []byte) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(ours), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(shelf, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("our copy differs from the shelf's")
	}
}

// CheckExamples compares uncapped sizes of the worked blocks with a column of them.
func CheckExamples(t *testing.T, column string, sizeBits func(*mem.Line) int) {
	t.Helper()
	for _, e := range Examples() {
		want, ok := e.Sizes[column]
		if !ok {
			t.Fatalf("the worked blocks have no column %q", column)
		}
		if got := sizeBits(e.Line); got != want {
			t.Errorf("%s, %s: %d bits, want %d", column, e.Name, got, want)
		}
	}
}
