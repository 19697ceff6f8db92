package codecs

import (
	"encoding/binary"
	"errors"

	"github.com/burstscope/burstscope/core/mem"
)

// sampleBlocks bounds a sample, to a megabyte [ours]: half a million symbols of 16 bits.
const sampleBlocks = 1 << 13

// sample keeps some of the blocks that a trainer counts, for modules, which count in their own way: all of them until there
// are sampleBlocks, then every second, every fourth and so on, in their order.
type sample struct {
	lines []mem.Line
	shift uint8  // one of 1<<shift blocks is kept
	seen  uint64 // blocks
}

func (s *sample) count(line *mem.Line) {
	s.seen++
	if (s.seen-1)&(1<<s.shift-1) != 0 {
		return
	}
	if len(s.lines) == sampleBlocks {
		for i := range sampleBlocks / 2 {
			s.lines[i] = s.lines[2*i]
		}
		s.lines = s.lines[:sampleBlocks/2]
		s.shift++
	}
	s.lines = append(s.lines, *line)
}

func (s *sample) clone() *sample {
	return &sample{append([]mem.Line(nil), s.lines...), s.shift, s.seen}
}

func (s *sample) appendBinary(b []byte) []byte {
	b = append(b, s.shift)
	b = binary.AppendUvarint(b, s.seen)
	for i := range s.lines {
		b = append(b, s.lines[i][:]...)
	}
	return b
}

// parseSample reads what appendBinary wrote, which nothing follows.
func parseSample(b []byte) (*sample, error) {
	s := &sample{}
	if len(b) == 0 || b[0] > 63 {
		return nil, errStoredSample
	}
	s.shift = b[0]
	n := 0
	if s.seen, n = binary.Uvarint(b[1:]); n <= 0 {
		return nil, errStoredSample
	}
	b = b[1+n:]
	kept := s.seen >> s.shift
	if s.seen&(1<<s.shift-1) != 0 {
		kept++
	}
	if kept > sampleBlocks || uint64(len(b)) != kept*mem.LineBytes {
		return nil, errStoredSample
	}
	s.lines = make([]mem.Line, kept)
	for i := range s.lines {
		copy(s.lines[i][:], b[i*mem.LineBytes:])
	}
	return s, nil
}

var errStoredSample = errors.New("codecs: a stored sample of blocks has another length than it says: the file is damaged")
