package model

import "fmt"

// buildDRAM lays out the banks of one channel over time: a bar while a row is
// open, and the bursts that used it.
func (v *View) buildDRAM(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	sides, n := v.shown()
	if n == 0 {
		s.text(Muted, "Run a scenario to see its DRAM banks here.", s.W/2, s.H/2, 13, Centre)
		return
	}
	edge := float64(margin)
	legendH, detail := v.legendHeight(s, edge, s.W-2*edge), float64(1)
	h := (s.H - legendH - 4) / float64(n)
	for i := range n {
		t := v.Sides[sides[i]]
		st := panel{Scene: s, v: v, t: t, side: sides[i]}
		y := float64(i)*h + 4
		st.time = v.timescale(edge+34, s.W-edge)
		detail = st.time.detail
		st.frame = frame{x: edge, y: y + headerH + 14, w: s.W - 2*edge, narrow: true}
		st.header(edge, y, s.W-2*edge)
		c := clampInt(v.Channel, 0, t.Topology.Channels-1)
		r := rect{edge, y + headerH, s.W - 2*edge, h - headerH - 8}
		caption := fmt.Sprintf("channel %d of %d, %d banks; bar = row open; last %s cycles, now at the right edge", c, t.Topology.Channels, t.Topology.Banks, Count(int(st.time.window)))
		if v.Interactive {
			caption = fmt.Sprintf("channel %d of %d · ", c, t.Topology.Channels) + s.hints(r.w-120, Count(int(st.time.window)))
		}
		s.text(Muted, s.fitting(r.w-4, smallSize, caption, fmt.Sprintf("channel %d of %d, bar = row open", c, t.Topology.Channels)), r.x, r.y+11, smallSize, Left)
		st.bus(c).drawBanks(rect{r.x, r.y + 16, r.w, r.h - 16}, func(r rect) { st.drawFlow(c, r) })
	}
	v.legend(s, edge, s.W-2*edge, detail)
}
