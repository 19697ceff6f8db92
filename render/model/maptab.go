package model

// shownBlocks lists the sides whose blocks are known and wanted.
func (v *View) shownBlocks() (sides [2]int, n int) {
	for i, b := range v.Blocks {
		if b == nil || b.Count == 0 || v.Side == OnlyA && i == 1 || v.Side == OnlyB && i == 0 {
			continue
		}
		sides[n] = i
		n++
	}
	return sides, n
}

// buildMap shows the address map, the choices of colour above and the legend below.
func (v *View) buildMap(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	m := &v.addresses
	m.A, m.B = nil, nil
	sides, n := v.shownBlocks()
	for _, i := range sides[:n] {
		if i == 0 {
			m.A = v.Blocks[0]
		} else {
			m.B = v.Blocks[1]
		}
	}
	m.Colour, m.First, m.Count = v.MapColour, v.MapFirst, v.MapCount
	m.Divider = clamp(v.Divider, 0.02, 0.98)
	m.Selected = selection{any: v.HasSelected, addr: v.Selected}
	if n == 0 {
		m.layout = mapLayout{}
		s.text(Muted, "The address map appears when a side has finished.", s.W/2, s.H/2, 13, Centre)
		return
	}
	top := v.mapButtons(s)
	foot := m.Legend(s, margin, 0, s.W-2*margin, false) + 4
	m.Draw(s, rect{margin, top + 6, s.W - 2*margin, s.H - top - 6 - foot - 4})
	m.Legend(s, margin, s.H-foot, s.W-2*margin, true)
}

// mapButtons writes the choices of colour and returns the height they take.
func (v *View) mapButtons(s *Scene) float64 {
	x := float64(margin)
	x += s.text(Muted, "colour", x, 19, smallSize, Left) + 10
	for i, name := range MapColourNames {
		w := s.TextWidth(name, textSize, true) + 16
		c := Muted
		if MapColour(i) == v.MapColour {
			c = Ink
			s.fill(Accent, x, 25, w, 2, 1)
		}
		s.bold(c, name, x+w/2, 19, textSize, Centre)
		s.Targets = append(s.Targets, Target{X: x, Y: 0, W: w, H: 30, Kind: TargetColour, Index: i})
		x += w + 4
	}
	if v.MapCount > 0 {
		s.text(Muted, s.fitting(s.W-x-margin, smallSize, "zoomed: double-click shows all", "zoomed"), s.W-margin, 19, smallSize, Right)
	}
	return 30
}

// BlockAt returns the side and the block of the address map under a point.
func (v *View) BlockAt(x, y float64) (side, block int, ok bool) { return v.addresses.At(x, y) }

// BlockText describes a block of a side in one sentence.
func (v *View) BlockText(side, block int) string {
	b := v.Blocks[side]
	if b == nil || block < 0 || block >= b.Count {
		return ""
	}
	return sideName[side] + " " + Hex(b.Address(block)) + " · " + b.Text(block)
}
