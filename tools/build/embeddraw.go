package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/render/model"
)

// posterColours are the colours of a poster's texts and lines.
var posterColours = []model.Colour{model.Paper, model.Ink, model.Muted, model.Rule, model.Accent, model.FetchedColour, model.ApproximatedColour}

// posterStyle is the look of a poster: the palette, and shapes as in site/style.css. A
// picture takes its theme from the page it stands in.
func posterStyle() string {
	return `<style>:root{` + posterTokens(false) + `}
@media(prefers-color-scheme:dark){:root{` + posterTokens(true) + `}}
svg{font-family:system-ui,"DejaVu Sans",sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.m{fill:var(--muted)}.e{text-anchor:end}.b{font-weight:600}.c{fill:var(--accent);font-weight:600}.paper{fill:var(--paper)}
.r{stroke:var(--rule)}.ca{fill:none;stroke:var(--muted);stroke-width:1.6}.cb{fill:none;stroke:var(--fetched);stroke-width:2}
image{image-rendering:pixelated}
</style>`
}

func posterTokens(dark bool) string {
	var all []string
	for _, c := range posterColours {
		all = append(all, fmt.Sprintf("--%s:#%06x", c.Token(), c.Hex(dark)))
	}
	return strings.Join(all, ";")
}

// posterInk writes a colour of a described picture.
func posterInk(c model.Colour, _ float64) string { return "var(--" + c.Token() + ")" }

// sketch collects the elements of a picture.
type sketch struct {
	strings.Builder
}

func (s *sketch) text(x, y, size float64, class, words string) {
	fmt.Fprintf(s, `<text x="%g" y="%g" font-size="%g" class="%s">%s</text>`, x, y, size, class, html.EscapeString(words))
}

// lines writes words in lines that fit a width, and returns the baseline of the
// last. A letter of the system's fonts is about half as wide as its size, those of
// DejaVu more. Figures and their units are joined by narrow spaces, which stay.
func (s *sketch) lines(x, y, size, leading, width float64, class, words string) float64 {
	const letter = 0.58
	most := int(width / (size * letter))
	line := ""
	for word := range strings.SplitSeq(words, " ") {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > most {
			s.text(x, y, size, class, line)
			y += leading
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	s.text(x, y, size, class, line)
	return y
}

func (p *embedPoster) begin(image posterImage) *sketch {
	s := &sketch{}
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img"><title>%s</title>%s<rect class="paper" width="100%%" height="100%%"/>`,
		image.Width, image.Height, image.Width, image.Height, html.EscapeString(p.Alt), posterStyle())
	return s
}

// drawWide is the poster for places from about 700 pixels: no letter is below 12
// pixels there.
func (p *embedPoster) drawWide() string {
	s := p.begin(p.Wide)
	const left, width = 28.0, 904.0
	s.text(left, 40, 17, "m", p.Title)
	s.lines(left, 76, 25, 34, width, "", p.Headline)
	const top, pictureWidth, right, tableWidth = 166.0, 530.0, 592.0, 340.0
	y := p.drawBlocks(s, left, top, pictureWidth, 16, 14)
	p.drawCurves(s, left, y+32, pictureWidth, 96, 16)
	p.drawTable(s, right, top, tableWidth, 16, 29)
	if len(p.crops) > 0 {
		p.drawCrops(s, right, 396, 136, 26, 16)
	}
	s.text(left, 582, 16, "m", p.stamp())
	return end(s)
}

// drawNarrow is the poster for phones.
func (p *embedPoster) drawNarrow() string {
	s := p.begin(p.Narrow)
	const left, width = 16.0, 408.0
	y := s.lines(left, 30, 15, 20, width, "m", p.Title)
	y = s.lines(left, y+32, 21, 28, width, "", p.Headline)
	y = p.drawTable(s, left, y+32, width, 16, 27)
	y = p.drawBlocks(s, left, y+36, width, 15, 11)
	if len(p.crops) > 0 {
		p.drawCrops(s, left, y+14, 96, 24, 15)
	} else {
		p.drawCurves(s, left, y+30, width, 60, 15)
	}
	s.lines(left, 728, 15, 20, width, "m", p.stamp())
	return end(s)
}

// drawForPage is the part of a poster that the page has nowhere else: blocks, curves, and the
// output if that is a picture.
func (p *embedPoster) drawForPage(image posterImage) string {
	s := p.begin(image)
	left, width, size, cell, height := 4.0, float64(image.Width)-8, 16.0, 20.0, 200.0
	narrow := image.Width < 600
	if narrow {
		size, cell, height = 15, 11, 70
	}
	crops := len(p.crops) > 0
	if crops && !narrow {
		width = 640
		cell = 16
	}
	y := p.drawBlocks(s, left, 20, width, size, cell)
	switch {
	case crops && narrow:
		p.drawCrops(s, left, y+14, 96, 24, size)
		y += 130
	case crops:
		const side = 148
		p.drawCropsBelow(s, left+width+40, 20, side, size)
	}
	if len(p.blocks) > 0 || len(p.curves[0]) > 0 {
		p.drawCurves(s, left, y+32, width, min(height, float64(image.Height)-y-56), size)
	}
	return end(s)
}

func end(s *sketch) string {
	s.WriteString("</svg>\n")
	return s.String()
}

func (p *embedPoster) stamp() string {
	return fmt.Sprintf("Burstscope %s · results A %s, B %s", p.Version, scenario.ShortHash(p.Hashes["A"]), scenario.ShortHash(p.Hashes["B"]))
}

// drawBlocks shows the same blocks under both schemes, as render/model describes it.
func (p *embedPoster) drawBlocks(s *sketch, x, y, width, size, cell float64) float64 {
	if len(p.blocks) == 0 {
		return y
	}
	c := model.Columns{
		Caption: fmt.Sprintf("%d blocks, typical of the run, read from cycle %s:", len(p.blocks), count(float64(p.at))),
		Names:   p.Names, PerBlock: p.perBlock, Size: size, Cell: cell,
	}
	for _, pair := range p.blocks {
		c.Sides[0] = append(c.Sides[0], model.Column{Fetched: pair.a.fetched, Lossy: pair.a.lossy})
		c.Sides[1] = append(c.Sides[1], model.Column{Fetched: pair.b.fetched, Lossy: pair.b.lossy})
	}
	var scene model.Scene
	y = c.Draw(&scene, x, y, width, posterBlocks)
	s.WriteString(scene.CompactSVG("p", posterInk))
	return y
}

// drawCurves shows the bytes on the buses over the time of the run.
func (p *embedPoster) drawCurves(s *sketch, x, y, width, height, size float64) {
	long, most := 1, 1e-9
	for _, c := range p.curves {
		long = max(long, len(c))
		for _, v := range c {
			most = max(most, v)
		}
	}
	s.text(x, y, size, "m", fmt.Sprintf("bandwidth over the run, %s cycles", count(float64(p.cycles))))
	for i, name := range []string{"B", "A"} {
		end := x + width - 3.6*size*float64(i)
		s.text(end, y, size, "m e", name)
		fmt.Fprintf(s, `<path class="c%s" d="M%g %gh%g"/>`, strings.ToLower(name), end-2.6*size, y-.35*size, 1.5*size)
	}
	y += 8
	fmt.Fprintf(s, `<path class="r" d="M%g %gh%g"/>`, x, y+height, width)
	for i, c := range p.curves {
		group := max(1, (long+curvePoints-1)/curvePoints)
		var path strings.Builder
		letter := "M"
		for from := 0; from < len(c); from += group {
			to := min(len(c), from+group)
			mean := 0.0
			for _, v := range c[from:to] {
				mean += v / float64(to-from)
			}
			at := x + width*(float64(from+to)/2)/float64(long)
			fmt.Fprintf(&path, "%s%.0f %.1f", letter, at, y+height-height*mean/most)
			letter = "L"
		}
		fmt.Fprintf(s, `<path class="c%c" d="%s"/>`, 'a'+i, path.String())
	}
}

func (p *embedPoster) drawTable(s *sketch, x, y, width, size, leading float64) float64 {
	columns := [3]float64{x + width*.555, x + width*.785, x + width}
	s.text(columns[0], y, size, "b e", "A")
	s.text(columns[1], y, size, "b e", "B")
	for _, row := range p.Rows {
		fmt.Fprintf(s, `<path class="r" d="M%g %gh%g"/>`, x, y+8, width)
		y += leading
		s.text(x, y, size, "m", row.Name)
		s.text(columns[0], y, size, "e", row.A)
		s.text(columns[1], y, size, "e", row.B)
		if len([]rune(row.Compared)) <= 7 {
			s.text(columns[2], y, size, "c e", row.Compared)
		}
	}
	return y
}

// drawCropsBelow puts the details of the output below one another.
func (p *embedPoster) drawCropsBelow(s *sketch, x, y, side, size float64) {
	for i, g := range p.crops {
		top := y + float64(i)*(side+2.2*size)
		fmt.Fprintf(s, `<image x="%g" y="%g" width="%g" height="%g" href="%s"/>`, x, top, side, side, dataURL(g))
		s.text(x, top+side+size*1.2, size, "m", [...]string{"exact (detail)", "B (detail)"}[i])
	}
}

func (p *embedPoster) drawCrops(s *sketch, x, y, side, gap, size float64) {
	for i, g := range p.crops {
		left := x + float64(i)*(side+gap)
		fmt.Fprintf(s, `<image x="%g" y="%g" width="%g" height="%g" href="%s"/>`, left, y, side, side, dataURL(g))
		s.text(left, y+side+size*1.2, size, "m", [...]string{"exact (detail)", "B (detail)"}[i])
	}
}
