package energy

import "github.com/burstscope/burstscope/core/stat"

// Charge is the energy of an event that a system adds to an account.
type Charge struct {
	Part string // of the account; one that every account lacks is added at its end
	// Title is the title of a part that is added.
	Title       string
	Counter     stat.Counter // of the events
	Path        string
	Source      string
	Femtojoules uint64
	// If is a counter of the run: while it is 0, the account has neither the term nor its part.
	If stat.Counter
}
