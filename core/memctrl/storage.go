package memctrl

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Storage knows the bytes of every block and how each block is stored. It has no timing: a
// controller calls it when it accepts a request, so requests change bytes in the order of
// acceptance, and queues change only the timing.
type Storage interface {
	// Read fills line with the bytes of a block and says how the block is stored.
	Read(b Block, line *mem.Line) Placed
	// Write stores the bytes of line that mask selects, and returns how the block is then
	// stored. line becomes the data that Read will return.
	Write(b Block, line *mem.Line, mask mem.ByteMask) Placed

	// Use makes s the scheme of all later reads and writes.
	Use(s codec.Scheme)
	// Allocated reads the image's allocations and their regions.
	Allocated()
	// Forget makes the next Read take a block as the host has written it.
	Forget(b Block)
	// ForgetAll does the same for every block.
	ForgetAll()
	// Stored returns how a block is stored; ok is false before the first access.
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
	// Parts has, for each backing, a bit for each burst of the block that lies there. A block
	// without any is known from its metadata.
	Parts [backings]uint8
	// Whole blocks are always moved whole, because their bursts do not begin at sectors.
	Whole bool
}

// The backings of a channel.
const (
	InDevice = iota // device memory, which has the metadata too
	InLink          // memory behind a link; no preset has any

	backings

	// inMetadata stands for a block whose metadata say all of it.
	inMetadata = backings
)

// Paged is a Storage with a page table: some pages are not compressed, and blocks take less
// room in the device than their addresses say.
type Paged interface {
	Storage
	// Compressed reports whether the page of an address is compressed. Blocks of other pages
	// are raw and have no metadata.
	Compressed(a mem.Addr) bool
	// DeviceLocal returns the address within the channel of a block's bursts in the device.
	DeviceLocal(b Block) uint64
}

// Reporting is a Storage whose accesses change more than the bytes of a block.
type Reporting interface {
	Storage
	// Changed counts in s what the last Read or Write has changed, and describes it for the event stream; ok is
	// false if it has changed nothing. The controller adds time, place and request.
	Changed(s *stat.Set) (h Happening, ok bool)
}

// Happening is an event as a storage or a backing describes it: its kind, and what that kind records in A and B.
type Happening struct {
	Kind probe.Kind
	A, B uint32
}

// deviceLocal returns the address within the channel of a block's bursts in the device.
func (c *Controller) deviceLocal(b Block) uint64 {
	if c.paged != nil {
		return c.paged.DeviceLocal(b)
	}
	return b.Local
}

// placedInDevice is a block that lies in device memory as a whole.
func placedInDevice(s codec.Stored) Placed {
	return Placed{Stored: s, Parts: [backings]uint8{InDevice: uint8(1<<s.Bursts - 1)}}
}

// Observer sees the contents of every block that crosses the controller: blocks after a
// read, and blocks to write before compression. It collects symbol statistics.
type Observer interface{ Observe(line *mem.Line) }
