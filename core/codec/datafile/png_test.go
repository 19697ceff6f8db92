package datafile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/sim"
)

// picture is a PNG in the making.
type picture struct {
	width, height uint32
	depth, colour byte
	interlace     byte
	chunks        [][]byte // before the data, each with its name in front
	data          []byte   // filtered rows
	split         bool     // the data over several chunks
}

func (p picture) file() []byte {
	b := []byte(pngMagic)
	put := func(kind string, body []byte) {
		b = binary.BigEndian.AppendUint32(b, uint32(len(body)))
		sum := crc32.ChecksumIEEE(append([]byte(kind), body...))
		b = append(append(b, kind...), body...)
		b = binary.BigEndian.AppendUint32(b, sum)
	}
	head := binary.BigEndian.AppendUint32(nil, p.width)
	head = binary.BigEndian.AppendUint32(head, p.height)
	put("IHDR", append(head, p.depth, p.colour, 0, 0, p.interlace))
	for _, c := range p.chunks {
		put(string(c[:4]), c[4:])
	}
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(p.data)
	w.Close()
	data := z.Bytes()
	for p.split && len(data) > 5 {
		put("IDAT", data[:5])
		put("IDAT", nil)
		data = data[5:]
	}
	put("IDAT", data)
	put("IEND", nil)
	return b
}

// fill gives the picture random filtered rows for all passes.
func (p *picture) fill(rng *sim.Rand) {
	stored := storedSamples[p.colour]
	sides := [][2]int64{{int64(p.width), int64(p.height)}}
	if p.interlace == 1 {
		sides = nil
		for _, s := range passes {
			sides = append(sides, [2]int64{(int64(p.width) - s.x + s.dx - 1) / s.dx, (int64(p.height) - s.y + s.dy - 1) / s.dy})
		}
	}
	p.data = nil
	for _, s := range sides {
		if s[0] <= 0 {
			continue
		}
		for range s[1] {
			p.data = append(p.data, byte(rng.Intn(5)))
			for range (s[0]*int64(stored)*int64(p.depth) + 7) / 8 {
				p.data = append(p.data, byte(rng.Uint32()))
			}
		}
	}
}

// samplesOf takes samples from a picture decoded by the standard library.
func samplesOf(t *testing.T, file []byte, depth, colour byte, alpha bool) []byte {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	r := m.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBA64Model.Convert(m.At(x, y)).(color.NRGBA64)
			var s []uint16
			switch m := m.(type) {
			case *image.NRGBA: // exact, without going through premultiplied colours
				p := m.NRGBAAt(x, y)
				c = color.NRGBA64{uint16(p.R) * 257, uint16(p.G) * 257, uint16(p.B) * 257, uint16(p.A) * 257}
			case *image.NRGBA64:
				c = m.NRGBA64At(x, y)
			case *image.Paletted:
				p, ok := m.Palette[m.ColorIndexAt(x, y)].(color.NRGBA)
				if ok {
					c = color.NRGBA64{uint16(p.R) * 257, uint16(p.G) * 257, uint16(p.B) * 257, uint16(p.A) * 257}
				}
			}
			switch colour {
			case 0:
				s = []uint16{c.R}
			case 4:
				s = []uint16{c.R, c.A}
			case 2:
				s = []uint16{c.R, c.G, c.B}
			default:
				s = []uint16{c.R, c.G, c.B}
				if colour == 6 || alpha {
					s = append(s, c.A)
				}
			}
			for _, v := range s {
				if depth == 16 {
					out = append(out, byte(v), byte(v>>8))
				} else {
					out = append(out, byte(v>>8))
				}
			}
		}
	}
	return out
}

// Every kind of PNG is read as the standard library reads it.
func TestPNGAgainstStandardLibrary(t *testing.T) {
	rng := sim.NewRand(21, 1)
	for _, kind := range []struct{ depth, colour byte }{
		{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {8, 2}, {16, 2}, {1, 3}, {2, 3}, {4, 3}, {8, 3}, {8, 4}, {16, 4}, {8, 6}, {16, 6},
	} {
		for _, side := range [][2]uint32{{1, 1}, {3, 5}, {13, 9}, {64, 33}} {
			for interlace := range byte(2) {
				for _, alpha := range []bool{false, true} {
					if alpha && kind.colour != 3 {
						continue
					}
					p := picture{width: side[0], height: side[1], depth: kind.depth, colour: kind.colour, interlace: interlace, split: side[0] == 3}
					if kind.colour == 3 {
						palette := []byte("PLTE")
						for range 3 << kind.depth {
							palette = append(palette, byte(rng.Uint32()))
						}
						p.chunks = append(p.chunks, palette)
						if alpha {
							p.chunks = append(p.chunks, []byte("tRNS\x10\xf0"))
						}
					}
					p.chunks = append(p.chunks, []byte("tEXtnobody reads this"))
					p.fill(&rng)
					file := p.file()
					f, got, err := contents(file, Options{})
					if err != nil {
						t.Fatalf("%d bits, colour type %d, %v, interlaced %d: %v", kind.depth, kind.colour, side, interlace, err)
					}
					want := samplesOf(t, file, kind.depth, kind.colour, alpha)
					if f.Bytes != int64(len(want)) || !bytes.Equal(got, padded(want)) {
						t.Fatalf("%d bits, colour type %d, %v, interlaced %d: %d bytes differ from %d", kind.depth, kind.colour, side, interlace, f.Bytes, len(want))
					}
				}
			}
		}
	}
}

func TestBadPNG(t *testing.T) {
	grey := picture{width: 4, height: 2, depth: 8, data: []byte{0, 1, 2, 3, 4, 1, 5, 6, 7, 8}}
	good := grey.file()
	change := func(f func(p *picture)) []byte {
		p := grey
		f(&p)
		return p.file()
	}
	flip := func(at int) []byte {
		b := bytes.Clone(good)
		b[at] ^= 0xff
		return b
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"cut in its header", good[:20], "byte 8: chunk \"IHDR\" announces 13 bytes, 0 are left"},
		{"cut in its data", good[:len(good)-20], "the file is cut off"},
		{"cut before its end", good[:len(good)-12], "a chunk of the picture is cut off"},
		{"damaged header", flip(17), "byte 29: the checksum of chunk \"IHDR\" is wrong"},
		{"damaged data", flip(len(good) - 20), "the checksum of the picture's data is wrong"},
		{"chunk of 4 GB", flip(33), "are left: the file is cut off or damaged"},
		{"a bomb", change(func(p *picture) { p.width, p.height = 60000, 60000 }), "cannot hold the 60000 by 60000 pixels"},
		{"a larger bomb", change(func(p *picture) { p.width, p.height = 1<<31-1, 1<<31-1 }), "too large to read"},
		{"no height", change(func(p *picture) { p.height = 0 }), "want 1 to 2^31-1"},
		{"strange bits", change(func(p *picture) { p.depth = 3 }), "colour type 0 with 3 bits"},
		{"strange colours", change(func(p *picture) { p.colour = 5 }), "no PNG has these"},
		{"too few rows", change(func(p *picture) { p.height = 3 }), "end too early"},
		{"too many rows", change(func(p *picture) { p.height = 1 }), "has compressed data after its last row"},
		{"strange filter", change(func(p *picture) { p.data = bytes.Clone(p.data); p.data[5] = 9 }), "filter 9"},
		{"no palette", change(func(p *picture) { p.colour = 3 }), "no palette"},
		{"a colour too many", change(func(p *picture) { p.colour = 3; p.chunks = [][]byte{[]byte("PLTEabcdef")} }), "its palette has 2"},
		{"a palette of 769 bytes", change(func(p *picture) { p.chunks = [][]byte{append([]byte("PLTE"), make([]byte, 769)...)} }), "want at most 768"},
		{"no data", append(bytes.Clone(good[:33]), "\x00\x00\x00\x00IEND\xae\x42\x60\x82"...), "the picture has no data"},
		{"nothing but a signature", good[:8], "byte 8: a chunk of the picture is cut off"},
		{"an unknown critical chunk", change(func(p *picture) { p.chunks = append(p.chunks, []byte("CgBIabc")) }), `byte 33: chunk "CgBI" is needed to decode the picture`},
		{"a transparent colour of 3 bytes", change(func(p *picture) { p.chunks = [][]byte{[]byte("tRNSabc")} }), "byte 33: chunk \"tRNS\" of 3 bytes in a picture of colour type 0"},
		{"a transparent colour beside alpha", change(func(p *picture) { p.colour = 4; p.chunks = [][]byte{[]byte("tRNSabcd")} }), "in a picture of colour type 4"},
		{"data first", append(bytes.Clone(good[:8]), good[33:]...), "the first chunk is \"IDAT\""},
	} {
		_, _, err := contents(c.file, Options{Format: PNG})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func FuzzPNG(f *testing.F) {
	rng := sim.NewRand(1, 2)
	var seeds [][]byte
	for interlace := range byte(2) {
		p := picture{width: 9, height: 5, depth: 4, colour: 3, interlace: interlace, chunks: [][]byte{append([]byte("PLTE"), ramp(48)...)}}
		p.fill(&rng)
		seeds = append(seeds, p.file())
		p.depth, p.colour = 16, 6
		p.fill(&rng)
		seeds = append(seeds, p.file())
	}
	fuzzFile(f, PNG, seeds...)
}
