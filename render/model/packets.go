package model

import "github.com/burstscope/burstscope/core/probe"

// packet is a packet on the link to a slower memory.
type packet struct {
	cycle, length uint32
	out           bool
}

func (p packet) at() uint32 { return p.cycle }

// packetOf is the packet that a record reports.
func packetOf(at uint32, e *probe.Event) packet {
	return packet{cycle: at, length: max(e.B, 1), out: e.A&1 != 0}
}

// linkLaneH is the height of the link's lane below the channels.
const linkLaneH = 44

// linkMark is a packet: rounded, so that it is not taken for a burst.
var linkMark = mark{Fill, BuddyColour, "packet of the link", "link", markPill}

// drawLane draws the lines of the link's lane: what comes in is above the middle, what goes out below.
func drawLane(s *Scene, r rect, names bool) {
	half := r.h / 2
	s.line(Rule, r.x, r.y+half, r.right(), r.y+half, 1, 1)
	s.line(Rule, r.x, r.bottom(), r.right(), r.bottom(), 1, 1)
	if names {
		s.text(Muted, "in", r.x-6, r.y+half-5, axisSize, Right)
		s.text(Muted, "out", r.x-6, r.bottom()-5, axisSize, Right)
	}
}

// drawPackets draws each packet of a window as a pill. Longest is the length of the longest one.
func drawPackets(s *Scene, packets []packet, longest uint32, time timescale, r rect) {
	half := r.h / 2
	for i := after(packets, time.begin()-float64(longest)); i < len(packets) && float64(packets[i].cycle) <= time.now; i++ {
		p := &packets[i]
		x1, x2, ok := time.span(float64(p.cycle), float64(p.cycle)+float64(p.length))
		if !ok {
			continue
		}
		y, h := r.y+3, half-6
		if p.out {
			y += half
		}
		w := max(x2-x1-1, 1.5)
		s.fill(BuddyColour, x1, y, w, h, 0.75*time.detail).Radius = min(h, w) / 2
		o := s.shape(Outline, Ink, x1, y, w, h, time.detail)
		o.Radius = min(h, w) / 2
	}
}

// packetsIn counts those that began in the cycles up to now.
func packetsIn(packets []packet, begin, now float64) (in, out int) {
	for i := after(packets, max(begin, 0)); i < len(packets) && float64(packets[i].cycle) <= now; i++ {
		if packets[i].out {
			out++
		} else {
			in++
		}
	}
	return in, out
}
