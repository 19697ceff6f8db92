package memctrl

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// Storage knows the bytes of every block and how each block lies in memory. It has
// no time: a controller asks it when a request is accepted, so blocks are ordered at
// the controller's door and queues only shape time.
type Storage interface {
	// Read fills line with the bytes of a block and says how the block is stored.
	Read(b Block, line *mem.Line) Placed
	// Write stores the bytes of line that mask names, and says how the block is
	// stored then. line becomes what Read will return.
	Write(b Block, line *mem.Line, mask mem.ByteMask) Placed

	// Use makes s the scheme of everything read and written from now on.
	Use(s codec.Scheme)
	// Allocated takes note of the image's allocations and their regions.
	Allocated()
	// Forget makes the next Read look at what the host has written to a block.
	Forget(b Block)
	// ForgetAll does so for every block.
	ForgetAll()
	// Stored returns how a block is stored; ok is false while nobody has touched it.
	Stored(b Block) (s codec.Stored, ok bool)
	// Observe shows every block that is read or written to o; nil ends it.
	Observe(o Observer)
	// State lists what changes while running.
	State(t *tape.Tape)
}

// Block names a block.
type Block struct {
	Addr    mem.Addr // of its first byte
	Channel int      // numbered within the controller
	Local   uint64   // address within the channel
}

// Placed says how a block is stored and in which backing each of its bursts lies.
type Placed struct {
	codec.Stored
	// Parts has, for each backing, a bit for each burst of the block that lies there.
	Parts [backings]uint8
}

// The backings of a channel.
const (
	InDevice = iota // device memory, which has the metadata too
	InLink          // memory behind a link; no preset has any

	backings
)

// placedInDevice is a block that lies in device memory as a whole.
func placedInDevice(s codec.Stored) Placed {
	return Placed{Stored: s, Parts: [backings]uint8{InDevice: uint8(1<<s.Bursts - 1)}}
}

// Observer sees the contents of every block that crosses the controller: what is
// read, and what is written before it is compressed. Symbol statistics are
// collected this way.
type Observer interface{ Observe(line *mem.Line) }
