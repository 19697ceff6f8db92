package programs

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// Image is a picture of 8-bit luma.
type Image struct {
	Width, Height int
	Pixels        []uint8 // Width*Height, row by row
	Name          string
}

// MaxImagePixels bounds a picture before anything is decoded.
const MaxImagePixels = 16 << 20

// deflateRatioMax is the highest ratio of deflate (RFC 1951: 258 bytes from two bits at
// best). A file that claims more is broken or hostile, and is refused before memory is
// reserved for it.
const deflateRatioMax = 1032

// DecodePNG reads a PNG of any colour type as luma with Rec. 601 weights, in exact
// integers. Transparent pixels become white.
func DecodePNG(b []byte) (*Image, error) {
	config, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("workload: this is not a PNG image: %w", err)
	}
	pixels := int64(config.Width) * int64(config.Height)
	if config.Width < 1 || config.Height < 1 || config.Width > MaxImagePixels || config.Height > MaxImagePixels || pixels > MaxImagePixels {
		return nil, fmt.Errorf("workload: the PNG has %d x %d pixels, more than %d: scale it down first", config.Width, config.Height, MaxImagePixels)
	}
	// A pixel takes at least one bit of the stream.
	if pixels/8 > int64(len(b))*deflateRatioMax {
		return nil, fmt.Errorf("workload: the PNG claims %d x %d pixels in %d bytes: the file is cut short", config.Width, config.Height, len(b))
	}
	decoded, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("workload: the PNG cannot be decoded: %w", err)
	}
	return luma(decoded), nil
}

// luma converts an image. The switch covers all types that image/png returns, to avoid an
// interface call for each pixel.
func luma(src image.Image) *Image {
	r := src.Bounds()
	out := &Image{Width: r.Dx(), Height: r.Dy(), Pixels: make([]uint8, r.Dx()*r.Dy())}
	for y := 0; y < out.Height; y++ {
		row := out.Pixels[y*out.Width : (y+1)*out.Width]
		switch m := src.(type) {
		case *image.Gray:
			copy(row, m.Pix[y*m.Stride:])
		case *image.RGBA:
			for x := range row {
				p := m.Pix[y*m.Stride+4*x:]
				row[x] = lumaOver(color.RGBA{R: p[0], G: p[1], B: p[2], A: p[3]}.RGBA())
			}
		case *image.NRGBA:
			for x := range row {
				p := m.Pix[y*m.Stride+4*x:]
				row[x] = lumaOver(color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]}.RGBA())
			}
		default:
			for x := range row {
				row[x] = lumaOver(src.At(r.Min.X+x, r.Min.Y+y).RGBA())
			}
		}
	}
	return out
}

// lumaOver is the 8-bit luma of a 16-bit colour, premultiplied by its alpha and blended
// with white: 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601) in 16-bit fixed point.
func lumaOver(r, g, b, a uint32) uint8 {
	white := 0xffff - a
	return uint8((19595*(r+white) + 38470*(g+white) + 7471*(b+white) + 1<<15) >> 24)
}

// validate checks an image from a caller.
func (m *Image) validate() error {
	if m.Width < 1 || m.Height < 1 || m.Width > MaxImagePixels || m.Height > MaxImagePixels || int64(m.Width)*int64(m.Height) > MaxImagePixels {
		return fmt.Errorf("image: %d x %d pixels, want 1 to %d", m.Width, m.Height, MaxImagePixels)
	}
	if len(m.Pixels) != m.Width*m.Height {
		return fmt.Errorf("image: %d x %d pixels in %d bytes, want %d", m.Width, m.Height, len(m.Pixels), m.Width*m.Height)
	}
	return nil
}

// fitted cuts the middle out of an image that is larger than size on a side. It then
// repeats the last column and row up to a multiple of step.
func (m *Image) fitted(size, step int) *Image {
	width, height := min(m.Width, size), min(m.Height, size)
	left, top := (m.Width-width)/2, (m.Height-height)/2
	out := &Image{Width: roundUp(width, step), Height: roundUp(height, step), Name: m.Name}
	out.Pixels = make([]uint8, out.Width*out.Height)
	for y := 0; y < out.Height; y++ {
		from := m.Pixels[(top+min(y, height-1))*m.Width+left:][:width]
		row := out.Pixels[y*out.Width:][:out.Width]
		for x := copy(row, from); x < out.Width; x++ {
			row[x] = from[width-1]
		}
	}
	return out
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }
