package sweep

import (
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// schedule is the plan of a sweep: its batches, the longest first, with their costs. The
// longest first keeps all cores busy to the end.
type schedule struct {
	batches []*batch
	seconds map[*claim.Job]float64 // of one core, shared work included
	total   float64
	longest float64 // time on the given cores
}

// newSchedule orders batches for a number of workers.
func newSchedule(list []*batch, c *costs, workers int) *schedule {
	s := &schedule{batches: list, seconds: map[*claim.Job]float64{}}
	exact := map[string]bool{}
	for _, b := range list {
		b.seconds = 0
		shared := 0.0
		for i, j := range b.jobs {
			own, toExact, uncompressed := c.seconds(j)
			if i == 0 && !exact[b.exactKey] {
				exact[b.exactKey] = true
				own += toExact
			}
			if shared == 0 && needsUncompressed(j) {
				shared = uncompressed
				own += shared
			}
			s.seconds[j] = own
			b.seconds += own
		}
		s.total += b.seconds
	}
	slices.SortStableFunc(s.batches, func(a, b *batch) int {
		switch {
		case a.seconds > b.seconds:
			return -1
		case a.seconds < b.seconds:
			return 1
		}
		return 0
	})
	busy := make([]float64, max(1, min(workers, len(list))))
	for _, b := range s.batches {
		first := slices.Index(busy, slices.Min(busy))
		busy[first] += b.seconds
	}
	s.longest = slices.Max(busy)
	return s
}

// EstimatedSeconds is the time that jobs take with some at a time, by the measured costs.
func EstimatedSeconds(jobs []*claim.Job, workers int) float64 {
	return newSchedule(batches(jobs), newCosts(), workers).longest
}

// worthCalibrating is the time from which a sweep measures the speed of this machine, in
// seconds [ours]: the measurement takes about one.
const worthCalibrating = 30

// plan orders the batches and says how long they should take.
func (o *sweepOptions) plan(todo []*batch, runs int, status io.Writer) (*schedule, error) {
	c := newCosts()
	s := newSchedule(todo, c, o.Jobs)
	if s.longest < worthCalibrating {
		return s, nil
	}
	begin := time.Now()
	if err := c.calibrate(func() float64 { return time.Since(begin).Seconds() }); err != nil {
		return nil, err
	}
	s = newSchedule(todo, c, o.Jobs)
	fmt.Fprintf(status, "%d runs, with %d simulations shared between them: %s expected with %d at a time.\n"+
		"The estimate comes from costs measured on another machine; %s takes %.2f times as long here, and so does the estimate.\n",
		runs, len(todo), cli.InMinutes(s.longest), o.Jobs, calibration, c.scale)
	return s, nil
}

// left estimates the seconds until the end, when the given costs are done.
func (s *schedule) left(done, elapsed float64) float64 {
	if s.total <= 0 {
		return 0
	}
	left := s.longest * (1 - done/s.total)
	if done >= cli.Trusted*s.total {
		left = elapsed * (s.total - done) / done
	}
	return math.Max(0, left)
}
