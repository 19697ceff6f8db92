package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/probe"
)

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
	for c := first; c < min(first+st.frame.perGroup, st.t.Topology.Channels); c++ {
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
		width := r.w - 2*pad
		// The words stand beside the cells and the bar, never on them.
		if room := width - float64(st.t.Topology.BurstsPerBlock())*(cell+2); latest != nil && latest.Bits > 0 && r.h >= 12 {
			words := st.summary(latest, sum)
			short := strconv.Itoa(bytesOf(latest.Bits)) + " B"
			if st.time.detail <= 0.5 {
				short = Share(sum.Saved, sum.Data+sum.Saved)
			}
			if text := st.fitting(room-4, 10, words, short); text != "" {
				width -= st.text(Ink, text, r.right()-pad, r.y+r.h/2+3.5, 10, Right) + 6
			}
		}
		st.blockOrFlow(latest, sum, r.x+pad, r.y+(r.h-cell)/2, cell, width)
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
