// Package budget divides the memory of the page between the runs that share it.
package budget

import (
	"fmt"

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

// engineBytes are for a second engine: its program's data, its stacks, and garbage. With 48 MB a run of both sides on a
// large GPU exceeded the limit by a tenth (core/BENCHMARKS.md), with this it has one engine [ours].
const engineBytes = 128 << 20

// Budget is the memory of one of the runs that share the page.
type Budget struct {
	ResidentBytes uint64 // device memory that a run may write
	PastBytes     int    // states that a side may keep
}

// Share divides the page's memory between runs that take so many bytes, or refuses them.
// A run has a machine and, once a cycle of the past is sought, a second one.
func Share(runs []uint64) (Budget, error) { return share(runs, 0) }

// ShareOfTwoEngines does the same if each of two runs has an engine of its own, with the program
// and its exact output in both.
func ShareOfTwoEngines(runs []uint64) (Budget, error) { return share(runs, engineBytes) }

func share(runs []uint64, more uint64) (Budget, error) {
	total, again := fixedBytes+more, uint64(0) // again: the machine of a replay
	for _, n := range runs {
		total += n + pastBytesMin
		again = max(again, n)
	}
	if total > pageBytes {
		faults := &fault.Errors{}
		faults.Add("machine.preset", fmt.Sprintf("these runs need %d MB of memory, and the page has %d MB", (total+1<<20-1)>>20, pageBytes>>20),
			"choose a smaller size or a smaller machine, or run the scenario with the command line")
		return Budget{}, faults
	}
	left := (pageBytes - total) / uint64(len(runs))
	b := Budget{ResidentBytes: left + pastBytesMin, PastBytes: pastBytesMin}
	if left > again {
		b.PastBytes = int(min(pastBytes, pastBytesMin+left-again))
	}
	return b, nil
}
