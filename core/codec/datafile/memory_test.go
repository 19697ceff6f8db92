package datafile

import (
	"bytes"
	"io"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// Blocks read at any place are those that streaming gives.
func TestReadBlocksAgainstStreaming(t *testing.T) {
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(i * 7)
	}
	memory, err := OfArrays([]Array{InMemory("a", U8, data[:300]), InMemory("none", U8, nil), InMemory("b", F32, data)})
	if err != nil {
		t.Fatal(err)
	}
	header := "{'descr': '>f8', 'fortran_order': False, 'shape': (125,), }"
	npy := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0)
	npy = append(append(npy, header...), data...)
	swapped, err := Open(bytes.NewReader(npy), int64(len(npy)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*File{memory, swapped} {
		var all []mem.Line
		b := f.Blocks()
		for {
			lines := make([]mem.Line, 3)
			n, _, err := b.Next(lines)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, lines[:n]...)
		}
		for first := range all {
			lines := make([]mem.Line, 2)
			n, a, offset, err := f.ReadBlocks(int64(first), lines)
			if err != nil || n == 0 || offset%mem.LineBytes != 0 || a.Bytes <= offset {
				t.Fatalf("block %d: %d blocks, byte %d of %v, %v", first, n, offset, a, err)
			}
			for k := range n {
				if lines[k] != all[first+k] {
					t.Errorf("%s: block %d is another", f.Format, first+k)
				}
			}
		}
		for _, wrong := range []int64{-1, int64(len(all))} {
			if _, _, _, err := f.ReadBlocks(wrong, make([]mem.Line, 1)); err == nil {
				t.Errorf("block %d of %d is read", wrong, len(all))
			}
		}
	}
	if _, err := OfArrays([]Array{InMemory("none", U8, nil)}); err == nil {
		t.Error("nothing accepted as data")
	}
}
