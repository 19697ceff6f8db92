package model

import (
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

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
		st.time = newTimescale(v, edge+34, s.W-edge, t.Topology.BurstCycles())
		detail = st.time.detail
		st.frame = frame{x: edge, y: y + headerH + 14, w: s.W - 2*edge, narrow: true}
		st.header(edge, y, s.W-2*edge)
		st.drawBanks(clampInt(v.Channel, 0, t.Topology.Channels-1), rect{edge, y + headerH, s.W - 2*edge, h - headerH - 8})
	}
	v.legend(s, edge, s.W-2*edge, detail)
}

func (st *panel) drawBanks(c int, r rect) {
	top := &st.t.Topology
	caption := fmt.Sprintf("channel %d of %d, %d banks; bar = row open; last %s cycles, now at the right edge", c, top.Channels, top.Banks, Count(int(st.time.window)))
	st.text(Muted, st.fitting(r.w-4, smallSize, caption, fmt.Sprintf("channel %d of %d, bar = row open", c, top.Channels)), r.x, r.y+11, smallSize, Left)
	y := r.y + 16
	lanes := top.Banks + 1
	laneH := min((r.h-16)/float64(lanes), 30)
	if laneH < 3.5 {
		return // no room for a bank
	}
	bus := rect{st.time.left, y + float64(top.Banks)*laneH + 2, st.time.right - st.time.left, laneH - 3}
	step := 1
	for float64(step)*laneH < 11 {
		step++
	}
	for b := range top.Banks {
		ly := y + float64(b)*laneH
		if b%step == 0 {
			st.text(Muted, strconv.Itoa(b), st.time.left-6, ly+laneH/2+3.5, 10, Right)
		}
		st.fill(Rule, st.time.left, ly+laneH-1, bus.w, 1, 0.7)
	}
	st.text(Muted, "bus", st.time.left-6, bus.y+bus.h/2+3.5, 10, Right)
	st.drawOpenRows(c, y, laneH)
	st.drawRefreshes(c, func(bank uint16) (top, h float64, ok bool) {
		if bank == probe.AllBanks {
			return y, float64(st.t.Topology.Banks) * laneH, true
		}
		return y + float64(bank)*laneH, laneH - 1, int(bank) < st.t.Topology.Banks
	})
	st.drawBankBursts(c, y, laneH)
	st.frame.narrow = true // the strip brings no label of its own
	st.drawBus(c, bus)
}

func (st *panel) drawBus(c int, r rect) {
	st.fill(Rule, r.x, r.bottom(), r.w, 1, 1)
	if st.time.detail < 1 {
		st.drawFlow(c, r, 1-st.time.detail)
	}
	if st.time.detail > 0 {
		st.drawSaved(c, r, st.time.detail)
		st.drawBurstCells(c, r, st.time.detail)
	}
}

// rowsBack is how many row commands before the strip we look at to learn what
// is open at its left edge.
const rowsBack = 2048

func (st *panel) drawOpenRows(c int, y, laneH float64) {
	list := st.t.channels[c].rows
	var open [maxBanks]struct {
		row   uint32
		since float64
		known bool
	}
	from := after(list, st.time.begin())
	for i := max(from-rowsBack, 0); i < len(list) && float64(list[i].cycle) <= st.time.now; i++ {
		cmd := list[i]
		if int(cmd.bank) >= st.t.Topology.Banks {
			continue
		}
		o := &open[cmd.bank]
		if o.known {
			st.openRow(o.row, o.since, float64(cmd.cycle), y+float64(cmd.bank)*laneH, laneH)
		}
		o.row, o.since, o.known = cmd.row, float64(cmd.cycle), cmd.activate
	}
	for b := range st.t.Topology.Banks {
		if o := open[b]; o.known {
			st.openRow(o.row, o.since, st.time.now+1, y+float64(b)*laneH, laneH)
		}
	}
}

func (st *panel) openRow(row uint32, from, to float64, y, laneH float64) {
	x1, x2, ok := st.time.span(from, to)
	if !ok {
		return
	}
	h := laneH - 3
	st.fill(Panel, x1, y+1, x2-x1, h, 1)
	if x2-x1 > 3 {
		st.shape(Outline, Rule, x1, y+1, x2-x1, h, 1)
	}
	st.fill(Ink, x1, y+1, 1.5, h, 0.6*st.time.detail+0.2)
	if h >= 10 && st.time.detail > 0.5 {
		if label := st.fitting(x2-x1-8, 9, "row "+strconv.Itoa(int(row)), strconv.Itoa(int(row))); label != "" {
			st.text(Muted, label, x1+5, y+10, 9, Left)
		}
	}
}

func (st *panel) drawBankBursts(c int, y, laneH float64) {
	ch := &st.t.channels[c]
	ch.sum()
	bursts, cut, meta := st.Counts.Bursts, st.Counts.Approximated, st.Counts.Metadata
	h := (laneH - 3) * 0.55
	for i := max(after(ch.bursts, st.time.begin())-1, 0); i < len(ch.bursts) && float64(ch.bursts[i].Start) <= st.time.now; i++ {
		b := &ch.bursts[i]
		x1, x2, ok := st.time.span(ch.extent(i))
		if !ok || int(b.Bank) >= st.t.Topology.Banks {
			continue
		}
		by := y + float64(b.Bank)*laneH + laneH - 2 - h
		w := max(x2-x1-2*cellInset(x2-x1), 0.7)
		alpha := max(st.time.detail, 0.35)
		if b.Metadata || b.Transfer < 0 {
			st.shape(Dots, MetadataColour, x1, by, w, h, alpha)
		} else {
			st.cell(&ch.transfers[b.Transfer], int(b.Index), x1, by, w, h, alpha)
		}
	}
	// The bus below shows the same bursts; it counts them.
	st.Counts.Bursts, st.Counts.Approximated, st.Counts.Metadata = bursts, cut, meta
}
