package datafile

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// The colours of every kind of PNG are those of the standard library: with and without a
// transparent colour, with palettes that are too short, interlaced or not.
func TestPictureAgainstStandardLibrary(t *testing.T) {
	rng := sim.NewRand(22, 1)
	transparent, outside := 0, 0
	for _, kind := range []struct{ depth, colour byte }{
		{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {8, 2}, {16, 2}, {1, 3}, {2, 3}, {4, 3}, {8, 3}, {8, 4}, {16, 4}, {8, 6}, {16, 6},
	} {
		for _, side := range [][2]uint32{{1, 1}, {3, 5}, {13, 9}, {64, 33}} {
			for interlace := range byte(2) {
				for _, alpha := range []bool{false, true} {
					if alpha && kind.colour >= 4 {
						continue
					}
					p := picture{width: side[0], height: side[1], depth: kind.depth, colour: kind.colour, interlace: interlace}
					colours := max(2, 1<<kind.depth-3) // of the palette
					if kind.colour == 3 {
						palette := []byte("PLTE")
						for range 3 * colours {
							palette = append(palette, byte(rng.Uint32()))
						}
						p.chunks = append(p.chunks, palette)
					}
					p.fill(&rng)
					if alpha {
						p.chunks = append(p.chunks, append([]byte("tRNS"), p.transparency(&rng)...))
					}
					file := p.file()
					want, err := png.Decode(bytes.NewReader(file))
					if err != nil {
						t.Fatal(err)
					}
					width, height, err := PictureSize(bytes.NewReader(file), int64(len(file)))
					if err != nil || width != int64(side[0]) || height != int64(side[1]) {
						t.Fatalf("%d x %d, %v; want %v", width, height, err, side)
					}
					m, err := OpenPicture(bytes.NewReader(file), int64(len(file)))
					if err != nil {
						t.Fatal(err)
					}
					pixels := 0
					err = m.Rows(func(x, y, step int64, row []Colour) {
						for k, c := range row {
							x := x + int64(k)*step
							pixels++
							got := color.NRGBA64{c.R, c.G, c.B, c.A}
							if r, g, b, a := want.At(int(x), int(y)).RGBA(); [4]uint32{r, g, b, a} != rgba(got) {
								t.Fatalf("%+v at %d, %d: %v, want %v", kind, x, y, rgba(got), [4]uint32{r, g, b, a})
							}
							if kind.colour < 3 && c.A == 0 {
								transparent++
							}
							if kind.colour == 3 && c == (Colour{A: 0xffff}) {
								outside++
							}
						}
					})
					if err != nil || pixels != int(width*height) {
						t.Fatalf("%+v: %d pixels of %v, %v", kind, pixels, side, err)
					}
				}
			}
		}
	}
	if transparent == 0 || outside == 0 {
		t.Errorf("%d transparent pixels, %d outside of their palette: the test misses them", transparent, outside)
	}
}

// transparency is the body of a tRNS chunk: some alphas, or the colour of the first
// pixel, which must be stored without a filter.
func (p *picture) transparency(rng *sim.Rand) []byte {
	if p.colour == 3 {
		n := 1 + int(rng.Uint32())%(1<<p.depth)
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(rng.Uint32())
		}
		return out
	}
	p.data[0] = 0
	var out []byte
	for i := range storedSamples[p.colour] {
		switch p.depth {
		case 16:
			out = append(out, p.data[1+2*i], p.data[2+2*i])
		default:
			out = append(out, 0, p.data[1+i]>>(8-p.depth))
		}
	}
	return out
}

func rgba(c color.Color) [4]uint32 {
	r, g, b, a := c.RGBA()
	return [4]uint32{r, g, b, a}
}
