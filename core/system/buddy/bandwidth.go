package buddy

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

const bandwidthOnly = "bandwidth"

// BandwidthEntry is compression for bandwidth alone (section IV-B).
var BandwidthEntry = system.Entry{
	Group: "backing", Name: bandwidthOnly, Null: bandwidthOnly, Title: "bandwidth-only compression",
	About: "Entries and metadata as in Buddy Compression, but all of them in device memory: less traffic, no capacity. " +
		"One sector of a compressed entry costs the whole entry.",
	Settings: []system.Setting{metadataSetting, neighboursSetting}, Blocks: system.BlocksCompressed,
	// It has no link, and the codec says if no entry became smaller.
	Idle: func(_ system.Part, r *system.Counts) string { return sentNothing(r, "") },
	Configure: func(p system.Part, g *parameter.GPU, job *machine.Job) error {
		targets := make([]layout.Target, len(job.Image.Allocations()))
		for i := range targets {
			targets[i] = layout.One
		}
		cache := metadata(p, g)
		job.Backing = func(_ *memctrl.Config, image *mem.Image) (machine.Attach, error) {
			return func(c *memctrl.Config) (memctrl.Storage, machine.Link) {
				c.Metadata = cache
				return storage.NewMemory(c, image, targets), nil
			}, nil
		}
		return nil
	},
}
