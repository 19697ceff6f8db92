//go:build js

package main

import (
	"fmt"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
)

const (
	// pageBytes is the memory limit of the whole page.
	pageBytes = 512 << 20
	// fixedBytes of these are for the programs, the events of both sides here and in the
	// picture, and garbage that is not collected yet: measured with machines of a few
	// megabytes.
	fixedBytes = 150 << 20
	// pastBytes bounds the states kept of one side. Every side gets at least pastBytesMin:
	// a few states of the largest preset.
	pastBytes    = 80 << 20
	pastBytesMin = 16 << 20
)

// budget is the memory of one of the runs that share the page.
type budget struct {
	resident uint64 // device memory that a run may write
	past     int    // bytes of states that a side may keep
}

// shareOut divides the page's memory between the runs of two studies, or refuses them.
// A run has a machine and, once a cycle of the past is sought, a second one.
func shareOut(studies []*experiment.Study) (budget, error) {
	total, again := uint64(fixedBytes), uint64(0) // again: the machine of a replay
	for _, s := range studies {
		n := s.RunBytes()
		total += n + pastBytesMin
		again = max(again, n)
	}
	if total > pageBytes {
		faults := &fault.Errors{}
		faults.Add("machine.preset", fmt.Sprintf("these runs need %d MB of memory, and the page has %d MB", total>>20, pageBytes>>20),
			"choose a smaller size or a smaller machine, or run the scenario with the command line")
		return budget{}, faults
	}
	left := (pageBytes - total) / uint64(len(studies))
	b := budget{resident: left + pastBytesMin, past: pastBytesMin}
	if left > again {
		b.past = int(min(pastBytes, pastBytesMin+left-again))
	}
	return b, nil
}
