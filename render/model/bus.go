package model

// selection is a block that is marked: one request's if req is known, else all of it.
type selection struct {
	any  bool
	addr uint64
	req  uint32
}

func (s *selection) is(t *Transfer) bool {
	return s.any && t.Addr == s.addr && (s.req == 0 || s.req == t.Req)
}

// bus draws what one channel does: what is on its data bus, and its banks.
type bus struct {
	*Scene
	ch       *channel
	time     timescale
	side     int
	number   int // of the channel
	perBlock int // bursts of a raw block
	banks    int
	selected selection
}

// Heights of a strip in pixels.
const (
	minimumStrip = 9.5 // lowest legible strip
	maximumStrip = 72
)

// Heights within a strip, as shares of it: a saved burst's outline is higher
// than a burst, so that a burst which moved into its place stands inside it.
const (
	burstHeight = 0.74
	savedHeight = 0.96
)

// drawStrip shows a channel like a logic analyser, with now at the right edge; behind draws
// what stands behind the bursts.
func (b *bus) drawStrip(r rect, behind func()) {
	b.fill(Rule, r.x, r.bottom(), r.w, 1, 1)
	b.drawRefreshes(func(_ uint16) (y, h float64, ok bool) { return r.y, r.h, true })
	behind()
	if b.time.detail <= 0 {
		return
	}
	if r.h >= 7 {
		b.drawRowCommands(r, b.time.detail)
	}
	b.drawSaved(r, b.time.detail)
	b.drawBurstCells(r, b.time.detail)
}

// drawRowCommands marks activates with a peak and precharges with a notch.
func (b *bus) drawRowCommands(r rect, alpha float64) {
	list := b.ch.rows
	for i := after(list, b.time.begin()); i < len(list) && float64(list[i].cycle) <= b.time.now; i++ {
		x := b.time.x(float64(list[i].cycle))
		if x < r.x+2.5 || x > r.right()-2.5 {
			continue
		}
		if list[i].activate {
			b.line(Ink, x-2.5, r.bottom(), x, r.y, 1, alpha*0.7)
			b.line(Ink, x, r.y, x+2.5, r.bottom(), 1, alpha*0.7)
		} else {
			mid := r.y + r.h*0.45
			b.line(Muted, x-2, r.y, x, mid, 1, alpha*0.8)
			b.line(Muted, x, mid, x+2, r.y, 1, alpha*0.8)
		}
	}
}

// drawRefreshes draws a pale box over the time in which banks are refreshed; area
// says where those of a bank are, and whether they are shown.
func (b *bus) drawRefreshes(area func(bank uint16) (y, h float64, ok bool)) {
	ch := b.ch
	for i := after(ch.refreshes, b.time.begin()-float64(ch.longest)-1); i < len(ch.refreshes) && float64(ch.refreshes[i].cycle) <= b.time.now; i++ {
		r := &ch.refreshes[i]
		x1, x2, ok := b.time.span(float64(r.cycle), float64(r.cycle)+float64(r.length))
		y, h, shown := area(r.bank)
		if !ok || !shown {
			continue
		}
		b.Counts.Refreshes++
		w := max(x2-x1, 1)
		b.fill(RawColour, x1, y, w, h, 0.22)
		if w > 3 {
			b.shape(Outline, RawColour, x1, y, w, h, 0.8)
		}
		if h >= 13 {
			if label := b.fitting(w-8, axisSize, "refresh", "ref"); label != "" {
				b.text(Ink, label, x1+4, y+min(h/2+4.5, 24), axisSize, Left)
			}
		}
	}
}

// drawSaved outlines the bursts that blocks did not cost, where they would have
// been. Whatever comes next moves into the outline.
func (b *bus) drawSaved(r rect, alpha float64) {
	ch := b.ch
	ch.sum()
	duration := ch.length
	h := r.h * savedHeight
	last := ch.transferAt(b.time.now)
	slack := duration * float64(2*b.perBlock)
	for i := max(after(ch.transfers, b.time.begin()-slack)-1, 0); i <= last; i++ {
		t := &ch.transfers[i]
		limit := b.time.now
		if i < last {
			limit = min(limit, ch.transfers[i+1].End)
		}
		for k := range int(t.Saved) {
			from := t.End + float64(k)*duration
			if from >= limit {
				break
			}
			x1, x2, ok := b.time.span(from, from+duration)
			if !ok {
				continue
			}
			b.Counts.Saved++
			inset := cellInset(x2 - x1)
			b.fill(Muted, x1+inset, r.bottom()-h, x2-x1-2*inset, h, alpha*0.16)
			if w := x2 - x1; w > dashWidth {
				b.shape(Dashed, Muted, x1+inset, r.bottom()-h, w-2*inset, h, alpha*smoothStep((w-dashWidth)/dashWidth))
			}
		}
	}
}

// dashWidth is the width from which a dashed border can be told from noise.
const dashWidth = 3.5

// cellInset is the air on each side of a cell of a width.
func cellInset(w float64) float64 { return clamp((w-2)*0.12, 0, 0.75) }

// drawBurstCells draws the bursts, block by block, each a target.
func (b *bus) drawBurstCells(r rect, alpha float64) {
	ch := b.ch
	ch.sum()
	h := r.h * burstHeight
	y := r.bottom() - h
	previous, targetFrom := int32(-2), float64(0)
	for i := max(after(ch.bursts, b.time.begin())-1, 0); i < len(ch.bursts); i++ {
		burst := &ch.bursts[i]
		if float64(burst.Start) > b.time.now {
			break
		}
		x1, x2, ok := b.time.span(ch.extent(i))
		if !ok {
			continue
		}
		b.Counts.Bursts++
		inset := cellInset(x2 - x1)
		left := x1 + inset
		if burst.Transfer != previous {
			left += inset // the air between two blocks
			targetFrom = x1
		}
		previous = burst.Transfer
		w := max(x2-inset-left, 0.6)
		if burst.Metadata || burst.Transfer < 0 {
			b.Counts.Metadata++
			b.shape(Dots, MetadataColour, left, y, w, h, alpha)
			continue
		}
		t := &ch.transfers[burst.Transfer]
		b.cell(t, int(burst.Index), left, y, w, h, alpha)
		if b.selected.is(t) {
			b.shape(Outline, Ink, x1-1, y-2, x2-x1+2, h+4, 1).Stroke = 1.5
		}
		b.Targets = append(b.Targets, Target{X: targetFrom, Y: r.y, W: x2 - targetFrom, H: r.h, Kind: TargetTransfer, Side: b.side, Channel: b.number, Index: int(burst.Transfer)})
	}
}

// cell draws one fetched burst of a block.
func (s *Scene) cell(t *Transfer, index int, x, y, w, h, alpha float64) {
	switch {
	case t.Approximated(index):
		s.Counts.Approximated++
		s.shape(Hatch, ApproximatedColour, x, y, w, h, alpha)
	case t.Write:
		s.shape(Split, FetchedColour, x, y, w, h, alpha)
	default:
		s.fill(FetchedColour, x, y, w, h, alpha)
	}
}
