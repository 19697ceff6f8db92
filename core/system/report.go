package system

import "github.com/burstscope/burstscope/core/machine"

// Report is what an entry says of a run beside counters. A result holds it, so its exported fields are written to JSON.
type Report interface {
	// Fill reads the report off a run. It returns false if there is nothing to say.
	Fill(r *Ran) bool
	// Given returns an input of metrics by its name.
	Given(name string) (value float64, ok bool)
}

// Ran is a run that has a machine: what a report is made from.
type Ran struct {
	Part    Part // of the entry
	Machine *machine.Machine
}

// Search looks for something that a machine needs before it runs, on machines of its own.
type Search interface {
	// Step works for about the given number of cycles, and reports whether the machine has what it needs.
	Step(cycles uint64) (done bool, err error)
	// Machine is the one that it works with now.
	Machine() *machine.Machine
}
