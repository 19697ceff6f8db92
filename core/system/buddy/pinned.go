package buddy

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
)

// PinnedEntry is host memory that the program uses in place (section IV-C).
var PinnedEntry = system.Entry{
	Group: "backing", Name: "pinned", Title: "pinned host memory (proxy)",
	About: "All data lie behind the link, and every access crosses it. A proxy of the paper's measurement on silicon " +
		"(section IV-C), without its caches and drivers.",
	Settings: linkSettings, Blocks: system.BlocksRaw, Linked: true,
	Idle: func(_ system.Part, r *system.Counts) string { return sentNothing(r, "") },
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.Backing = linked(p, func(c *memctrl.Config, image *mem.Image) memctrl.Storage {
			m := memctrl.NewDeviceMemory(c, image)
			m.PlaceRaw(memctrl.InLink)
			return m
		})
		return nil
	},
}
