package memctrl

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tape"
)

// Backing moves the bursts that lie in memory behind a link. The channel numbers its transfers; a block with parts in
// two backings has one number in both, and is complete when both have moved their part.
// Times are cycles of the DRAM command clock.
//
// A backing makes a step only when Run allows it, so the times of the calls do not change
// its behaviour.
type Backing interface {
	// CatchUp does the work that fell due up to cycle now while the backing had no transfer.
	// It is called before work reaches the backing and before statistics are read.
	CatchUp(now uint64)
	// Take queues transfer i at cycle from. The transfer waits for Start. Take must copy t,
	// because the caller reuses it.
	Take(i int16, t *Transfer, from uint64)
	// Start lets a queued transfer begin at cycle from.
	Start(i int16, from uint64)
	// Due returns the cycle of the next step, or never. Unless exact, it leaves out steps
	// that can wait until the next call.
	Due(exact bool) uint64
	// Run makes the steps before a cycle, in order, and calls the front for each complete
	// transfer. It reports whether the front stopped it.
	Run(before uint64) (stopped bool)
	// LeadCycles is the shortest time from a step that completes a read to the end of its
	// data.
	LeadCycles() uint64
	// Settle brings statistics up to cycle now and changes nothing else.
	Settle(now uint64)
	// Describe returns the event of a transfer that has moved. The front adds time, place and request, and B: how
	// long data moved.
	Describe(c Class) Happening
	// State lists what changes while running.
	State(t *tape.Tape)
}

// Transfer is the part of a block or of a metadata line that one backing moves.
type Transfer struct {
	Addr   mem.Addr // of the block; for metadata, of the block that needs them
	Local  uint64   // address within the channel
	Cause  uint32   // the request, as the event stream numbers it
	Class  Class
	Bursts uint8 // bit for each burst to move
	Count  uint8 // bursts that the block takes in all backings
	Mode   probe.Mode
}

// Front is the owner of a backing.
type Front interface {
	// Moved is called when a backing has moved its part of transfer i. It returns true if
	// the front must act before the backing makes another step.
	Moved(backing int, i int16, m Moved) (stop bool)
}

// Moved holds the times of a complete transfer.
type Moved struct {
	// First is the first cycle spent on the transfer, Column the cycle in which its first
	// burst was commanded, Last the command of its last burst; at End all its data have passed.
	First, Column, Last, End uint64
}

// Class is the purpose of a transfer.
type Class uint8

const (
	ReadBlock Class = iota
	WriteBlock
	ReadMetadata
	WriteMetadata
)

// writes returns 1 for transfers that write, 0 for transfers that read: the index of their
// list.
func (c Class) writes() int { return int(c & 1) }

// none stands for a missing transfer.
const none int16 = -1
