package datafile

import (
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/mem"
)

// Memory is the format of data that are not in a file.
const Memory = "memory"

// InMemory is an array of whole elements that are at hand, little-endian.
func InMemory(name string, t Type, data []byte) Array {
	n := int64(len(data))
	return section(sliceAt(data), name, t, []int64{n / int64(t.Bytes())}, 0, n, 0)
}

// OfArrays returns a File of arrays in memory.
func OfArrays(arrays []Array) (*File, error) { return pick(Memory, arrays, "") }

// Stream gives the bytes of an array.
func (a Array) Stream() (io.Reader, error) { return a.open() }

// ReadBlocks fills dst with blocks of one array from block first of the file on, and
// returns how many, which array they are of, and where in the array they start.
func (f *File) ReadBlocks(first int64, dst []mem.Line) (n int, a *Array, offset int64, err error) {
	if first < 0 {
		return 0, nil, 0, fmt.Errorf("block %d: blocks are counted from 0", first)
	}
	for i := range f.Arrays {
		a := &f.Arrays[i]
		if count := a.BlockCount(); first >= count {
			first -= count
			continue
		}
		offset := first * mem.LineBytes
		stream, err := a.open()
		if err == nil {
			err = skip(stream, offset)
		}
		if err != nil {
			return 0, nil, 0, err
		}
		for n < len(dst) && offset+int64(n)*mem.LineBytes < a.Bytes {
			want := min(a.Bytes-offset-int64(n)*mem.LineBytes, mem.LineBytes)
			if _, err := io.ReadFull(stream, dst[n][:want]); err != nil {
				return 0, nil, 0, fmt.Errorf("block %d of array %q: %w", first+int64(n), a.Name, err)
			}
			clear(dst[n][want:])
			n++
		}
		return n, a, offset, nil
	}
	return 0, nil, 0, fmt.Errorf("the file has %d blocks: there is no block %d", f.BlockCount(), first)
}

// skip skips bytes of a newly opened stream. It does not read them if the file holds the
// array without compression.
func skip(stream io.Reader, bytes int64) error {
	inner := stream
	if s, ok := stream.(*swapper); ok {
		inner = s.r // blocks are whole units
	}
	if s, ok := inner.(io.Seeker); ok {
		_, err := s.Seek(bytes, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, stream, bytes)
	return err
}
