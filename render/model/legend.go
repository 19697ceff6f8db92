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
	markOpen
	markSlash
	markPill
	markCross
)

// The marks of a block's bursts. The legends of the page's own charts take them from here
// (site/src/drawing/marks.ts).
var (
	fetchedMark  = mark{Fill, FetchedColour, "fetched burst", "fetched", markCell}
	savedMark    = mark{Dashed, Muted, "saved burst", "saved", markCell}
	lossyMark    = mark{Hatch, ApproximatedColour, "holds approximated symbols", "approximated", markCell}
	metadataMark = mark{Dots, MetadataColour, "metadata", "", markCell}
	writeMark    = mark{Split, FetchedColour, "write", "", markCell}
)

var burstMarks = []mark{fetchedMark, savedMark, lossyMark, metadataMark, writeMark}

// The marks of a map's cells.
var (
	losslessMark = mark{Fill, FetchedColour, "lossless", "", markCell}
	rawMark      = mark{Split, RawColour, "raw", "", markCell}
	neverMark    = mark{Outline, Rule, "never touched", "", markCell}
	cutMark      = mark{Fill, ApproximatedColour, "approximated", "", markSlash} // over a colour that says how much
)

// How rows are opened and closed: on a bus as commands, in a bank as a bar.
var (
	activateMark  = mark{Fill, Ink, "activate", "", markPeak}
	prechargeMark = mark{Fill, Muted, "precharge", "", markNotch}
	openMark      = mark{Fill, Panel, "row open", "", markOpen}
)

// requestMark is a request on its way to memory.
var requestMark = mark{Fill, Ink, "request", "", markRing}

// droppedMark is a load miss that L1 answers with a predicted line. Its request goes nowhere.
var droppedMark = mark{Fill, ApproximatedColour, "dropped: predicted in L1", "dropped", markCross}

var refreshMark = mark{Fill, RawColour, "refresh", "", markBox}

// burstMarksOf are the marks of single bursts: on buses with row commands, on banks with
// open rows, and with requests and refreshes where there are any.
func burstMarksOf(banks, requests, refreshes bool) []mark {
	marks := burstMarks[:len(burstMarks):len(burstMarks)]
	if banks {
		marks = append(marks, openMark)
	} else {
		marks = append(marks, activateMark, prechargeMark)
	}
	if requests {
		marks = append(marks, requestMark)
	}
	if refreshes {
		marks = append(marks, refreshMark)
	}
	return marks
}

var flowMarks = []mark{
	{Fill, Magnitude, "share of peak: 0 to 100 %", "0–100 % of peak", markScale},
	{Hatch, ApproximatedColour, "approximated bursts", "approximated", markCell},
	{Fill, Muted, "saved bursts", "saved", markPale},
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
		width := sample + 5 + s.TextWidth(label, axisSize, false)
		if cx > x && cx+width > x+w {
			cx, cy, rows = x, cy+legendRowH, rows+1
		}
		if show {
			s.mark(m, cx, cy, sample)
			s.text(Ink, label, cx+sample+5, cy+11, axisSize, Left)
		}
		cx += width + gap
	}
	return rows
}

// cross is the mark of a dropped request.
func (s *Scene) cross(c Colour, x, y, alpha float64) {
	const r = 3.5
	s.line(c, x-r, y-r, x+r, y+r, 2, alpha)
	s.line(c, x-r, y+r, x+r, y-r, 2, alpha)
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
	case markOpen:
		s.fill(m.colour, x, y, w, 12, 1)
		s.shape(Outline, Rule, x, y, w, 12, 1)
		s.fill(Ink, x, y, 1.5, 12, 0.8)
	case markSlash:
		s.shape(Outline, Rule, x, y, w, 12, 1)
		s.line(m.colour, x, y+12, x+w, y, 1.5, 1)
	case markPill:
		s.fill(m.colour, x, y+2, w, 8, 1).Radius = 4
	case markCross:
		s.cross(m.colour, x+w/2, y+6, 1)
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
