package model

import "math"

// Tab is one of the pictures the view can show.
type Tab uint8

const (
	TabBursts Tab = iota
	TabAddress
	TabMAG
	TabDRAM
)

// SideChoice says whose picture is shown.
type SideChoice uint8

const (
	BothSides SideChoice = iota
	OnlyA
	OnlyB
)

// View is everything a picture depends on; all of it is set from outside.
type View struct {
	Sides  [2]*Timeline
	Labels [2]string
	Blocks [2]*Blocks
	Tab    Tab
	Side   SideChoice

	Cycle           float64
	CyclesPerSecond float64
	ReducedMotion   bool

	ThresholdBytes int
	Selected       uint64 // block address
	HasSelected    bool
	SelectedReq    uint32 // narrows Selected to one request, 0 = any

	MapColour MapColour
	MapFirst  int     // first block shown
	MapCount  int     // blocks shown, 0 = all
	Divider   float64 // 0..1, where A ends and B begins in the rows of the address map
	Channel   int     // shown by the DRAM tab

	// What the last Build worked out, for pointing at it.
	layout  mapLayout
	chart   *AboveChart
	above   [2]AboveChart
	aboveOf [2]*Blocks
}

// smallest is the size in pixels below which nothing could be told apart.
const smallest = 120

// Build lays out the picture of v on w by h logical pixels.
func (v *View) Build(s *Scene, w, h float64) {
	s.Reset(w, h)
	if w < smallest || h < smallest { // a page that is still hidden
		s.fill(Paper, 0, 0, w, h, 1)
		return
	}
	switch v.Tab {
	case TabAddress:
		v.buildMap(s)
	case TabMAG:
		v.buildMAG(s)
	case TabDRAM:
		v.buildDRAM(s)
	default:
		v.buildBursts(s)
	}
}

// shown lists the sides to show: those chosen that exist.
func (v *View) shown() (sides [2]int, n int) {
	for i, t := range v.Sides {
		if t == nil || v.Side == OnlyA && i == 1 || v.Side == OnlyB && i == 0 {
			continue
		}
		sides[n] = i
		n++
	}
	return sides, n
}

// cursor is the cycle to show; with reduced motion, states step.
func (v *View) cursor() float64 {
	c := bounded(v.Cycle, math.MaxUint32)
	if v.ReducedMotion {
		c = math.Floor(c)
	}
	return c
}

// bounded returns v between 0 and high; what is not a number is 0. Outside that
// steps of time would vanish in the precision of v.
func bounded(v, high float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, high)
}

// extent is the last cycle of the sides, for a common scale.
func (v *View) extent() float64 {
	last := 1.0
	for _, t := range v.Sides {
		if t == nil {
			continue
		}
		last = max(last, t.LastCycle())
		if end, ok := t.Finished(); ok {
			last = max(last, end)
		}
	}
	return last
}

var sideName = [2]string{"A", "B"}

// timescale maps cycles to the length of a strip.
type timescale struct {
	now      float64
	window   float64 // cycles on a strip
	detail   float64 // 1 = single bursts, 0 = flows
	perCycle float64 // pixels
	left     float64
	right    float64
}

const (
	// A strip shows the last 1.5 seconds of playing.
	stripSeconds = 1.5
	// In the slowest motion a burst is this many pixels wide.
	slowestBurstWidth = 9
	// Below flowWidth pixels a burst is part of a flow, above burstWidth it
	// stands alone; between, the one fades into the other.
	flowWidth  = 0.9
	burstWidth = 2.4
)

func newTimescale(v *View, left, right float64, burstCycles float64) timescale {
	length := max(right-left, 1)
	t := timescale{now: v.cursor(), left: left, right: right}
	t.window = max(bounded(v.CyclesPerSecond, math.MaxUint32)*stripSeconds, length/slowestBurstWidth*burstCycles, 16)
	t.perCycle = length / t.window
	width := burstCycles * t.perCycle
	t.detail = smoothStep((width - flowWidth) / (burstWidth - flowWidth))
	return t
}

// x is where a cycle lies; now is the right edge.
func (t *timescale) x(cycle float64) float64 {
	return t.right - (t.now-cycle)*t.perCycle
}

func (t *timescale) begin() float64 { return t.now - t.window }

// span clips the cycles from a to b to the strip.
func (t *timescale) span(a, b float64) (x1, x2 float64, ok bool) {
	x1, x2 = max(t.x(a), t.left), min(t.x(b), t.right)
	return x1, x2, x2 > x1
}

func smoothStep(x float64) float64 {
	x = max(0, min(x, 1))
	return x * x * (3 - 2*x)
}
