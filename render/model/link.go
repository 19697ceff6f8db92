package model

import (
	"math"
	"strconv"

	"github.com/burstscope/burstscope/core/probe"
)

// link is the link of a GPU.
type link struct {
	lane
	busy   [][2]uint64 // below summed: base cycles of packets in each direction up to and including each
	summed int
}

func (l *link) add(at uint32, e *probe.Event) {
	l.summed = min(l.summed, l.put(at, e))
}

func (l *link) sum() {
	l.busy = l.busy[:l.summed]
	for i := l.summed; i < len(l.packets); i++ {
		p, busy := &l.packets[i], [2]uint64{}
		if i > 0 {
			busy = l.busy[i-1]
		}
		busy[direction(p.out)] += uint64(p.length)
		l.busy = append(l.busy, busy)
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
	return l.busy[n-1]
}

// drawLink shows the link of a side: what comes in above, what goes out below. In slow motion each packet is a pill,
// in fast motion the height of a column is the share of time in which the link is busy.
func (st *panel) drawLink(r rect) {
	l, half := &st.t.link, r.h/2
	in, out := l.count(st.time.begin(), st.time.now)
	st.line(Rule, st.frame.x, r.y-2, r.right(), r.y-2, 1, 1)
	l.frame(st.Scene, r, !st.frame.narrow)
	c := st.frame.controller
	st.text(Ink, st.fitting(r.x-c.x-4, smallSize, "link, "+Count(in)+" in, "+Count(out)+" out", "link "+strconv.Itoa(in)+"/"+strconv.Itoa(out), "link"), c.x, r.y+half+4, smallSize, Left)
	st.drawLinkLoad(r)
	if st.time.detail > 0 {
		l.pills(st.Scene, st.time, r)
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
