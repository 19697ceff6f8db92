package model

import "github.com/burstscope/burstscope/core/probe"

// packet is a packet on the link to a slower memory.
type packet struct {
	cycle, length uint32
	channel       uint32 // of the link
	out           bool
}

func (p packet) at() uint32 { return p.cycle }

// lane is the packets on a link with some channels.
type lane struct {
	packets  []packet
	channels uint32
	longest  uint32
}

const (
	// linkLaneH is the height of the link's lane below the channels.
	linkLaneH = 56
	// linkRows is the most rows of pills in each direction.
	linkRows = 6
)

// linkMark is a packet: rounded, so that it is not taken for a burst.
var linkMark = mark{Fill, BuddyColour, "packet of the link", "link", markPill}

// put takes the record of a packet and returns its place in the list. The link divides its channels by the number
// of the block (core/memctrl, linkPort.Take).
func (l *lane) put(at uint32, e *probe.Event) int {
	l.channels = max(l.channels, e.A>>8, 1)
	p := packet{cycle: at, length: max(e.B, 1), channel: uint32(e.Addr / LineBytes % uint64(l.channels)), out: e.A&1 != 0}
	l.longest = max(l.longest, p.length)
	list, place := insert(l.packets, p)
	l.packets = list
	return place
}

// frame draws the lines of the lane: what comes in is above the middle, what goes out below.
func (l *lane) frame(s *Scene, r rect, names bool) {
	half := r.h / 2
	s.line(Rule, r.x, r.y+half, r.right(), r.y+half, 1, 1)
	s.line(Rule, r.x, r.bottom(), r.right(), r.bottom(), 1, 1)
	if names {
		s.text(Muted, "in", r.x-6, r.y+half/2+4, axisSize, Right)
		s.text(Muted, "out", r.x-6, r.y+1.5*half+4, axisSize, Right)
	}
}

// pills draws each packet of the window, with a row for each channel as far as there is room.
func (l *lane) pills(s *Scene, time timescale, r rect) {
	half, rows := r.h/2, min(l.channels, linkRows)
	row := (half - 4) / float64(max(rows, 1))
	for i := after(l.packets, time.begin()-float64(l.longest)); i < len(l.packets) && float64(l.packets[i].cycle) <= time.now; i++ {
		p := &l.packets[i]
		x1, x2, ok := time.span(float64(p.cycle), float64(p.cycle)+float64(p.length))
		if !ok {
			continue
		}
		y, h := r.y+2+float64(p.channel%rows)*row, max(row-1, 1.5)
		if p.out {
			y += half
		}
		// Times are rounded to whole cycles: the last one is left out, so that packets in a row stand apart.
		w := max(x2-x1-max(time.perCycle, 1), 1.5)
		s.fill(BuddyColour, x1, y, w, h, 0.85*time.detail).Radius = min(h, w) / 2
	}
}

// count counts the packets of each direction that began in the cycles up to now.
func (l *lane) count(begin, now float64) (in, out int) {
	for i := after(l.packets, max(begin, 0)); i < len(l.packets) && float64(l.packets[i].cycle) <= now; i++ {
		if l.packets[i].out {
			out++
		} else {
			in++
		}
	}
	return in, out
}
