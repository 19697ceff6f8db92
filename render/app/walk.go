package app

import (
	"math"

	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// How the reader walks through time, as in Perfetto: the wheel, two fingers, W and S zoom; a drag, A and D
// move the cursor, which is the right edge of the strips.

const (
	// A notch of a wheel is some 100 pixels; it shows a sixth less or more [ours].
	zoomPerPixel = 0.0018
	mostPixels   = 300 // of one event
	// A key zooms and moves by so much at once, and goes on while it is held.
	keyZoom  = 0.8
	keyPan   = 0.15 // of the window
	heldZoom = 0.97
	heldPan  = 0.02
	heldTick = 12 // of a press
)

// timed reports whether the picture has strips of time.
func (g *Game) timed() bool { return g.view.Tab == model.TabBursts || g.view.Tab == model.TabDRAM }

// seek moves the cursor here at once, and tells the page.
func (g *Game) seek(cycle float64) {
	g.dirty = true
	if cycle != g.view.Cycle {
		g.view.Cycle = cycle
		g.choose()
		g.shell.Seek(cycle)
	}
}

func (g *Game) wheel() {
	dx, dy := ebiten.Wheel()
	if dx == 0 && dy == 0 {
		return
	}
	if g.view.Tab == model.TabAddress {
		if g.pointer.blockOK && dy != 0 {
			g.zoom(g.pointer.block, dy)
		}
		return
	}
	if g.timed() {
		g.turnWheel(dx, dy, ebiten.IsKeyPressed(ebiten.KeyShift))
	}
}

// turnWheel zooms about the pointer, moves sideways, or, with the shift key, shows other channels. With that key,
// browsers may say that the wheel moves sideways.
func (g *Game) turnWheel(dx, dy float64, shift bool) {
	bounded := func(d float64) float64 { return max(-mostPixels, min(d, mostPixels)) }
	switch {
	case shift:
		if d := dx + dy; d > 0 {
			g.scroll(-1)
		} else if d < 0 {
			g.scroll(1)
		}
	case math.Abs(dx) > math.Abs(dy):
		g.seek(g.view.Pan(bounded(dx)))
	default:
		g.seek(g.view.Zoom(g.pointer.x, math.Exp(-zoomPerPixel*bounded(dy))))
	}
}

// scroll shows other channels: those of the next controllers, or, on the tab of banks, the next one.
func (g *Game) scroll(step int) {
	if g.view.Tab == model.TabDRAM {
		g.view.Channel = g.view.StepChannel(step)
	} else {
		g.view.ScrollPage(step)
	}
	g.dirty = true
}

// pan follows a drag: sideways through time, up and down through the channels.
func (g *Game) pan() {
	p := &g.pointer
	dx, dy := p.x-p.pressedX, p.y-p.pressedY
	if !p.panned && dx*dx+dy*dy <= brushDistance*brushDistance {
		return
	}
	p.panned = true
	now := g.view.Cycle
	g.view.Cycle = p.cycle
	to := g.view.Pan(dx)
	g.view.Cycle = now
	if g.view.Tab == model.TabBursts {
		g.view.Scroll(p.first, -dy)
	}
	g.seek(to)
}

// pinch zooms about the middle of two fingers, and reports whether there are two.
func (g *Game) pinch() bool {
	p := &g.pointer
	ids := ebiten.AppendTouchIDs(nil)
	if len(ids) != 2 || !g.timed() {
		p.spread = 0
		return false
	}
	x1, y1 := ebiten.TouchPosition(ids[0])
	x2, y2 := ebiten.TouchPosition(ids[1])
	g.spreadTo(math.Hypot(float64(x1-x2), float64(y1-y2))/g.scale, float64(x1+x2)/2/g.scale)
	return true
}

func (g *Game) spreadTo(spread, x float64) {
	p := &g.pointer
	if p.spread > 0 && spread > 0 {
		g.seek(g.view.Zoom(x, p.spread/spread))
	}
	p.spread, p.panned = spread, true
}

// walk reads the keys that zoom and move.
func (g *Game) walk() {
	if !g.timed() {
		return
	}
	for _, k := range []struct {
		key       ebiten.Key
		zoom, pan float64
	}{{ebiten.KeyW, keyZoom, 0}, {ebiten.KeyS, 1 / keyZoom, 0}, {ebiten.KeyA, 1, keyPan}, {ebiten.KeyD, 1, -keyPan}} {
		switch n := inpututil.KeyPressDuration(k.key); {
		case inpututil.IsKeyJustPressed(k.key): // also if it was released before this frame
			g.step(k.zoom, k.pan)
		case n > heldTick && k.pan != 0:
			g.step(1, math.Copysign(heldPan, k.pan))
		case n > heldTick:
			g.step(math.Pow(k.zoom, math.Log(heldZoom)/math.Log(keyZoom)), 0)
		}
	}
	if inpututil.IsKeyJustPressed(ebiten.KeyPageUp) {
		g.scroll(-1)
	}
	if inpututil.IsKeyJustPressed(ebiten.KeyPageDown) {
		g.scroll(1)
	}
}

// step zooms about the pointer, and moves by a share of the window.
func (g *Game) step(zoom, pan float64) {
	if zoom != 1 {
		g.seek(g.view.Zoom(g.pointer.x, zoom))
	}
	if pan != 0 {
		g.seek(g.view.Pan(pan * g.view.StripWidth()))
	}
}
