package buddy

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// UnifiedEntry is memory that the driver moves page by page (section IV-C).
var UnifiedEntry = system.Entry{
	Group: "backing", Name: "unified", Title: "unified memory (proxy)",
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
		table, err := storage.NewPageTable(storage.PageConfig{
			PageBytes: page, DevicePages: max(1, pages*p.Int("share")/100), FaultMicroseconds: p.Int("fault"),
			BatchPages: p.Int("batch"),
		}, link, first, image)
		if err != nil {
			return nil, err
		}
		return func(c *memctrl.Config) (memctrl.Storage, machine.Link) {
			own := *c
			m := memctrl.NewDeviceMemory(c, image)
			m.PlaceRaw(memctrl.InDevice, memctrl.InLink) // a block waits for its page, which has its bytes
			return m, func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing { return table.Port(f, s, &own) }
		}, nil
	}
}
