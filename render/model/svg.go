package model

import (
	"math"
	"strconv"
	"strings"
)

// svgWriter writes a scene as SVG.
type svgWriter struct {
	id       string // begins the names of its patterns: a document has each once
	ink      func(c Colour, level float64) string
	patterns []string
	defs     string
	body     string
}

// SVG returns the elements of a scene, for an svg of the scene's size. Ink says how a
// colour is written; the names of its patterns begin with id.
func (s *Scene) SVG(id string, ink func(c Colour, level float64) string) string {
	w := &svgWriter{id: id, ink: ink}
	for i := range s.Shapes {
		w.shape(&s.Shapes[i])
	}
	if w.defs == "" {
		return w.body
	}
	return "<defs>" + w.defs + "</defs>" + w.body
}

func (w *svgWriter) shape(p *Shape) {
	switch p.Kind {
	case Fill:
		w.box(p, 0, p.Radius, `fill="`+w.ink(p.Colour, p.Level)+`"`)
	case Outline:
		w.box(p, p.Stroke/2, p.Radius, `fill="none" stroke="`+w.ink(p.Colour, p.Level)+`"`+attribute("stroke-width", p.Stroke))
	case Dashed:
		w.box(p, p.Stroke/2, 0, `fill="none" stroke-dasharray="2 2" stroke="`+w.ink(p.Colour, p.Level)+`"`+attribute("stroke-width", p.Stroke))
	case Hatch, Dots:
		w.box(p, 0, 0, `fill="url(#`+w.pattern(p)+`)"`)
		if p.W > 2 && p.H > 2 {
			w.box(p, p.Stroke/2, 0, `fill="none" stroke="`+w.ink(p.Colour, p.Level)+`"`+attribute("stroke-width", p.Stroke))
		}
	case Split:
		w.split(p)
	case Line:
		w.body += "<line" + attribute("x1", p.X) + attribute("y1", p.Y) + attribute("x2", p.W) + attribute("y2", p.H) +
			` stroke="` + w.ink(p.Colour, p.Level) + `"` + attribute("stroke-width", p.Stroke) + opacity(p.Alpha) + "/>"
	case Words:
		w.words(p)
	case Raster:
		w.raster(p)
	}
}

// box writes a rectangle with a border moved inwards.
func (w *svgWriter) box(p *Shape, in, radius float64, look string) {
	if p.W <= 2*in || p.H <= 2*in {
		return
	}
	text := "<rect" + attribute("x", p.X+in) + attribute("y", p.Y+in) + attribute("width", p.W-2*in) + attribute("height", p.H-2*in)
	if radius > 0 {
		text += attribute("rx", min(radius, p.W/2, p.H/2))
	}
	w.body += text + " " + look + opacity(p.Alpha) + "/>"
}

// slit is the height of the gap in a Split.
const slit = 1.8

func (w *svgWriter) split(p *Shape) {
	half := (p.H - slit) / 2
	look := `fill="` + w.ink(p.Colour, p.Level) + `"`
	if half <= 0 {
		w.box(p, 0, 0, look)
		return
	}
	w.box(&Shape{X: p.X, Y: p.Y, W: p.W, H: half, Alpha: p.Alpha}, 0, 0, look)
	w.box(&Shape{X: p.X, Y: p.Y + half + slit, W: p.W, H: half, Alpha: p.Alpha}, 0, 0, look)
}

// pattern names the pattern of a hatched or dotted shape, and defines it once.
func (w *svgWriter) pattern(p *Shape) string {
	kind := "hatch"
	if p.Kind == Dots {
		kind = "dots"
	}
	name := w.id + "-" + kind + "-" + strconv.Itoa(int(p.Colour))
	for _, known := range w.patterns {
		if known == name {
			return name
		}
	}
	w.patterns = append(w.patterns, name)
	ink := `fill="` + w.ink(p.Colour, 0) + `"`
	if p.Kind == Dots {
		w.defs += `<pattern id="` + name + `" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" ` + ink +
			` opacity="0.22"/><circle cx="2" cy="2" r="1.35" ` + ink + "/></pattern>"
	} else {
		w.defs += `<pattern id="` + name + `" width="3.54" height="3.54" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3.54" height="3.54" ` +
			ink + ` opacity="0.16"/><rect width="2.2" height="3.54" ` + ink + "/></pattern>"
	}
	return name
}

func (w *svgWriter) words(p *Shape) {
	if p.Text == "" {
		return
	}
	text := "<text" + attribute("x", p.X) + attribute("y", p.Y) + attribute("font-size", p.Size)
	if p.Bold {
		text += ` font-weight="600"`
	}
	if p.Align == Centre {
		text += ` text-anchor="middle"`
	} else if p.Align == Right {
		text += ` text-anchor="end"`
	}
	w.body += text + ` fill="` + w.ink(p.Colour, p.Level) + `"` + opacity(p.Alpha) + ">" + escaped(p.Text) + "</text>"
}

// raster writes the cells of a picture; equal neighbours become one rectangle.
func (w *svgWriter) raster(p *Shape) {
	pic := p.Picture
	if pic == nil {
		return
	}
	cw, ch := p.W/float64(pic.Width), p.H/float64(pic.Height)
	first := int(math.Ceil(p.CropLeft*float64(pic.Width) - 0.5))
	end := int(math.Ceil((1-p.CropRight)*float64(pic.Width) - 0.5))
	slashes := ""
	for row := range pic.Height {
		for from := first; from < end; {
			c := &pic.Cells[row*pic.Width+from]
			to := from + 1
			for to < end && sameCell(c, &pic.Cells[row*pic.Width+to]) {
				to++
			}
			if c.Alpha > 0 {
				w.box(&Shape{X: p.X + float64(from)*cw, Y: p.Y + float64(row)*ch, W: float64(to-from) * cw, H: ch, Alpha: p.Alpha * float64(c.Alpha) / 255}, 0, 0,
					`fill="`+w.ink(c.Colour, float64(c.Level)/255)+`"`)
			}
			for k := from; k < to && c.Slash && min(cw, ch) >= SlashCell; k++ {
				slashes += "M" + number(p.X+float64(k)*cw) + " " + number(p.Y+float64(row+1)*ch) + "l" + number(cw) + " " + number(-ch)
			}
			from = to
		}
	}
	if slashes != "" {
		w.body += `<path d="` + slashes + `" fill="none" stroke="` + w.ink(p.Colour, p.Level) + `" stroke-width="0.8"/>`
	}
}

func sameCell(a, b *Cell) bool {
	return a.Colour == b.Colour && a.Level == b.Level && a.Alpha == b.Alpha && a.Slash == b.Slash
}

// number writes a number with at most two digits after the point.
func number(v float64) string { return strconv.FormatFloat(math.Floor(v*100+0.5)/100, 'f', -1, 64) }

func attribute(name string, v float64) string { return " " + name + `="` + number(v) + `"` }

func opacity(alpha float64) string {
	if alpha >= 1 {
		return ""
	}
	return attribute("opacity", alpha)
}

func escaped(text string) string {
	text = strings.ReplaceAll(text, "&", "&amp;")
	text = strings.ReplaceAll(text, "<", "&lt;")
	return strings.ReplaceAll(text, `"`, "&quot;")
}
