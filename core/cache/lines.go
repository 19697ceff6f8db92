package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// lineStore holds the lines of an L1 or of an L2 slice. A way takes one when it is first written, and reads as
// zeros before: most programs use a part of a large GPU's caches, and the page has at most four machines
// in its memory.
type lineStore struct {
	place []uint32 // per way: number of its line, 0 for none
	pages []*[linePage]mem.Line
	taken uint32 // lines taken; the first stays zero, for ways without one
}

// A page has 64 lines [ours]: 8 kB. Caches with few lines, such as L1 before Volta, have
// them from the start, so that a run on such a GPU allocates nothing.
const (
	linePageBits = 6
	linePage     = 1 << linePageBits
	fewLines     = 1024
)

func newLineStore(ways int) lineStore {
	s := lineStore{place: make([]uint32, ways), taken: 1}
	for range linePages(ways, 0) {
		s.pages = append(s.pages, new([linePage]mem.Line))
	}
	return s
}

// linePages is the number of pages of a cache when so many of its lines have been written.
func linePages(ways, written int) int {
	if ways <= fewLines {
		written = ways
	}
	return min(ways, written)/linePage + 1
}

// LinesBytes is the memory that the lines of a cache take when so many have been written.
func LinesBytes(ways, written int) uint64 {
	return uint64(4*ways) + uint64(linePages(ways, written)*linePage*mem.LineBytes)
}

// read is the line of way w. It must not be written.
func (s *lineStore) read(w int) *mem.Line {
	p := s.place[w]
	return &s.pages[p>>linePageBits][p%linePage]
}

// write is the line of way w, which it has from now on.
func (s *lineStore) write(w int) *mem.Line {
	if s.place[w] == 0 {
		s.take(w)
	}
	return s.read(w)
}

func (s *lineStore) take(w int) {
	if int(s.taken>>linePageBits) == len(s.pages) {
		s.pages = append(s.pages, new([linePage]mem.Line))
	}
	s.place[w] = s.taken
	s.taken++
	*s.read(w) = mem.Line{}
}

// stateLines is how many lines the tape gets at a time: a piece of it [ours].
const stateLines = 8

// state carries every line at its way's place, whether the way has one or not. A way that
// is zero needs none.
func (s *lineStore) state(t *tape.Tape) {
	if t.Loading() {
		clear(s.place)
		s.taken = 1
	}
	var group [stateLines]mem.Line
	for first := 0; first < len(s.place); first += stateLines {
		lines := group[:min(stateLines, len(s.place)-first)]
		if !t.Loading() {
			for i := range lines {
				lines[i] = *s.read(first + i)
			}
		}
		tape.Values(t, lines)
		if t.Loading() {
			for i := range lines {
				if lines[i] != (mem.Line{}) {
					*s.write(first + i) = lines[i]
				}
			}
		}
	}
}
