package fit

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// chunkEntries of a sample lie side by side in the data, so that they share a sector of metadata.
const chunkEntries = entriesPerMetadataSector

// Sample keeps entries that are spread evenly over all arrays, with the array of each.
type Sample struct {
	limit int   // lines kept at most: arrays smaller than a chunk spoil the count
	every int64 // chunk is kept
	chunk int64 // that is being read
	array int
	entry int64 // of the array, next
	Lines []mem.Line
	Of    []int32 // array of each line
}

// NewSample returns a sample of at most lines entries of data with an expected number of them. One of less than
// a chunk keeps a chunk; one of none keeps nothing.
func NewSample(entries, lines int64) *Sample {
	if lines == 0 {
		return &Sample{array: -1, chunk: -1, every: 1}
	}
	kept := max(1, lines/chunkEntries)
	return &Sample{limit: int(2 * kept * chunkEntries), array: -1, chunk: -1,
		every: max(1, (entries+chunkEntries*kept-1)/(chunkEntries*kept))}
}

// Add sees the next entries of an array.
func (s *Sample) Add(array int, lines []mem.Line) {
	if array != s.array {
		s.array, s.entry = array, 0
	}
	for i := range lines {
		if s.entry%chunkEntries == 0 {
			s.chunk++
		}
		if s.chunk%s.every == 0 && len(s.Lines) < s.limit {
			s.Lines, s.Of = append(s.Lines, lines[i]), append(s.Of, int32(array))
		}
		s.entry++
	}
}

// half returns every other chunk of the sample.
func (s *Sample) half() *Sample {
	h := &Sample{}
	for from := 0; from < len(s.Lines); from += 2 * chunkEntries {
		to := min(len(s.Lines), from+chunkEntries)
		h.Lines, h.Of = append(h.Lines, s.Lines[from:to]...), append(h.Of, s.Of[from:to]...)
	}
	return h
}

// byTarget returns the bytes of the sample for each target of a report, in the order of the data.
func (s *Sample) byTarget(r *profile.Report) map[string][]byte {
	out := map[string][]byte{}
	for i := range s.Lines {
		target := r.Allocations[s.Of[i]].Target
		out[target] = append(out[target], s.Lines[i][:]...)
	}
	return out
}
