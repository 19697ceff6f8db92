package app

import (
	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
	"github.com/hajimehoshi/ebiten/v2/inpututil"
)

// pointer is what the mouse or a finger is doing.
type pointer struct {
	x, y     float64
	over     bool
	target   model.Target
	block    int // under the pointer, on the address map
	blockOK  bool
	blockOf  int // side of block
	pressed  bool
	held     bool // the target it was pressed on
	grabbed  model.Target
	from     int // block a brush began on
	pressedX float64
	pressedY float64
	lastTap  int
	touch    ebiten.TouchID
	touching bool

	first  int     // channel shown first when the press began
	cycle  float64 // then at the cursor
	panned bool    // since the press began
	spread float64 // pixels between two fingers in the frame before, 0 = not two
}

const (
	doubleTapTicks = 20
	brushDistance  = 6 // pixels before a press becomes a brush
)

func (g *Game) readPointer() {
	p := &g.pointer
	x, y, down := g.where()
	moved := x != p.x || y != p.y
	p.x, p.y = x, y
	if moved {
		g.hover()
	}
	if g.pinch() {
		return
	}
	switch {
	case down && !p.pressed:
		g.hover()
		p.pressed = true
		g.press()
	case down && moved && g.timed():
		g.pan()
	case down && p.held && moved:
		g.drag()
	case !down && p.pressed:
		p.pressed = false
		g.release()
	}
	// A click may begin and end between two frames that are far apart.
	if !down && !p.touching && inpututil.IsMouseButtonJustPressed(ebiten.MouseButtonLeft) {
		g.hover()
		g.press()
		g.release()
	}
	g.wheel()
}

// press remembers what is under the pointer, and where the picture stands.
func (g *Game) press() {
	p := &g.pointer
	p.held, p.grabbed = p.over, p.target
	p.pressedX, p.pressedY, p.from = p.x, p.y, p.block
	p.first, p.cycle, p.panned = g.view.First, g.view.Cycle, false
}

// where returns the pointer in logical pixels and whether it is down.
func (g *Game) where() (x, y float64, down bool) {
	p := &g.pointer
	if ids := inpututil.AppendJustPressedTouchIDs(nil); len(ids) > 0 && !p.touching {
		p.touch, p.touching = ids[0], true
	}
	if p.touching {
		if inpututil.IsTouchJustReleased(p.touch) || inpututil.TouchPressDuration(p.touch) == 0 {
			p.touching = false
			return p.x, p.y, false
		}
		tx, ty := ebiten.TouchPosition(p.touch)
		return float64(tx) / g.scale, float64(ty) / g.scale, true
	}
	mx, my := ebiten.CursorPosition()
	return float64(mx) / g.scale, float64(my) / g.scale, ebiten.IsMouseButtonPressed(ebiten.MouseButtonLeft)
}

func (g *Game) hover() {
	p := &g.pointer
	before, beforeOver, beforeBlock := p.target, p.over, p.block
	p.target, p.over = g.scene.Hit(p.x, p.y)
	p.blockOK = false
	shape := ebiten.CursorShapeDefault
	if p.over {
		switch p.target.Kind {
		case model.TargetMap:
			p.blockOf, p.block, p.blockOK = g.view.BlockAt(p.x, p.y)
			shape = ebiten.CursorShapeCrosshair
		case model.TargetDivider, model.TargetThreshold:
			shape = ebiten.CursorShapeEWResize
		default:
			shape = ebiten.CursorShapePointer
		}
	}
	ebiten.SetCursorShape(shape)
	if p.target != before || p.over != beforeOver || p.block != beforeBlock {
		g.dirty = true
	}
}

func (g *Game) drag() {
	p := &g.pointer
	switch p.grabbed.Kind {
	case model.TargetDivider:
		g.view.Divider = (p.x - p.grabbed.Left) / max(p.grabbed.Width, 1)
		g.dirty = true
	case model.TargetThreshold:
		if bytes, ok := g.view.ThresholdAt(p.x); ok && bytes != g.view.ThresholdBytes {
			g.view.ThresholdBytes = bytes
			g.shell.Threshold(bytes)
			g.dirty = true
		}
	}
}

func (g *Game) release() {
	p := &g.pointer
	if p.panned || g.timed() && g.doubleTap() || !p.held {
		p.held = false
		return
	}
	p.held = false
	switch p.grabbed.Kind {
	case model.TargetTransfer:
		g.pick(model.Focus{Side: p.grabbed.Side, Channel: p.grabbed.Channel, Index: p.grabbed.Index})
	case model.TargetChannel:
		g.view.Channel = p.grabbed.Channel
		g.dirty = true
	case model.TargetColour:
		g.SetColour(model.MapColour(p.grabbed.Index))
		g.shell.Colour(model.MapColourNames[p.grabbed.Index])
	case model.TargetMap:
		g.releaseOnMap()
	}
}

// doubleTap shows the whole run at the second of two taps, and the part around it at the next two.
func (g *Game) doubleTap() bool {
	p := &g.pointer
	twice := g.tick-p.lastTap < doubleTapTicks
	if p.lastTap = g.tick; twice {
		p.lastTap = -doubleTapTicks
		g.seek(g.view.Fit(p.x))
	}
	return twice
}

// releaseOnMap ends a press on the address map: a tap picks a block, a brush
// zooms to what it covered, two taps show everything again.
func (g *Game) releaseOnMap() {
	p := &g.pointer
	dx, dy := p.x-p.pressedX, p.y-p.pressedY
	switch {
	case dx*dx+dy*dy > brushDistance*brushDistance:
		if p.blockOK {
			first, last := min(p.from, p.block), max(p.from, p.block)
			g.zoomTo(first, last-first+1)
		}
	case g.tick-p.lastTap < doubleTapTicks:
		g.zoomTo(0, 0)
	case p.blockOK:
		b := g.view.Blocks[p.blockOf]
		g.shell.Pick(model.Pick{Side: p.blockOf, Addr: b.Address(p.block), Cycle: g.view.Cycle, Channel: -1})
	}
	p.lastTap = g.tick
}

// smallestZoom is the fewest blocks a zoomed map shows: eight rows.
const smallestZoom = 512

// zoom keeps the block under the pointer where it is, as far as rows allow.
func (g *Game) zoom(block int, wheel float64) {
	b := g.view.Blocks[g.pointer.blockOf]
	count := g.view.MapCount
	if count == 0 {
		count = b.Count
	}
	share := float64(block-g.view.MapFirst) / float64(count)
	if wheel > 0 {
		count = count * 2 / 3
	} else {
		count = count * 3 / 2
	}
	if count >= b.Count {
		g.zoomTo(0, 0)
		return
	}
	count = max(count+63, smallestZoom) / 64 * 64
	g.zoomTo(block-int(share*float64(count)), count)
}

func (g *Game) zoomTo(first, count int) {
	first = max(first, 0) / 64 * 64 // whole rows
	if count > 0 {
		count = max(count+63, smallestZoom) / 64 * 64
	}
	g.view.MapFirst, g.view.MapCount = first, count
	g.dirty = true
}

func (g *Game) readKeys() {
	g.walk()
	for _, k := range inpututil.AppendJustPressedKeys(nil) {
		switch k {
		case ebiten.KeyArrowLeft:
			g.move(model.Earlier)
		case ebiten.KeyArrowRight:
			g.move(model.Later)
		case ebiten.KeyArrowUp:
			g.move(model.ChannelAbove)
		case ebiten.KeyArrowDown:
			g.move(model.ChannelBelow)
		case ebiten.KeyC:
			if g.view.Tab == model.TabAddress {
				c := (int(g.view.MapColour) + 1) % len(model.MapColourNames)
				g.SetColour(model.MapColour(c))
				g.shell.Colour(model.MapColourNames[c])
			}
		}
	}
}

// move takes the keyboard focus to the next block; on the other tabs the arrows
// choose a channel or move the threshold.
func (g *Game) move(d model.Direction) {
	step := 1
	if d == model.Earlier || d == model.ChannelAbove {
		step = -1
	}
	switch g.view.Tab {
	case model.TabMAG:
		g.view.ThresholdBytes = max(0, g.view.ThresholdBytes+step)
		g.shell.Threshold(g.view.ThresholdBytes)
		g.dirty = true
		return
	case model.TabDRAM:
		if d == model.ChannelAbove || d == model.ChannelBelow {
			g.view.Channel = g.view.StepChannel(step)
			g.dirty = true
			return
		}
	case model.TabAddress:
		return
	}
	from := g.focus
	if !g.hasFocus {
		from = model.Focus{Side: -1}
	}
	if f, ok := g.view.Move(from, d); ok {
		g.pick(f)
	}
}

func (g *Game) pick(f model.Focus) {
	p, ok := g.view.PickTransfer(f.Side, f.Channel, f.Index)
	if !ok {
		return
	}
	g.focus, g.hasFocus = f, true
	g.view.Selected, g.view.HasSelected, g.view.SelectedReq = p.Addr, true, p.Req
	g.dirty = true
	g.shell.Pick(p)
}
