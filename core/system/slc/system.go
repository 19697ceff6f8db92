package slc

import "github.com/burstscope/burstscope/core/system"

// System is the room: its settings stand in the memory group, and its codecs in the table of codecs.
var System = system.System{Metrics: metrics, Inputs: inputs, Claims: claims{}}
