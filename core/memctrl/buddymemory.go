package memctrl

import (
	"math"

	"github.com/burstscope/burstscope/core/buddy"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/tape"
)

// buddyMemory is the storage of Buddy Compression (section III): a block is an entry, whose
// first sectors lie in device memory and whose other sectors have a fixed place in buddy
// memory. Blocks never move: a block that grows uses its place in buddy memory, and a block
// that shrinks leaves stale sectors there.
type buddyMemory struct {
	*deviceMemory
	targets []buddy.Target // by allocation + 1; of memory of the machine first
	given   int            // allocations with a target: those of the program, which come first
	starts  [][]uint64     // of the allocation within each channel
	use     entryUse
}

var _ Paged = (*buddyMemory)(nil)

// NewBuddyMemory returns the storage of a controller whose allocations have targets, by their
// order in the image. Allocations without one are plain.
func NewBuddyMemory(cfg *Config, image *mem.Image, targets []buddy.Target) Storage {
	m := &buddyMemory{deviceMemory: newDeviceMemory(cfg, image), given: len(targets)}
	m.targets = append(m.targets, buddy.Plain)
	m.targets = append(m.targets, targets...)
	m.Allocated()
	return m
}

// Allocated reads where the allocations lie.
func (m *buddyMemory) Allocated() {
	m.deviceMemory.Allocated()
	allocs := m.image.Allocations()
	for len(m.targets) <= len(allocs) {
		m.targets = append(m.targets, buddy.Plain)
	}
	m.starts = append(m.starts[:0], nil)
	for i := range allocs {
		m.starts = append(m.starts, m.startsOf(&allocs[i]))
	}
	m.use.fit(m.channels, m.given) // the others, such as local memory, are plain: they have no entries
}

// startsOf returns the address of an allocation's first block in each channel.
func (m *buddyMemory) startsOf(a *mem.Allocation) []uint64 {
	const unknown = math.MaxUint64
	starts := make([]uint64, m.cfg.Channels)
	for i := range starts {
		starts[i] = unknown
	}
	piece := mem.Addr(m.cfg.Map.PieceBytes())
	for at, missing := a.Base, len(starts); at < a.End() && missing > 0; at = at&^(piece-1) + piece {
		n, local := m.cfg.Map.Split(at)
		if n -= m.cfg.FirstChannel; n >= 0 && n < len(starts) && starts[n] == unknown {
			starts[n] = local
			missing--
		}
	}
	return starts
}

// allocation returns the number of a block's allocation, 0 for memory of the machine.
func (m *buddyMemory) allocation(a mem.Addr) int { return m.image.Find(a) + 1 }

func (m *buddyMemory) Compressed(a mem.Addr) bool {
	return m.targets[m.allocation(a)] != buddy.Plain
}

// DeviceLocal packs the entries of an allocation from its start on. If an entry crosses the
// end of a row, all its bursts count as bursts of the first row [ours].
func (m *buddyMemory) DeviceLocal(b Block) uint64 {
	k := m.allocation(b.Addr)
	t := m.targets[k]
	if t <= buddy.One {
		return b.Local
	}
	start := m.starts[k][b.Channel]
	return (start + (b.Local-start)/buddy.EntryBytes*t.DeviceBytes()) &^ (mem.SectorBytes - 1)
}

func (m *buddyMemory) Read(b Block, line *mem.Line) Placed {
	return m.place(b, line, m.deviceMemory.Read(b, line))
}

func (m *buddyMemory) Write(b Block, line *mem.Line, mask mem.ByteMask) Placed {
	if !mask.Full() {
		panic("memctrl: a partial write reached a compressed block")
	}
	return m.place(b, line, m.deviceMemory.Write(b, line, mask))
}

// Stored returns how a block is stored: raw on a page that is not compressed.
func (m *buddyMemory) Stored(b Block) (s codec.Stored, ok bool) {
	s, ok = m.deviceMemory.Stored(b)
	if ok && !m.Compressed(b.Addr) {
		s = m.rawBlock.Stored
	}
	return s, ok
}

// Changed returns what the last Read or Write changed of its entry.
func (m *buddyMemory) Changed() (c EntryChange, ok bool) { return m.use.last, m.use.changed }

// EntryUse adds up the entries that have been read or written.
func (m *buddyMemory) EntryUse() []EntryUse { return m.use.use }

func (m *buddyMemory) State(t *tape.Tape) {
	m.deviceMemory.State(t)
	m.use.state(t)
}

// place divides the sectors of an entry with the given contents.
func (m *buddyMemory) place(b Block, line *mem.Line, p Placed) Placed {
	allocation := m.allocation(b.Addr)
	t := m.targets[allocation]
	if t == buddy.Plain {
		m.use.changed = false
		return m.rawBlock
	}
	n := buddy.Sectors(line, int(p.Bursts))
	m.use.follow(b.Channel, int(blockOf(b.Local)-m.channels[b.Channel].first), allocation-1, t, n)
	p.Bursts = uint8(n)
	p.Parts[InDevice], p.Parts[InLink] = t.Split(n)
	p.Whole = t == buddy.Sixteen
	return p
}
