package model

import (
	"math"
	"strconv"
)

// bus is what draws the single bursts of a channel.
func (st *panel) bus(c int) *bus {
	top := &st.t.Topology
	return &bus{
		Scene: st.Scene, ch: &st.t.channels[c], time: st.time, side: st.side, number: c, perBlock: top.BurstsPerBlock(), banks: top.Banks,
		selected: selection{st.v.HasSelected, st.v.Selected, st.v.SelectedReq},
	}
}

// drawStrip shows one channel: single bursts in slow motion, its load in fast motion.
func (st *panel) drawStrip(c int) {
	r := st.frame.strip(c)
	if !st.frame.narrow && r.h >= 9 {
		st.text(Muted, strconv.Itoa(c), r.x-6, r.bottom()-(r.h-7)/2, 10, Right)
		st.Targets = append(st.Targets, Target{X: r.x - channelLabel, Y: r.y, W: channelLabel, H: r.h, Kind: TargetChannel, Side: st.side, Channel: c})
	}
	st.bus(c).drawStrip(r, func() { st.drawFlow(c, r) })
}

// A column of the flow is at least flowColumn pixels wide and holds at least
// flowBursts burst times, so that it shows a load and not single bursts.
const (
	flowColumn = 2
	flowBursts = 16
)

// drawFlow shows the load of the bus over time: height and colour = share of
// peak, at the foot the approximated part, pale on top the saved bursts.
func (st *panel) drawFlow(c int, r rect) {
	alpha := 1 - st.time.detail
	if alpha <= 0 {
		return
	}
	ch := &st.t.channels[c]
	top := &st.t.Topology
	perColumn := max(flowColumn/st.time.perCycle, flowBursts*ch.length)
	// Columns are aligned to cycles, so that they move with them.
	first := math.Floor(max(st.time.begin(), 0)/perColumn) * perColumn
	before := ch.totals(first)
	full := r.h * burstHeight
	for from := first; from < st.time.now; from += perColumn {
		to := min(from+perColumn, st.time.now)
		bursts := top.PeakBytesPerCycle / float64(top.Channels) / float64(top.MAGBytes) * (to - from)
		sum := ch.totals(to)
		data := (float64(sum.Data+sum.Metadata-before.Data-before.Metadata) / bursts)
		saved := (float64(sum.Saved-before.Saved) / bursts)
		cut := (float64(sum.Approximated-before.Approximated) / bursts)
		st.Counts.Bursts += sum.Data - before.Data
		st.Counts.Saved += sum.Saved - before.Saved
		st.Counts.Approximated += sum.Approximated - before.Approximated
		before = sum
		x1, x2, ok := st.time.span(from, to)
		if !ok || data+saved <= 0 {
			continue
		}
		w := x2 - x1
		if w > 5 {
			w -= 0.75
		}
		data, cut = min(data, 1), min(cut, 1)
		if saved > 0 {
			h := min((data+saved)*burstHeight, savedHeight) * r.h
			st.fill(Muted, x1, r.bottom()-h, w, h, alpha*0.25)
		}
		st.fill(Magnitude, x1, r.bottom()-data*full, w, data*full, alpha).Level = data
		if cut*full >= 0.5 {
			st.shape(Hatch, ApproximatedColour, x1, r.bottom()-cut*full, w, cut*full, alpha)
		}
	}
}
