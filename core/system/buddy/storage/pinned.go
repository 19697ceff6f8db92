package storage

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
)

// pinned is the storage of a GPU that uses the memory of its host in place: every
// block lies behind the link, uncompressed.
type pinned struct{ *memctrl.DeviceMemory }

// NewPinned returns the storage of a controller whose blocks all lie behind the link.
func NewPinned(cfg *memctrl.Config, image *mem.Image) memctrl.Storage {
	return pinned{memctrl.NewDeviceMemory(cfg, image)}
}

func (m pinned) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	return behindLink(m.DeviceMemory.Read(b, line))
}

func (m pinned) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	return behindLink(m.DeviceMemory.Write(b, line, mask))
}

func behindLink(p memctrl.Placed) memctrl.Placed {
	p.Parts[memctrl.InDevice], p.Parts[memctrl.InLink] = 0, p.Parts[memctrl.InDevice]
	return p
}
