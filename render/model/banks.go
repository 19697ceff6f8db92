package model

import (
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// leastLane is the lowest lane of a bank.
const leastLane = 3.5

// drawBanks shows the banks of a channel as lanes over time: a bar while a row is open,
// in it the bursts that used it; at the foot the bus, of which behind draws what stands
// behind the bursts.
func (b *bus) drawBanks(r rect, behind func(r rect)) {
	lane := min(r.h/float64(b.banks+1), 30)
	if lane < leastLane {
		return // no room for a bank
	}
	left, width := b.time.left, b.time.right-b.time.left
	foot := rect{left, r.y + float64(b.banks)*lane + 2, width, lane - 3}
	step := 1
	for float64(step)*lane < axisSize+1 {
		step++
	}
	for bank := range b.banks {
		y := r.y + float64(bank)*lane
		if bank%step == 0 {
			b.text(Muted, strconv.Itoa(bank), left-6, y+lane/2+4, axisSize, Right)
		}
		b.fill(Rule, left, y+lane-1, width, 1, 0.7)
	}
	b.text(Muted, "bus", left-6, foot.y+foot.h/2+4, axisSize, Right)
	b.drawOpenRows(r.y, lane)
	b.drawRefreshes(func(bank uint16) (top, h float64, ok bool) {
		if bank == probe.AllBanks {
			return r.y, float64(b.banks) * lane, true
		}
		return r.y + float64(bank)*lane, lane - 1, int(bank) < b.banks
	})
	b.drawBankBursts(r.y, lane)
	b.fill(Rule, foot.x, foot.bottom(), foot.w, 1, 1)
	behind(foot)
	if b.time.detail > 0 {
		b.drawSaved(foot, b.time.detail)
		b.drawBurstCells(foot, b.time.detail)
	}
}

// bankBurst is the height of a burst in a bank's bar, as a share of it.
const bankBurst = 0.55

// rowsBack is how many row commands before the strip we look at to learn what
// is open at its left edge.
const rowsBack = 2048

// openedRow is what is known of a bank's row.
type openedRow struct {
	row   uint32
	since float64
	known bool
}

func (b *bus) drawOpenRows(y, lane float64) {
	list := b.ch.rows
	var open [maxBanks]openedRow
	from := after(list, b.time.begin())
	for i := max(from-rowsBack, 0); i < len(list) && float64(list[i].cycle) <= b.time.now; i++ {
		cmd := &list[i]
		if int(cmd.bank) >= b.banks {
			continue
		}
		o := &open[cmd.bank]
		if o.known {
			b.openRow(o.row, o.since, float64(cmd.cycle), y+float64(cmd.bank)*lane, lane)
		}
		o.row, o.since, o.known = cmd.row, float64(cmd.cycle), cmd.activate
	}
	for bank := range b.banks {
		if o := &open[bank]; o.known {
			b.openRow(o.row, o.since, b.time.now+1, y+float64(bank)*lane, lane)
		}
	}
}

func (b *bus) openRow(row uint32, from, to float64, y, lane float64) {
	x1, x2, ok := b.time.span(from, to)
	if !ok {
		return
	}
	h := lane - 3
	b.fill(Panel, x1, y+1, x2-x1, h, 1)
	if x2-x1 > 3 {
		b.shape(Outline, Rule, x1, y+1, x2-x1, h, 1)
	}
	b.fill(Ink, x1, y+1, 1.5, h, 0.6*b.time.detail+0.2)
	// The label stands above the bursts of the bank.
	if h*(1-bankBurst) >= 9 && b.time.detail > 0.5 {
		if label := b.fitting(x2-x1-8, axisSize, fmt.Sprintf("row %d", row), strconv.Itoa(int(row))); label != "" {
			b.text(Muted, label, x1+5, y+10.5, axisSize, Left)
		}
	}
}

func (b *bus) drawBankBursts(y, lane float64) {
	ch := b.ch
	ch.sum()
	bursts, cut, meta := b.Counts.Bursts, b.Counts.Approximated, b.Counts.Metadata
	h := (lane - 3) * bankBurst
	for i := max(after(ch.bursts, b.time.begin())-1, 0); i < len(ch.bursts) && float64(ch.bursts[i].Start) <= b.time.now; i++ {
		burst := &ch.bursts[i]
		x1, x2, ok := b.time.span(ch.extent(i))
		if !ok || int(burst.Bank) >= b.banks {
			continue
		}
		by := y + float64(burst.Bank)*lane + lane - 2 - h
		w := max(x2-x1-2*cellInset(x2-x1), 0.7)
		alpha := max(b.time.detail, 0.35)
		if burst.Metadata || burst.Transfer < 0 {
			b.shape(Dots, MetadataColour, x1, by, w, h, alpha)
		} else {
			b.cell(&ch.transfers[burst.Transfer], int(burst.Index), x1, by, w, h, alpha)
		}
	}
	// The bus below shows the same bursts; it counts them.
	b.Counts.Bursts, b.Counts.Approximated, b.Counts.Metadata = bursts, cut, meta
}
