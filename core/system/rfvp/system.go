package rfvp

import (
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
)

// System is the room.
var System = system.System{
	Entries: []system.Entry{Entry, RatesEntry, PerforationEntry},
	Rules:   rules, Metrics: metrics, Inputs: inputs, Claims: claims{},
	Counters: func() []stat.Group { return counters }, Charges: charges,
}
