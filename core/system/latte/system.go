package latte

import "github.com/burstscope/burstscope/core/system"

// System is the room.
var System = system.System{
	Entries: entries(),
	Rules:   rules, Metrics: metrics, Inputs: inputs, Claims: claims{},
	Counters: counters, Charges: charges,
}
