package model

import "math"

// Columns is a picture without time: the same blocks under both schemes, a column for each
// block and a cell for each burst. Posters show it.
type Columns struct {
	Caption  string
	Names    [2]string // of the schemes
	Sides    [2][]Column
	PerBlock int     // bursts of a raw block
	Size     float64 // of texts
	Cell     float64 // height of a burst if a block has up to four
}

// Column is a block that was read.
type Column struct {
	Fetched int // bursts
	Lossy   bool
}

// Draw lays the picture out from x and y, the first baseline, and returns its lower edge.
// It is as wide as room for most columns.
func (c *Columns) Draw(s *Scene, x, y, w float64, most int) float64 {
	step := math.Floor(2*w/float64(most)) / 2 // half pixels keep a file small
	cell := min(c.Cell, math.Floor(8*c.Cell/float64(c.PerBlock))/2)
	s.text(Muted, c.Caption, x, y, c.Size, Left)
	y += c.Size * 1.35
	after := x + s.text(Muted, "cell = burst:", x, y, c.Size, Left) + c.Size*0.8
	for _, m := range []mark{fetchedMark, savedMark, lossyMark} {
		s.shape(m.kind, m.colour, after, y-12, 12, 12, 1)
		after += 17 + s.text(Muted, m.short, after+17, y, c.Size, Left) + c.Size*0.8
	}
	y += c.Size * 0.9
	for side, columns := range c.Sides {
		s.bold(Ink, sideName[side], x, y+c.Size*0.85, c.Size, Left)
		s.text(Muted, c.Names[side], x+c.Size*1.1, y+c.Size*0.85, c.Size, Left)
		y = math.Round(y + c.Size*1.25)
		for i, column := range columns {
			for k := range c.PerBlock {
				m := savedMark
				switch {
				case k < column.Fetched && column.Lossy:
					m = lossyMark
				case k < column.Fetched:
					m = fetchedMark
				}
				s.shape(m.kind, m.colour, x+float64(i)*step, y+float64(c.PerBlock-1-k)*cell, step-2, cell-2, 1)
			}
		}
		y += float64(c.PerBlock)*cell + 8
	}
	return y
}
