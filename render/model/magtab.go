package model

import "strconv"

// aboveChart returns the chart of a side; its counts are made once for its Blocks.
func (v *View) aboveChart(side int) *AboveChart {
	c, b := &v.above[side], v.Blocks[side]
	if v.aboveOf[side] != b {
		c.Counts, v.aboveOf[side] = b.Histogram(), b
	}
	c.Side, c.Threshold = side, v.ThresholdBytes
	return c
}

// buildMAG shows the charts of the sides above one another, each with what its
// threshold does in words.
func (v *View) buildMAG(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	v.chart = nil
	sides, n := v.shownBlocks()
	if n == 0 {
		s.text(Muted, "The histogram appears when a side has finished.", s.W/2, s.H/2, 13, Centre)
		return
	}
	h := s.H / float64(n)
	for i := range n {
		c := v.aboveChart(sides[i])
		area := rect{margin, float64(i) * h, s.W - 2*margin, h}
		v.aboveHeader(s, c, area)
		c.Draw(s, rect{area.x, area.y + 44, area.w, area.h - 44})
		v.chart = c
	}
}

func (v *View) aboveHeader(s *Scene, c *AboveChart, area rect) {
	s.fill(Accent, area.x, area.y+6, 16, 16, 1).Radius = 3
	s.bold(Paper, sideName[c.Side], area.x+8, area.y+18, textSize, Centre)
	used := 22 + s.bold(Ink, v.Labels[c.Side], area.x+22, area.y+18, 13, Left)
	mag := strconv.Itoa(c.Counts.MAGBytes)
	s.text(Muted, s.fitting(area.w-used-12, smallSize, "lossless sizes of all blocks: bytes above a multiple of "+mag+" B", "bytes above a multiple of "+mag+" B"),
		area.x+used+10, area.y+18, smallSize, Left)
	threshold := clampInt(c.Threshold, 0, c.Counts.MAGBytes)
	s.bold(Ink, s.fitting(area.w*0.94, textSize, c.Counts.Sentence(threshold), c.Counts.shortSentence(threshold)), area.x, area.y+38, textSize, Left)
}

// ThresholdAt turns a horizontal place on the histogram into a threshold.
func (v *View) ThresholdAt(x float64) (bytes int, ok bool) {
	if v.chart == nil {
		return 0, false
	}
	return v.chart.ThresholdAt(x)
}
