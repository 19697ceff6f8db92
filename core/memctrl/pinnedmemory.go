package memctrl

import "github.com/burstscope/burstscope/core/mem"

// pinnedMemory is the storage of a GPU that uses the memory of its host in place: every
// block lies behind the link, uncompressed.
type pinnedMemory struct{ *deviceMemory }

// NewPinnedMemory returns the storage of a controller that keeps every block behind the link.
func NewPinnedMemory(cfg *Config, image *mem.Image) Storage {
	return pinnedMemory{newDeviceMemory(cfg, image)}
}

func (m pinnedMemory) Read(b Block, line *mem.Line) Placed {
	return behindLink(m.deviceMemory.Read(b, line))
}

func (m pinnedMemory) Write(b Block, line *mem.Line, mask mem.ByteMask) Placed {
	return behindLink(m.deviceMemory.Write(b, line, mask))
}

func behindLink(p Placed) Placed {
	p.Parts[InDevice], p.Parts[InLink] = 0, p.Parts[InDevice]
	return p
}
