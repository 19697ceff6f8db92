package draw

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"runtime"
	"testing"

	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
)

// Pixels can be read only while Ebiten runs, so the tests run inside its first
// update. Without a display those that read pixels are skipped.

var hasDisplay = runtime.GOOS != "linux" || os.Getenv("DISPLAY") != ""

type testGame struct {
	m    *testing.M
	code int
}

func (g *testGame) Update() error {
	g.code = g.m.Run()
	return ebiten.Termination
}
func (g *testGame) Draw(*ebiten.Image)         {}
func (g *testGame) Layout(int, int) (int, int) { return 64, 64 }

func TestMain(m *testing.M) {
	if !hasDisplay {
		os.Exit(m.Run())
	}
	g := &testGame{m: m}
	if err := ebiten.RunGame(g); err != nil {
		fmt.Fprintln(os.Stderr, "draw: Ebiten does not run here:", err)
		os.Exit(1)
	}
	os.Exit(g.code)
}

// blockGlyphs draws every letter as a box: 0.5 wide, 0.7 high.
type blockGlyphs struct{ asked int }

func (b *blockGlyphs) Glyph(_ rune, size float64, _ bool) Glyph {
	b.asked++
	w, h := int(size*0.5), int(size*0.7)
	g := Glyph{Width: w, Height: h, Top: -h, Advance: size * 0.6, Mask: make([]byte, w*h)}
	for i := range g.Mask {
		g.Mask[i] = 255
	}
	return g
}

func paint(t *testing.T, scale float64, shapes ...model.Shape) (*Painter, func(x, y int) color.RGBA) {
	t.Helper()
	if !hasDisplay {
		t.Skip("no display: set DISPLAY or run under xvfb-run to test pixels")
	}
	p, err := NewPainter(&blockGlyphs{})
	if err != nil {
		t.Fatal(err)
	}
	p.SetScale(scale)
	const side = 60
	s := model.Scene{W: side, H: side}
	s.Shapes = append([]model.Shape{{Kind: model.Fill, Colour: model.Paper, W: side, H: side, Alpha: 1}}, shapes...)
	screen := ebiten.NewImage(int(side*scale), int(side*scale))
	p.Paint(screen, &s, PaletteFor(false))
	pixels := make([]byte, 4*screen.Bounds().Dx()*screen.Bounds().Dy())
	screen.ReadPixels(pixels)
	im := image.RGBA{Pix: pixels, Stride: 4 * screen.Bounds().Dx(), Rect: screen.Bounds()}
	return p, im.RGBAAt
}

func near(c color.RGBA, want RGB) bool {
	d := func(a uint8, b float64) bool { return max(float64(a)-b*255, b*255-float64(a)) < 6 }
	return d(c.R, want.R) && d(c.G, want.G) && d(c.B, want.B)
}

func token(c model.Colour) RGB { return PaletteFor(false).Colour(c, 0) }

func TestFillHasSharpEdgesOnDevicePixels(t *testing.T) {
	for _, scale := range []float64{1, 2, 3} {
		_, at := paint(t, scale, model.Shape{Kind: model.Fill, Colour: model.FetchedColour, X: 10, Y: 10, W: 30, H: 20, Alpha: 1})
		k := int(scale)
		for _, c := range []struct {
			x, y int
			want model.Colour
		}{
			{10 * k, 10 * k, model.FetchedColour}, {10*k - 1, 15 * k, model.Paper}, {40*k - 1, 30*k - 1, model.FetchedColour},
			{40 * k, 20 * k, model.Paper}, {20 * k, 30 * k, model.Paper}, {25 * k, 20 * k, model.FetchedColour},
		} {
			if got := at(c.x, c.y); !near(got, token(c.want)) {
				t.Errorf("scale %v: pixel %d,%d is %v, want colour %d", scale, c.x, c.y, got, c.want)
			}
		}
	}
}

func TestShapesDifferWithoutColour(t *testing.T) {
	kinds := []model.Kind{model.Fill, model.Outline, model.Dashed, model.Hatch, model.Dots, model.Split}
	seen := map[string]model.Kind{}
	for _, k := range kinds {
		_, at := paint(t, 1, model.Shape{Kind: k, Colour: model.Ink, X: 10, Y: 10, W: 12, H: 14, Alpha: 1, Stroke: 1})
		pattern := ""
		for y := 10; y < 24; y++ {
			for x := 10; x < 22; x++ {
				if at(x, y).R < 140 {
					pattern += "#"
				} else {
					pattern += "."
				}
			}
		}
		if other, ok := seen[pattern]; ok {
			t.Errorf("kinds %d and %d look the same in black and white", k, other)
		}
		seen[pattern] = k
	}
}

func TestSavedBurstIsHollowAndHatchIsNot(t *testing.T) {
	_, at := paint(t, 2,
		model.Shape{Kind: model.Dashed, Colour: model.Muted, X: 5, Y: 5, W: 12, H: 12, Alpha: 1, Stroke: 1},
		model.Shape{Kind: model.Hatch, Colour: model.ApproximatedColour, X: 25, Y: 5, W: 12, H: 12, Alpha: 1, Stroke: 1})
	if !near(at(22, 22), token(model.Paper)) {
		t.Error("a saved burst is filled")
	}
	full, pale := 0, 0
	for x := 52; x < 72; x++ {
		if near(at(x, 22), token(model.ApproximatedColour)) {
			full++
		} else {
			pale++
		}
	}
	if full < 4 || pale < 4 {
		t.Errorf("along the middle of a hatched cell %d pixels are stripes, %d between", full, pale)
	}
}

func TestTextIsPlacedByItsAlignment(t *testing.T) {
	word := model.Shape{Kind: model.Words, Colour: model.Ink, X: 30, Y: 30, Size: 10, Alpha: 1, Text: "ab"}
	for align, columns := range map[model.Align][2]int{model.Left: {30, 41}, model.Centre: {24, 35}, model.Right: {18, 29}} {
		word.Align = align
		p, at := paint(t, 1, word)
		if w := p.Measure("ab", 10, false); w != 12 {
			t.Errorf("two letters measure %v, want 12", w)
		}
		first, last := -1, -1
		for x := range 60 {
			if near(at(x, 27), token(model.Ink)) {
				if first < 0 {
					first = x
				}
				last = x
			}
		}
		if first != columns[0] || last != columns[1]-1 {
			t.Errorf("align %d: letters from %d to %d, want %d to %d", align, first, last, columns[0], columns[1]-1)
		}
	}
}

func TestRasterIsCroppedBetweenAAndB(t *testing.T) {
	pic := &model.Picture{Width: 2, Height: 1, Cells: []model.Cell{
		{Colour: model.FetchedColour, Alpha: 255}, {Colour: model.ApproximatedColour, Alpha: 255}}}
	_, at := paint(t, 1, model.Shape{Kind: model.Raster, X: 10, Y: 10, W: 40, H: 10, Alpha: 1, Picture: pic, CropLeft: 0.25})
	for _, c := range []struct {
		x    int
		want model.Colour
	}{{15, model.Paper}, {25, model.FetchedColour}, {35, model.ApproximatedColour}, {52, model.Paper}} {
		if got := at(c.x, 15); !near(got, token(c.want)) {
			t.Errorf("column %d is %v, want colour %d", c.x, got, c.want)
		}
	}
}

func TestLettersAreAskedForOnce(t *testing.T) {
	if !hasDisplay {
		t.Skip("no display: set DISPLAY or run under xvfb-run to test pixels")
	}
	source := &blockGlyphs{}
	a := newAtlas(source)
	for range 5 {
		a.width("burst", 12, false)
	}
	if source.asked != 5 {
		t.Errorf("5 different letters were asked for %d times", source.asked)
	}
	if a.width("1", 12, false) != a.width("8", 12, false) {
		t.Error("digits differ in width")
	}
}
