package codecs

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// TestSample: a sample holds the blocks whose numbers are multiples of a power of two, at least half of its room once it
// has been full, and is the same if it is stored and read again, or cloned, on the way.
func TestSample(t *testing.T) {
	number := func(n uint64) (line mem.Line) {
		binary.LittleEndian.PutUint64(line[:], n)
		return line
	}
	for _, all := range []uint64{0, 1, sampleBlocks - 1, sampleBlocks, sampleBlocks + 1, 2 * sampleBlocks, 5*sampleBlocks + 3} {
		s := &sample{}
		for n := range all {
			line := number(n)
			s.count(&line)
			if n == all/2 {
				b := s.appendBinary(nil)
				kept := s.clone()
				var err error
				if s, err = parseSample(b); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(kept.appendBinary(nil), b) {
					t.Errorf("%d of %d blocks: the clone differs", n, all)
				}
			}
		}
		every := uint64(1)
		for (all+every-1)/every > sampleBlocks {
			every *= 2
		}
		if want := int((all + every - 1) / every); len(s.lines) != want {
			t.Errorf("%d blocks: %d are kept, want %d", all, len(s.lines), want)
		}
		for i := range s.lines {
			if want := number(uint64(i) * every); s.lines[i] != want {
				t.Fatalf("%d blocks: place %d holds block %d, want %d", all, i, binary.LittleEndian.Uint64(s.lines[i][:]), uint64(i)*every)
			}
		}
	}
}
