package app

import (
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/render/model"
)

// The methods below set what the page says. They are called through Do.

// SetScene begins a run of the page: machines and labels of the sides; nil leaves a side out.
func (g *Game) SetScene(run int, topologies [2]*model.Topology, labels [2]string) {
	for i, t := range topologies {
		g.view.Sides[i], g.view.Blocks[i], g.pending[i] = nil, nil, nil
		g.whole[i], g.windows[i] = nil, window{}
		if t != nil {
			g.whole[i] = model.NewTimeline(*t)
			g.view.Sides[i] = g.whole[i]
		}
	}
	g.run = run
	g.view.Labels = labels
	g.view.MapFirst, g.view.MapCount = 0, 0
	g.view.FollowSpeed()
	g.view.Settle()
	g.view.First = 0
	g.hasFocus = false
	g.dirty = true
}

// AddEvents takes records of a side; they are indexed over the next frames.
func (g *Game) AddEvents(side int, records []byte) {
	if g.whole[side] != nil && len(records) >= probe.RecordBytes {
		g.pending[side] = append(g.pending[side], records)
	}
}

// Finish says at which cycle a side ended.
func (g *Game) Finish(side int, cycle float64) {
	if t := g.whole[side]; t != nil {
		t.Finish(cycle)
		if w := g.windows[side].timeline; w != nil {
			w.Finish(cycle)
		}
		g.dirty = true
	}
}

// window is a part of a run whose records came by themselves, because those of the
// whole run are too many.
type window struct {
	timeline    *model.Timeline
	from, until float64
	kept        float64 // up to which the records of the whole run go
}

// maxWindowRecords bounds a window that grows while it is played.
const maxWindowRecords = 400_000

// AddWindow takes the records of the cycles between from and until, and what had been
// moved in all until then. It goes on with the window before, or takes its place. The
// records of the whole run go up to kept.
func (g *Game) AddWindow(side int, from, until, kept float64, records []byte, all model.Totals) {
	whole := g.whole[side]
	if whole == nil {
		return
	}
	w := &g.windows[side]
	if w.timeline == nil || from != w.until || w.timeline.Kept() > maxWindowRecords {
		*w = window{timeline: model.NewTimeline(whole.Topology), from: from}
		if end, ok := whole.Finished(); ok {
			w.timeline.Finish(end)
		}
	}
	w.until, w.kept = until, kept
	w.timeline.Add(records)
	w.timeline.Anchor(until, all)
	g.choose()
}

// choose shows of each side the records that hold the cursor: a window's where it lies
// in one.
func (g *Game) choose() {
	for i := range g.windows {
		if t := g.whole[i]; t != nil {
			if w := &g.windows[i]; w.timeline != nil && g.view.Cycle > max(w.from, w.kept) && g.view.Cycle < w.until+1 {
				t = w.timeline
			}
			g.view.Sides[i] = t
		}
	}
	g.dirty = true
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

// SetCursor moves the cursor. The speed also says how much time a strip shows. If the run is played, a strip must hold
// enough of it to be followed.
func (g *Game) SetCursor(cycle, cyclesPerSecond float64, playing bool) {
	if cyclesPerSecond <= 0 {
		cyclesPerSecond = g.view.CyclesPerSecond
	}
	if g.view.CyclesPerSecond != cyclesPerSecond {
		g.view.FollowSpeed()
	}
	if g.view.Cycle != cycle || g.view.CyclesPerSecond != cyclesPerSecond || g.view.Playing != playing {
		g.dirty = true
	}
	g.view.Cycle, g.view.CyclesPerSecond, g.view.Playing = cycle, cyclesPerSecond, playing
	if g.dirty {
		g.choose()
	}
}

// Show chooses the picture; channel < 0 leaves the channel as it is.
func (g *Game) Show(tab model.Tab, side model.SideChoice, channel int) {
	if channel < 0 {
		channel = g.view.Channel
	}
	if tab != g.view.Tab {
		g.view.Settle()
	}
	g.dirty = g.dirty || tab != g.view.Tab || side != g.view.Side || channel != g.view.Channel
	g.view.Tab, g.view.Side, g.view.Channel = tab, side, channel
}

// SetColour chooses what the colours of the address map mean.
func (g *Game) SetColour(c model.MapColour) {
	g.dirty = g.dirty || c != g.view.MapColour
	g.view.MapColour = c
}

// SetTheme chooses the palette and whether things may glide.
func (g *Game) SetTheme(dark, reducedMotion bool) {
	g.dirty = g.dirty || dark != g.dark || reducedMotion != g.view.ReducedMotion
	g.dark, g.view.ReducedMotion = dark, reducedMotion
}

// SetThreshold moves the line over the histogram.
func (g *Game) SetThreshold(bytes int) {
	g.dirty = g.dirty || g.view.Tab == model.TabMAG && bytes != g.view.ThresholdBytes
	g.view.ThresholdBytes = bytes
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
	g.interactive, g.view.Interactive = on, on
	g.pointer = pointer{}
	g.dirty = true
}

// Yield says whether the picture gives way to a run that needs the processors.
func (g *Game) Yield(on bool) { g.pace.yield(on) }
