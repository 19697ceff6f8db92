package datafile

import (
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/mem"
)

// Memory is the format of data that lie in no file.
const Memory = "memory"

// InMemory is an array of whole elements that are at hand, little-endian.
func InMemory(name string, t Type, data []byte) Array {
	n := int64(len(data))
	return section(sliceAt(data), name, t, []int64{n / int64(t.Bytes())}, 0, n, 0)
}

// OfArrays is arrays as a file would hold them.
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
	return 0, nil, 0, fmt.Errorf("the file has %d blocks, none at %d behind them", f.BlockCount(), first)
}

// skip passes over bytes of a stream that has just been opened, without reading them
// where it lies in the file as it is.
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
