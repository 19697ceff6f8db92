// Package chart draws figures of papers as SVG.
package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
)

// Dimensions of a drawing, in pixels.
const (
	Width         = 960
	Left          = 56
	Head          = 56
	svgPanelHead  = 44
	svgBarsHeight = 180
	svgPanelFoot  = 34
	svgCellHeight = 18
	svgLine       = 16
	svgLetter     = 8 // of a label, at most
)

// Colours differ for every kind of colour vision, and in lightness (Okabe and
// Ito).
var Colours = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999"}

// Draw draws a figure. The drawing has a title and a description with every value,
// and each mark has a title. Bars stand in the order of the key, so that colour is
// never the only sign. The paper's values are black lines across their bars.
func Draw(d *claim.Drawing) string {
	var body strings.Builder
	y := Head
	for _, p := range d.Panels {
		body.WriteString(Text(Left, y+16, "start", "bold", fmt.Sprintf("%s (%s)", p.Title, p.Unit)))
		if p.Kind == "map" {
			y = svgMap(&body, p, y+svgPanelHead)
		} else {
			y = svgBars(&body, p, y+svgPanelHead)
		}
		y += svgPanelFoot
		for _, words := range p.ZeroWords() {
			body.WriteString(Text(Left, y, "start", "normal", "Geometric mean of "+words))
			y += svgLine
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title description" font-family="sans-serif" font-size="12">`+"\n", Width, y)
	fmt.Fprintf(&b, "<title id=\"title\">%s: %s</title>\n<desc id=\"description\">%s</desc>\n", html.EscapeString(d.Name), html.EscapeString(d.Title), html.EscapeString(describeDrawing(d)))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", Width, y)
	b.WriteString(Text(Left, 24, "start", "bold", d.Name+"  "+d.Title))
	about := fmt.Sprintf("%s inputs; black lines: the paper's values", d.Data)
	if d.Inputs > 0 {
		about += fmt.Sprintf("; thin lines: %d inputs, with a dot at their mean", d.Inputs)
	}
	b.WriteString(Text(Left, 42, "start", "normal", about))
	b.WriteString(body.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// describeDrawing lists every value as text.
func describeDrawing(d *claim.Drawing) string {
	var b strings.Builder
	for _, p := range d.Panels {
		fmt.Fprintf(&b, "%s (%s).", p.Title, p.Unit)
		for _, s := range p.Series {
			fmt.Fprintf(&b, " %s:", s.Label)
			for i, c := range p.Categories {
				fmt.Fprintf(&b, " %s %s", c, ShortNumber(s.Values[i]))
				b.WriteString(spreadText(&s, i))
				if s.Paper[i] != nil {
					fmt.Fprintf(&b, " (paper %s)", ShortNumber(s.Paper[i]))
				}
				if i < len(p.Categories)-1 {
					b.WriteByte(',')
				}
			}
			b.WriteByte('.')
		}
		for _, words := range p.ZeroWords() {
			fmt.Fprintf(&b, " Geometric mean of %s.", words)
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func Text(x, y int, anchor, weight, text string) string {
	return fmt.Sprintf(`<text x="%d" y="%d" text-anchor="%s" font-weight="%s">%s</text>`+"\n", x, y, anchor, weight, html.EscapeString(text))
}

// svgTop is the first round number that is not below the largest value. Shares end at
// 1: an error above 1 only says that the output is lost, and its bar would make the
// others too short to read.
func svgTop(p *claim.DrawnPanel) float64 {
	largest := 0.0
	for _, s := range p.Series {
		for i := range s.Values {
			for _, v := range []*float64{s.Values[i], s.Paper[i]} {
				if v != nil {
					largest = max(largest, *v)
				}
			}
			if x := s.SpreadOf(i); x != nil {
				largest = max(largest, x.High)
			}
		}
	}
	if largest == 0 || p.Unit == "share" && largest > 1 {
		return 1
	}
	step := math.Pow(10, math.Floor(math.Log10(largest)))
	for _, n := range []float64{1, 1.2, 1.6, 2, 3, 4, 6, 8} {
		if n*step >= largest {
			return n * step
		}
	}
	return 10 * step
}

// svgBars draws a group of bars for each category and returns the y of its end.
func svgBars(b *strings.Builder, p *claim.DrawnPanel, y int) int {
	top, bottom := svgTop(p), y+svgBarsHeight
	for i := range 5 {
		at := bottom - svgBarsHeight*i/4
		fmt.Fprintf(b, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#cccccc"/>`+"\n", Left, at, Width-10, at)
		b.WriteString(Text(Left-6, at+4, "end", "normal", fmt.Sprintf("%.3g", top*float64(i)/4)))
	}
	for i, s := range p.Series {
		x := Left + i*(Width-Left-10)/len(p.Series)
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/>`+"\n", x, y-24, Colours[i%len(Colours)])
		b.WriteString(Text(x+14, y-14, "start", "normal", s.Label))
	}
	group := float64(Width-Left-10) / float64(max(len(p.Categories), 1))
	wide := group * 0.85 / float64(max(len(p.Series), 1))
	for c, category := range p.Categories {
		left := float64(Left) + group*(float64(c)+0.075)
		b.WriteString(Text(int(left+group*0.425), bottom+16, "middle", "normal", category))
		for i, s := range p.Series {
			x := left + wide*float64(i)
			if v := s.Values[c]; v != nil {
				height := float64(svgBarsHeight) * min(max(*v, 0), top) / top
				fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`+"\n",
					x, float64(bottom)-height, wide*0.92, height, Colours[i%len(Colours)], html.EscapeString(fmt.Sprintf("%s, %s: %s", category, s.Label, ValueText(&s, c))))
			}
			if v := s.Values[c]; v != nil && *v > top {
				if text := ShortNumber(v); float64(svgLetter*len(text)) <= wide {
					b.WriteString(Text(int(x), y-2, "start", "normal", text))
				} else { // numbers of narrow bars would cover each other
					fmt.Fprintf(b, `<path d="M%.1f %dh%.1fl%.1f -6z" fill="#000000"/>`+"\n", x, y-2, wide*0.92, -wide*0.46)
				}
			}
			if inputs := s.SpreadOf(c); inputs != nil {
				svgWhisker(b, inputs, x+wide*0.46, func(v float64) float64 {
					return float64(bottom) - float64(svgBarsHeight)*min(max(v, 0), top)/top
				})
			}
			if v := s.Paper[c]; v != nil {
				at := float64(bottom) - float64(svgBarsHeight)**v/top
				fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#000000" stroke-width="3"><title>%s</title></line>`+"\n",
					x, at, x+wide*0.92, at, html.EscapeString(fmt.Sprintf("%s, %s, paper: %s", category, s.Label, ShortNumber(v))))
			}
		}
	}
	return bottom
}

// svgWhisker draws the range of a value over all inputs, with a dot at the mean.
func svgWhisker(b *strings.Builder, x *claim.Spread, at float64, y func(float64) float64) {
	low, high := y(x.Low), y(x.High)
	fmt.Fprintf(b, `<path d="M%.1f %.1fh6M%.1f %.1fV%.1fM%.1f %.1fh6" `, at-3, low, at, low, high, at-3, high)
	b.WriteString(`stroke="#000000" stroke-width="1.2" fill="none"/>` + "\n")
	fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2" fill="#000000"/>`+"\n", at, y(x.Mean))
}

// svgMap draws a row of cells for each series, darker for larger values, and returns
// the y of its end.
func svgMap(b *strings.Builder, p *claim.DrawnPanel, y int) int {
	top := svgTop(p)
	left, every := Left, 4
	for _, s := range p.Series {
		left = max(left, 8+svgLetter*len(s.Label))
	}
	if len(p.Categories) <= 8 {
		every = 1
	}
	wide := float64(Width-left-10) / float64(max(len(p.Categories), 1))
	for i, s := range p.Series {
		row := y + i*svgCellHeight
		b.WriteString(Text(left-6, row+13, "end", "normal", s.Label))
		for c, category := range p.Categories {
			v := s.Values[c]
			if v == nil {
				continue
			}
			grey := 255 - int(math.Round(float64(225*math.Sqrt(*v/top))))
			fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="rgb(%d,%d,255)"><title>%s</title></rect>`+"\n",
				float64(left)+wide*float64(c), row, wide*0.96, svgCellHeight-1, grey, grey, html.EscapeString(fmt.Sprintf("%s, %s %s: %s", s.Label, category, p.Axis, ShortNumber(v))))
		}
	}
	bottom := y + len(p.Series)*svgCellHeight
	for c, category := range p.Categories {
		if c%every == 0 {
			b.WriteString(Text(int(float64(left)+wide*(float64(c)+0.5)), bottom+14, "middle", "normal", category))
		}
	}
	return bottom
}

func ShortNumber(f *float64) string {
	if f == nil {
		return "-"
	}
	return strconv.FormatFloat(*f, 'g', 4, 64)
}

// ValueText is a value in four digits, with what it is over all inputs, and the paper's in brackets.
func ValueText(s *claim.DrawnSeries, i int) string {
	text := ShortNumber(s.Values[i]) + spreadText(s, i)
	if s.Paper[i] != nil {
		text += " [" + ShortNumber(s.Paper[i]) + "]"
	}
	return text
}

// spreadText is "" where a value has one input.
func spreadText(s *claim.DrawnSeries, i int) string {
	x := s.SpreadOf(i)
	if x == nil {
		return ""
	}
	return fmt.Sprintf(" (%s to %s, mean %s)", ShortNumber(&x.Low), ShortNumber(&x.High), ShortNumber(&x.Mean))
}
