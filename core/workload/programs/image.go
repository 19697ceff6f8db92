package programs

import (
	"bytes"
	"fmt"

	"github.com/burstscope/burstscope/core/codec/datafile"
)

// Image is a picture of 8-bit luma.
type Image struct {
	Width, Height int
	Pixels        []uint8 // Width*Height, row by row
	Name          string
}

// MaxImagePixels bounds a picture before anything is decoded.
const MaxImagePixels = 16 << 20

// DecodePNG reads a PNG of any colour type as luma with Rec. 601 weights, in exact
// integers. Transparent pixels become white.
func DecodePNG(b []byte) (*Image, error) {
	file, size := bytes.NewReader(b), int64(len(b))
	width, height, err := datafile.PictureSize(file, size)
	if err != nil {
		return nil, fmt.Errorf("workload: this is not a PNG image: %w", err)
	}
	if width > MaxImagePixels || height > MaxImagePixels || width*height > MaxImagePixels {
		return nil, fmt.Errorf("workload: the PNG has %d x %d pixels, more than %d: scale it down first", width, height, MaxImagePixels)
	}
	picture, err := datafile.OpenPicture(file, size)
	if err != nil {
		return nil, fmt.Errorf("workload: the PNG cannot be decoded: %w", err)
	}
	out := &Image{Width: int(width), Height: int(height), Pixels: make([]uint8, width*height)}
	err = picture.Rows(func(x, y, step int64, row []datafile.Colour) {
		for _, c := range row {
			out.Pixels[y*width+x] = lumaOver(c)
			x += step
		}
	})
	if err != nil {
		return nil, fmt.Errorf("workload: the PNG cannot be decoded: %w", err)
	}
	return out, nil
}

// lumaOver is the 8-bit luma of a colour over white: 0.299 R + 0.587 G + 0.114 B (ITU-R
// BT.601) in 16-bit fixed point.
func lumaOver(c datafile.Colour) uint8 {
	a := uint32(c.A)
	white := 0xffff - a
	r, g, b := uint32(c.R)*a/0xffff, uint32(c.G)*a/0xffff, uint32(c.B)*a/0xffff
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
