package programs

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

func encodePNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// samples is the same small picture in every colour type that image/png writes.
func samples() []image.Image {
	r := image.Rect(0, 0, 5, 3)
	palette := color.Palette{color.RGBA{10, 20, 30, 255}, color.NRGBA{200, 100, 50, 128}, color.White, color.Transparent}
	m := []interface {
		image.Image
		Set(x, y int, c color.Color)
	}{
		image.NewGray(r), image.NewGray16(r), image.NewRGBA(r), image.NewNRGBA(r), image.NewRGBA64(r), image.NewNRGBA64(r),
		image.NewPaletted(r, palette),
	}
	var out []image.Image
	for _, img := range m {
		for i := range 15 {
			img.Set(i%5, i/5, color.NRGBA{uint8(17 * i), uint8(255 - 9*i), uint8(40 * i), uint8(255 - 15*(i%4))})
		}
		out = append(out, img)
	}
	return out
}

// slowLuma applies the definition pixel by pixel: blend with white, weigh, round.
func slowLuma(c color.Color) uint8 {
	r, g, b, a := c.RGBA()
	white := float64(0xffff - a)
	weighed := 19595*(float64(r)+white) + 38470*(float64(g)+white) + 7471*(float64(b)+white)
	return uint8((weighed + 1<<15) / (1 << 24))
}

func TestDecodePNGGivesLuma(t *testing.T) {
	for _, m := range samples() {
		file := encodePNG(t, m)
		got, err := DecodePNG(file)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		// The file holds colours without premultiplied alpha: compare with those.
		if m, err = png.Decode(bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		if got.Width != 5 || got.Height != 3 {
			t.Fatalf("%T: %d x %d", m, got.Width, got.Height)
		}
		for i, p := range got.Pixels {
			if want := slowLuma(m.At(i%5, i/5)); p != want {
				t.Errorf("%T pixel %d: %d, want %d", m, i, p, want)
			}
		}
	}
}

func TestLumaOfKnownColours(t *testing.T) {
	cases := []struct {
		c    color.Color
		want uint8
	}{
		{color.Black, 0},
		{color.White, 255},
		{color.NRGBA{255, 0, 0, 255}, 76}, // 0.299 x 255
		{color.NRGBA{0, 255, 0, 255}, 150},
		{color.NRGBA{0, 0, 255, 255}, 29},
		{color.NRGBA{90, 90, 90, 255}, 90},
		{color.Transparent, 255},
		{color.NRGBA{0, 0, 0, 128}, 127},
	}
	for _, c := range cases {
		m := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		m.Set(0, 0, c.c)
		got, err := DecodePNG(encodePNG(t, m))
		if err != nil {
			t.Fatal(err)
		}
		if got.Pixels[0] != c.want {
			t.Errorf("%v: %d, want %d", c.c, got.Pixels[0], c.want)
		}
	}
}

// claim writes another size into a PNG's header.
func claim(b []byte, width, height uint32) []byte {
	b = bytes.Clone(b)
	binary.BigEndian.PutUint32(b[16:], width)
	binary.BigEndian.PutUint32(b[20:], height)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func TestDecodePNGRefusesHostileFiles(t *testing.T) {
	good := encodePNG(t, samples()[2])
	cases := []struct {
		name string
		b    []byte
		want string
	}{
		{"empty", nil, "not a PNG"},
		{"text", []byte("GIF89a, no"), "not a PNG"},
		{"header only", good[:33], "cannot be decoded"},
		{"cut short", good[:len(good)-20], "cannot be decoded"},
		{"huge", claim(good, 1<<20, 1<<20), "scale it down"},
		{"wide", claim(good, 1<<31-1, 1), "scale it down"},
		{"just too many", claim(good, MaxImagePixels/1024+1, 1024), "scale it down"},
		{"large claim in a small file", claim(good, 4096, 4096), "cannot hold the 4096 by 4096 pixels"},
		{"small lie", claim(good, 6, 3), "cannot be decoded"},
		{"no width", claim(good, 0, 3), "PNG"},
	}
	for _, c := range cases {
		m, err := DecodePNG(c.b)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, m, err, c.want)
		}
	}
}

func FuzzDecodePNG(f *testing.F) {
	for _, m := range samples() {
		f.Add(encodePNG(f, m))
	}
	f.Add(claim(encodePNG(f, samples()[0]), 70000, 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodePNG(b)
		if err != nil {
			return
		}
		if err := m.validate(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"dct", "transpose"} {
			p := mustBuild(t, name, Params{Size: 64, Image: m})
			if w, h := p.Buffers[0].Width, p.Buffers[0].Height; w > 64 || h > 64 {
				t.Fatalf("%s works on %d x %d pixels, want at most 64", name, w, h)
			}
		}
	})
}

func TestOwnImageIsCutAndPadded(t *testing.T) {
	m := &Image{Width: 100, Height: 13, Pixels: make([]uint8, 1300)}
	for i := range m.Pixels {
		m.Pixels[i] = uint8(i%100 + i/100)
	}
	got := m.fitted(64, 8)
	if got.Width != 64 || got.Height != 16 {
		t.Fatalf("%d x %d, want the middle 64 columns and 13 rows padded to 16", got.Width, got.Height)
	}
	for y := range 16 {
		for x := range 64 {
			if want := uint8(18 + x + min(y, 12)); got.Pixels[y*64+x] != want {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, got.Pixels[y*64+x], want)
			}
		}
	}
	p := mustBuild(t, "dct", Params{Size: 64, Image: m})
	if b := p.Buffers[0]; b.Width != 64 || b.Height != 16 || b.Bytes != 64*16*4 {
		t.Errorf("dct plane: %d x %d in %d bytes", b.Width, b.Height, b.Bytes)
	}
	if v := math.Float32frombits(binary.LittleEndian.Uint32(p.Buffers[0].Init)); v != 18-128 {
		t.Errorf("first element %v, want the grey level less 128", v)
	}
}
