package model

import "math"

// frame is where the parts of one side's machine stand in the bursts view.
type frame struct {
	x, y, w, h float64 // body, below the header
	narrow     bool

	sm         rect
	smColumns  int
	smRows     int
	crossbar   rect
	slices     rect // w = 0: not shown
	controller rect
	strips     rect
	stripH     float64
	channels   int // shown
	first      int // of them, that of a controller
	perGroup   int // channels of one controller
}

const (
	channelLabel = 22
)

func newFrame(t *Topology, first int, x, y, w, h float64) frame {
	f := frame{x: x, y: y, w: w, h: h, narrow: w < narrowWidth}
	f.perGroup = max(1, (t.Channels+t.Controllers-1)/t.Controllers)
	fits := max(1, int(h/minimumStrip))
	f.channels = t.Channels
	if f.channels > fits {
		f.channels = max(min(f.perGroup, fits), fits/f.perGroup*f.perGroup)
	}
	f.scroll(t.Channels, first)
	f.stripH = min(h/float64(f.channels), maximumStrip)
	used := f.stripH * float64(f.channels)

	gap := float64(10)
	smW, barW, sliceW, controlW := clamp(w*0.17, 120, 240), clamp(w*0.05, 30, 64), clamp(w*0.06, 40, 64), clamp(w*0.19, 150, 210)
	if f.narrow {
		gap = 5
		smW, barW, sliceW, controlW = clamp(w*0.15, 44, 90), 9, 0, clamp(w*0.2, 62, 110)
	}
	f.sm = rect{x, y, smW, used}
	f.crossbar = rect{f.sm.right() + gap, y, barW, used}
	left := f.crossbar.right() + gap
	if sliceW > 0 {
		f.slices = rect{left, y, sliceW, used}
		left = f.slices.right() + gap
	}
	f.controller = rect{left, y, controlW, used}
	left = f.controller.right() + gap
	if !f.narrow {
		left += channelLabel
	}
	f.strips = rect{left, y, x + w - left, used}
	f.gridSMs(t.SMs)
	return f
}

// scroll makes first the first channel shown. Controllers that fit are not divided.
func (f *frame) scroll(channels, first int) {
	step := f.perGroup
	if f.channels < step {
		step = 1
	}
	f.first = clampInt(first/step, 0, (channels-f.channels+step-1)/step) * step
	f.channels = min(f.channels, channels-f.first)
}

// gridSMs chooses the columns that make the tiles large and fill the grid.
func (f *frame) gridSMs(n int) {
	best := math.Inf(-1)
	for c := 1; c <= n; c++ {
		rows := (n + c - 1) / c
		w, h := f.sm.w/float64(c), f.sm.h/float64(rows)
		score := min(w, h)
		if n%c != 0 { // a last row that is not full counts against a grid
			score *= 0.7
		}
		if score > best {
			best, f.smColumns, f.smRows = score, c, rows
		}
	}
}

func (f *frame) smTile(i int) rect {
	gap := float64(4)
	if f.narrow {
		gap = 2
	}
	w, h := (f.sm.w+gap)/float64(f.smColumns), (f.sm.h+gap)/float64(f.smRows)
	h = min(h, w*1.5)
	return rect{f.sm.x + float64(i%f.smColumns)*w, f.y + float64(i/f.smColumns)*h, w - gap, h - gap}
}

// strip is the area of a channel's strip, with a little air above.
func (f *frame) strip(channel int) rect {
	return rect{f.strips.x, f.y + float64(channel-f.first)*f.stripH + 2, f.strips.w, f.stripH - 3}
}

// group is the area of the i-th controller's card.
func (f *frame) group(i int) rect {
	from, to := max(i*f.perGroup, f.first), min((i+1)*f.perGroup, f.first+f.channels)
	return rect{f.controller.x, f.y + float64(from-f.first)*f.stripH + 1, f.controller.w, float64(to-from)*f.stripH - 4}
}

// groups are the first controller shown and the one after the last.
func (f *frame) groups() (first, after int) {
	return f.first / f.perGroup, (f.first + f.channels + f.perGroup - 1) / f.perGroup
}

// sliceTile is the area of an L2 slice; ok is false where it has none.
func (f *frame) sliceTile(i, slices, channels int) (rect, bool) {
	shown, first := slices*f.channels/channels, slices*f.first/channels
	if i < first || i >= first+shown || f.slices.w == 0 {
		return rect{}, false
	}
	h := f.slices.h / float64(shown)
	return rect{f.slices.x, f.y + float64(i-first)*h + 1, f.slices.w, h - 3}, true
}
