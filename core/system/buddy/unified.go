package buddy

import (
	"fmt"
	"math"

	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/tape"
)

// UnifiedEntry is memory that the driver moves page by page (section IV-C).
var UnifiedEntry = system.Entry{
	Name: "unified", Title: "unified memory (proxy)",
	About: "Device memory holds a part of the pages; a page that is missing comes over the link after a fault, in " +
		"place of the least recently used one. A proxy of the paper's measurement on silicon (section IV-C): one kind of " +
		"page, and a driver that knows no pattern.",
	Settings: []system.Setting{
		{Name: "share", Title: "data in device memory", Unit: "percent", Low: 1, High: 100, Default: 50,
			About: "Share of the program's pages that device memory holds. At the start it holds the first ones."},
		{Name: "pageKB", Title: "page size", Unit: "KB", Numbers: []int{4, 64, 2048}, Default: 64,
			About: "Page that moves at once: 64 KB, which the driver of NVIDIA's GPUs fetches for a fault [ours]."},
		{Name: "fault", Title: "fault", Unit: "us", High: 1000, Default: 20,
			About: "Time of the driver for a batch of faults. Zheng et al. (HPCA 2016) state 20 to 50 us; batches follow each " +
				"other."},
		{Name: "batch", Title: "batch", Unit: "pages", Low: 1, High: 256, Default: 16,
			About: "Pages of a batch at most. The driver takes up to 256 faults, many of them for one page [ours]."},
		linkSetting("gbPerSecond", 75,
			"Bandwidth of the link in each direction. The paper measured on a Power9 with 75 GB/s (section IV-C)."),
		linkSetting("channels", 3, "Channels that share this bandwidth: NVLink2 has 25 GB/s each. A page takes one channel."),
		linkSetting("header", 32, ""),
		linkSetting("latency", 2, ""),
	},
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.Backing = unifiedBacking(p)
		return nil
	},
	Blocks: system.BlocksRaw, Linked: true,
	Idle: func(_ system.Part, r *system.Counts) string { return sentNothing(r, "device memory held every page") },
}

// unifiedBacking gives the controllers of a machine one page table and one link.
func unifiedBacking(p system.Part) machine.Backing {
	return func(first *memctrl.Config, image *mem.Image) (machine.Attach, error) {
		link, err := newLink(p, first)
		if err != nil {
			return nil, err
		}
		page := p.Int("pageKB") << 10
		pages := (int(image.Top()-image.Base()) + page - 1) / page
		table, err := newUnified(unifiedConfig{
			PageBytes: page, DevicePages: max(1, pages*p.Int("share")/100), FaultMicroseconds: p.Int("fault"),
			BatchPages: p.Int("batch"),
		}, link, first, image)
		if err != nil {
			return nil, err
		}
		return func(c *memctrl.Config) (memctrl.Storage, machine.Link) {
			own := *c
			return newUnifiedMemory(c, image), func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing {
				return table.port(f,
					s, &own)
			}
		}, nil
	}
}

// unifiedConfig describes unified memory: device memory holds a part of the pages, and the driver
// brings a page over the link when it is missing. It is a proxy of drivers and hardware.
type unifiedConfig struct {
	PageBytes   int
	DevicePages int // that fit
	// FaultMicroseconds is the time of the driver for a batch of at most BatchPages pages. Batches
	// follow each other.
	FaultMicroseconds int
	BatchPages        int
}

// unifiedMemory is the storage of unified memory: all blocks are read from device memory, once their
// page is there.
type unifiedMemory struct{ *memctrl.DeviceMemory }

// newUnifiedMemory returns the storage of a controller under unified memory.
func newUnifiedMemory(cfg *memctrl.Config, image *mem.Image) memctrl.Storage {
	return unifiedMemory{memctrl.NewDeviceMemory(cfg, image)}
}

func (m unifiedMemory) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	return withPage(m.DeviceMemory.Read(b, line))
}

func (m unifiedMemory) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	return withPage(m.DeviceMemory.Write(b, line, mask))
}

// withPage makes a block wait for its page: the part behind the link moves no bytes of its own.
func withPage(p memctrl.Placed) memctrl.Placed {
	p.Parts[memctrl.InLink] = p.Parts[memctrl.InDevice]
	return p
}

// unified is the page table of unified memory, with its driver. All channels share it.
type unified struct {
	cfg         unifiedConfig
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

// newUnified returns the page table of an image for controllers like cfg. At the start device
// memory holds the first pages of the image [ours].
func newUnified(c unifiedConfig, l *memctrl.Link, cfg *memctrl.Config, image *mem.Image) (*unified, error) {
	if c.PageBytes < mem.LineBytes || c.DevicePages < 1 || c.FaultMicroseconds < 0 || c.BatchPages < 1 {
		return nil, fmt.Errorf("unified memory of %+v: want pages of at least a line, and at least one page in device "+
			"memory and in a batch", c)
	}
	m := &unified{cfg: c, link: l, base: image.Base(), faultCycles: uint64(c.FaultMicroseconds * cfg.CommandMHz)}
	m.pages = make([]unifiedPage, (uint64(image.Top()-image.Base())+uint64(c.PageBytes)-1)/uint64(c.PageBytes))
	for m.resident < min(c.DevicePages, len(m.pages)) {
		m.pages[m.resident].resident = true
		m.resident++
	}
	return m, nil
}

// port returns the backing of a memory channel of a controller like cfg.
func (m *unified) port(f memctrl.Front, stats *stat.Set, cfg *memctrl.Config) memctrl.Backing {
	p := &unifiedPort{LinkPort: m.link.Port(f, stats, cfg), memory: m, stats: stats, first: m.ports == 0}
	p.page = make([]int32, p.Transfers())
	m.ports++
	return p
}

// unifiedPort is a memory channel's end of unified memory.
type unifiedPort struct {
	*memctrl.LinkPort
	memory *unified
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
func (m *unified) fetch(page *unifiedPage, channel uint16, write bool, at uint64, s *stat.Set) (moving uint64) {
	s[stat.PageFaults]++
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
func (m *unified) evict(channel uint16, from uint64, s *stat.Set) (free uint64) {
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
	s[stat.PagesWrittenBack]++
	_, end := m.pass(memctrl.LinkOut, channel, from, s)
	return end
}

// pass sends a page, of which each block has a header.
func (m *unified) pass(direction int, channel uint16, from uint64, s *stat.Set) (begin, end uint64) {
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
