package experiment

import (
	buddyprofile "github.com/burstscope/burstscope/core/buddy/profile"
)

// EntrySizes says how the sizes of a program's entries vary in memory and over its snapshots.
type EntrySizes struct {
	Snapshots []buddyprofile.Counts `json:"snapshots"` // all allocations together
	// ChangedShare is the share of entries that need another number of sectors than one snapshot before; Grown
	// is the number of those that need more.
	ChangedShare float64 `json:"changedShare"`
	Grown        uint64  `json:"grown"`
	// Correlation is the autocorrelation of the sectors of entries in address order, at distances from 1 on;
	// the mean over the snapshots in which sizes differ.
	Correlation [sizeLags]float64 `json:"correlation"`
	// Variance is that of the sectors of all entries, WithinVariance that around the means of their
	// allocations.
	Variance       float64 `json:"variance"`
	WithinVariance float64 `json:"withinVariance"`
}

// sizeLags are the distances at which sizes are compared: twice the stripes of arrays of structures.
const sizeLags = 16

// sizeStudy adds up what EntrySizes has.
type sizeStudy struct {
	sizes         EntrySizes
	now, before   []uint8 // sectors of the entries in address order
	starts        []int   // of the allocations among them
	changed       uint64
	varied, taken int // snapshots in which sizes differ; all snapshots
}

// begin starts a snapshot, and allocation one of its allocations.
func (s *sizeStudy) begin() {
	s.before, s.now = s.now, s.before[:0]
	s.starts = s.starts[:0]
}
func (s *sizeStudy) allocation()       { s.starts = append(s.starts, len(s.now)) }
func (s *sizeStudy) entry(sectors int) { s.now = append(s.now, uint8(sectors)) }

// end completes a snapshot that counts as often as the profile takes it.
func (s *sizeStudy) end(counts *buddyprofile.Counts, times int) {
	for range times {
		s.sizes.Snapshots = append(s.sizes.Snapshots, *counts)
	}
	if s.taken > 0 {
		for i, v := range s.now {
			if v != s.before[i] {
				s.changed++
			}
			if v > s.before[i] {
				s.sizes.Grown++
			}
		}
	}
	s.taken += times
	mean, variance := meanOf(s.now)
	within := 0.0
	for i, start := range s.starts {
		end := len(s.now)
		if i+1 < len(s.starts) {
			end = s.starts[i+1]
		}
		_, own := meanOf(s.now[start:end])
		within += float64(own * float64(end-start))
	}
	weight := float64(times)
	s.sizes.Variance += float64(variance * weight)
	s.sizes.WithinVariance += float64(within / float64(max(1, len(s.now))) * weight)
	if variance == 0 {
		return
	}
	s.varied += times
	for lag := range s.sizes.Correlation {
		sum, n := 0.0, len(s.now)-lag-1
		for i := range max(0, n) {
			sum += float64((float64(s.now[i]) - mean) * (float64(s.now[i+lag+1]) - mean))
		}
		s.sizes.Correlation[lag] += float64(sum / float64(max(1, n)) / variance * weight)
	}
}

// result divides the sums by their numbers.
func (s *sizeStudy) result() *EntrySizes {
	e := s.sizes
	taken, varied := float64(max(1, s.taken)), float64(max(1, s.varied))
	e.Variance, e.WithinVariance = e.Variance/taken, e.WithinVariance/taken
	for lag := range e.Correlation {
		e.Correlation[lag] /= varied
	}
	if n := float64(len(s.now) * (s.taken - 1)); n > 0 {
		e.ChangedShare = float64(s.changed) / n
	}
	return &e
}

func meanOf(v []uint8) (mean, variance float64) {
	sum, squares := 0, 0
	for _, x := range v {
		sum, squares = sum+int(x), squares+int(x)*int(x)
	}
	n := float64(max(1, len(v)))
	mean = float64(sum) / n
	return mean, float64(squares)/n - float64(mean*mean)
}
