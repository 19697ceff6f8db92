package storage

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// PageConfig describes unified memory: device memory holds a part of the pages, and the driver
// brings a page over the link when it is missing. It is a proxy of drivers and hardware.
type PageConfig struct {
	PageBytes   int
	DevicePages int // that fit
	// FaultMicroseconds is the time of the driver for a batch of at most BatchPages pages. Batches
	// follow each other.
	FaultMicroseconds int
	BatchPages        int
}

// PageTable is the page table of unified memory, with its driver. All channels share it.
type PageTable struct {
	cfg         PageConfig
	link        *memctrl.Link
	base        mem.Addr
	faultCycles uint64
	pages       []unifiedPage
	unifiedState
	ports int
}

// unifiedState is what changes beside the pages.
type unifiedState struct {
	resident int
	clock    uint64 // counts uses
	// begin is the cycle in which the last batch begins, and batch its number of pages; 0 = none yet.
	begin uint64
	batch int
}

// unifiedPage is a page. Times are DRAM cycles.
type unifiedPage struct {
	ready    uint64 // from which on its blocks can be read
	used     uint64 // by the clock
	resident bool
	dirty    bool
}

// NewPageTable returns the page table of an image for controllers like cfg. At the start device
// memory holds the first pages of the image [ours].
func NewPageTable(c PageConfig, l *memctrl.Link, cfg *memctrl.Config, image *mem.Image) (*PageTable, error) {
	if c.PageBytes < mem.LineBytes || c.DevicePages < 1 || c.FaultMicroseconds < 0 || c.BatchPages < 1 {
		return nil, fmt.Errorf("unified memory of %+v: want pages of at least a line, and at least one page in device "+
			"memory and in a batch", c)
	}
	m := &PageTable{cfg: c, link: l, base: image.Base(), faultCycles: uint64(c.FaultMicroseconds * cfg.CommandMHz)}
	m.pages = make([]unifiedPage, (uint64(image.Top()-image.Base())+uint64(c.PageBytes)-1)/uint64(c.PageBytes))
	for m.resident < min(c.DevicePages, len(m.pages)) {
		m.pages[m.resident].resident = true
		m.resident++
	}
	return m, nil
}

// Port returns the backing of a memory channel of a controller like cfg.
func (m *PageTable) Port(f memctrl.Front, stats *stat.Set, cfg *memctrl.Config) memctrl.Backing {
	p := &unifiedPort{LinkPort: m.link.Port(f, stats, cfg), memory: m, stats: stats, first: m.ports == 0}
	p.page = make([]int32, p.Transfers())
	m.ports++
	return p
}

// unifiedPort is a memory channel's end of unified memory.
type unifiedPort struct {
	*memctrl.LinkPort
	memory *PageTable
	stats  *stat.Set
	first  bool    // its state includes the page table's
	page   []int32 // of each transfer
}

func (p *unifiedPort) Take(i int16, t *memctrl.Transfer, from uint64) {
	p.LinkPort.Take(i, t, from)
	p.page[i] = int32(uint64(t.Addr-p.memory.base) / uint64(p.memory.cfg.PageBytes))
}

// Start lets a transfer wait for its page.
func (p *unifiedPort) Start(i int16, from uint64) {
	m := p.memory
	channel, write := p.Taken(i)
	page := &m.pages[p.page[i]]
	m.clock++
	page.used = m.clock
	page.dirty = page.dirty || write
	moving := uint64(0)
	if !page.resident {
		moving = m.fetch(page, channel, write, from, p.stats)
	}
	ready := max(from, page.ready)
	p.Complete(i, memctrl.Moved{First: from, Column: ready - moving, Last: ready, End: ready})
}

// Describe calls a transfer a packet that comes in: the page of a block that is read or written.
func (p *unifiedPort) Describe(memctrl.Class) memctrl.Happening {
	return p.LinkPort.Describe(memctrl.ReadBlock)
}

// fetch brings a page to device memory after a fault at a cycle, and returns how long it is on the
// link.
func (m *PageTable) fetch(page *unifiedPage, channel uint16, write bool, at uint64, s *stat.Set) (moving uint64) {
	s[PageFaults]++
	switch {
	case m.batch == 0 || at >= m.begin+m.faultCycles:
		m.begin, m.batch = at, 1
	case at < m.begin && m.batch < m.cfg.BatchPages:
		m.batch++
	default: // the driver works on a batch, or the next one is full
		m.begin, m.batch = m.begin+m.faultCycles, 1
	}
	from := m.begin + m.faultCycles
	if m.resident >= m.cfg.DevicePages {
		from = max(from, m.evict(channel, from, s))
	}
	m.resident++
	begin, end := m.pass(memctrl.LinkIn, channel, from, s)
	page.resident, page.dirty = true, write
	page.ready = end
	return end - begin
}

// evict removes the least recently used page from a cycle on, and returns the cycle in which its room
// is free. A page that nobody has written only goes.
func (m *PageTable) evict(channel uint16, from uint64, s *stat.Set) (free uint64) {
	var victim *unifiedPage
	oldest := uint64(math.MaxUint64)
	for i := range m.pages {
		if p := &m.pages[i]; p.resident && p.used < oldest {
			victim, oldest = p, p.used
		}
	}
	m.resident--
	victim.resident = false
	from = max(from, victim.ready)
	if !victim.dirty {
		return from
	}
	s[PagesWrittenBack]++
	_, end := m.pass(memctrl.LinkOut, channel, from, s)
	return end
}

// pass sends a page, of which each block has a header.
func (m *PageTable) pass(direction int, channel uint16, from uint64, s *stat.Set) (begin, end uint64) {
	return m.link.Send(direction, channel, from, uint64(m.cfg.PageBytes/mem.LineBytes), uint64(m.cfg.PageBytes), s)
}

func (p *unifiedPort) State(t *tape.Tape) {
	p.LinkPort.State(t)
	tape.Values(t, p.page)
	if p.first {
		tape.Values(t, p.memory.pages)
		tape.Value(t, &p.memory.unifiedState)
	}
}
