package scheme

import (
	"slices"

	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/stat"
)

// Charges is THE list of energies that systems add to an account.
var Charges = Count()

// Count gives package stat the counters of the systems, and returns their energies.
func Count() (charges []energy.Charge) {
	var groups []stat.Group
	for i := range Systems {
		s := &Systems[i]
		if s.Counters != nil {
			groups = slices.Concat(groups, s.Counters())
		}
		if s.Charges != nil {
			charges = slices.Concat(charges, s.Charges())
		}
	}
	stat.Extend(groups)
	return charges
}
