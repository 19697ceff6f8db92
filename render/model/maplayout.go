package model

// piece is a run of rows of one allocation that stands in one column.
type piece struct {
	first, count int // blocks
	x, y         float64
	label, short string // above its first row, "" for a continuation
}

// mapLayout is where every block of the address map stands.
type mapLayout struct {
	pieces []piece
	cell   float64
}

type segment struct {
	first, count int
	label, short string
}

// segments lists the allocations inside the part shown, in address order.
func (m *AddressMap) segments(b *Blocks) []segment {
	first, last := clampInt(m.First, 0, b.Count), b.Count
	if m.Count > 0 {
		last = min(last, first+m.Count)
	}
	if len(b.Allocations) == 0 {
		return []segment{{first, last - first, "memory", "memory"}}
	}
	var list []segment
	after := 0
	for i := range b.Allocations {
		a := &b.Allocations[i]
		begin, ok := b.Block(a.Base)
		if !ok {
			continue
		}
		count := int(min((a.Bytes+LineBytes-1)/LineBytes, uint64(b.Count)))
		after = max(after, begin+count)
		end := min(begin+count, last)
		from := max(begin, first)
		if from >= end {
			continue
		}
		label := a.Name + " · " + ByteCount(float64(a.Bytes))
		if a.Safe {
			label += " · may be approximated"
		}
		list = append(list, segment{from, end - from, label, a.Name})
	}
	if from := max(after, first); from < last { // what a program has beside its buffers
		list = append(list, segment{from, last - from, "outside of allocations", "other"})
	}
	return list
}

// largestCell is the greatest size of a block in pixels.
const largestCell = 16

const mapLabelH = 17

// layoutMap flows the allocations through columns with the largest cells that fit.
func layoutMap(list []segment, area rect) mapLayout {
	for _, cell := range []float64{largestCell, 14, 12, 10, 8, 7, 6, 5, 4, 3.5, 3, 2.5, 2, 1.5, 1.25, 1, 0.75, 0.5, 0.33, 0.25, 0.1} {
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
			l.pieces = append(l.pieces, piece{first, count, x, y + head, label, s.short})
			y += head + float64((count+blocksPerRow-1)/blocksPerRow)*cell + 8
			first += count
			label = ""
		}
	}
	return l, true
}

// height is how high a piece stands.
func (l *mapLayout) height(p *piece) float64 {
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
