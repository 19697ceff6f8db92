package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/burstscope/burstscope/core/scenario"
)

// The look of a poster: the colours and shapes of site/style.css. A picture takes
// its theme from the page it stands in.
const posterStyle = `<style>
:root{--paper:#fbfbf8;--ink:#1b1f24;--rule:#d8dad3;--muted:#5f656b;--fetched:#0072b2;--approx:#d55e00;--a:#676d73;--accent:#0b6e99}
@media(prefers-color-scheme:dark){:root{--paper:#101418;--ink:#e6e8ea;--rule:#2c333a;--muted:#9aa3ab;--fetched:#3d9ad6;--approx:#f0803c;--a:#9aa3ab;--accent:#56b4dc}}
text{font-family:system-ui,"DejaVu Sans",sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.m{fill:var(--muted)}.e{text-anchor:end}.b{font-weight:600}.c{fill:var(--accent);font-weight:600}
.paper{fill:var(--paper)}.f{fill:var(--fetched)}.l{fill:url(#h)}.s{fill:none;stroke:var(--muted);stroke-width:.8;stroke-dasharray:2 2}
.fp{stroke:var(--fetched)}.lp{stroke:url(#h)}.sp{fill:none;stroke:var(--muted);stroke-width:.8;stroke-dasharray:2 2}
.r{stroke:var(--rule)}.ca{fill:none;stroke:var(--a);stroke-width:1.6}.cb{fill:none;stroke:var(--fetched);stroke-width:2}
.hb{fill:var(--approx)}.hl{stroke:var(--paper);stroke-width:1.6}image{image-rendering:pixelated}
</style><defs><pattern id="h" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hb" width="5" height="5"/><path class="hl" d="M0 0v5"/></pattern></defs>`

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
		image.Width, image.Height, image.Width, image.Height, html.EscapeString(p.Alt), posterStyle)
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
	y := p.drawBlocks(s, left, top, pictureWidth, 16, 26)
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
	y = p.drawBlocks(s, left, y+36, width, 15, 20)
	if len(p.crops) > 0 {
		p.drawCrops(s, left, y+14, 96, 24, 15)
	} else {
		p.drawCurves(s, left, y+30, width, 60, 15)
	}
	s.lines(left, 728, 15, 20, width, "m", p.stamp())
	return end(s)
}

func end(s *sketch) string {
	s.WriteString("</svg>\n")
	return s.String()
}

func (p *embedPoster) stamp() string {
	return fmt.Sprintf("Burstscope %s · results A %s, B %s", p.Version, scenario.ShortHash(p.Hashes["A"]), scenario.ShortHash(p.Hashes["B"]))
}

// drawBlocks shows the same blocks under both schemes: a column is a block, a cell
// one burst; filled is fetched, hatched approximated, outlined saved.
func (p *embedPoster) drawBlocks(s *sketch, x, y, width, size, cell float64) float64 {
	if len(p.blocks) == 0 {
		return y
	}
	step := width / posterBlocks
	burst := min(cell*0.55, 4*cell*0.55/float64(p.perBlock))
	s.text(x, y, size, "m", fmt.Sprintf("%d blocks, typical of the run, read from cycle %s:", len(p.blocks), count(float64(p.at))))
	y += size * 1.35
	s.text(x, y, size, "m", "each cell a burst")
	after := x + size*9
	for _, key := range []struct{ class, words string }{{"f", "fetched"}, {"s", "saved"}, {"l", "approximated"}} {
		fmt.Fprintf(s, `<rect class="%s" x="%.1f" y="%.1f" width="12" height="12"/>`, key.class, after, y-12)
		s.text(after+17, y, size, "m", key.words)
		after += 26 + size*0.58*float64(len(key.words))
	}
	y += size * 0.9
	for i, name := range p.names {
		s.text(x, y+size*.85, size, "b", string(rune('A'+i)))
		s.text(x+size*1.1, y+size*.85, size, "m", name)
		y += size * 1.25
		var fetched, lossy, saved strings.Builder
		for column, pair := range p.blocks {
			r := pair.a
			if i == 1 {
				r = pair.b
			}
			left := x + float64(column)*step
			for k := range p.perBlock {
				path := &saved
				switch {
				case k < r.fetched && r.lossy:
					path = &lossy
				case k < r.fetched:
					path = &fetched
				}
				top := y + float64(p.perBlock-1-k)*burst
				if path == &saved {
					fmt.Fprintf(path, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left+.5, top+.5, step-3, burst-3, step-3)
				} else {
					fmt.Fprintf(path, "M%.4g %.4gv%.3g", left+step/2-1, top, burst-2)
				}
			}
		}
		for _, one := range []struct {
			class string
			path  *strings.Builder
		}{{"f", &fetched}, {"l", &lossy}, {"s", &saved}} {
			if one.path.Len() > 0 {
				fmt.Fprintf(s, `<path class="%sp" stroke-width="%.1f" d="%s"/>`, one.class, step-2, one.path.String())
			}
		}
		y += float64(p.perBlock)*burst + 8
	}
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
	s.text(x, y, size, "m", fmt.Sprintf("bandwidth over the run, %s cycles", count(float64(long*binCycles))))
	s.text(x+width, y, size, "m e", "thin A, thick B")
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
	for _, row := range p.rows {
		fmt.Fprintf(s, `<path class="r" d="M%g %gh%g"/>`, x, y+8, width)
		y += leading
		s.text(x, y, size, "m", row.name)
		s.text(columns[0], y, size, "e", row.a)
		s.text(columns[1], y, size, "e", row.b)
		if len([]rune(row.compared)) <= 7 {
			s.text(columns[2], y, size, "c e", row.compared)
		}
	}
	return y
}

func (p *embedPoster) drawCrops(s *sketch, x, y, side, gap, size float64) {
	for i, g := range p.crops {
		left := x + float64(i)*(side+gap)
		fmt.Fprintf(s, `<image x="%g" y="%g" width="%g" height="%g" href="%s"/>`, left, y, side, side, dataURL(g))
		s.text(left, y+side+size*1.2, size, "m", [...]string{"exact (detail)", "B (detail)"}[i])
	}
}
