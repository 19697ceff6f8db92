package model

import (
	"testing"

	"github.com/burstscope/burstscope/core/probe"
)

// TestDroppedRequestsEndAtL1: a load miss that L1 answers is a cross in front of the crossbar for some cycles. One
// whose request goes out all the same is none, nor is an ordinary miss.
func TestDroppedRequestsEndAtL1(t *testing.T) {
	top := oneChannel()
	line := NewTimeline(top)
	var b []byte
	for _, e := range []probe.Event{
		{Kind: probe.KindL1, Cycle: 100, Addr: 128, A: probe.ResultAnswered, Req: 1},
		{Kind: probe.KindL1, Cycle: 101, Addr: 256, A: probe.ResultMiss, Req: 2},
		{Kind: probe.KindXbarRequest, Cycle: 103, Addr: 256, A: 1, Req: 2},
		{Kind: probe.KindL1, Cycle: 102, Addr: 384, A: probe.ResultAnswered, Req: 3},
		{Kind: probe.KindXbarRequest, Cycle: 104, Addr: 384, A: 1, Req: 3},
	} {
		b = e.Append(b)
	}
	line.Add(b)
	v := View{Sides: [2]*Timeline{line}, CyclesPerSecond: 10}
	edge := newFrame(&top, 0, margin, captionH+headerH, 880-2*margin, 0).crossbar.x
	var last float64
	for _, c := range []struct {
		cycle float64
		want  int
	}{{99, 0}, {100, 1}, {104, 1}, {120, 1}, {139, 1}, {141, 0}} {
		v.Cycle = c.cycle
		var s Scene
		v.Build(&s, 880, 400)
		if s.Counts.Dropped != c.want {
			t.Errorf("cycle %v: %d requests are shown as dropped, want %d", c.cycle, s.Counts.Dropped, c.want)
		}
		crosses := 0
		for _, sh := range s.Shapes {
			if sh.Kind != Line || sh.Colour != ApproximatedColour || sh.Stroke != 2 || sh.Y > 380 {
				continue
			}
			crosses++
			if sh.X < last-3.5 || sh.W > edge {
				t.Errorf("cycle %v: the cross is at %v, before at %v; the crossbar begins at %v", c.cycle, sh.X, last, edge)
			}
			last = max(last, sh.X)
		}
		if c.want == 1 && crosses == 0 {
			t.Errorf("cycle %v: no cross", c.cycle)
		}
	}
	if marks := v.burstMarks(); marks[len(marks)-1] != droppedMark {
		t.Error("the legend has no dropped request")
	}
	plain := View{Sides: [2]*Timeline{NewTimeline(top)}}
	if marks := plain.burstMarks(); marks[len(marks)-1] == droppedMark {
		t.Error("a picture without drops explains them")
	}
}
