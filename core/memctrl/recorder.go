package memctrl

import "github.com/burstscope/burstscope/core/mem"

// Recorder sees every block that moves between a controller and its memory, before the
// controller stores it: a block's bytes are still as the host or the write left them. Reads that
// a queued write answers move nothing and are not seen.
type Recorder interface {
	// Read comes before the block's bytes are read: the first read may change them. Of a raw block
	// only the bursts with bytes of mask move.
	Read(a mem.Addr, mask mem.ByteMask)
	// Write gets the bytes of line that mask selects.
	Write(a mem.Addr, line *mem.Line, mask mem.ByteMask)
}

// SetRecorder shows every later block to r; nil ends it. Results stay the same.
func (c *Controller) SetRecorder(r Recorder) { c.recorder = r }
