package model

import (
	"fmt"
	"strconv"
)

// blocksPerRow is the width of the address map in blocks.
const blocksPerRow = 64

// AddressMap is the picture of a side's memory, or of both at the same addresses: the
// left part of every row shows A and the rest B.
type AddressMap struct {
	A, B     *Blocks // nil: not shown
	Colour   MapColour
	First    int     // block shown first
	Count    int     // blocks shown, 0 = all
	Divider  float64 // 0..1, where A ends in a row
	Selected selection

	layout mapLayout // where the last Draw put the blocks
}

// side is that of 0 = A, 1 = B, or nil.
func (m *AddressMap) side(i int) *Blocks {
	if i == 0 {
		return m.A
	}
	return m.B
}

// any is the first side shown.
func (m *AddressMap) any() int {
	if m.A != nil {
		return 0
	}
	return 1
}

// Draw lays the map out in an area.
func (m *AddressMap) Draw(s *Scene, area rect) {
	m.layout = mapLayout{}
	first := m.side(m.any())
	if first == nil {
		return
	}
	both := m.A != nil && m.B != nil
	if both {
		area.h -= mapSides
	}
	m.layout = layoutMap(m.segments(first), area)
	if both {
		m.drawPieces(s, m.A, 0, m.Divider)
		m.drawPieces(s, m.B, m.Divider, 1)
	} else {
		m.drawPieces(s, first, 0, 1)
	}
	m.drawLabels(s)
	s.Targets = append(s.Targets, Target{X: area.x, Y: area.y, W: area.w, H: area.h, Kind: TargetMap, Side: m.any()})
	if both {
		m.drawDividers(s)
	}
	if !m.Selected.any {
		return
	}
	if block, ok := first.Block(m.Selected.addr); ok {
		if x, y, ok := m.layout.place(block); ok {
			c := max(m.layout.cell, 3)
			s.shape(Outline, Ink, x-2, y-2, c+4, c+4, 1).Stroke = 2
		}
	}
}

// mapSides is the height of the names of the sides below the map.
const mapSides = 16

func (m *AddressMap) drawLabels(s *Scene) {
	for i := range m.layout.pieces {
		p := &m.layout.pieces[i]
		if p.label != "" {
			s.text(Ink, s.fitting(max(m.layout.cell*blocksPerRow, 150), axisSize, p.label, p.short), p.x, p.y-5, axisSize, Left)
		}
	}
}

// A block is drawn alone from legibleCell pixels on: then a shape says its meaning as
// well. From SlashCell on a slash marks an approximated one where colours say something else.
const (
	legibleCell = 7
	SlashCell   = 4
)

// drawDividers draws a line between A and B in every column; all move together.
func (m *AddressMap) drawDividers(s *Scene) {
	w := m.layout.cell * blocksPerRow
	for i := range m.layout.pieces {
		p := &m.layout.pieces[i]
		x := p.x + m.Divider*w
		s.line(Ink, x, p.y, x, p.y+m.layout.height(p), 1.5, 1)
		if i > 0 && m.layout.pieces[i-1].x == p.x {
			continue
		}
		bottom := p.y
		for k := range m.layout.pieces {
			if q := &m.layout.pieces[k]; q.x == p.x {
				bottom = max(bottom, q.y+m.layout.height(q))
			}
		}
		s.fill(Ink, x-4, p.y+m.layout.height(p)/2-12, 8, 24, 1).Radius = 4
		if i == 0 {
			s.bold(Ink, "A", x-7, bottom+12, textSize, Right)
			s.bold(Ink, "B", x+7, bottom+12, textSize, Left)
		}
		s.Targets = append(s.Targets, Target{X: x - 12, Y: p.y, W: 24, H: bottom - p.y, Kind: TargetDivider, Left: p.x, Width: w})
	}
}

// drawPieces draws the part of every row between two shares of it.
func (m *AddressMap) drawPieces(s *Scene, b *Blocks, from, to float64) {
	cell := m.layout.cell
	for i := range m.layout.pieces {
		p := &m.layout.pieces[i]
		if cell < legibleCell {
			r := s.shape(Raster, ApproximatedColour, p.x, p.y, cell*blocksPerRow, m.layout.height(p), 1)
			r.Picture = b.picture(p.first, p.count, blocksPerRow, m.Colour)
			r.CropLeft, r.CropRight = from, 1-to
			continue
		}
		for k := range p.count {
			if at := (float64(k%blocksPerRow) + 0.5) / blocksPerRow; at < from || at >= to {
				continue
			}
			x := p.x + float64(k%blocksPerRow)*cell
			b.drawCell(s, p.first+k, x, p.y+float64(k/blocksPerRow)*cell, cell-1, m.Colour)
		}
	}
}

// drawCell draws one block large: colour as on the small map, and a shape that says the
// same: bars for bursts, stripes or a slash for approximated.
func (b *Blocks) drawCell(s *Scene, block int, x, y, size float64, colour MapColour) {
	if block >= b.Count {
		return
	}
	c := b.cell(block, colour)
	mode := b.Mode[block]
	switch {
	case mode == ModeNever:
		s.shape(Outline, Rule, x, y, size, size, 1)
		return
	case colour == ColourMode && mode == ModeLossy:
		s.shape(Hatch, ApproximatedColour, x, y, size, size, 1)
		return
	case colour == ColourMode && mode == ModeRaw:
		s.shape(Split, RawColour, x, y, size, size, 1)
	case colour == ColourBursts:
		n := LineBytes / b.MAGBytes
		w := size / float64(n)
		fetched := float64(min(int(b.Bursts[block]), n))
		s.fill(Magnitude, x, y, fetched*w, size, 1).Level = float64(c.Level) / 255
		s.fill(Rule, x+fetched*w, y+size-1, size-fetched*w, 1, 1)
	default:
		s.fill(c.Colour, x, y, size, size, 1).Level = float64(c.Level) / 255
	}
	if mode == ModeLossy {
		s.line(ApproximatedColour, x, y+size, x+size, y, 1.5, 1)
	}
}

// marksOf are the marks of a colouring.
func marksOf(c MapColour) []mark {
	switch c {
	case ColourMode:
		return []mark{losslessMark, {Hatch, ApproximatedColour, "approximated", "", markCell}, rawMark, neverMark}
	case ColourTouches:
		return []mark{{Fill, Magnitude, "accesses: one to the most, logarithmic", "", markScale}, cutMark, neverMark}
	case ColourSize:
		return []mark{{Fill, Magnitude, "compressed size, 0 to 128 B", "", markScale}, cutMark}
	}
	return []mark{{Fill, Magnitude, "bursts of a block, none to all", "", markScale}, cutMark, neverMark}
}

// Legend explains the colours and returns the height that takes.
func (m *AddressMap) Legend(s *Scene, x, y, w float64, show bool) float64 {
	return float64(s.marks(marksOf(m.Colour), x, y, w, show)) * legendRowH
}

// At returns the side and the block under a point.
func (m *AddressMap) At(x, y float64) (side, block int, ok bool) {
	if m.side(m.any()) == nil {
		return 0, 0, false
	}
	block, share, ok := m.layout.at(x, y)
	side = m.any()
	if m.A != nil && m.B != nil && share >= m.Divider {
		side = 1
	}
	return side, block, ok
}

// Scene is the map alone with its legend, on w by h pixels.
func (m *AddressMap) Scene(s *Scene, w, h float64) {
	s.Reset(w, h)
	foot := m.Legend(s, 2, 0, w-4, false) + 4
	m.Draw(s, rect{2, 0, w - 4, h - foot - 4})
	m.Legend(s, 2, h-foot, w-4, true)
}

// Rows is how many rows fit w by h pixels in cells as large as they get.
func (m *AddressMap) Rows(w, h float64) int {
	cell := clamp((w-4)/blocksPerRow, 1, largestCell)
	return max(4, int((h-80)/cell))
}

// Overview shows all blocks of memory in a column, with a frame around those of the map.
func (m *AddressMap) Overview(s *Scene, w, h float64) {
	s.Reset(w, h)
	first := m.side(m.any())
	if first == nil {
		return
	}
	rows := float64((first.Count + blocksPerRow - 1) / blocksPerRow)
	used := min(h, rows*4)
	for i := range 2 {
		b := m.side(i)
		if b == nil {
			continue
		}
		r := s.shape(Raster, ApproximatedColour, 0, 0, w, used, 1)
		r.Picture = b.picture(0, first.Count, blocksPerRow, m.Colour)
		if m.side(1-i) != nil {
			if i == 0 {
				r.CropRight = 1 - m.Divider
			} else {
				r.CropLeft = m.Divider
			}
		}
	}
	shown := float64(m.Count) / blocksPerRow
	s.shape(Outline, Ink, 1, float64(m.First)/blocksPerRow/rows*used, w-2, max(6, shown/rows*used), 1).Stroke = 2
}

// Words describes a block on every side shown.
func (m *AddressMap) Words(block int) string {
	first := m.side(m.any())
	text := Hex(first.Address(block))
	for i := range first.Allocations {
		if a, addr := &first.Allocations[i], first.Address(block); addr >= a.Base && addr-a.Base < a.Bytes {
			text += " in " + a.Name
		}
	}
	for i := range 2 {
		if b := m.side(i); b != nil {
			text += " · " + sideName[i] + ": " + b.Text(block)
		}
	}
	return text
}

// Text says how a block is stored.
func (b *Blocks) Text(block int) string {
	if block < 0 || block >= b.Count {
		return "not known"
	}
	bursts := fmt.Sprintf("%s (%d B)", plural(int(b.Bursts[block]), "burst", "bursts"), int(b.Bursts[block])*b.MAGBytes)
	touched := "" // of data that were never in a machine
	if n := int(b.Touches[block]); n > 0 {
		touched = ", moved " + plural(n, "time", "times")
	}
	size := strconv.Itoa(bytesOf(b.Bits[block])) + " B"
	switch b.Mode[block] {
	case ModeNever:
		return "never moved"
	case ModeRaw:
		return "stored raw, " + bursts + touched
	case ModeLossy:
		return fmt.Sprintf("%s, cut from %d B, fetched as %s%s", size, bytesOf(b.LosslessBits[block]), bursts, touched)
	}
	return size + ", fetched as " + bursts + touched
}

// figureCell is the size of a block in a figure, and figureRows the most rows of one.
const (
	figureCell = 4.5
	figureRows = 1024
)

// Figure draws the sides beside each other, each whole, as far as a figure goes; s gets
// the height that this takes.
func (m *AddressMap) Figure(s *Scene, labelA, labelB string) {
	const gap, head = 24, 22
	width := float64(figureCell * blocksPerRow)
	s.Reset(2*width+gap, 0)
	for i := range 2 {
		b := m.side(i)
		if b == nil {
			continue
		}
		label := labelA
		if i == 1 {
			label = labelB
		}
		one := &AddressMap{A: b, Colour: m.Colour, Count: figureRows * blocksPerRow}
		x := float64(i) * (width + gap)
		s.bold(Ink, sideName[i]+"  "+label, x, 12, axisSize, Left)
		one.layout, _ = flowMap(one.segments(b), rect{x, head, width, 1e6}, figureCell)
		one.drawPieces(s, b, 0, 1)
		one.drawLabels(s)
		for k := range one.layout.pieces {
			p := &one.layout.pieces[k]
			s.H = max(s.H, p.y+one.layout.height(p)+12)
		}
	}
	s.H += m.Legend(s, 0, s.H, s.W, true) + 6
}
