//go:build !unix

package memctrl

import "time"

var begun = time.Now()

// cpuSeconds is the time since the start, because processor time cannot be read here.
func cpuSeconds() float64 { return time.Since(begun).Seconds() }
