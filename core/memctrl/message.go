// Package memctrl models a memory controller with its DRAM channels: read and
// write queues, FR-FCFS with write drain, metadata cache, compressor and
// decompressor, and bursts of one MAG.
package memctrl

import "github.com/burstscope/burstscope/core/mem"

// Request is what an L2 slice asks of its channel: one block.
type Request struct {
	Addr mem.Addr // line address
	// Data is a line of the machine's arena for writes (the controller frees
	// it), 0 for reads.
	Data mem.Handle
	// Mask marks the valid bytes of Data, or for reads the bytes wanted. Under
	// compression a write is always a full line. Without it a write may be
	// partial (GDDR5 has byte masks) and only the bursts it touches are sent.
	Mask  mem.ByteMask
	Tag   uint32 // the slice's own, returned with the reply
	Cause uint32 // probe request number
	Write bool
}

// Reply carries a block that was read. The slice owns Data from here on.
type Reply struct {
	Addr  mem.Addr
	Data  mem.Handle
	Tag   uint32
	Cause uint32
}
