package model

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
)

// onLink appends the record of a packet on a link of two channels.
func onLink(b []byte, at, cycles uint64, out uint32) []byte {
	e := probe.Event{Kind: probe.KindLink, Cycle: sim.Cycle(at), A: out | 2<<8, B: uint32(cycles)}
	return e.Append(b)
}

// pills are the packets of a scene: rounded, filled, below the channels.
func pills(s *Scene) (in, out int) {
	for _, sh := range s.Shapes {
		if sh.Kind == Fill && sh.Colour == BuddyColour && sh.Radius > 0 && sh.Alpha == 0.85 {
			if sh.Y < s.H-60 {
				in++
			} else {
				out++
			}
		}
	}
	return in, out
}

// A run with a link has a lane of its own for the packets on show, one without has none and keeps its picture.
func TestLinkHasALane(t *testing.T) {
	line := NewTimeline(oneChannel())
	line.Add(block(nil, 100, 0, 1, 2, probe.ModeLossless, 0, 0))
	v := View{Sides: [2]*Timeline{line}, Cycle: 150, CyclesPerSecond: 10}
	var plain, linked Scene
	v.Build(&plain, 880, 400)
	b := onLink(nil, 110, 6, 0)
	b = onLink(b, 120, 8, 1)
	b = onLink(b, 118, 6, 0)
	b = onLink(b, 400, 6, 0) // later than the cursor
	if line.Add(b) != 4 {
		t.Fatal("packets are refused")
	}
	v.Build(&linked, 880, 400)
	words := func(s *Scene) (texts []string) {
		for _, sh := range s.Shapes {
			if sh.Kind == Words {
				texts = append(texts, sh.Text)
			}
		}
		return texts
	}
	has := func(s *Scene, text string) bool {
		for _, w := range words(s) {
			if w == text {
				return true
			}
		}
		return false
	}
	if has(&plain, "packet of the link") || !has(&linked, "packet of the link") || !has(&linked, "link, 2 in, 1 out") {
		t.Errorf("texts without packets %q, with them %q", words(&plain), words(&linked))
	}
	if in, out := pills(&linked); in+out != 3 {
		t.Errorf("%d packets in, %d out are drawn", in, out)
	}
	unknown := probe.Event{Kind: probe.KindLink, Cycle: 1, Unit: 9, B: 4}
	if line.Add(unknown.Append(nil)) != 0 {
		t.Error("a packet of a channel that does not exist is accepted")
	}
}

// The sums of the link are those of a walk over all packets, in whatever order they came.
func TestLinkLoad(t *testing.T) {
	rnd := sim.NewRand(3, 1)
	var l link
	type p struct{ at, length, out uint32 }
	var all []p
	for range 2000 {
		x := p{uint32(rnd.Intn(5000)), uint32(1 + rnd.Intn(30)), uint32(rnd.Intn(2))}
		all = append(all, x)
		l.add(x.at, &probe.Event{A: x.out | 4<<8, B: x.length})
		if rnd.Intn(50) == 0 {
			at := float64(rnd.Intn(6000))
			var want [2]uint64
			for _, y := range all {
				if float64(y.at) <= at {
					want[y.out] += uint64(y.length)
				}
			}
			if got := l.until(at); got != want {
				t.Fatalf("until %v: %v, want %v", at, got, want)
			}
		}
	}
	line := NewTimeline(oneChannel())
	line.link = l
	v := View{Sides: [2]*Timeline{line}, Cycle: 5000, CyclesPerSecond: 1e6, Playing: true}
	var s Scene
	v.Build(&s, 880, 400)
	drawn := 0
	for _, sh := range s.Shapes {
		if math.IsNaN(sh.X+sh.Y+sh.W+sh.H) || sh.X < 0 || sh.Y < 0 || sh.X+sh.W > 880.5 && sh.Kind != Words && sh.Kind != Line {
			t.Fatalf("a shape at %v, %v, %v wide", sh.X, sh.Y, sh.W)
		}
		if sh.Kind == Fill && sh.Colour == Magnitude && sh.Y > 300 {
			drawn++
		}
	}
	if drawn == 0 {
		t.Error("fast motion shows no load of the link")
	}
}
