package machine

import "github.com/burstscope/burstscope/core/memctrl"

// Lossy is the account of the lossy blocks of all controllers.
type Lossy = memctrl.Lossy

// Lossy returns the account of the lossy blocks up to now, nil if there are none.
func (m *Machine) Lossy() *Lossy {
	var all Lossy
	for _, c := range m.memory {
		all.Merge(c.Lossy())
	}
	if all == (Lossy{}) {
		return nil
	}
	return &all
}
