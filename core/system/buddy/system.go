package buddy

import "github.com/burstscope/burstscope/core/system"

// System is the room.
var System = system.System{
	Entries: []system.Entry{Entry, BandwidthEntry, PinnedEntry, UnifiedEntry, CopiesEntry},
	Metrics: metrics, Inputs: inputs, Claims: claims{},
	Counters: counters, Charges: charges,
}
