package perfetto

import (
	"slices"
	"testing"
)

// TestLanesOfLaunches: launches that follow each other share a track; those that overlap do not.
func TestLanesOfLaunches(t *testing.T) {
	list := []Launch{
		{Begin: 0, End: 10}, {Begin: 10, End: 20}, {Begin: 12, End: 30}, {Begin: 15, End: 40}, {Begin: 20, End: 25},
		{Begin: 30, End: 50}, {Begin: 5, End: 8},
	}
	if got := lanesOf(list); !slices.Equal(got, []int{0, 0, 1, 2, 0, 0, 3}) {
		t.Errorf("%v", got)
	}
}
