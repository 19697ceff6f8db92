package scheme

import (
	"errors"
	"math"
	"slices"

	"github.com/burstscope/burstscope/core/buddy"
	"github.com/burstscope/burstscope/core/buddy/profile"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
)

// linkSettings describe a link to a slower memory.
var linkSettings = []system.Setting{
	{Name: "gbPerSecond", Title: "link bandwidth", Unit: "GB/s in each direction", Low: 1, High: 4000, Default: 150, About: "Bandwidth of the link in each direction. Buddy Compression has 150 and studies 50 to 200 (table I, section IV-B)."},
	{Name: "channels", Title: "link channels", Unit: "channels", Low: 1, High: 64, Default: 6, About: "Channels that share this bandwidth: six of NVLink2 (table I). A packet takes one channel."},
	{Name: "header", Title: "packet header", Unit: "bytes", High: 1024, Default: 32, About: "Bytes in front of each packet of the link (section IV-B: 32 at worst)."},
	{Name: "latency", Title: "latency factor", Unit: "times device memory", Low: 1, High: 100, Default: 2, About: "Time of an unloaded read through the link, in reads of device memory (section IV-A: 2)."},
}

// metadataSetting is the metadata cache of compressed entries.
var metadataSetting = system.Setting{Name: "metadataKB", Title: "metadata cache", Unit: "KB", High: 4096, Default: 64,
	About: "Metadata cache of all controllers together, rounded down to whole sets; 0 always hits. The paper has 64 KB in eight slices (section III); the 4 KB a slice of section III-C are 32."}

// buddyEntry is Buddy Compression.
var buddyEntry = system.Entry{
	Name: "buddy", Title: "Buddy Compression", About: "Entries that are larger than the target of their allocation have their last sectors in a slower memory behind a link (Choukse et al., ISCA 2020).",
	Settings: append([]system.Setting{
		{Name: "targets", Title: "targets", Optional: true, Check: func(text string) error { _, err := buddy.ParseTargets(text); return err }, Mend: buddy.MendTargets,
			About: "Target ratio of every allocation, or NAME=TARGET pairs in which * stands for the others. Without it a profile of the program chooses them."},
		{Name: "threshold", Title: "Buddy Threshold", Unit: "percent", High: 100, Default: 30, About: "Entries of an allocation that a profile lets exceed the target (section III-B: 30, study of 10 to 40)."},
		{Name: "profile", Title: "profile", Words: profile.Ways, About: "How a profile chooses: zero-page is per-allocation with 16x for allocations that stay zero; naive has one target for the program (section III-B)."},
		{Name: "judge", Title: "judged by", Words: []string{"worst", "mean"}, About: "A profile judges an allocation by its worst snapshot of ten, or by all together."},
		{Name: "pages", Title: "page size", Words: buddy.PageSizes, About: "Page of the GPU; it decides the width of the offset in the page table (section III)."},
		metadataSetting,
	}, linkSettings...),
	Configure: configureBuddy,
}

// bandwidthEntry is compression for bandwidth alone (section IV-B).
var bandwidthEntry = system.Entry{
	Name: "bandwidth", Title: "bandwidth-only compression", About: "Entries and metadata as in Buddy Compression, but all of them in device memory: less traffic, no capacity. One sector of a compressed entry costs the whole entry.",
	Settings: []system.Setting{metadataSetting},
	Configure: func(p system.Part, g *parameter.GPU, job *machine.Job) error {
		targets := make([]buddy.Target, len(job.Image.Allocations()))
		for i := range targets {
			targets[i] = buddy.One
		}
		job.Backing = func(c *memctrl.Config, image *mem.Image) (memctrl.Storage, machine.Link) {
			c.Metadata = buddyMetadata(p, g)
			return memctrl.NewBuddyMemory(c, image, targets), nil
		}
		return nil
	},
}

// pinnedEntry is host memory that the program uses in place (section IV-C).
var pinnedEntry = system.Entry{
	Name: "pinned", Title: "pinned host memory (proxy)", About: "All data lie behind the link, and every access crosses it. A proxy of the paper's measurement on silicon (section IV-C), without its caches and drivers.",
	Settings: linkSettings,
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.Backing = linked(p, func(c *memctrl.Config, image *mem.Image) memctrl.Storage { return memctrl.NewPinnedMemory(c, image) })
		return nil
	},
}

// unifiedEntry is memory that the driver moves page by page (section IV-C).
var unifiedEntry = system.Entry{
	Name: "unified", Title: "unified memory (proxy)", About: "Device memory holds a part of the pages; a page that is missing comes over the link after a fault, in place of the least recently used one. A proxy of the paper's measurement on silicon (section IV-C): one kind of page, and a driver that knows no pattern.",
	Settings: []system.Setting{
		{Name: "share", Title: "data in device memory", Unit: "percent", Low: 1, High: 100, Default: 50, About: "Share of the program's pages that device memory holds. At the start it holds the first ones."},
		{Name: "pageKB", Title: "page size", Unit: "KB", Numbers: []int{4, 64, 2048}, Default: 64, About: "Page that moves at once: 64 KB, which the driver of NVIDIA's GPUs fetches for a fault [ours]."},
		{Name: "fault", Title: "fault", Unit: "us", High: 1000, Default: 20, About: "Time of the driver for a batch of faults. Zheng et al. (HPCA 2016) state 20 to 50 us; batches follow each other."},
		{Name: "batch", Title: "batch", Unit: "pages", Low: 1, High: 256, Default: 16, About: "Pages of a batch at most. The driver takes up to 256 faults, many of them for one page [ours]."},
		linkSetting("gbPerSecond", 75, "Bandwidth of the link in each direction. The paper measured on a Power9 with 75 GB/s (section IV-C)."),
		linkSetting("channels", 3, "Channels that share this bandwidth: NVLink2 has 25 GB/s each. A page takes one channel."),
		linkSetting("header", 32, ""),
		linkSetting("latency", 2, ""),
	},
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		page := p.Int("pageKB") << 10
		var unified *memctrl.Unified
		link := linkOf(p)
		job.Backing = func(c *memctrl.Config, image *mem.Image) (memctrl.Storage, machine.Link) {
			l, first := link(c)
			if first {
				pages := (int(image.Top()-image.Base()) + page - 1) / page
				var err error
				unified, err = memctrl.NewUnified(memctrl.UnifiedConfig{
					PageBytes: page, DevicePages: max(1, pages*p.Int("share")/100), FaultMicroseconds: p.Int("fault"), BatchPages: p.Int("batch"),
				}, l, c, image)
				if err != nil {
					panic(err) // Validate has checked every value
				}
			}
			u, own := unified, *c
			return memctrl.NewUnifiedMemory(c, image), func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing { return u.Port(f, s, &own) }
		}
		return nil
	},
}

// copiesEntry is device memory with a host that copies over the link (section IV-B, FF_HPGMG).
var copiesEntry = system.Entry{
	Name: "copies", Title: "device memory and copies of the host", About: "All data lie in device memory. Between two launches the host copies over the link, and the launch waits for it. The counters of the link leave the copies out.",
	Settings: []system.Setting{
		{Name: "copyKB", Title: "copies", Unit: "KB", High: 1 << 22, Default: 1024, About: "KB that the host copies between two launches, in each direction at once. The paper names programs with such copies and no sizes [ours]."},
		linkSetting("gbPerSecond", 150, ""),
	},
	Configure: func(p system.Part, g *parameter.GPU, _ *machine.Job) error {
		// KB over GB/s is in units of 1.024 us.
		cycles := float64(p.Int("copyKB")) / float64(p.Int("gbPerSecond")) * 1.024 * float64(g.CoreMHz)
		g.LaunchGapCycles += int(math.Ceil(cycles))
		return nil
	},
}

// linkSetting is a setting of links with another default, and another sentence unless that is empty.
func linkSetting(name string, value int, about string) system.Setting {
	for _, s := range linkSettings {
		if s.Name == name {
			s.Default = value
			if about != "" {
				s.About = about
			}
			return s
		}
	}
	panic("scheme: no setting of links is called " + name)
}

// linkOf returns the link of a machine, which its controllers share; first says that a controller is
// the machine's first, so that the link is new. A machine builds its controllers in order.
func linkOf(p system.Part) func(c *memctrl.Config) (l *memctrl.Link, first bool) {
	config := memctrl.LinkConfig{Channels: p.Int("channels"), MBPerSecond: 1000 * p.Int("gbPerSecond"), HeaderBytes: p.Int("header"), LatencyFactor: p.Int("latency")}
	var link *memctrl.Link
	return func(c *memctrl.Config) (*memctrl.Link, bool) {
		first := c.FirstChannel == 0
		if first {
			var err error
			if link, err = memctrl.NewLink(config, c); err != nil {
				panic(err) // Validate has checked every value
			}
		}
		return link, first
	}
}

// linked gives each controller a storage and its channels ports of one link.
func linked(p system.Part, storage func(c *memctrl.Config, image *mem.Image) memctrl.Storage) func(*memctrl.Config, *mem.Image) (memctrl.Storage, machine.Link) {
	link := linkOf(p)
	return func(c *memctrl.Config, image *mem.Image) (memctrl.Storage, machine.Link) {
		l, _ := link(c)
		own := *c
		return storage(c, image), func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing { return l.Port(f, s, &own) }
	}
}

// BuddyMetadataWays is the number of lines of a set of the metadata cache (section III).
const BuddyMetadataWays = 4

// buddyMetadata is the metadata cache of one controller: 4-bit entries, four sectors a line,
// four ways (section III).
func buddyMetadata(p system.Part, g *parameter.GPU) memctrl.MetadataConfig {
	const ways, sectors = BuddyMetadataWays, 4
	m := memctrl.MetadataConfig{Ways: ways, LineSectors: sectors, BitsPerBlock: buddy.MetadataBits}
	if total := p.Int("metadataKB") << 10; total > 0 {
		const set = ways * sectors * buddy.SectorBytes
		m.Bytes = max(1, total/g.Controllers/set) * set
	}
	return m
}

// BuddyLayout returns the allocations of an image with their targets, and their layout. The
// targets are the chosen ones, or those that the part names if there are none. An allocation
// whose target is not its own is padded to whole entries, which device memory keeps free for it.
func BuddyLayout(p system.Part, image *mem.Image, chosen []buddy.Target) ([]buddy.Allocation, *buddy.Layout, error) {
	var rule buddy.Rule
	if chosen == nil {
		var err error
		if rule, err = buddy.ParseTargets(p.Word("targets")); err != nil {
			return nil, nil, fault.At("backing.targets", err.Error(), buddy.MendTargets)
		}
	}
	var allocs []buddy.Allocation
	var names []string
	list := image.Allocations()
	for i := range list {
		a := buddy.Allocation{Name: list[i].Name, Bytes: list[i].Bytes}
		named := false
		if chosen != nil {
			a.Target = chosen[i]
		} else {
			a.Target, named = rule.Of(a.Name)
		}
		if !named {
			a.Bytes = buddy.Padded(a.Bytes)
		}
		allocs = append(allocs, a)
		names = append(names, a.Name)
	}
	for _, name := range rule.Names() {
		if !slices.Contains(names, name) {
			return nil, nil, fault.At("backing.targets", "the program has no allocation "+fault.Quote(name), fault.MendWord(name, names))
		}
	}
	layout, err := buddy.NewLayout(allocs, PageSize(p))
	var f *buddy.Fault
	if errors.As(err, &f) {
		return nil, nil, fault.At("backing.targets", f.Message, f.Mend)
	}
	return allocs, layout, err
}

// PageSize returns the page size of a part.
func PageSize(p system.Part) buddy.PageSize {
	if p.Word("pages") == buddy.PageSizes[buddy.Page2MB] {
		return buddy.Page2MB
	}
	return buddy.Page64KB
}

// BuddyRule returns how a profile chooses the targets of a part.
func BuddyRule(p system.Part) profile.Rule {
	r := profile.Rule{ThresholdPercent: p.Int("threshold"), Mean: p.Word("judge") == "mean", Size: PageSize(p)}
	for i, name := range profile.Ways {
		if p.Word("profile") == name {
			r.Way = profile.Way(i)
		}
	}
	return r
}

func configureBuddy(p system.Part, g *parameter.GPU, job *machine.Job) error {
	allocs, _, err := BuddyLayout(p, job.Image, job.Targets)
	if err != nil {
		return err
	}
	targets := make([]buddy.Target, len(allocs))
	for i := range allocs {
		targets[i] = allocs[i].Target
	}
	job.Backing = linked(p, func(c *memctrl.Config, image *mem.Image) memctrl.Storage {
		c.Metadata = buddyMetadata(p, g)
		return memctrl.NewBuddyMemory(c, image, targets)
	})
	return nil
}
