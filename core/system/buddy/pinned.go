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
	Name: "pinned", Title: "pinned host memory (proxy)",
	About: "All data lie behind the link, and every access crosses it. A proxy of the paper's measurement on silicon " +
		"(section IV-C), without its caches and drivers.",
	Settings: linkSettings, Blocks: system.BlocksRaw, Linked: true,
	Idle: func(_ system.Part, r *system.Counts) string { return sentNothing(r, "") },
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error {
		job.Backing = linked(p, newPinnedMemory)
		return nil
	},
}

// pinnedMemory is the storage of a GPU that uses the memory of its host in place: every
// block lies behind the link, uncompressed.
type pinnedMemory struct{ *memctrl.DeviceMemory }

func newPinnedMemory(cfg *memctrl.Config, image *mem.Image) memctrl.Storage {
	return pinnedMemory{memctrl.NewDeviceMemory(cfg, image)}
}

func (m pinnedMemory) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	return behindLink(m.DeviceMemory.Read(b, line))
}

func (m pinnedMemory) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	return behindLink(m.DeviceMemory.Write(b, line, mask))
}

func behindLink(p memctrl.Placed) memctrl.Placed {
	p.Parts[memctrl.InDevice], p.Parts[memctrl.InLink] = 0, p.Parts[memctrl.InDevice]
	return p
}
