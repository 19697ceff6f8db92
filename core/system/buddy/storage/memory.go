// Package storage says where blocks lie under Buddy Compression and under the backings with which its paper compares,
// and moves the pages of unified memory. It is what the cycles of a run call.
package storage

import (
	"math"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/tape"
)

// Memory is the storage of Buddy Compression (section III): a block is an entry, whose
// first sectors lie in device memory and whose other sectors have a fixed place in buddy
// memory. Blocks never move: a block that grows uses its place in buddy memory, and a block
// that shrinks leaves stale sectors there.
type Memory struct {
	*memctrl.DeviceMemory
	// About is what the owner wants to find beside the storage.
	About   any
	cfg     *memctrl.Config
	image   *mem.Image
	targets []layout.Target // by allocation + 1; of memory of the machine first
	given   int             // allocations with a target: those of the program, which come first
	starts  [][]uint64      // of the allocation within each channel
	use     entries
}

var _ memctrl.Paged = (*Memory)(nil)

// NewMemory returns the storage of a controller whose allocations have targets, by their
// order in the image. Allocations without one are plain.
func NewMemory(cfg *memctrl.Config, image *mem.Image, targets []layout.Target) *Memory {
	m := &Memory{DeviceMemory: memctrl.NewDeviceMemory(cfg, image), cfg: cfg, image: image, given: len(targets)}
	m.targets = append(m.targets, layout.Plain)
	m.targets = append(m.targets, targets...)
	m.Allocated()
	return m
}

// Allocated reads where the allocations lie.
func (m *Memory) Allocated() {
	m.DeviceMemory.Allocated()
	allocs := m.image.Allocations()
	for len(m.targets) <= len(allocs) {
		m.targets = append(m.targets, layout.Plain)
	}
	m.starts = append(m.starts[:0], nil)
	for i := range allocs {
		m.starts = append(m.starts, m.startsOf(&allocs[i]))
	}
	m.use.fit(m.cfg.Channels, m.Blocks, m.given) // the others, such as local memory, are plain: they have no entries
}

// startsOf returns the address of an allocation's first block in each channel.
func (m *Memory) startsOf(a *mem.Allocation) []uint64 {
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
func (m *Memory) allocation(a mem.Addr) int { return m.image.Find(a) + 1 }

func (m *Memory) Compressed(a mem.Addr) bool {
	return m.targets[m.allocation(a)] != layout.Plain
}

// DeviceLocal packs the entries of an allocation from its start on. If an entry crosses the
// end of a row, all its bursts count as bursts of the first row [ours].
func (m *Memory) DeviceLocal(b memctrl.Block) uint64 {
	k := m.allocation(b.Addr)
	t := m.targets[k]
	if t <= layout.One {
		return b.Local
	}
	start := m.starts[k][b.Channel]
	return (start + (b.Local-start)/layout.EntryBytes*t.DeviceBytes()) &^ (mem.SectorBytes - 1)
}

func (m *Memory) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	return m.place(b, line, m.DeviceMemory.Read(b, line))
}

func (m *Memory) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	if !mask.Full() {
		panic("storage: a partial write reached a compressed block")
	}
	return m.place(b, line, m.DeviceMemory.Write(b, line, mask))
}

// Stored returns how a block is stored: raw on a page that is not compressed.
func (m *Memory) Stored(b memctrl.Block) (s codec.Stored, ok bool) {
	s, ok = m.DeviceMemory.Stored(b)
	if ok && !m.Compressed(b.Addr) {
		s = m.Raw().Stored
	}
	return s, ok
}

// Entries adds up the entries of each allocation that have been read or written, in the order of the image.
func (m *Memory) Entries() []EntryUse { return m.use.use }

// Changed counts and describes what the last Read or Write has changed of its entry.
func (m *Memory) Changed(s *stat.Set) (h memctrl.Happening, ok bool) {
	if !m.use.changed {
		return h, false
	}
	m.use.last.count(s)
	return m.use.last.happening(), true
}

func (m *Memory) State(t *tape.Tape) {
	m.DeviceMemory.State(t)
	m.use.state(t)
}

// place divides the sectors of an entry with the given contents.
func (m *Memory) place(b memctrl.Block, line *mem.Line, p memctrl.Placed) memctrl.Placed {
	allocation := m.allocation(b.Addr)
	t := m.targets[allocation]
	if t == layout.Plain {
		m.use.changed = false
		return m.Raw()
	}
	n := layout.Sectors(line, int(p.Bursts))
	m.use.follow(b.Channel, m.Number(b), allocation-1, t, n)
	p.Bursts = uint8(n)
	p.Parts[memctrl.InDevice], p.Parts[memctrl.InLink] = t.Split(n)
	p.Whole = t == layout.Sixteen
	return p
}
