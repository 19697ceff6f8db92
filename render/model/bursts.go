package model

import (
	"fmt"
	"math"
)

const (
	margin      = 10
	headerH     = 26
	captionH    = 18
	legendRowH  = 18
	textSize    = 12
	smallSize   = 11
	lineSpacing = 15
)

// panel draws one side of the bursts view.
type panel struct {
	*Scene
	v     *View
	t     *Timeline
	side  int
	frame frame
	time  timescale
}

// buildBursts lays out the bursts view: one machine above the other, or beside
// it where the picture is much wider than high, with one cursor.
func (v *View) buildBursts(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	sides, n := v.shown()
	if n == 0 {
		s.text(Muted, "Run a scenario to see its bursts here.", s.W/2, s.H/2, 13, Centre)
		return
	}
	edge := float64(margin)
	if s.W < narrowWidth {
		edge = 6
	}
	legendH, detail := v.legendHeight(s, edge, s.W-2*edge), float64(1)
	caption := float64(captionH)
	if s.W < narrowWidth {
		caption = 4
	}
	beside := n == 2 && s.W >= 1500 && s.W > 2.6*s.H
	columns, rows := 1, n
	if beside {
		columns, rows = 2, 1
	}
	w := (s.W - 2*edge - float64(columns-1)*24) / float64(columns)
	h := (s.H - caption - legendH - 4) / float64(rows)
	for i := range n {
		x := edge + float64(i%columns)*(w+24)
		y := caption + float64(i/columns)*h
		st := panel{Scene: s, v: v, t: v.Sides[sides[i]], side: sides[i]}
		lane := float64(0)
		if len(st.t.link.packets) > 0 {
			lane = linkLaneH
		}
		st.frame = newFrame(&st.t.Topology, v.First, x, y+headerH, w, h-headerH-6-lane)
		st.time = v.timescale(st.frame.strips.x, st.frame.strips.right())
		detail = st.time.detail
		v.First, v.stripH, v.perGroup = st.frame.first, st.frame.stripH, st.frame.perGroup
		if caption > 8 && i < columns {
			st.captions(caption)
		}
		st.header(x, y, w)
		st.draw()
		if lane > 0 {
			st.drawLink(rect{st.frame.strips.x, y + h - 6 - lane, st.frame.strips.w, lane - 4})
		}
	}
	v.legend(s, edge, s.W-2*edge, detail)
}

// captions names the columns.
func (st *panel) captions(h float64) {
	f, y := &st.frame, h-3
	top := &st.t.Topology
	st.text(Muted, plural(top.SMs, "SM", "SMs"), f.sm.x, y, smallSize, Left)
	window := Count(int(math.Round(st.time.window)))
	if st.v.Interactive {
		st.text(Ink, st.hints(f.strips.right()-f.crossbar.x, window), f.crossbar.x, y, smallSize, Left)
		return
	}
	st.text(Muted, "crossbar", f.crossbar.x+f.crossbar.w/2, y, smallSize, Centre)
	st.text(Muted, "L2", f.slices.x+f.slices.w/2, y, smallSize, Centre)
	st.text(Muted, "controller", f.controller.x, y, smallSize, Left)
	st.text(Muted, st.fitting(f.strips.w, smallSize,
		"data bus of each channel, last "+window+" cycles, now at the right edge",
		"channel bus, last "+window+" cycles, now at the right",
		"channel bus, now at the right"), f.strips.x, y, smallSize, Left)
}

// hints says how to walk through time.
func (s *Scene) hints(w float64, window string) string {
	return s.fitting(w, smallSize,
		window+" cycles · wheel zooms · drag pans · double click fits · W A S D · Shift + wheel: channels",
		window+" cycles · wheel zooms · drag pans · double click fits · W A S D",
		"wheel zooms · drag pans · double click fits · W A S D",
		"wheel zooms · drag pans")
}

// header writes what this side is and what it has moved up to the cursor, over
// a track on the scale common to both sides.
func (st *panel) header(x, y, w float64) {
	base := y + 14
	st.fill(Accent, x, y+2, 16, 16, 1).Radius = 3
	st.bold(Paper, sideName[st.side], x+8, base, textSize, Centre)
	label := st.v.Labels[st.side]
	if label == "" {
		label = "scheme " + sideName[st.side]
	}
	used := 24 + st.bold(Ink, label, x+22, base, 13, Left)
	now := st.time.now
	end, known := st.t.Finished()
	status := ""
	switch {
	case known && now >= end:
		status = "finished at cycle " + Count(int(end))
	case st.t.Kept() > 0 && now > st.t.LastCycle()+st.time.window:
		status = "recorded up to cycle " + Count(int(st.t.LastCycle()))
	}
	if status != "" {
		tw := st.TextWidth(status, smallSize, true)
		if tw < w-used-60 {
			st.bold(Accent, status, x+w, base, smallSize, Right)
			w -= tw + 12
		}
	}
	if st.frame.channels > 0 && st.frame.channels < st.t.Topology.Channels {
		first, after := st.frame.first, st.frame.first+st.frame.channels
		part := fmt.Sprintf("channels %d–%d of %d", first, after-1, st.t.Topology.Channels)
		if tw := st.TextWidth(part, smallSize, false); tw < w-used-60 {
			st.text(Muted, part, x+w, base, smallSize, Right)
			w -= tw + 12
		}
	}
	sum := st.t.Totals(now)
	raw := sum.Data + sum.Saved
	approximated := " · " + Count(sum.Approximated) + " approximated"
	if st.t.partial {
		approximated = ""
	}
	full := fmt.Sprintf("%s moved · %s saved (%s)%s · %s metadata", plural(sum.Data, "burst", "bursts"),
		Count(sum.Saved), Share(sum.Saved, raw), approximated, Count(sum.Metadata))
	medium := fmt.Sprintf("%s bursts · %s saved (%s)", Count(sum.Data), Count(sum.Saved), Share(sum.Saved, raw))
	short := fmt.Sprintf("%s saved", Share(sum.Saved, raw))
	st.text(Muted, st.fitting(w-used-12, smallSize, full, medium, short), x+used+10, base, smallSize, Left)
	st.track(x, y+headerH-6, st.frame.w)
}

// track is a thin line over all cycles of the longer side.
func (st *panel) track(x, y, w float64) {
	extent := st.v.extent()
	end, known := st.t.Finished()
	if !known {
		end = st.t.LastCycle()
	}
	st.fill(Rule, x, y, w*(end/extent), 2, 1)
	st.fill(Accent, x, y, w*(min(st.time.now, end)/extent), 2, 1)
	if known {
		st.fill(Ink, x+w*(end/extent)-2, y-2, 2, 6, 1)
	}
}

func (st *panel) draw() {
	st.ribbons()
	st.drawSMs()
	st.drawCrossbar()
	st.drawSlices()
	for g, after := st.frame.groups(); g < after; g++ {
		st.drawController(g)
	}
	for c := range st.frame.channels {
		st.drawStrip(st.frame.first + c)
	}
	st.drawTrace()
	if st.time.detail > 0 {
		st.drawFlights()
		st.drawDrops()
	}
}

// drawSMs shows resident warps as bars: tall = ready, short = waiting for
// memory, a dash = at a barrier.
func (st *panel) drawSMs() {
	slots := max(st.t.WarpSlots(), 1)
	for i := range st.t.Topology.SMs {
		r := st.frame.smTile(i)
		st.card(r.x, r.y, r.w, r.h, 3)
		pad := float64(4)
		if st.frame.narrow {
			pad = 2
		}
		rows := 1
		for rows < 4 && (r.w-2*pad)/float64((slots+rows-1)/rows) < 2.4 && (r.h-2*pad)/float64(rows+1) >= 4 {
			rows++
		}
		perRow := (slots + rows - 1) / rows
		w, h := (r.w-2*pad)/float64(perRow), (r.h-2*pad)/float64(rows)
		for slot := range slots {
			x := r.x + pad + float64(slot%perRow)*w
			y := r.y + pad + float64(slot/perRow+1)*h
			st.warp(st.t.Warp(i, slot, st.time.now), x, y, max(w*0.68, 0.5), max(h-2, 1))
		}
	}
}

func (st *panel) warp(state WarpState, x, bottom, w, h float64) {
	switch state {
	case WarpReady:
		st.fill(Accent, x, bottom-h, w, h, 1)
	case WarpWaiting:
		st.fill(Muted, x, bottom-h*0.5, w, h*0.5, 0.6)
	case WarpBarrier:
		st.fill(Ink, x, bottom-h*0.62, w, max(h*0.12, 1.5), 0.9)
		st.fill(Muted, x, bottom-1, w, 1, 0.6)
	default:
		st.fill(Rule, x, bottom-1, w, 1, 1)
	}
}

func (st *panel) drawCrossbar() {
	r := st.frame.crossbar
	st.card(r.x, r.y, r.w, r.h-2, 3)
	if st.frame.narrow {
		return
	}
	lanes := min(st.frame.channels, 8)
	step := (r.h - 8) / float64(lanes)
	for i := range lanes {
		for _, d := range [2]int{-1, 1} {
			if j := i + d; j >= 0 && j < lanes {
				st.line(Rule, r.x+3, r.y+4+(float64(i)+0.5)*step, r.right()-3, r.y+4+(float64(j)+0.5)*step, 1, 0.9)
			}
		}
		st.line(Rule, r.x+3, r.y+4+(float64(i)+0.5)*step, r.right()-3, r.y+4+(float64(lanes-1-i)+0.5)*step, 1, 0.6)
	}
}

// drawSlices shows the latest lookups of each L2 slice: filled = hit, outline =
// miss, half = joined a pending miss. Cells keep their place; old ones fade.
func (st *panel) drawSlices() {
	top := &st.t.Topology
	for i := range top.Slices {
		r, ok := st.frame.sliceTile(i, top.Slices, top.Channels)
		if !ok {
			continue
		}
		st.card(r.x, r.y, r.w, r.h, 2)
		cell := clamp((r.h-5)/2, 3, 6)
		columns, rows := int((r.w-5)/(cell+1)), int((r.h-4)/(cell+1))
		if columns < 1 || rows < 1 {
			continue
		}
		n := columns * rows
		list := st.t.slices[i].accesses
		last := after(list, st.time.now)
		for k := max(0, last-n); k < last; k++ {
			x := r.x + 3 + float64(k%n%columns)*(cell+1)
			y := r.y + 3 + float64(k%n/columns)*(cell+1)
			alpha := 1 - 0.65*float64(last-1-k)/float64(n)
			switch list[k].result {
			case 0:
				st.fill(Accent, x, y, cell, cell, alpha)
			case 1:
				st.shape(Outline, Ink, x, y, cell, cell, alpha)
			default:
				st.fill(Accent, x, y+cell/2, cell, cell/2, alpha)
				st.shape(Outline, Muted, x, y, cell, cell, alpha*0.6)
			}
		}
	}
}

// ribbons are the links: width = bytes in the strip's window, colour = share of
// the link's peak.
func (st *panel) ribbons() {
	f, top := &st.frame, &st.t.Topology
	from, to := max(st.time.begin(), 0), st.time.now
	alpha := 1 - 0.55*st.time.detail
	for i := range top.Slices {
		r, ok := f.sliceTile(i, top.Slices, top.Channels)
		if !ok {
			continue
		}
		_, y := r.centre()
		if load := st.t.slices[i].flitsPerCycle(from, to); load > 0 {
			st.ribbon(f.crossbar.right(), y, r.x, y, load, r.h*0.7, alpha)
		}
	}
	peak := top.PeakBytesPerCycle / float64(top.Channels)
	left := f.crossbar.right()
	if f.slices.w > 0 {
		left = f.slices.right()
	}
	for c := f.first; c < f.first+f.channels; c++ {
		s := f.strip(c)
		load := st.t.channels[c].busLoad(from, to, peak, top.MAGBytes)
		if load > 0 {
			y := s.y + s.h/2
			st.ribbon(left, y, f.controller.x, y, load, s.h*0.7, alpha)
			st.ribbon(f.controller.right(), y, f.strips.x-labelRoom(f), y, load, s.h*0.7, alpha)
		}
	}
}

func labelRoom(f *frame) float64 {
	if f.narrow {
		return 0
	}
	return channelLabel
}

func (st *panel) ribbon(x1, y1, x2, y2, load, width, alpha float64) {
	st.line(Magnitude, x1, y1, x2, y2, 1+min(load, 1)*width, alpha)
	st.Shapes[len(st.Shapes)-1].Level = min(load, 1)
}

// busLoad is the share of a channel's peak that its bursts used over (from, to].
func (c *channel) busLoad(from, to, peak float64, magBytes int) float64 {
	if to <= from {
		return 0
	}
	n := after(c.bursts, to) - after(c.bursts, from)
	return float64(n*magBytes) / (peak * (to - from))
}

// burstMarks are the marks of single bursts of the sides.
func (v *View) burstMarks() []mark {
	refreshes, linked, answered := false, false, false
	for _, t := range v.Sides {
		if t != nil {
			refreshes = refreshes || t.Refreshed()
			linked = linked || len(t.link.packets) > 0
			answered = answered || t.answered
		}
	}
	marks := burstMarksOf(v.Tab == TabDRAM, v.Tab != TabDRAM, refreshes)
	if linked && v.Tab != TabDRAM {
		marks = append(marks, linkMark)
	}
	if answered && v.Tab != TabDRAM {
		marks = append(marks, droppedMark)
	}
	return marks
}

// legendHeight is the room both legends fit in, so that the picture does not
// jump where one takes the place of the other.
func (v *View) legendHeight(s *Scene, x, w float64) float64 {
	rows := max(s.marks(v.burstMarks(), x, 0, w, false), s.marks(flowMarks, x, 0, w, false))
	return float64(rows)*legendRowH + 4
}

// legend lays the legend of the bursts view along the bottom.
func (v *View) legend(s *Scene, x, w, detail float64) {
	marks := v.burstMarks()
	if detail < 0.5 {
		marks = flowMarks
	}
	s.marks(marks, x, s.H-v.legendHeight(s, x, w), w, true)
}
