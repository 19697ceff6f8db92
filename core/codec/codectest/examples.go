package codectest

import (
	"encoding/binary"
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
