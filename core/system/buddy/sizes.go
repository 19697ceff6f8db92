package buddy

import (
	"math"

	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/fibonacci"
	"github.com/burstscope/burstscope/core/codec/fpc"
	"github.com/burstscope/burstscope/core/codec/mpc"
	"github.com/burstscope/burstscope/core/codec/zvc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// EntrySizes says how the sizes of a program's entries vary in memory and over its snapshots.
type EntrySizes struct {
	Snapshots []profile.Counts `json:"snapshots"` // all allocations together
	// ChangedShare is the share of entries that need another number of sectors than one snapshot before; Grown
	// is the number of those that need more.
	ChangedShare float64 `json:"changedShare"`
	Grown        uint64  `json:"grown"`
	// Correlation is the autocorrelation of the sectors of entries in address order, at distances from 1 on;
	// the mean over the snapshots in which sizes differ.
	Correlation [sizeLags]float64 `json:"correlation"`
	// Variance is the variance of the sectors of all entries, WithinVariance the variance around the means of their
	// allocations.
	Variance       float64 `json:"variance"`
	WithinVariance float64 `json:"withinVariance"`
	// Codecs are the sizes under other codecs, all snapshots together.
	Codecs []CodecSizes `json:"codecs"`
	// Map is the mean number of sectors of the last snapshot in equal parts of memory, in address order.
	Map [mapParts]float64 `json:"map"`
}

// CodecSizes are the sizes of entries under a codec.
type CodecSizes struct {
	Codec  string         `json:"codec"`
	Counts profile.Counts `json:"counts"`
}

// mapParts is the width of a map of memory.
const mapParts = 32

// otherCodecs are those with which figure 5a compares BPC: the smaller code of BDI and FPC with a bit that
// says which, and codecs for GPUs. bits returns the size of a code.
var otherCodecs = []struct {
	name string
	bits func(l *mem.Line) int
}{
	{"bdi+fpc", func(l *mem.Line) int { return 1 + min(bothCodecs.SizeBits(l), fpc.Codec{}.SizeBits(l)) }},
	{"zvc", zvc.Codec{}.SizeBits},
	{"mpc", mpc.Codec{}.SizeBits},
	{"fibonacci", fibonacci.Codec{}.SizeBits},
}

var bothCodecs = bdi.New(bdi.Params{})

// sizeLags are the distances at which sizes are compared: twice the stripes of arrays of structures.
const sizeLags = 16

// sizeStudy adds up what EntrySizes has.
type sizeStudy struct {
	sizes         EntrySizes
	now, before   []uint8 // sectors of the entries in address order
	starts        []int   // of the allocations among them
	changed       uint64
	varied, taken int               // snapshots in which sizes differ; all snapshots
	others        [4]profile.Counts // of the present snapshot under otherCodecs
}

// begin starts a snapshot, and allocation one of its allocations.
func (s *sizeStudy) begin() {
	s.before, s.now = s.now, s.before[:0]
	s.starts = s.starts[:0]
	clear(s.others[:])
}
func (s *sizeStudy) allocation() { s.starts = append(s.starts, len(s.now)) }
func (s *sizeStudy) entry(line *mem.Line, sectors int) {
	s.now = append(s.now, uint8(sectors))
	for i := range otherCodecs {
		s.others[i].Add(line, otherCodecs[i].bits(line))
	}
}

// end completes a snapshot that counts as often as the profile takes it.
func (s *sizeStudy) end(counts *profile.Counts, times int) {
	for range times {
		s.sizes.Snapshots = append(s.sizes.Snapshots, *counts)
	}
	for i := range otherCodecs {
		if s.taken == 0 {
			s.sizes.Codecs = append(s.sizes.Codecs, CodecSizes{Codec: otherCodecs[i].name})
		}
		for k, n := range s.others[i] {
			s.sizes.Codecs[i].Counts[k] += n * uint64(times)
		}
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
	for i := range e.Map {
		part := s.now[i*len(s.now)/mapParts : (i+1)*len(s.now)/mapParts]
		mean, _ := meanOf(part)
		e.Map[i] = math.Round(100*mean) / 100
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
