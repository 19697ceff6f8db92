package buddy

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// TestEntrySizesByHand: eight entries in two allocations, three snapshots of which the first counts twice.
func TestEntrySizesByHand(t *testing.T) {
	var s sizeStudy
	for _, snapshot := range []struct {
		first, second []int
		times         int
	}{{[]int{0, 4, 0, 4}, []int{2, 2, 2, 2}, 2}, {[]int{0, 4, 0, 4}, []int{2, 2, 3, 1}, 1},
		{[]int{2, 2, 2, 2}, []int{2, 2, 2, 2}, 1}} {
		s.begin()
		for _, list := range [][]int{snapshot.first, snapshot.second} {
			s.allocation()
			for _, sectors := range list {
				s.entry(new(mem.Line), sectors)
			}
		}
		s.end(&profile.Counts{8}, snapshot.times)
	}
	e := s.result()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	// Between the snapshots 0, 2 and 6 of eight entries change, and 0, 1 and 3 grow.
	near("changed share", e.ChangedShare, (2+6)/24.)
	near("grown", float64(e.Grown), 1+3)
	// Variances of the four snapshots: 2, 2, 2.25, 0; within allocations: 4 and 0, 4 and 0, 4 and 0.5, 0 and 0.
	near("variance", e.Variance, (2+2+2.25)/4)
	near("variance within", e.WithinVariance, (2+2+2.25)/4)
	// At distance 2 the first snapshot has 4 + 4 in two of six pairs; the other has 4 + 4 and 0.
	near("correlation at 2", e.Correlation[1], (2*(8./6/2)+8./6/2.25)/3)
	near("correlation at 1", e.Correlation[0], (2*(-12./7/2)+(-13./7)/2.25)/3)
	if len(e.Snapshots) != 4 {
		t.Errorf("%d snapshots", len(e.Snapshots))
	}
}
