package ptx

import "math/bits"

// TexelFormat is the type of one channel of a texel.
type TexelFormat uint8

const (
	TexelU8 TexelFormat = iota
	TexelS8
	TexelU16
	TexelS16
	TexelU32
	TexelS32
	TexelF16
	TexelF32
)

// TexelFormatNames are the names of the formats in scenarios.
var TexelFormatNames = []string{"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"}

// Bytes returns the size of a channel.
func (f TexelFormat) Bytes() int { return [...]int{1, 1, 2, 2, 4, 4, 2, 4}[f] }

// IsFloat reports whether channels are floating-point numbers.
func (f TexelFormat) IsFloat() bool { return f >= TexelF16 }

// IsSigned reports whether channels are signed integers.
func (f TexelFormat) IsSigned() bool { return f == TexelS8 || f == TexelS16 || f == TexelS32 }

// TextureAddress is what a coordinate outside of a texture reads.
type TextureAddress uint8

const (
	AddressClamp  TextureAddress = iota // the texel at the edge
	AddressBorder                       // zero
	AddressWrap                         // the texture again
	AddressMirror                       // the texture again, every other time from its end
)

// TextureAddressNames are the names of the modes in scenarios.
var TextureAddressNames = []string{"clamp", "border", "wrap", "mirror"}

// Texture is memory that tex reads, with all that tex needs to know about it.
type Texture struct {
	Name   string
	Base   uint64
	Width  int
	Height int // 0: the texture has one dimension
	Format TexelFormat
	// Channels of a texel: 1, 2 or 4.
	Channels   int
	Address    TextureAddress
	Linear     bool // coordinates between texels blend them
	Normalized bool // coordinates from 0 to 1 cover the texture
	Array      bool // texels lie in tiles, otherwise in rows
}

// TextureHandle is the value by which programs know texture i of a launch. Zero is none.
func TextureHandle(i int) uint64 { return uint64(i) + 1 }

// TexelBytes returns the size of a texel, at most 16.
func (t *Texture) TexelBytes() int { return t.Channels * t.Format.Bytes() }

// tileBytes is a tile of an array: a line of the caches, so that texels which are neighbours in
// two dimensions share lines. NVIDIA has not published the layout of CUDA arrays; GPGPU-Sim's
// arrays have tiles of one line too.
const tileBytes = 128

// tile returns the logarithms of the width and height of a tile: as square as possible, and
// rather wide than high.
func (t *Texture) tile() (width, height int) {
	texels := bits.TrailingZeros(uint(tileBytes / t.TexelBytes()))
	return (texels + 1) / 2, texels / 2
}

// Bytes returns the memory that the texture takes.
func (t *Texture) Bytes() uint64 {
	if t.Height == 0 || !t.Array {
		return uint64(t.Width) * uint64(max(t.Height, 1)) * uint64(t.TexelBytes())
	}
	w, h := t.tile()
	return uint64((t.Width-1)>>w+1) * uint64((t.Height-1)>>h+1) * tileBytes
}

// Texel returns the address of the texel in column x and row y.
func (t *Texture) Texel(x, y int) uint64 {
	if t.Height == 0 || !t.Array {
		return t.Base + uint64(y*t.Width+x)*uint64(t.TexelBytes())
	}
	w, h := t.tile()
	tile := y>>h*((t.Width-1)>>w+1) + x>>w
	inside := y&(1<<h-1)<<w | x&(1<<w-1)
	return t.Base + uint64(tile)*tileBytes + uint64(inside*t.TexelBytes())
}

// Tiled returns the contents of an array whose texels are given in rows.
func (t *Texture) Tiled(rows []byte) []byte {
	n := t.TexelBytes()
	tiled := make([]byte, t.Bytes())
	for y := range max(t.Height, 1) {
		for x := range t.Width {
			copy(tiled[t.Texel(x, y)-t.Base:][:n], rows[(y*t.Width+x)*n:])
		}
	}
	return tiled
}

// TextureOp describes a tex instruction.
type TextureOp struct {
	Dimensions int    // 1 or 2
	Result     Scalar // f32, u32 or s32
	Integer    bool   // coordinates are whole numbers of texels
}
