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
	x, y         float32
	label        string // above its first row, "" for a continuation
}

// mapLayout is where every block of the address map stands.
type mapLayout struct {
	pieces []piece
	cell   float32
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
	for _, cell := range []float32{16, 14, 12, 10, 8, 7, 6, 5, 4, 3.5, 3, 2.5, 2, 1.5, 1.25, 1, 0.75, 0.5, 0.33, 0.25, 0.1} {
		if l, ok := flowMap(list, area, cell); ok {
			return l
		}
	}
	l, _ := flowMap(list, area, 0.05)
	return l
}

func flowMap(list []segment, area rect, cell float32) (mapLayout, bool) {
	l := mapLayout{cell: cell}
	columnW := cell*blocksPerRow + 14
	x, y := area.x, area.y
	for _, s := range list {
		label := s.label
		for first := s.first; first < s.first+s.count; {
			head := float32(0)
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
			y += head + float32((count+blocksPerRow-1)/blocksPerRow)*cell + 8
			first += count
			label = ""
		}
	}
	return l, true
}

// at returns the block under a point.
func (l *mapLayout) at(x, y float32) (block int, ok bool) {
	for i := range l.pieces {
		p := &l.pieces[i]
		if x < p.x || x >= p.x+l.cell*blocksPerRow || y < p.y {
			continue
		}
		k := int((y-p.y)/l.cell)*blocksPerRow + int((x-p.x)/l.cell)
		if k < p.count {
			return p.first + k, true
		}
	}
	return 0, false
}

// place returns where a block stands.
func (l *mapLayout) place(block int) (x, y float32, ok bool) {
	for i := range l.pieces {
		p := &l.pieces[i]
		if block >= p.first && block < p.first+p.count {
			k := block - p.first
			return p.x + float32(k%blocksPerRow)*l.cell, p.y + float32(k/blocksPerRow)*l.cell, true
		}
	}
	return 0, 0, false
}

// buildMap lays out the address map. With both sides, A is shown left of a
// divider and B right of it, at the same addresses.
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
	divider := s.W
	if n == 2 {
		divider = clamp32(v.Divider, 0.02, 0.98) * s.W
	}
	for i := range n {
		left, right := float32(0), divider
		if i == 1 {
			left, right = divider, s.W
		}
		v.drawPieces(s, v.Blocks[sides[i]], left, right)
	}
	for _, p := range v.layout.pieces {
		if p.label != "" {
			s.text(Ink, s.fitting(max(v.layout.cell*blocksPerRow, 150), smallSize, p.label, shortLabel(p.label)), p.x, p.y-5, smallSize, Left)
		}
	}
	if n == 2 {
		s.line(Ink, divider, top+2, divider, s.H-bottom, 1.5, 1)
		s.bold(Ink, "A", divider-7, s.H-bottom+11, textSize, Right)
		s.bold(Ink, "B", divider+7, s.H-bottom+11, textSize, Left)
		grip := s.fill(Ink, divider-4, s.H/2-14, 8, 28, 1)
		grip.Radius = 4
		s.Targets = append(s.Targets, Target{X: divider - 14, Y: top, W: 28, H: s.H - top - bottom, Kind: TargetDivider})
	}
	if v.HasSelected {
		if block, ok := first.Block(v.Selected); ok {
			if x, y, ok := v.layout.place(block); ok {
				c := max(v.layout.cell, 3)
				s.shape(Outline, Ink, x-2, y-2, c+4, c+4, 1).Stroke = 2
			}
		}
	}
	s.Targets = append(s.Targets, Target{X: area.x, Y: area.y, W: area.w, H: area.h, Kind: TargetMap, Side: sides[0]})
	v.mapLegend(s)
}

// mapBottom is the height of the legend and of the names of the sides.
func mapBottom(s *Scene) float32 {
	if s.W < narrowWidth {
		return 52 // its legend takes two rows
	}
	return 34
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

func (v *View) drawPieces(s *Scene, b *Blocks, left, right float32) {
	cell := v.layout.cell
	for _, p := range v.layout.pieces {
		rows := (p.count + blocksPerRow - 1) / blocksPerRow
		w, h := cell*blocksPerRow, cell*float32(rows)
		if p.x >= right || p.x+w <= left {
			continue
		}
		if cell < legibleCell {
			r := s.shape(Raster, Ink, p.x, p.y, w, h, 1)
			r.Picture = b.picture(p.first, p.count, blocksPerRow, v.MapColour)
			r.CropLeft = max(0, (left-p.x)/w)
			r.CropRight = max(0, (p.x+w-right)/w)
			continue
		}
		for k := range p.count {
			x := p.x + float32(k%blocksPerRow)*cell
			if x+cell/2 < left || x+cell/2 >= right {
				continue
			}
			b.drawCell(s, p.first+k, x, p.y+float32(k/blocksPerRow)*cell, cell-1, v.MapColour)
		}
	}
}

// drawCell draws one block large: colour as on the small map, and a shape that
// says the same: bars for bursts, stripes for approximated.
func (b *Blocks) drawCell(s *Scene, block int, x, y, size float32, colour MapColour) {
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
		w := size / float32(n)
		for i := range n {
			if i < int(b.Bursts[block]) {
				s.fill(Magnitude, x+float32(i)*w, y, w, size, 1).Level = float32(c.Level) / 255
			} else {
				s.fill(Rule, x+float32(i)*w, y+size-1, w, 1, 1)
			}
		}
	default:
		p := s.fill(c.Colour, x, y, size, size, 1)
		p.Level = float32(c.Level) / 255
	}
}

// mapButtons writes the choices of colour and returns the height they take.
func (v *View) mapButtons(s *Scene) float32 {
	x := float32(margin)
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
	y := s.H - mapBottom(s) + 10
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
func (v *View) BlockAt(x, y float32, w float32) (side, block int, ok bool) {
	sides, n := v.shownBlocks()
	if n == 0 {
		return 0, 0, false
	}
	block, ok = v.layout.at(x, y)
	side = sides[0]
	if n == 2 && x >= clamp32(v.Divider, 0.02, 0.98)*w {
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
	touched := " · moved " + plural(int(b.Touches[block]), "time", "times")
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
