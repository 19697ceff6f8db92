package app

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/render/model"
)

// The methods below set what the page says. They are called through Do.

// SetScene begins a run: machines and labels of the sides; nil leaves a side out.
func (g *Game) SetScene(topologies [2]*model.Topology, labels [2]string) {
	for i, t := range topologies {
		g.view.Sides[i], g.view.Blocks[i], g.pending[i] = nil, nil, nil
		if t != nil {
			g.view.Sides[i] = model.NewTimeline(*t)
		}
	}
	g.view.Labels = labels
	g.view.MapFirst, g.view.MapCount = 0, 0
	g.hasFocus = false
	g.dirty = true
}

// AddEvents takes records of a side; they are indexed over the next frames.
func (g *Game) AddEvents(side int, records []byte) {
	if g.view.Sides[side] != nil && len(records) >= probe.RecordBytes {
		g.pending[side] = append(g.pending[side], records)
	}
}

// Finish says at which cycle a side ended.
func (g *Game) Finish(side int, cycle float64) {
	if t := g.view.Sides[side]; t != nil {
		t.Finish(cycle)
		g.dirty = true
	}
}

// SetBlocks takes how a side's memory is stored.
func (g *Game) SetBlocks(side int, b model.Blocks) {
	if t := g.view.Sides[side]; t != nil {
		b.MAGBytes = t.Topology.MAGBytes
		if len(b.Allocations) == 0 {
			b.Allocations = t.Topology.Allocations
		}
	}
	g.made++
	g.view.Blocks[side] = model.NewBlocks(b, g.made)
	g.dirty = true
}

// SetCursor moves the cursor; the speed also says how much time a strip shows.
func (g *Game) SetCursor(cycle, cyclesPerSecond float64) {
	if cyclesPerSecond <= 0 {
		cyclesPerSecond = g.view.CyclesPerSecond
	}
	if g.view.Cycle != cycle || g.view.CyclesPerSecond != cyclesPerSecond {
		g.dirty = true
	}
	g.view.Cycle, g.view.CyclesPerSecond = cycle, cyclesPerSecond
}

// Show chooses the picture; channel < 0 leaves the channel as it is.
func (g *Game) Show(tab model.Tab, side model.SideChoice, channel int) {
	g.view.Tab, g.view.Side = tab, side
	if channel >= 0 {
		g.view.Channel = channel
	}
	g.dirty = true
}

// SetColour chooses what the colours of the address map mean.
func (g *Game) SetColour(c model.MapColour) {
	g.view.MapColour = c
	g.dirty = true
}

// SetTheme chooses the palette and whether things may glide.
func (g *Game) SetTheme(dark, reducedMotion bool) {
	g.dark, g.view.ReducedMotion = dark, reducedMotion
	g.dirty = true
}

// SetThreshold moves the line over the histogram.
func (g *Game) SetThreshold(bytes int) {
	g.view.ThresholdBytes = bytes
	g.dirty = true
}

// Select marks a block.
func (g *Game) Select(addr uint64, ok bool) {
	if !ok || addr != g.view.Selected {
		g.view.SelectedReq, g.hasFocus = 0, false
	}
	g.view.Selected, g.view.HasSelected = addr, ok
	g.dirty = true
}

// SetInteractive says whether pointer and keys are for the picture.
func (g *Game) SetInteractive(on bool) {
	g.interactive = on
	g.pointer = pointer{}
	g.dirty = true
}
