package storage

import (
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
)

// Counters of what lies beyond device memory, and of what crosses the link.
const (
	LinkReads = stat.FirstPlace + 8 + iota
	LinkWrites
	LinkReadBytes
	LinkWriteBytes
	EntriesMet
	EntriesOverflowed
	EntriesReturned
	PageFaults
	PagesWrittenBack
)

// Crossing are the counters of a link to this memory.
var Crossing = memctrl.LinkCounters{
	Reads: LinkReads, Writes: LinkWrites, ReadBytes: LinkReadBytes, WriteBytes: LinkWriteBytes,
}

// Counters describes the counters of the room.
var Counters = []stat.Group{
	{First: LinkReads, After: stat.RowsOpenCycles, Infos: []stat.Info{
		{Name: "buddyReads", Unit: "blocks",
			Doc: "Blocks read with a part in buddy memory: one request and one packet of data on the link each."},
		{Name: "buddyWrites", Unit: "blocks",
			Doc: "Blocks written with a part in buddy memory: one packet of data on the link each."},
		{Name: "buddyReadBytes", Unit: "bytes",
			Doc: "Bytes of blocks read from buddy memory, in whole sectors."},
		{Name: "buddyWriteBytes", Unit: "bytes",
			Doc: "Bytes of blocks written to buddy memory, in whole sectors."},
		{Name: "entriesMet", Unit: "entries",
			Doc: "Entries of compressed allocations that were read or written at least once."},
		{Name: "entriesOverflowed", Unit: "entries",
			Doc: "Times that an entry came to need buddy memory: it was met so, or a write made it larger than " +
				"its target. Nothing moves."},
		{Name: "entriesReturned", Unit: "entries",
			Doc: "Times that a write made an entry fit into its part of device memory again. Its sectors in buddy " +
				"memory become stale."},
		{Name: "pageFaults", Unit: "pages",
			Doc: "Pages that unified memory brought to device memory when they were read or written."},
		{Name: "pagesWrittenBack", Unit: "pages",
			Doc: "Written pages that unified memory sent back for the room."},
	}},
}
