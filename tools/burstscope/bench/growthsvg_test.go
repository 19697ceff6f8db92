package bench

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/burstscope/burstscope/tools/burstscope/chart"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// Dimensions of a chart of growth, in pixels.
const (
	growthHeight = 220
	growthRight  = 150 // for the names of the lines
	growthPanel  = growthHeight + 90
	growthLabel  = 14 // height of a name
)

// drawGrowth draws a panel for each thing that grows: its logarithm from left to right, and the
// nanoseconds of a warp instruction from 0 up. Each line has its name at its end and each mark a title.
func drawGrowth(points []growthPoint) string {
	var body, words strings.Builder
	y := chart.Head
	for _, panel := range []struct {
		series, title string
		at            func(*growthPoint) float64
		ticks         []float64
	}{
		{growthInstructions, "over the warp instructions of a run, in millions", func(p *growthPoint) float64 { return float64(p.WarpInstructions) / 1e6 }, []float64{0.1, 0.3, 1, 3, 10, 30}},
		{growthOfSMs, "over the number of SMs", func(p *growthPoint) float64 { return float64(p.SMs) }, []float64{4, 8, 16, 32, 64, 108}},
	} {
		var lines [][]growthPoint
		low, high, top := math.Inf(1), 0.0, 0.0
		for _, p := range points {
			if p.Series != panel.series {
				continue
			}
			if n := len(lines); n == 0 || lines[n-1][0].Program != p.Program {
				lines = append(lines, nil)
			}
			lines[len(lines)-1] = append(lines[len(lines)-1], p)
			low, high, top = min(low, panel.at(&p)), max(high, panel.at(&p)), max(top, p.Nanoseconds)
		}
		if len(lines) == 0 {
			continue
		}
		top = 100 * math.Ceil(top/100)
		if high <= low {
			high = 2 * low
		}
		x := func(v float64) float64 {
			return chart.Left + 10 + (chart.Width-chart.Left-growthRight-10)*math.Log(v/low)/math.Log(high/low)
		}
		bottom := y + 30 + growthHeight
		height := func(v float64) float64 { return float64(bottom) - growthHeight*v/top }
		body.WriteString(chart.Text(chart.Left, y+12, "start", "bold", "ns a warp instruction, "+panel.title))
		for i := range 5 {
			v := top * float64(i) / 4
			fmt.Fprintf(&body, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#cccccc"/>`+"\n", chart.Left, height(v), chart.Width-growthRight, height(v))
			body.WriteString(chart.Text(chart.Left-6, int(height(v))+4, "end", "normal", fmt.Sprintf("%.0f", v)))
		}
		for _, v := range panel.ticks {
			if v >= low*0.99 && v <= high*1.01 {
				body.WriteString(chart.Text(int(x(v)), bottom+16, "middle", "normal", fmt.Sprint(v)))
			}
		}
		var labels []int // where names stand, so that none lies on another
		for i, line := range lines {
			colour := chart.Colours[i%len(chart.Colours)]
			var path strings.Builder
			fmt.Fprintf(&words, " %s on %s, %s:", line[0].Program, line[0].Preset, panel.title)
			for k := range line {
				p := &line[k]
				fmt.Fprintf(&path, "%.1f,%.1f ", x(panel.at(p)), height(p.Nanoseconds))
				fmt.Fprintf(&body, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s</title></circle>`+"\n", x(panel.at(p)), height(p.Nanoseconds), colour,
					html.EscapeString(fmt.Sprintf("%s %d on %s with %d SMs: %s warp instructions, %.0f ns each", p.Program, p.Size, p.Preset, p.SMs, cli.Group(p.WarpInstructions), p.Nanoseconds)))
				fmt.Fprintf(&words, " %.3g: %.0f ns", panel.at(p), p.Nanoseconds)
				if k < len(line)-1 {
					words.WriteByte(',')
				}
			}
			words.WriteByte('.')
			fmt.Fprintf(&body, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.TrimSpace(path.String()), colour)
			last := &line[len(line)-1]
			at := int(height(last.Nanoseconds)) + 4
			for _, other := range labels {
				if d := at - other; d > -growthLabel && d < growthLabel {
					at = other + growthLabel
				}
			}
			labels = append(labels, at)
			body.WriteString(chart.Text(chart.Width-growthRight+8, at, "start", "normal", fmt.Sprintf("%s, %s", last.Program, last.Preset)))
		}
		y += growthPanel
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title description" font-family="sans-serif" font-size="12">`+"\n", chart.Width, y)
	fmt.Fprintf(&b, "<title id=\"title\">What a warp instruction costs</title>\n<desc id=\"description\">%s</desc>\n", html.EscapeString(strings.TrimSpace(words.String())))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", chart.Width, y)
	b.WriteString(chart.Text(chart.Left, 24, "start", "bold",
		"What a warp instruction costs, natively, without compression"))
	b.WriteString(body.String())
	b.WriteString("</svg>\n")
	return b.String()
}
