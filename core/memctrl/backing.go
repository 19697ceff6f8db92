package memctrl

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/tape"
)

// Backing moves the bursts that lie in one place: the DRAM of a channel, or memory
// behind a link. The channel numbers its transfers; a block with parts in two
// backings has one number in both, and is complete when both have moved their part.
// Times are cycles of the DRAM command clock.
//
// A backing works ahead of nobody: it makes a step only when Run allows it, so that
// what it does is independent of when it is asked.
type Backing interface {
	// CatchUp does what fell due up to cycle now while the backing had no transfer. It
	// is called before work reaches the backing and before statistics are read.
	CatchUp(now uint64)
	// Take queues transfer i at cycle from. It waits until it is started. t is the
	// caller's and must be copied.
	Take(i int16, t *Transfer, from uint64)
	// Start lets a transfer that was taken begin at cycle from.
	Start(i int16, from uint64)
	// Due returns the cycle of the next step, never if there is none. Unless exact, it
	// leaves out steps that can wait until somebody looks.
	Due(exact bool) uint64
	// Run makes the steps before a cycle, in their order, and tells the front of each
	// transfer that is complete. It reports whether the front stopped it.
	Run(before uint64) (stopped bool)
	// LeadCycles is the least time from a step that completes a read to the end of its
	// data.
	LeadCycles() uint64
	// Settle brings statistics up to cycle now and changes nothing else.
	Settle(now uint64)
	// State lists what changes while running.
	State(t *tape.Tape)
}

// Transfer is what one backing moves of a block or of a metadata line.
type Transfer struct {
	Addr   mem.Addr // of the block; for metadata, of the block that needs them
	Local  uint64   // address within the channel
	Cause  uint32   // the request, as the event stream numbers it
	Class  Class
	Bursts uint8 // bit for each burst to move
	Count  uint8 // bursts that the block takes in all backings
	Mode   probe.Mode
}

// Front is who a backing works for.
type Front interface {
	// Moved says that a backing has moved its part of transfer i. The front answers
	// whether it has to act before the backing makes another step.
	Moved(backing int, i int16, m Moved) (stop bool)
}

// Moved tells what a transfer waited for.
type Moved struct {
	// First is the first cycle spent on the transfer, Column the one in which its first
	// burst was asked for, Last the one in which its last burst was; at End all its
	// data have passed.
	First, Column, Last, End uint64
}

// Class says what a transfer is for.
type Class uint8

const (
	ReadBlock Class = iota
	WriteBlock
	ReadMetadata
	WriteMetadata
)

// writes returns 1 for transfers that write, 0 for those that read: the index of the
// list they wait in.
func (c Class) writes() int { return int(c & 1) }

// none is the number of no transfer.
const none int16 = -1
