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

var flowMarks = []mark{
	{Fill, Magnitude, "share of peak: 0 to 100 %", "0–100 % of peak", markScale},
	{Hatch, ApproximatedColour, "approximated bursts", "approximated", markCell},
	{Fill, Muted, "saved bursts", "saved", markPale},
}

// legend lays the legend of the bursts view along the bottom and returns its
// height; with measure it only measures.
func (v *View) legend(s *Scene, x, w float32, measure bool) float32 {
	detail := float32(1)
	if sides, n := v.shown(); n > 0 {
		t := v.Sides[sides[0]]
		f := newFrame(&t.Topology, x, 0, w, 200)
		scale := newTimescale(v, f.strips.x, f.strips.right(), t.burstCycles())
		detail = scale.detail
	}
	marks := burstMarks
	if detail < 0.5 {
		marks = flowMarks
	}
	rows := float32(1)
	if s.W < narrowWidth {
		rows = 2 // room for the longer legend, so that the picture does not jump
	}
	height := rows*legendRowH + 2
	if measure {
		return height
	}
	s.marks(marks, x, s.H-height, w)
	return height
}

// marks draws legend entries, wrapping at w.
func (s *Scene) marks(marks []mark, x, y, w float32) {
	cx, cy := x, y+4
	for _, m := range marks {
		sample := float32(12)
		if m.glyph == markScale {
			sample = 60
		}
		label, gap := m.text, float32(16)
		if s.W < narrowWidth && m.short != "" {
			label = m.short
		}
		if s.W < narrowWidth {
			gap = 10
		}
		width := sample + 5 + s.TextWidth(label, smallSize, false) + gap
		if cx > x && cx+width-gap > x+w {
			cx, cy = x, cy+legendRowH-3
		}
		s.mark(m, cx, cy, sample)
		s.text(Ink, label, cx+sample+5, cy+10, smallSize, Left)
		cx += width
	}
}

func (s *Scene) mark(m mark, x, y, w float32) {
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
	case markPale:
		s.fill(m.colour, x, y, w, 12, 0.25)
	case markScale:
		const steps = 15
		for i := range steps {
			s.fill(m.colour, x+float32(i)*w/steps, y, w/steps, 12, 1).Level = float32(i) / (steps - 1)
		}
	default:
		s.shape(m.kind, m.colour, x, y, w, 12, 1)
	}
}
