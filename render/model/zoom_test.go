package model

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/core/probe"
)

// resting is a view of two sides whose bursts have different lengths, with a run of 100,000 cycles.
func resting(channels int) *View {
	top := oneChannel()
	top.Channels, top.Slices, top.Controllers = channels, channels, (channels+3)/4
	other := top
	other.MAGBytes = 64
	lines := [2]*Timeline{NewTimeline(top), NewTimeline(other)}
	for _, l := range lines {
		l.Add(block(nil, 90_000, 0, 1, 2, probe.ModeLossless, 0, 0))
		l.Finish(100_000)
	}
	return &View{Sides: lines, Labels: [2]string{"A", "B"}, Cycle: 90_010}
}

// TestAtRestThereIsOneLevelOfDetail: at any size and speed the picture shows single bursts of at least 3 pixels, or
// flows. A run that is not played shows single bursts.
func TestAtRestThereIsOneLevelOfDetail(t *testing.T) {
	for _, tab := range []Tab{TabBursts, TabDRAM} {
		for _, size := range [][2]float64{{320, 300}, {390, 390}, {600, 340}, {880, 560}, {1040, 480}, {1920, 560}} {
			for speed := 1.0; speed < 1e6; speed *= 1.3 {
				for _, playing := range []bool{false, true} {
					v := resting(2)
					v.Tab, v.CyclesPerSecond, v.Playing = tab, speed, playing
					var s Scene
					v.Build(&s, size[0], size[1])
					shortest, _ := v.burstCycles()
					width := v.stripWidth / v.Window() * shortest
					ts := v.timescale(v.stripLeft, v.stripLeft+v.stripWidth)
					switch {
					case ts.detail != 0 && ts.detail != 1:
						t.Fatalf("%v at %.0f cycles a second: detail %v", size, speed, ts.detail)
					case ts.detail == 1 && width < 2.99:
						t.Fatalf("%v at %.0f cycles a second: single bursts of %.2f pixels", size, speed, width)
					case !playing && ts.detail != 1:
						t.Fatalf("%v at %.0f cycles a second: flows at rest", size, speed)
					}
				}
			}
		}
	}
}

// TestColoursAtRestAreInTheLegend: every colour that a strip is drawn in is one of the legend, or of the frame.
func TestColoursAtRestAreInTheLegend(t *testing.T) {
	frame := map[Colour]bool{Rule: true, Paper: true, Panel: true, Ink: true, Muted: true, Accent: true}
	lines := [2]*Timeline{NewTimeline(testTopology()), NewTimeline(testTopology())}
	lines[0].Add(generate(testTopology(), 1, 400, true, 40))
	lines[1].Add(generate(testTopology(), 2, 400, true, 40))
	for _, size := range [][2]float64{{390, 390}, {600, 340}, {820, 500}, {1040, 480}, {1280, 560}, {1920, 560}} {
		for _, speed := range []float64{4, 100, 300, 1000, 1e5} {
			for _, playing := range []bool{false, true} {
				v := View{Sides: lines, Cycle: 500, CyclesPerSecond: speed, Playing: playing}
				var s Scene
				v.Build(&s, size[0], size[1])
				legend := s.H - v.legendHeight(&s, 0, s.W)
				named := map[Colour]bool{}
				for _, sh := range s.Shapes {
					if sh.Y >= legend {
						named[sh.Colour] = true
					}
				}
				for _, sh := range s.Shapes {
					if sh.X >= v.stripLeft && sh.Y < legend && !frame[sh.Colour] && !named[sh.Colour] {
						t.Errorf("%v at %.0f cycles a second: colour %d is not in the legend", size, speed, sh.Colour)
					}
				}
			}
		}
	}
}

// TestZoomKeepsTheCycleUnderThePointer at every place of a strip, in both directions, until a limit is reached.
func TestZoomKeepsTheCycleUnderThePointer(t *testing.T) {
	v := resting(2)
	v.CyclesPerSecond = 100
	var s Scene
	v.Build(&s, 1000, 500)
	for _, share := range []float64{0, 0.25, 0.8, 1} {
		for _, factor := range []float64{0.8, 0.5, 1.25, 3} {
			x := v.stripLeft + share*v.stripWidth
			under := func() float64 { return v.Cycle - (1-share)*v.Window() }
			v.Cycle = 50_000
			before := under()
			v.Cycle = v.Zoom(x, factor)
			v.Build(&s, 1000, 500)
			if math.Abs(under()-before) > 1e-6*before {
				t.Errorf("at %.2f of the strip, factor %v: cycle %v becomes %v", share, factor, before, under())
			}
		}
	}
	for range 100 {
		v.Cycle = v.Zoom(v.stripLeft, 0.5)
		v.Build(&s, 1000, 500)
	}
	if v.Window() != leastWindow {
		t.Errorf("the closest view has %v cycles, want %v", v.Window(), leastWindow)
	}
	for range 100 {
		v.Cycle = v.Zoom(v.stripLeft, 2)
		v.Build(&s, 1000, 500)
	}
	if v.Window() != 100_000 || v.Cycle < 0 || v.Cycle > 100_000 {
		t.Errorf("the widest view has %v cycles up to %v, want the run's 100,000", v.Window(), v.Cycle)
	}
}

// TestFitShowsTheWholeRunAndThePartBefore.
func TestFitShowsTheWholeRunAndThePartBefore(t *testing.T) {
	v := resting(2)
	v.CyclesPerSecond = 100
	var s Scene
	v.Build(&s, 1000, 500)
	close := v.Window()
	if v.Cycle = v.Fit(500); v.Cycle != 100_000 {
		t.Errorf("the whole run ends at cycle %v", v.Cycle)
	}
	v.Build(&s, 1000, 500)
	if v.Window() != 100_000 {
		t.Errorf("the whole run takes %v cycles", v.Window())
	}
	v.Cycle = v.Fit(v.stripLeft + v.stripWidth/4)
	v.Build(&s, 1000, 500)
	if v.Window() != close || math.Abs(v.Cycle-close/2-25_000) > 1 {
		t.Errorf("a quarter into the run: %v cycles up to %v, want %v about 25,000", v.Window(), v.Cycle, close)
	}
}

// TestGlideEndsAtRest: the window and the level of detail reach those of a picture at rest, without a jump back. Then
// nothing moves. With reduced motion they are there at once.
func TestGlideEndsAtRest(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		v := resting(2)
		v.CyclesPerSecond, v.ReducedMotion, v.Playing = 4, reduced, true
		var s Scene
		frame := func() (timescale, bool) {
			v.Build(&s, 1000, 500)
			ts := v.timescale(v.stripLeft, v.stripLeft+v.stripWidth)
			return ts, v.Glide(1.0 / 60)
		}
		for range 3 {
			frame()
		}
		v.CyclesPerSecond = 1e4
		frames, last := 0, timescale{detail: 1}
		for ; frames < 100; frames++ {
			ts, moves := frame()
			if ts.window < last.window || ts.detail > last.detail {
				t.Errorf("frame %d: %v cycles, detail %v, after %v and %v",
					frames, ts.window, ts.detail, last.window, last.detail)
			}
			if last = ts; !moves {
				break
			}
		}
		if last.window != v.Window() || last.detail != 0 || frames > 60 || reduced && frames > 2 {
			t.Errorf("reduced motion %v: after %d frames %v cycles of %v, detail %v",
				reduced, frames, last.window, v.Window(), last.detail)
		}
	}
}

// TestEveryChannelCanBeReached: of a GPU with more channels than fit, by pages and by pulling.
func TestEveryChannelCanBeReached(t *testing.T) {
	for _, channels := range []int{2, 30, 96, 188, 192} {
		for _, size := range [][2]float64{{390, 390}, {1040, 480}} {
			v := resting(channels)
			v.CyclesPerSecond = 10
			var records []byte
			for c := range channels {
				e := probe.Event{Kind: probe.KindRead, Unit: uint16(c), Cycle: 90_000, Addr: uint64(c) * 128,
					Req: uint32(c + 2), A: 1<<16 | uint32(probe.ModeLossless)<<24, B: 3 << 16}
				records = e.Append(records)
			}
			v.Sides[0].Add(records)
			var s Scene
			reached := map[int]bool{}
			look := func() {
				v.Build(&s, size[0], size[1])
				for _, target := range s.Targets {
					if target.Kind == TargetTransfer {
						reached[target.Channel] = true
					}
				}
			}
			for range channels {
				look()
				v.ScrollPage(1)
			}
			last := v.First
			look()
			if v.First > last || len(reached) != channels {
				t.Errorf("%d channels, %v: only %d can be reached", channels, size, len(reached))
			}
			v.Scroll(v.First, -1e6)
			if look(); v.First != 0 {
				t.Errorf("pulled down, the first channel is %d", v.First)
			}
		}
	}
}
