//go:build js

package main

import (
	"math"
	"strconv"
	"syscall/js"

	"github.com/burstscope/burstscope/render/draw"
)

// canvasGlyphs lets the browser draw letters: system fonts are sharp at every size, and
// nothing must be loaded for them.
type canvasGlyphs struct {
	context js.Value
	pixels  []byte
}

// canvasSide fits the largest letter: 40 logical pixels at three device pixels each.
const canvasSide = 160

func newCanvasGlyphs() *canvasGlyphs {
	canvas := js.Global().Get("document").Call("createElement", "canvas")
	canvas.Set("width", canvasSide)
	canvas.Set("height", canvasSide)
	context := canvas.Call("getContext", "2d", map[string]any{"willReadFrequently": true})
	return &canvasGlyphs{context: context, pixels: make([]byte, canvasSide*canvasSide*4)}
}

const fontFamily = `px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`

// Glyph implements draw.GlyphSource.
func (c *canvasGlyphs) Glyph(r rune, size float64, bold bool) draw.Glyph {
	if !c.context.Truthy() {
		return draw.Glyph{Advance: size * 0.55}
	}
	weight := "400 "
	if bold {
		weight = "600 "
	}
	c.context.Set("font", weight+strconv.FormatFloat(float64(size), 'f', 2, 32)+fontFamily)
	text := string(r)
	m := c.context.Call("measureText", text)
	g := draw.Glyph{Advance: float64(m.Get("width").Float())}
	if r == ' ' {
		return g
	}
	left, right := bound(m, "actualBoundingBoxLeft"), bound(m, "actualBoundingBoxRight")
	up, down := bound(m, "actualBoundingBoxAscent"), bound(m, "actualBoundingBoxDescent")
	g.Width, g.Height = left+right, up+down
	if g.Width <= 0 || g.Height <= 0 || g.Width > canvasSide || g.Height > canvasSide {
		g.Width, g.Height = 0, 0
		return g
	}
	g.Left, g.Top = -left, -up
	c.context.Call("clearRect", 0, 0, canvasSide, canvasSide)
	c.context.Set("fillStyle", "#fff")
	c.context.Call("fillText", text, left, up)
	data := c.context.Call("getImageData", 0, 0, g.Width, g.Height).Get("data")
	n := js.CopyBytesToGo(c.pixels, data) / 4
	g.Mask = make([]byte, g.Width*g.Height)
	for i := range min(n, len(g.Mask)) {
		g.Mask[i] = c.pixels[4*i+3]
	}
	return g
}

// bound reads one side of a letter's box, rounded outwards to whole pixels, plus one
// pixel for the blended edge.
func bound(metrics js.Value, key string) int {
	v := metrics.Get(key)
	if v.Type() != js.TypeNumber {
		return 0
	}
	return int(math.Ceil(v.Float())) + 1
}
