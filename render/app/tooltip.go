package app

import "github.com/burstscope/burstscope/render/model"

// tooltip adds to the scene what the pointer is over, in words.
func (g *Game) tooltip() {
	p := &g.pointer
	if !g.interactive || !p.over {
		return
	}
	text := ""
	switch p.target.Kind {
	case model.TargetTransfer:
		// What lies under a resting pointer changes while time runs.
		if t, ok := g.scene.Hit(p.x, p.y); ok && t.Kind == model.TargetTransfer {
			p.target = t
		}
		text = g.view.TransferText(p.target.Side, p.target.Channel, p.target.Index)
	case model.TargetMap:
		if p.blockOK {
			text = g.view.BlockText(p.blockOf, p.block)
		}
	}
	if text != "" {
		g.scene.Tooltip(text, p.x, p.y)
	}
	if p.pressed && p.held && p.grabbed.Kind == model.TargetMap {
		g.scene.Brush(p.pressedX, p.pressedY, p.x, p.y)
	}
}
