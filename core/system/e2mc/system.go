package e2mc

import "github.com/burstscope/burstscope/core/system"

// System is the room: its settings stand in the memory group, and its codec in the table of codecs.
var System = system.System{Claims: claims{}}
