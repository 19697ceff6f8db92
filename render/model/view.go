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
	Playing         bool
	Interactive     bool // pointer and keys are for the picture
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
	First     int     // of the channels that the bursts view shows

	zoom zoom

	// What the last Build worked out, for pointing at it.
	stripLeft  float64 // where strips begin
	stripWidth float64
	stripH     float64 // of a channel
	perGroup   int     // channels of a controller
	addresses  AddressMap
	chart      *AboveChart
	above      [2]AboveChart
	aboveOf    [2]*Blocks
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
