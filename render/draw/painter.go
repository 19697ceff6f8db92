package draw

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
)

// Painter paints scenes. It keeps its buffers and textures between pictures.
type Painter struct {
	shader   *ebiten.Shader
	atlas    *atlas
	vertices []ebiten.Vertex
	indices  []uint32
	options  ebiten.DrawTrianglesShaderOptions
	rasters  map[*model.Picture]*raster
	frame    int

	scale   float64
	palette *Palette
}

type raster struct {
	image   *ebiten.Image
	palette *Palette
	used    int
}

// NewPainter prepares the shader. Letters come from source.
func NewPainter(source GlyphSource) (*Painter, error) {
	shader, err := ebiten.NewShader([]byte(shaderSource))
	if err != nil {
		return nil, fmt.Errorf("draw: the shader does not compile on this machine: %w", err)
	}
	p := &Painter{shader: shader, atlas: newAtlas(source), rasters: make(map[*model.Picture]*raster), scale: 1}
	p.options.Images[0] = p.atlas.image
	p.options.Uniforms = map[string]any{"Scale": float32(1)}
	return p, nil
}

// SetScale says how many device pixels a logical pixel has.
func (p *Painter) SetScale(scale float64) {
	if !(scale > 0) {
		scale = 1
	}
	if p.scale != scale {
		p.scale = scale
		p.atlas.empty()
	}
	p.options.Uniforms["Scale"] = float32(scale)
}

// Measure returns the width of a text in logical pixels.
func (p *Painter) Measure(text string, size float64, bold bool) float64 {
	return p.atlas.width(text, size*p.scale, bold) / p.scale
}

// Paint draws a scene over the whole of an image.
func (p *Painter) Paint(to *ebiten.Image, s *model.Scene, palette *Palette) {
	p.palette = palette
	p.frame++
	if p.atlas.overflow {
		p.atlas.empty()
	}
	shapes := s.Shapes
	if len(shapes) > 0 && covers(&shapes[0], s) {
		// Clearing is much cheaper than a quad of the whole size.
		to.Fill(p.rgba(shapes[0].Colour))
		shapes = shapes[1:]
	}
	for i := range shapes {
		sh := &shapes[i]
		switch sh.Kind {
		case model.Raster:
			p.flush(to)
			p.paintRaster(to, sh)
		case model.Words:
			p.words(sh)
		case model.Line:
			p.line(sh)
		default:
			p.form(sh)
		}
	}
	p.flush(to)
	p.forgetRasters()
}

// covers reports whether a shape hides the whole picture.
func covers(sh *model.Shape, s *model.Scene) bool {
	return sh.Kind == model.Fill && sh.Alpha == 1 && sh.X <= 0 && sh.Y <= 0 && sh.W >= s.W && sh.H >= s.H
}

func (p *Painter) rgba(c model.Colour) color.RGBA {
	k := p.palette.Colour(c, 0)
	return color.RGBA{byte(k.R*255 + 0.5), byte(k.G*255 + 0.5), byte(k.B*255 + 0.5), 255}
}

func (p *Painter) flush(to *ebiten.Image) {
	if len(p.indices) > 0 {
		to.DrawTrianglesShader32(p.vertices, p.indices, p.shader, &p.options)
	}
	p.vertices, p.indices = p.vertices[:0], p.indices[:0]
}

var forms = [...]float64{
	model.Fill: formFill, model.Outline: formOutline, model.Dashed: formDashed,
	model.Hatch: formHatch, model.Dots: formDots, model.Split: formSplit,
}

// strokeUnit encodes a stroke width in the fraction of a form: up to 16 device pixels.
const strokeUnit = 1.0 / 16

func (p *Painter) form(sh *model.Shape) {
	x1, y1, x2, y2 := sh.X*p.scale, sh.Y*p.scale, (sh.X+sh.W)*p.scale, (sh.Y+sh.H)*p.scale
	stroke := max(sh.Stroke*p.scale, 1)
	if sh.Radius == 0 || sh.Kind != model.Fill {
		// Whole device pixels across, so that lines are sharp; along time only
		// what stands still may jump, so x stays where it is.
		y1, y2 = round(y1), round(y2)
		if y2 <= y1 {
			y2 = y1 + 1
		}
	}
	if x2-x1 > 24*p.scale { // large things do not move
		x1, x2 = round(x1), round(x2)
	}
	p.quad(x1, y1, x2, y2, forms[sh.Kind]+min(stroke, 15.5)*strokeUnit, sh.Radius*p.scale, p.colour(sh))
}

func round(v float64) float64 { return math.Round(v) }

func (p *Painter) colour(sh *model.Shape) [4]float64 {
	c, a := p.palette.Colour(sh.Colour, sh.Level), sh.Alpha
	return [4]float64{c.R * a, c.G * a, c.B * a, a}
}

// quad adds an upright rectangle, one device pixel larger on each side for the
// blended edge.
func (p *Painter) quad(x1, y1, x2, y2, form, radius float64, c [4]float64) {
	const air = 1
	hw, hh := (x2-x1)/2, (y2-y1)/2
	cx, cy := x1+hw, y1+hh
	radius = min(radius, hw, hh)
	p.corner(x1-air, y1-air, x1-air-cx, y1-air-cy, form, hw, hh, radius, c)
	p.corner(x2+air, y1-air, x2+air-cx, y1-air-cy, form, hw, hh, radius, c)
	p.corner(x1-air, y2+air, x1-air-cx, y2+air-cy, form, hw, hh, radius, c)
	p.corner(x2+air, y2+air, x2+air-cx, y2+air-cy, form, hw, hh, radius, c)
	p.face()
}

func (p *Painter) corner(x, y, u, v, form, hw, hh, radius float64, c [4]float64) {
	p.vertices = append(p.vertices, ebiten.Vertex{
		DstX: float32(x), DstY: float32(y), SrcX: float32(u), SrcY: float32(v),
		ColorR: float32(c[0]), ColorG: float32(c[1]), ColorB: float32(c[2]), ColorA: float32(c[3]),
		Custom0: float32(form), Custom1: float32(hw), Custom2: float32(hh), Custom3: float32(radius),
	})
}

// face joins the last four corners.
func (p *Painter) face() {
	n := uint32(len(p.vertices)) - 4
	p.indices = append(p.indices, n, n+1, n+2, n+1, n+3, n+2)
}

func (p *Painter) line(sh *model.Shape) {
	x1, y1, x2, y2 := sh.X*p.scale, sh.Y*p.scale, sh.W*p.scale, sh.H*p.scale
	dx, dy := x2-x1, y2-y1
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	dx, dy = dx/length, dy/length
	hw, hh := length/2, max(sh.Stroke*p.scale, 1)/2
	cx, cy := (x1+x2)/2, (y1+y2)/2
	c := p.colour(sh)
	for _, k := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		u, v := k[0]*(hw+1), k[1]*(hh+1)
		p.corner(cx+u*dx-v*dy, cy+u*dy+v*dx, u, v, formFill, hw, hh, 0, c)
	}
	p.face()
}

func (p *Painter) words(sh *model.Shape) {
	size := sh.Size * p.scale
	x := sh.X * p.scale
	switch sh.Align {
	case model.Centre:
		x -= p.atlas.width(sh.Text, size, sh.Bold) / 2
	case model.Right:
		x -= p.atlas.width(sh.Text, size, sh.Bold)
	}
	y := round(sh.Y * p.scale)
	c := p.colour(sh)
	for _, r := range sh.Text {
		g := p.atlas.get(r, size, sh.Bold)
		if g.w > 0 {
			p.glyph(round(x)+float64(g.left), y+float64(g.top), g, c)
		}
		x += g.advance
	}
}

func (p *Painter) glyph(x, y float64, g placedGlyph, c [4]float64) {
	w, h := float64(g.w), float64(g.h)
	u, v := float64(g.x), float64(g.y)
	p.corner(x, y, u, v, formGlyph, 0, 0, 0, c)
	p.corner(x+w, y, u+w, v, formGlyph, 0, 0, 0, c)
	p.corner(x, y+h, u, v+h, formGlyph, 0, 0, 0, c)
	p.corner(x+w, y+h, u+w, v+h, formGlyph, 0, 0, 0, c)
	p.face()
}

// paintRaster stretches a picture's cells, cropped on the left and right.
func (p *Painter) paintRaster(to *ebiten.Image, sh *model.Shape) {
	pic := sh.Picture
	if pic == nil || pic.Width < 1 || pic.Height < 1 || sh.CropLeft+sh.CropRight >= 1 {
		return
	}
	r := p.rasters[pic]
	if r == nil {
		r = &raster{image: ebiten.NewImage(pic.Width, pic.Height)}
		p.rasters[pic] = r
	}
	if r.palette != p.palette {
		r.image.WritePixels(p.cells(pic))
		r.palette = p.palette
	}
	r.used = p.frame
	x, y, w, h := sh.X*p.scale, sh.Y*p.scale, sh.W*p.scale, sh.H*p.scale
	left, right := float32(x+w*sh.CropLeft), float32(x+w*(1-sh.CropRight))
	top, bottom := float32(y), float32(y+h)
	ul, ur, vb := float32(float64(pic.Width)*sh.CropLeft), float32(float64(pic.Width)*(1-sh.CropRight)), float32(pic.Height)
	v := [4]ebiten.Vertex{
		{DstX: left, DstY: top, SrcX: ul, SrcY: 0}, {DstX: right, DstY: top, SrcX: ur, SrcY: 0},
		{DstX: left, DstY: bottom, SrcX: ul, SrcY: vb}, {DstX: right, DstY: bottom, SrcX: ur, SrcY: vb},
	}
	for i := range v {
		v[i].ColorR, v[i].ColorG, v[i].ColorB, v[i].ColorA = 1, 1, 1, 1
	}
	filter := ebiten.FilterNearest
	if w < float64(pic.Width) {
		filter = ebiten.FilterLinear
	}
	to.DrawTriangles32(v[:], []uint32{0, 1, 2, 1, 3, 2}, r.image, &ebiten.DrawTrianglesOptions{Filter: filter})
	p.slashes(sh)
}

// slashes crosses the cells of a raster that ask for it.
func (p *Painter) slashes(sh *model.Shape) {
	pic := sh.Picture
	cw, ch := sh.W/float64(pic.Width), sh.H/float64(pic.Height)
	if min(cw, ch) < model.SlashCell {
		return
	}
	for i := range pic.Cells {
		column := i % pic.Width
		if at := (float64(column) + 0.5) / float64(pic.Width); !pic.Cells[i].Slash || at < sh.CropLeft || at > 1-sh.CropRight {
			continue
		}
		x, y := sh.X+float64(column)*cw, sh.Y+float64(i/pic.Width)*ch
		p.line(&model.Shape{X: x, Y: y + ch, W: x + cw, H: y, Stroke: 1, Alpha: sh.Alpha, Colour: sh.Colour})
	}
}

// cells returns the pixels of a picture, alpha premultiplied.
func (p *Painter) cells(pic *model.Picture) []byte {
	out := make([]byte, 0, 4*len(pic.Cells))
	for _, c := range pic.Cells {
		k := p.palette.Colour(c.Colour, float64(c.Level)/255)
		a := float64(c.Alpha)
		out = append(out, byte(k.R*a+0.5), byte(k.G*a+0.5), byte(k.B*a+0.5), c.Alpha)
	}
	return out
}

// forgetRasters frees the textures of pictures that are no longer shown.
func (p *Painter) forgetRasters() {
	for pic, r := range p.rasters {
		if p.frame-r.used > 60 {
			r.image.Deallocate()
			delete(p.rasters, pic)
		}
	}
}

func (a *atlas) region(g placedGlyph) *ebiten.Image {
	return a.image.SubImage(image.Rect(g.x, g.y, g.x+g.w, g.y+g.h)).(*ebiten.Image)
}
