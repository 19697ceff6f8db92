package model

import (
	"fmt"
	"strconv"
)

// blocksPerRow is the width of the address map in blocks.
const blocksPerRow = 64

// piece is a run of rows of one allocation that stands in one column.
type piece struct {
	first, count int // blocks
	x, y         float64
	label        string // above its first row, "" for a continuation
}

// mapLayout is where every block of the address map stands.
type mapLayout struct {
	pieces []piece
	cell   float64
}

type segment struct {
	first, count int
	label        string
}

// segments lists the allocations inside the zoomed part, in address order.
func (v *View) segments(b *Blocks) []segment {
	first, last := clampInt(v.MapFirst, 0, b.Count), b.Count
	if v.MapCount > 0 {
		last = min(last, first+v.MapCount)
	}
	if len(b.Allocations) == 0 {
		return []segment{{first, last - first, "memory"}}
	}
	var list []segment
	for i := range b.Allocations {
		a := &b.Allocations[i]
		begin, ok := b.Block(a.Base)
		if !ok {
			continue
		}
		count := int(min((a.Bytes+LineBytes-1)/LineBytes, uint64(b.Count)))
		end := min(begin+count, last)
		from := max(begin, first)
		if from >= end {
			continue
		}
		label := a.Name + " · " + ByteCount(float64(a.Bytes))
		if a.Safe {
			label += " · may be approximated"
		}
		list = append(list, segment{from, end - from, label})
	}
	return list
}

const mapLabelH = 17

// layoutMap flows the allocations through columns with the largest cells that fit.
func layoutMap(list []segment, area rect) mapLayout {
	for _, cell := range []float64{16, 14, 12, 10, 8, 7, 6, 5, 4, 3.5, 3, 2.5, 2, 1.5, 1.25, 1, 0.75, 0.5, 0.33, 0.25, 0.1} {
		if l, ok := flowMap(list, area, cell); ok {
			return l
		}
	}
	l, _ := flowMap(list, area, 0.05)
	return l
}

func flowMap(list []segment, area rect, cell float64) (mapLayout, bool) {
	l := mapLayout{cell: cell}
	columnW := cell*blocksPerRow + 14
	x, y := area.x, area.y
	for _, s := range list {
		label := s.label
		for first := s.first; first < s.first+s.count; {
			head := float64(0)
			if label != "" {
				head = mapLabelH
			}
			rows := int((area.bottom() - y - head) / cell)
			// A label stands with at least a few of its rows.
			if rows < 1 || label != "" && rows < min(6, (s.count+blocksPerRow-1)/blocksPerRow) && y > area.y {
				if y == area.y {
					return l, false
				}
				x, y = x+columnW, area.y
				continue
			}
			if x+columnW-14 > area.right()+0.5 {
				return l, false
			}
			count := min(rows*blocksPerRow, s.first+s.count-first)
			l.pieces = append(l.pieces, piece{first, count, x, y + head, label})
			y += head + float64((count+blocksPerRow-1)/blocksPerRow)*cell + 8
			first += count
			label = ""
		}
	}
	return l, true
}

// height is how high a piece stands.
func (l *mapLayout) height(p piece) float64 {
	return float64((p.count+blocksPerRow-1)/blocksPerRow) * l.cell
}

// at returns the block under a point and how far along its row that is.
func (l *mapLayout) at(x, y float64) (block int, share float64, ok bool) {
	for i := range l.pieces {
		p := &l.pieces[i]
		if x < p.x || x >= p.x+l.cell*blocksPerRow || y < p.y {
			continue
		}
		k := int((y-p.y)/l.cell)*blocksPerRow + int((x-p.x)/l.cell)
		if k < p.count {
			return p.first + k, (x - p.x) / (l.cell * blocksPerRow), true
		}
	}
	return 0, 0, false
}

// place returns where a block stands.
func (l *mapLayout) place(block int) (x, y float64, ok bool) {
	for i := range l.pieces {
		p := &l.pieces[i]
		if block >= p.first && block < p.first+p.count {
			k := block - p.first
			return p.x + float64(k%blocksPerRow)*l.cell, p.y + float64(k/blocksPerRow)*l.cell, true
		}
	}
	return 0, 0, false
}

// buildMap lays out the address map. With both sides, the left part of every row
// shows A and the rest B, at the same addresses.
func (v *View) buildMap(s *Scene) {
	s.fill(Paper, 0, 0, s.W, s.H, 1)
	v.layout = mapLayout{}
	sides, n := v.shownBlocks()
	if n == 0 {
		s.text(Muted, "The address map appears when a side has finished.", s.W/2, s.H/2, 13, Centre)
		return
	}
	top := v.mapButtons(s)
	bottom := mapBottom(s)
	area := rect{margin, top + 6, s.W - 2*margin, s.H - top - 6 - bottom}
	first := v.Blocks[sides[0]]
	v.layout = layoutMap(v.segments(first), area)
	for i := range n {
		from, to := float64(0), float64(1)
		switch {
		case n == 2 && i == 0:
			to = v.divider()
		case n == 2:
			from = v.divider()
		}
		v.drawPieces(s, v.Blocks[sides[i]], from, to)
	}
	for _, p := range v.layout.pieces {
		if p.label != "" {
			s.text(Ink, s.fitting(max(v.layout.cell*blocksPerRow, 150), smallSize, p.label, shortLabel(p.label)), p.x, p.y-5, smallSize, Left)
		}
	}
	s.Targets = append(s.Targets, Target{X: area.x, Y: area.y, W: area.w, H: area.h, Kind: TargetMap, Side: sides[0]})
	if n == 2 {
		v.drawDividers(s, area)
	}
	if v.HasSelected {
		if block, ok := first.Block(v.Selected); ok {
			if x, y, ok := v.layout.place(block); ok {
				c := max(v.layout.cell, 3)
				s.shape(Outline, Ink, x-2, y-2, c+4, c+4, 1).Stroke = 2
			}
		}
	}
	v.mapLegend(s)
}

// mapBottom is the height of the legend and of the names of the sides.
func mapBottom(s *Scene) float64 {
	if s.W < narrowWidth {
		return 56 // its legend takes two rows
	}
	return 38
}

func shortLabel(label string) string {
	for i, r := range label {
		if r == '·' {
			return label[:i]
		}
	}
	return label
}

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

// legibleCell is the size from which a cell shows its meaning by shape as well.
const legibleCell = 7

// divider is where A ends in every row, as a share of it.
func (v *View) divider() float64 { return clamp(v.Divider, 0.02, 0.98) }

// drawDividers draws a line between A and B in every column; all move together.
func (v *View) drawDividers(s *Scene, area rect) {
	w := v.layout.cell * blocksPerRow
	column := float64(-1)
	for i, p := range v.layout.pieces {
		x := p.x + v.divider()*w
		h := v.layout.height(p)
		s.line(Ink, x, p.y, x, p.y+h, 1.5, 1)
		if p.x == column {
			continue
		}
		column = p.x
		s.fill(Ink, x-4, p.y+min(h, area.h)/2-12, 8, min(24, h), 1).Radius = 4
		if i == 0 {
			s.bold(Ink, "A", x-7, area.bottom()+11, textSize, Right)
			s.bold(Ink, "B", x+7, area.bottom()+11, textSize, Left)
		}
		s.Targets = append(s.Targets, Target{X: x - 12, Y: area.y, W: 24, H: area.h, Kind: TargetDivider, Left: p.x, Width: w})
	}
}

// drawPieces draws the part of every row between two shares of it.
func (v *View) drawPieces(s *Scene, b *Blocks, from, to float64) {
	cell := v.layout.cell
	for _, p := range v.layout.pieces {
		if cell < legibleCell {
			r := s.shape(Raster, Ink, p.x, p.y, cell*blocksPerRow, v.layout.height(p), 1)
			r.Picture = b.picture(p.first, p.count, blocksPerRow, v.MapColour)
			r.CropLeft, r.CropRight = from, 1-to
			continue
		}
		for k := range p.count {
			if at := (float64(k%blocksPerRow) + 0.5) / blocksPerRow; at < from || at >= to {
				continue
			}
			x := p.x + float64(k%blocksPerRow)*cell
			b.drawCell(s, p.first+k, x, p.y+float64(k/blocksPerRow)*cell, cell-1, v.MapColour)
		}
	}
}

// drawCell draws one block large: colour as on the small map, and a shape that
// says the same: bars for bursts, stripes for approximated.
func (b *Blocks) drawCell(s *Scene, block int, x, y, size float64, colour MapColour) {
	if block >= b.Count {
		return
	}
	c := b.cell(block, colour)
	mode := b.Mode[block]
	switch {
	case mode == ModeNever:
		s.shape(Outline, Rule, x, y, size, size, 1)
	case colour == ColourMode && mode == 2:
		s.shape(Hatch, ApproximatedColour, x, y, size, size, 1)
	case colour == ColourMode && mode == 0:
		s.shape(Split, RawColour, x, y, size, size, 1)
	case colour == ColourBursts:
		n := LineBytes / b.MAGBytes
		w := size / float64(n)
		for i := range n {
			if i < int(b.Bursts[block]) {
				s.fill(Magnitude, x+float64(i)*w, y, w, size, 1).Level = float64(c.Level) / 255
			} else {
				s.fill(Rule, x+float64(i)*w, y+size-1, w, 1, 1)
			}
		}
	default:
		p := s.fill(c.Colour, x, y, size, size, 1)
		p.Level = float64(c.Level) / 255
	}
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

func (v *View) mapLegend(s *Scene) {
	y := s.H - mapBottom(s) + 14
	switch v.MapColour {
	case ColourMode:
		s.marks([]mark{
			{Fill, FetchedColour, "lossless", "", markCell}, {Hatch, ApproximatedColour, "lossy", "", markCell},
			{Split, RawColour, "raw", "", markCell}, {Outline, Rule, "never touched", "", markCell},
		}, margin, y, s.W-2*margin, true)
	case ColourTouches:
		s.marks([]mark{{Fill, Magnitude, "touched once … most often, logarithmic", "", markScale}, {Outline, Rule, "never touched", "", markCell}}, margin, y, s.W-2*margin, true)
	case ColourSize:
		s.marks([]mark{{Fill, Magnitude, "compressed size, 0 to 128 B", "", markScale}}, margin, y, s.W-2*margin, true)
	default:
		s.marks([]mark{{Fill, Magnitude, "bursts a block costs, none to all", "", markScale}, {Outline, Rule, "never touched", "", markCell}}, margin, y, s.W-2*margin, true)
	}
}

// BlockAt returns the side and the block of the address map under a point.
func (v *View) BlockAt(x, y float64) (side, block int, ok bool) {
	sides, n := v.shownBlocks()
	if n == 0 {
		return 0, 0, false
	}
	block, share, ok := v.layout.at(x, y)
	side = sides[0]
	if n == 2 && share >= v.divider() {
		side = sides[1]
	}
	return side, block, ok
}

// BlockText describes a block of a side in one sentence.
func (v *View) BlockText(side, block int) string {
	b := v.Blocks[side]
	if b == nil || block < 0 || block >= b.Count {
		return ""
	}
	at := sideName[side] + " " + Hex(b.Address(block)) + " · "
	cost := int(b.Bursts[block]) * b.MAGBytes
	bursts := plural(int(b.Bursts[block]), "burst", "bursts")
	touched := "" // of data that were never in a machine
	if n := int(b.Touches[block]); n > 0 {
		touched = " · moved " + plural(n, "time", "times")
	}
	switch b.Mode[block] {
	case ModeNever:
		return at + "never moved"
	case 0:
		return at + fmt.Sprintf("stored raw, %s (%d B)", bursts, cost) + touched
	case 2:
		return at + fmt.Sprintf("%d B cut from %d B, fetched as %s (%d B)", bytesOf(b.Bits[block]), bytesOf(b.LosslessBits[block]), bursts, cost) + touched
	}
	return at + strconv.Itoa(bytesOf(b.Bits[block])) + fmt.Sprintf(" B, fetched as %s (%d B)", bursts, cost) + touched
}
