package workload

import (
	"fmt"

	"github.com/burstscope/burstscope/core/ptx"
)

// Texture binds a buffer to a .texref of the program, or to a handle that an argument passes.
// Its base is known when the program is loaded.
type Texture struct {
	ptx.Texture
	Buffer int // of the program
}

// TextureArg passes the handle of texture i.
func TextureArg(i int) Arg { return Arg{Buffer: -1, Bits: ptx.TextureHandle(i), Bytes: 8} }

// Limits of textures (CUDA C++ Programming Guide, technical specifications, compute capability
// 5.0 and later): linear memory of one dimension, then the sides of arrays and of other memory.
const (
	maxLinearTexels = 1 << 27
	maxTextureSide  = 65536
)

// Check reports what is wrong with a texture over a buffer of some bytes: the field, what is
// wrong with it, and how to mend it.
func (t *Texture) Check(bytes uint64, report func(field, message, mend string)) {
	linear := t.Height == 0 && !t.Array
	widest := maxTextureSide
	if linear {
		widest = maxLinearTexels
	}
	if t.Width < 1 || t.Width > widest {
		report("width", fmt.Sprintf("%d is out of range", t.Width), fmt.Sprintf("use 1 to %d texels", widest))
		return
	}
	if t.Height < 0 || t.Height > maxTextureSide {
		report("height", fmt.Sprintf("%d is out of range", t.Height), fmt.Sprintf("use 1 to %d texels, or 0 for a texture of one dimension", maxTextureSide))
		return
	}
	if t.Channels != 1 && t.Channels != 2 && t.Channels != 4 {
		report("channels", fmt.Sprintf("a texel cannot have %d channels", t.Channels), "use 1, 2 or 4")
		return
	}
	if int(t.Format) >= len(ptx.TexelFormatNames) || int(t.Address) >= len(ptx.TextureAddressNames) {
		report("format", "unknown format or address mode", "use a format and an address mode of package ptx")
		return
	}
	if t.Linear && t.Format.Bytes() == 4 && !t.Format.IsFloat() {
		report("filter", "integers of 32 bits cannot be filtered", "use filter nearest, or another format")
	}
	if t.Linear && linear {
		report("filter", "linear memory of one dimension cannot be filtered", "use filter nearest, or layout array")
	}
	if t.Normalized && linear {
		report("coordinates", "linear memory of one dimension has no normalized coordinates", "use coordinates texels, or layout array")
	}
	if linear && t.Address != ptx.AddressClamp && t.Address != ptx.AddressBorder {
		report("address", "linear memory of one dimension reads zero outside, whatever the mode", "leave it out, or use layout array")
	} else if !t.Normalized && (t.Address == ptx.AddressWrap || t.Address == ptx.AddressMirror) {
		report("address", ptx.TextureAddressNames[t.Address]+" needs normalized coordinates: a GPU clamps otherwise", "use coordinates normalized, or address clamp")
	}
	if need := t.Bytes(); need > bytes {
		report("width", fmt.Sprintf("%d x %d texels of %d bytes take %d bytes, and the buffer has %d", t.Width, max(t.Height, 1), t.TexelBytes(), need, bytes), "give more data, or a smaller size")
	}
}

func (t *Texture) validate(i int, p *Program, fault func(string, ...any)) {
	if t.Name == "" {
		fault("textures[%d]: name is empty", i)
	}
	for k := range i {
		if p.Textures[k].Name == t.Name {
			fault("textures[%d]: %q is bound twice", i, t.Name)
		}
	}
	if t.Buffer < 0 || t.Buffer >= len(p.Buffers) {
		fault("textures[%d] %q: buffer %d, want 0 to %d", i, t.Name, t.Buffer, len(p.Buffers)-1)
		return
	}
	t.Check(p.Buffers[t.Buffer].Bytes, func(field, message, mend string) {
		fault("textures[%d] %q: %s: %s: %s", i, t.Name, field, message, mend)
	})
}
