//go:build !unix

package memctrl

import "time"

var begun = time.Now()

// cpuSeconds is the time since the start, where processor time cannot be read.
func cpuSeconds() float64 { return time.Since(begun).Seconds() }
