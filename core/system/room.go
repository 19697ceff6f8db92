package system

import (
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// System is what the room of a paper gives the machine and those who read of it. scheme.Systems is the list.
type System struct {
	// Entries are its choices; each names its group.
	Entries []Entry
	// Rules are about its entries.
	Rules []Rule
	// Metrics are its rows of the table of metrics, and Inputs the numbers of its reports that formulas may name.
	Metrics []Metric
	Inputs  []Input
	// Counters describes its counters, and Charges the energy of its events; nil has none.
	Counters func() []stat.Group
	Charges  func() []energy.Charge
	// Claims has what the predicates of claims may say of it; nil says nothing.
	Claims Claims
}

// Claims is an interface, so that a program that never asks for words leaves their code out: in the page's engine they
// would take 17 kB.
type Claims interface{ Words() Words }
