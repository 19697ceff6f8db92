package model

// mark is one entry of a legend.
type mark struct {
	kind   Kind
	colour Colour
	text   string
	short  string // on a phone; "" = text
	glyph  markGlyph
}

type markGlyph uint8

const (
	markCell markGlyph = iota
	markPeak
	markNotch
	markScale
	markRing
	markPale
	markBox
)

var burstMarks = []mark{
	{Fill, FetchedColour, "fetched burst", "fetched", markCell},
	{Dashed, Muted, "saved burst", "saved", markCell},
	{Hatch, ApproximatedColour, "holds approximated symbols", "approximated", markCell},
	{Dots, MetadataColour, "metadata", "", markCell},
	{Split, FetchedColour, "write", "", markCell},
	{Fill, Ink, "activate", "", markPeak},
	{Fill, Muted, "precharge", "", markNotch},
	{Fill, Ink, "request", "", markRing},
}

var refreshMark = mark{Fill, RawColour, "refresh", "", markBox}

// burstMarksOf are the marks of single bursts; refreshes are told where there are
// any.
func (v *View) burstMarksOf() []mark {
	for _, t := range v.Sides {
		if t != nil && t.Refreshed() {
			return append(burstMarks[:len(burstMarks):len(burstMarks)], refreshMark)
		}
	}
	return burstMarks
}

var flowMarks = []mark{
	{Fill, Magnitude, "share of peak: 0 to 100 %", "0–100 % of peak", markScale},
	{Hatch, ApproximatedColour, "approximated bursts", "approximated", markCell},
	{Fill, Muted, "saved bursts", "saved", markPale},
}

// legendHeight is the room both legends fit in, so that the picture does not
// jump where one takes the place of the other.
func (v *View) legendHeight(s *Scene, x, w float64) float64 {
	rows := max(s.marks(v.burstMarksOf(), x, 0, w, false), s.marks(flowMarks, x, 0, w, false))
	return float64(rows)*legendRowH + 4
}

// legend lays the legend of the bursts view along the bottom.
func (v *View) legend(s *Scene, x, w, detail float64) {
	marks := v.burstMarksOf()
	if detail < 0.5 {
		marks = flowMarks
	}
	s.marks(marks, x, s.H-v.legendHeight(s, x, w), w, true)
}

// marks lays out legend entries, wrapping at w, and returns the rows they take.
func (s *Scene) marks(marks []mark, x, y, w float64, show bool) (rows int) {
	gap := float64(16)
	if s.W < narrowWidth {
		gap = 10
	}
	cx, cy, rows := x, y+4, 1
	for _, m := range marks {
		sample := float64(12)
		if m.glyph == markScale {
			sample = 60
		}
		label := m.text
		if s.W < narrowWidth && m.short != "" {
			label = m.short
		}
		width := sample + 5 + s.TextWidth(label, smallSize, false)
		if cx > x && cx+width > x+w {
			cx, cy, rows = x, cy+legendRowH, rows+1
		}
		if show {
			s.mark(m, cx, cy, sample)
			s.text(Ink, label, cx+sample+5, cy+10, smallSize, Left)
		}
		cx += width + gap
	}
	return rows
}

func (s *Scene) mark(m mark, x, y, w float64) {
	switch m.glyph {
	case markPeak:
		s.line(m.colour, x+3, y+12, x+6, y, 1, 0.8)
		s.line(m.colour, x+6, y, x+9, y+12, 1, 0.8)
	case markNotch:
		s.line(m.colour, x+3, y+1, x+6, y+8, 1, 0.9)
		s.line(m.colour, x+6, y+8, x+9, y+1, 1, 0.9)
	case markRing:
		p := s.shape(Outline, m.colour, x+3, y+3, 6, 6, 1)
		p.Radius, p.Stroke = 3, 1.2
	case markBox:
		s.fill(m.colour, x, y, w, 12, 0.22)
		s.shape(Outline, m.colour, x, y, w, 12, 0.8)
	case markPale:
		s.fill(m.colour, x, y, w, 12, 0.25)
	case markScale:
		const steps = 15
		for i := range steps {
			s.fill(m.colour, x+float64(i)*w/steps, y, w/steps, 12, 1).Level = float64(i) / (steps - 1)
		}
	default:
		s.shape(m.kind, m.colour, x, y, w, 12, 1)
	}
}
