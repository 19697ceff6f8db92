package draw

import (
	"github.com/hajimehoshi/ebiten/v2"
)

// Glyph is a letter as a mask of device pixels. Left and Top say where the mask
// begins, from the pen and the baseline; Advance moves the pen.
type Glyph struct {
	Width, Height int
	Left, Top     int
	Advance       float64
	Mask          []byte // Width x Height coverages
}

// GlyphSource makes letters of a size in device pixels. In a browser it asks the
// browser, which has the system's fonts and costs no bytes.
type GlyphSource interface {
	Glyph(r rune, size float64, bold bool) Glyph
}

type glyphKey struct {
	r    rune
	size int32 // in quarters of a device pixel
	bold bool
}

type placedGlyph struct {
	x, y, w, h int
	left, top  int
	advance    float64
}

// atlasSize fits about 2000 letters at twice the usual size. When it is full it
// is emptied and filled anew with what is still in use.
const atlasSize = 1024

// atlas keeps letters in one image. Its letters are packed in shelves.
type atlas struct {
	source   GlyphSource
	image    *ebiten.Image
	glyphs   map[glyphKey]placedGlyph
	digit    map[glyphKey]float64 // width of the widest digit of a size
	x, y     int
	shelf    int
	pixels   []byte
	overflow bool
}

func newAtlas(source GlyphSource) *atlas {
	return &atlas{
		source: source,
		image:  ebiten.NewImage(atlasSize, atlasSize),
		glyphs: make(map[glyphKey]placedGlyph),
		digit:  make(map[glyphKey]float64),
	}
}

func (a *atlas) empty() {
	clear(a.glyphs)
	a.image.Clear()
	a.x, a.y, a.shelf, a.overflow = 0, 0, 0, false
}

func (a *atlas) get(r rune, size float64, bold bool) placedGlyph {
	key := glyphKey{r, int32(size * 4), bold}
	if g, ok := a.glyphs[key]; ok {
		return g
	}
	g := a.source.Glyph(r, size, bold)
	p := a.put(g)
	if r >= '0' && r <= '9' { // tabular numerals, whatever the font does
		widest := a.digitWidth(size, bold)
		p.left += int((widest - p.advance) / 2)
		p.advance = widest
	}
	a.glyphs[key] = p
	return p
}

func (a *atlas) digitWidth(size float64, bold bool) float64 {
	key := glyphKey{size: int32(size * 4), bold: bold}
	if w, ok := a.digit[key]; ok {
		return w
	}
	widest := float64(0)
	for r := '0'; r <= '9'; r++ {
		widest = max(widest, a.source.Glyph(r, size, bold).Advance)
	}
	a.digit[key] = widest
	return widest
}

// put copies a letter into the atlas.
func (a *atlas) put(g Glyph) placedGlyph {
	p := placedGlyph{left: g.Left, top: g.Top, advance: g.Advance}
	if g.Width <= 0 || g.Height <= 0 || g.Width > atlasSize/4 || g.Height > atlasSize/4 || len(g.Mask) < g.Width*g.Height {
		return p
	}
	if a.x+g.Width+1 > atlasSize {
		a.x, a.y, a.shelf = 0, a.y+a.shelf+1, 0
	}
	if a.y+g.Height+1 > atlasSize {
		a.overflow = true
		return p
	}
	p.x, p.y, p.w, p.h = a.x, a.y, g.Width, g.Height
	a.x += g.Width + 1
	a.shelf = max(a.shelf, g.Height)
	a.pixels = a.pixels[:0]
	for _, m := range g.Mask[:g.Width*g.Height] {
		a.pixels = append(a.pixels, m, m, m, m)
	}
	a.region(p).WritePixels(a.pixels)
	return p
}

// width returns how far a text moves the pen.
func (a *atlas) width(text string, size float64, bold bool) float64 {
	w := float64(0)
	for _, r := range text {
		w += a.get(r, size, bold).advance
	}
	return w
}
