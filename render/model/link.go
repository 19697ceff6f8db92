package model

import (
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// packet is a packet on the link to a slower memory.
type packet struct {
	cycle, length uint32
	out           bool

	// Valid below link.summed: base cycles of packets in each direction up to and including this one.
	busy [2]uint64
}

func (p packet) at() uint32 { return p.cycle }

// link is the link of a GPU.
type link struct {
	packets  []packet
	channels uint32
	longest  uint32
	summed   int
}

func (l *link) add(at uint32, e *probe.Event) {
	p := packet{cycle: at, length: max(e.B, 1), out: e.A&1 != 0}
	l.channels, l.longest = max(l.channels, e.A>>8, 1), max(l.longest, p.length)
	var place int
	l.packets, place = insert(l.packets, p)
	l.summed = min(l.summed, place)
}

func (l *link) sum() {
	for i := l.summed; i < len(l.packets); i++ {
		p := &l.packets[i]
		p.busy = [2]uint64{}
		if i > 0 {
			p.busy = l.packets[i-1].busy
		}
		p.busy[direction(p.out)] += uint64(p.length)
	}
	l.summed = len(l.packets)
}

func direction(out bool) int {
	if out {
		return 1
	}
	return 0
}

// until returns the base cycles of all packets that began at or before a cycle, in and out.
func (l *link) until(cycle float64) [2]uint64 {
	l.sum()
	n := after(l.packets, cycle)
	if n == 0 {
		return [2]uint64{}
	}
	return l.packets[n-1].busy
}

// linkLaneH is the height of the link's lane below the channels.
const linkLaneH = 44

// linkMark is a packet: rounded, so that it is not taken for a burst.
var linkMark = mark{Fill, Accent, "packet of the link", "link", markPill}

// drawLink shows the link of a side: what comes in above, what goes out below. In slow motion each packet is a pill,
// in fast motion the height of a column is the share of time in which the link is busy.
func (st *panel) drawLink(r rect) {
	l, half := &st.t.link, r.h/2
	in, out := 0, 0
	for i := after(l.packets, max(st.time.begin(), 0)); i < len(l.packets) && float64(l.packets[i].cycle) <= st.time.now; i++ {
		if l.packets[i].out {
			out++
		} else {
			in++
		}
	}
	st.line(Rule, st.frame.x, r.y-2, r.right(), r.y-2, 1, 1)
	st.line(Rule, r.x, r.y+half, r.right(), r.y+half, 1, 1)
	st.line(Rule, r.x, r.bottom(), r.right(), r.bottom(), 1, 1)
	c := st.frame.controller
	st.text(Ink, st.fitting(r.x-c.x-4, smallSize, "link, "+Count(in)+" in, "+Count(out)+" out", strconv.Itoa(in)+"/"+strconv.Itoa(out), "link"), c.x, r.y+half+4, smallSize, Left)
	if !st.frame.narrow {
		st.text(Muted, "in", r.x-6, r.y+half-4, 10, Right)
		st.text(Muted, "out", r.x-6, r.bottom()-4, 10, Right)
	}
	st.drawLinkLoad(r)
	if st.time.detail > 0 {
		st.drawPackets(r)
	}
}

func (st *panel) drawPackets(r rect) {
	l, half := &st.t.link, r.h/2
	for i := after(l.packets, st.time.begin()-float64(l.longest)); i < len(l.packets) && float64(l.packets[i].cycle) <= st.time.now; i++ {
		p := &l.packets[i]
		x1, x2, ok := st.time.span(float64(p.cycle), float64(p.cycle)+float64(p.length))
		if !ok {
			continue
		}
		y, h := r.y+2, half-4
		if p.out {
			y += half
		}
		w := max(x2-x1-1, 1.5)
		st.fill(Accent, x1, y, w, h, 0.75*st.time.detail).Radius = min(h, w) / 2
		o := st.shape(Outline, Ink, x1, y, w, h, st.time.detail)
		o.Radius = min(h, w) / 2
	}
}

func (st *panel) drawLinkLoad(r rect) {
	alpha := 1 - st.time.detail
	if alpha <= 0 {
		return
	}
	l, half := &st.t.link, r.h/2
	perColumn := max(2*flowColumn/st.time.perCycle, float64(l.longest), 1)
	first := math.Floor(max(st.time.begin(), 0)/perColumn) * perColumn
	before := l.until(first)
	for from := first; from < st.time.now; from += perColumn {
		to := min(from+perColumn, st.time.now)
		busy := l.until(to)
		x1, x2, ok := st.time.span(from, to)
		for d := range busy {
			share := min(float64(busy[d]-before[d])/(float64(l.channels)*(to-from)), 1)
			if h := share * (half - 2); ok && h > 0 {
				st.fill(Magnitude, x1, r.y+float64(d+1)*half-h, x2-x1, h, alpha).Level = share
			}
		}
		before = busy
	}
}
