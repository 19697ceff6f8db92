package main

import (
	"image/color"
	"strings"
	"testing"
)

const testIcon = `<svg viewBox="0 0 32 32"><rect width="32" height="32" rx="5" fill="#101418"/><g fill="#56B4E9"><rect x="4" y="8" width="8" height="16"/></g>` +
	`<path d="M20 8l4 8" stroke="#FF0000" stroke-width="2"/><rect x="4" y="26" width="8" height="4" fill="none" stroke="#FFFFFF" stroke-width="1" stroke-dasharray="2 2"/></svg>`

// TestIcon: what the drawing holds is where the drawing has it, the corners are
// round, and a maskable icon is ground up to its corners with everything further in.
func TestIcon(t *testing.T) {
	shapes, err := shapesOf([]byte(testIcon))
	if err != nil {
		t.Fatal(err)
	}
	ground, blue, red, white, none := color.NRGBA{0x10, 0x14, 0x18, 255}, color.NRGBA{0x56, 0xB4, 0xE9, 255}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{255, 255, 255, 255}, color.NRGBA{}
	const scale = 4
	for _, c := range []struct {
		maskable bool
		x, y     float64 // in units of the drawing
		want     color.NRGBA
	}{
		{false, 0.1, 0.1, none}, {false, 16, 0.5, ground}, {false, 8, 16, blue}, {false, 3, 16, ground},
		{false, 22, 12, red}, {false, 26, 12, ground}, {false, 5, 26, white}, {false, 7, 26, ground}, {false, 9, 26, white}, {false, 8, 28, ground},
		{true, 0.1, 0.1, ground}, {true, 31.9, 31.9, ground}, {true, 16 + maskableScale*(8-16), 16, blue}, {true, 4.5, 16, ground},
	} {
		picture := drawIcon(shapes, iconUnits*scale, c.maskable)
		if got := picture.At(int(c.x*scale), int(c.y*scale)); got != c.want {
			t.Errorf("maskable %v: at %v,%v %v, want %v", c.maskable, c.x, c.y, got, c.want)
		}
	}
}

func TestIconFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`width="32"`, `width="30"`, "wants a ground of 32 by 32"},
		{`x="4" y="8"`, `x="four" y="8"`, `rect: strconv.ParseFloat: parsing "four"`},
		{"M20 8l4 8", "M20 8h4", "wants strokes of the form"},
		{`"2 2"`, `"2"`, `"2" is not 2 numbers`},
		{"#56B4E9", "blue", "parsing \"blue\""},
		{"</g>", "", "element <g> closed by </svg>"},
	} {
		_, err := shapesOf([]byte(strings.Replace(testIcon, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

func BenchmarkIcon(b *testing.B) {
	shapes, err := shapesOf([]byte(testIcon))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		drawIcon(shapes, 512, false)
	}
}
