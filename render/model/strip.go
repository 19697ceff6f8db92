package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/probe"
)

// Heights within a strip, as shares of it: a saved burst's outline is higher
// than a burst, so that a burst which moved into its place stands inside it.
const (
	burstHeight = 0.74
	savedHeight = 0.96
)

// drawStrip shows one channel like a logic analyser, with now at the right edge.
func (st *panel) drawStrip(c int) {
	r := st.frame.strip(c)
	if !st.frame.narrow && r.h >= 9 {
		st.text(Muted, strconv.Itoa(c), r.x-6, r.bottom()-(r.h-7)/2, 10, Right)
		st.Targets = append(st.Targets, Target{X: r.x - channelLabel, Y: r.y, W: channelLabel, H: r.h, Kind: TargetChannel, Side: st.side, Channel: c})
	}
	st.fill(Rule, r.x, r.bottom(), r.w, 1, 1)
	st.drawRefreshes(c, func(uint16) (y, h float64, ok bool) { return r.y, r.h, true })
	if st.time.detail < 1 {
		st.drawFlow(c, r, 1-st.time.detail)
	}
	if st.time.detail > 0 {
		if r.h >= 7 {
			st.drawRowCommands(c, r, st.time.detail)
		}
		st.drawSaved(c, r, st.time.detail)
		st.drawBurstCells(c, r, st.time.detail)
	}
}

// drawRowCommands marks activates with a peak and precharges with a notch.
func (st *panel) drawRowCommands(c int, r rect, alpha float64) {
	list := st.t.channels[c].rows
	for i := after(list, st.time.begin()); i < len(list) && float64(list[i].cycle) <= st.time.now; i++ {
		x := st.time.x(float64(list[i].cycle))
		if x < r.x+2.5 || x > r.right()-2.5 {
			continue
		}
		if list[i].activate {
			st.line(Ink, x-2.5, r.bottom(), x, r.y, 1, alpha*0.7)
			st.line(Ink, x, r.y, x+2.5, r.bottom(), 1, alpha*0.7)
		} else {
			mid := r.y + r.h*0.45
			st.line(Muted, x-2, r.y, x, mid, 1, alpha*0.8)
			st.line(Muted, x, mid, x+2, r.y, 1, alpha*0.8)
		}
	}
}

// drawRefreshes draws a pale box over the time in which banks are refreshed; area
// says where those of a bank are, and whether they are shown.
func (st *panel) drawRefreshes(c int, area func(bank uint16) (y, h float64, ok bool)) {
	ch := &st.t.channels[c]
	for i := after(ch.refreshes, st.time.begin()-float64(ch.longest)-1); i < len(ch.refreshes) && float64(ch.refreshes[i].cycle) <= st.time.now; i++ {
		r := &ch.refreshes[i]
		x1, x2, ok := st.time.span(float64(r.cycle), float64(r.cycle)+float64(r.length))
		y, h, shown := area(r.bank)
		if !ok || !shown {
			continue
		}
		st.Counts.Refreshes++
		w := max(x2-x1, 1)
		st.fill(RawColour, x1, y, w, h, 0.22)
		if w > 3 {
			st.shape(Outline, RawColour, x1, y, w, h, 0.8)
		}
		if h >= 10 {
			if label := st.fitting(w-8, 9, "refresh", "ref"); label != "" {
				st.text(Ink, label, x1+4, y+min(h/2+3.5, 24), 9, Left)
			}
		}
	}
}

// drawSaved outlines the bursts that blocks did not cost, where they would have
// been. Whatever comes next moves into the outline.
func (st *panel) drawSaved(c int, r rect, alpha float64) {
	ch := &st.t.channels[c]
	ch.sum()
	duration := ch.length
	h := r.h * savedHeight
	last := ch.transferAt(st.time.now)
	slack := duration * float64(st.t.Topology.BurstsPerBlock()*2)
	for i := max(after(ch.transfers, st.time.begin()-slack)-1, 0); i <= last; i++ {
		t := &ch.transfers[i]
		limit := st.time.now
		if i < last {
			limit = min(limit, ch.transfers[i+1].End)
		}
		for k := range int(t.Saved) {
			from := t.End + float64(k)*duration
			if from >= limit {
				break
			}
			x1, x2, ok := st.time.span(from, from+duration)
			if !ok {
				continue
			}
			st.Counts.Saved++
			inset := cellInset(x2 - x1)
			st.fill(Muted, x1+inset, r.bottom()-h, x2-x1-2*inset, h, alpha*0.16)
			if w := x2 - x1; w > dashWidth {
				st.shape(Dashed, Muted, x1+inset, r.bottom()-h, w-2*inset, h, alpha*smoothStep((w-dashWidth)/dashWidth))
			}
		}
	}
}

// dashWidth is the width from which a dashed border can be told from noise.
const dashWidth = 3.5

// cellInset is the air on each side of a cell of a width.
func cellInset(w float64) float64 { return clamp((w-2)*0.12, 0, 0.75) }

func (st *panel) drawBurstCells(c int, r rect, alpha float64) {
	ch := &st.t.channels[c]
	ch.sum()
	h := r.h * burstHeight
	y := r.bottom() - h
	previous, targetFrom := int32(-2), float64(0)
	for i := max(after(ch.bursts, st.time.begin())-1, 0); i < len(ch.bursts); i++ {
		b := &ch.bursts[i]
		if float64(b.Start) > st.time.now {
			break
		}
		x1, x2, ok := st.time.span(ch.extent(i))
		if !ok {
			continue
		}
		st.Counts.Bursts++
		inset := cellInset(x2 - x1)
		left := x1 + inset
		if b.Transfer != previous {
			left += inset // the air between two blocks
			targetFrom = x1
		}
		previous = b.Transfer
		w := max(x2-inset-left, 0.6)
		if b.Metadata || b.Transfer < 0 {
			st.Counts.Metadata++
			st.shape(Dots, MetadataColour, left, y, w, h, alpha)
			continue
		}
		t := &ch.transfers[b.Transfer]
		st.cell(t, int(b.Index), left, y, w, h, alpha)
		if st.selected(t) {
			st.shape(Outline, Ink, x1-1, y-2, x2-x1+2, h+4, 1).Stroke = 1.5
		}
		st.Targets = append(st.Targets, Target{X: targetFrom, Y: r.y, W: x2 - targetFrom, H: r.h, Kind: TargetTransfer, Side: st.side, Channel: c, Index: int(b.Transfer)})
	}
}

// cell draws one fetched burst of a block.
func (st *panel) cell(t *Transfer, index int, x, y, w, h, alpha float64) {
	switch {
	case t.Approximated(index):
		st.Counts.Approximated++
		st.shape(Hatch, ApproximatedColour, x, y, w, h, alpha)
	case t.Write:
		st.shape(Split, FetchedColour, x, y, w, h, alpha)
	default:
		st.fill(FetchedColour, x, y, w, h, alpha)
	}
}

func (st *panel) selected(t *Transfer) bool {
	return st.v.HasSelected && t.Addr == st.v.Selected && (st.v.SelectedReq == 0 || st.v.SelectedReq == t.Req)
}

// A column of the flow is at least flowColumn pixels wide and holds at least
// flowBursts burst times, so that it shows a load and not single bursts.
const (
	flowColumn = 2
	flowBursts = 16
)

// drawFlow shows the load of the bus over time: height and colour = share of
// peak, at the foot the approximated part, pale on top the saved bursts.
func (st *panel) drawFlow(c int, r rect, alpha float64) {
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

// drawController shows what a controller did last: the block as a row of cells
// and its size before and after rounding to bursts.
func (st *panel) drawController(g int) {
	r := st.frame.group(g)
	if r.h < 5 {
		return
	}
	st.card(r.x, r.y, r.w, r.h, 3)
	first := g * st.frame.perGroup
	var latest *Transfer
	queue, hits, lookups := 0, 0, 0
	var sum, before Totals
	for c := first; c < min(first+st.frame.perGroup, st.frame.channels); c++ {
		ch := &st.t.channels[c]
		queue += ch.queueLength(st.time.now)
		h, n := ch.metadataHits(st.time.now)
		hits, lookups = hits+h, lookups+n
		sum.Add(ch.totals(st.time.now))
		before.Add(ch.totals(max(st.time.begin(), 0)))
		if i := ch.transferAt(st.time.now); i >= 0 && (latest == nil || ch.transfers[i].Start > latest.Start) {
			latest = &ch.transfers[i]
		}
	}
	sum.Data, sum.Saved, sum.Approximated = sum.Data-before.Data, sum.Saved-before.Saved, sum.Approximated-before.Approximated

	pad := float64(6)
	if st.frame.narrow {
		pad = 3
	}
	lines := int((r.h - 3) / lineSpacing)
	if st.frame.narrow && lines >= 2 {
		st.tallCard(latest, sum, rect{r.x + pad, r.y + (r.h-30)/2 + 10, r.w - 2*pad, 28})
		return
	}
	if st.frame.narrow || lines < 2 {
		cell := clamp(min(r.h-4, (r.w-2*pad)/float64(st.t.Topology.BurstsPerBlock())-2), 3, 12)
		st.blockOrFlow(latest, sum, r.x+pad, r.y+(r.h-cell)/2, cell, r.w-2*pad)
		if room := r.w - 2*pad - float64(st.t.Topology.BurstsPerBlock())*(cell+2); latest != nil && r.h >= 12 {
			if text := st.fitting(room-4, 10, sizeText(latest, st.t.Topology.MAGBytes), strconv.Itoa(bytesOf(latest.Bits))+" B"); text != "" && latest.Bits > 0 {
				st.text(Ink, text, r.right()-pad, r.y+r.h/2+3.5, 10, Right)
			}
		}
		return
	}
	y := r.y + (r.h-float64(lines)*lineSpacing)/2 + 11
	if lines > 3 {
		y = r.y + 15
	}
	st.bold(Ink, "MC"+strconv.Itoa(g), r.x+pad, y, smallSize, Left)
	state := "queue " + strconv.Itoa(queue)
	if lookups > 0 {
		state = st.fitting(r.w-2*pad-34, smallSize, "metadata hits "+Share(hits, lookups)+" · "+state, "hits "+Share(hits, lookups)+" · "+state, state)
	}
	st.text(Muted, state, r.right()-pad, y, smallSize, Right)
	y += lineSpacing
	cells := float64(st.t.Topology.BurstsPerBlock())
	if lines >= 4 {
		st.tallCard(latest, sum, rect{r.x + pad, y, r.w - 2*pad, r.bottom() - y - 2})
		return
	}
	cell := clamp((r.w*0.42)/cells-2, 4, 12)
	width := cells * (cell + 2)
	st.blockOrFlow(latest, sum, r.right()-pad-width+2, y-10, cell, width-2)
	st.text(Ink, st.summary(latest, sum), r.x+pad, y, smallSize, Left)
	if lines >= 3 && latest != nil && st.time.detail > 0.5 {
		st.text(Muted, st.fitting(r.w-2*pad, smallSize, fateText(latest)), r.x+pad, y+lineSpacing, smallSize, Left)
	}
}

// tallCard has room for the cells of the block in a row of their own.
func (st *panel) tallCard(latest *Transfer, sum Totals, r rect) {
	summary := st.summary(latest, sum)
	used := st.text(Ink, st.fitting(r.w, smallSize, summary, tight.Replace(summary)), r.x, r.y, smallSize, Left)
	if latest != nil && st.time.detail > 0.5 {
		st.text(Muted, st.fitting(r.w-used-8, smallSize, fateText(latest), shortFate(latest)), r.x+r.w, r.y, smallSize, Right)
	}
	cells := float64(st.t.Topology.BurstsPerBlock())
	cell := clamp(min(r.w/cells-2, r.h-10), 4, 34) // air of 6 above, 4 below
	st.blockOrFlow(latest, sum, r.x, r.y+6+(r.h-10-cell)/2, cell, r.w)
}

// summary is the size of the latest block in slow motion, and what was saved in
// fast motion.
func (st *panel) summary(latest *Transfer, sum Totals) string {
	switch {
	case latest == nil:
		return "idle"
	case st.time.detail > 0.5:
		return sizeText(latest, st.t.Topology.MAGBytes)
	}
	return Share(sum.Saved, sum.Data+sum.Saved) + " saved"
}

// blockOrFlow shows the cells of one block in slow motion and the shares of all
// blocks in the window in fast motion.
func (st *panel) blockOrFlow(t *Transfer, sum Totals, x, y, cell, width float64) {
	d := st.time.detail
	if t != nil && d > 0 {
		st.blockRow(t, x, y, cell, d)
	}
	if all := float64(sum.Data + sum.Saved); d < 1 && all > 0 {
		data := width * float64(sum.Data) / all
		cut := width * float64(sum.Approximated) / all
		st.fill(FetchedColour, x, y, data-cut, cell, 1-d)
		if cut > 1 {
			st.shape(Hatch, ApproximatedColour, x+data-cut, y, cut, cell, 1-d)
		}
		if width-data > 2 {
			st.shape(Dashed, Muted, x+data+1, y, width-data-1, cell, 1-d)
		}
	}
}

// blockRow draws a block as a row of cells, one for each burst of the MAG.
// Bursts still to come are faint.
func (st *panel) blockRow(t *Transfer, x, y, cell, alpha float64) {
	bursts, saved, cut := st.Counts.Bursts, st.Counts.Saved, st.Counts.Approximated
	n := st.t.Topology.BurstsPerBlock()
	arrived := int(t.Fetched)
	if length := t.End - float64(t.Start); length > 0 && st.time.now < t.End {
		arrived = int((st.time.now-float64(t.Start))/length*float64(t.Fetched)) + 1
	}
	for i := range n {
		cx := x + float64(i)*(cell+2)
		switch {
		case i < arrived && i < int(t.Fetched):
			st.cell(t, i, cx, y, cell, cell, alpha)
		case i < int(t.Fetched):
			st.fill(Rule, cx, y, cell, cell, alpha)
		case i < int(t.Fetched)+int(t.Saved):
			st.shape(Dashed, Muted, cx, y, cell, cell, alpha)
		}
	}
	// The row repeats what the strip shows; it is not counted again.
	st.Counts.Bursts, st.Counts.Saved, st.Counts.Approximated = bursts, saved, cut
}

// sizeText says what a block needs and what it costs: "71 B → 96 B".
func sizeText(t *Transfer, magBytes int) string {
	cost := int(t.Fetched) * magBytes
	switch {
	case t.Mode == probe.ModeRaw:
		return fmt.Sprintf("raw → %d B", cost)
	case t.Bits == 0:
		return fmt.Sprintf("… → %d B", cost)
	}
	return fmt.Sprintf("%d B → %d B", bytesOf(t.Bits), cost)
}

// tight makes such a text as short as a phone's card: "71→96 B".
var tight = strings.NewReplacer(" B → ", "→", " → ", "→")

func shortFate(t *Transfer) string { return fmt.Sprintf("saved %d", t.Saved) }

// fateText says how a block was stored.
func fateText(t *Transfer) string {
	switch t.Mode {
	case probe.ModeLossless:
		return fmt.Sprintf("lossless, saved %d", t.Saved)
	case probe.ModeLossy:
		if t.Cut == 0 {
			return fmt.Sprintf("lossy, saved %d", t.Saved)
		}
		return fmt.Sprintf("%s cut, saved %d", plural(int(t.Cut), "symbol", "symbols"), t.Saved)
	}
	return "stored raw, nothing saved"
}
