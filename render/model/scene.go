package model

// Colour names a meaning; the palette of the theme gives its colour.
type Colour uint8

const (
	Paper Colour = iota
	Ink
	Muted
	Rule
	Panel
	Accent
	FetchedColour
	ApproximatedColour
	MetadataColour
	RawColour
	BuddyColour // memory behind a link
	Magnitude   // by Level, on the sequential scale
)

// Kind is the form of a Shape.
type Kind uint8

const (
	Fill    Kind = iota // rectangle X, Y, W, H with corners of Radius
	Outline             // its border, Stroke wide
	Dashed              // its border, dashed
	Hatch               // diagonal stripes in a border
	Dots                // dots in a border
	Split               // filled, with a slit across the middle
	Line                // from X, Y to W, H, Stroke wide
	Words               // text: baseline at Y, from, around or up to X
	Raster              // cells of Picture stretched over X, Y, W, H
)

// Align says which point of a text X gives.
type Align uint8

const (
	Left Align = iota
	Centre
	Right
)

// Shape is one thing to draw, in logical pixels. Later shapes cover earlier ones.
type Shape struct {
	X, Y, W, H float64
	Radius     float64
	Stroke     float64
	Alpha      float64
	Level      float64 // 0..1, for Magnitude
	Size       float64 // of text
	Kind       Kind
	Colour     Colour
	Align      Align
	Bold       bool
	Text       string
	Picture    *Picture
	CropLeft   float64 // share of a Raster left out on the left
	CropRight  float64 // and on the right
}

// Picture is a small grid of cells, drawn as one image.
type Picture struct {
	Width, Height int
	Cells         []Cell
	Version       int // changes with Cells
}

// Cell is one cell of a Picture; Alpha 0 leaves it out.
type Cell struct {
	Colour Colour
	Level  uint8 // 0..255, for Magnitude
	Alpha  uint8
	Slash  bool // crossed in the shape's colour, where cells are at least SlashCell
}

// Pick is the record under a point.
type Pick struct {
	Side    int // 0 = A, 1 = B
	Addr    uint64
	Req     uint32
	Cycle   float64
	Channel int
}

// Target is an area that can be pointed at.
type Target struct {
	X, Y, W, H  float64
	Kind        TargetKind
	Side        int
	Index       int
	Channel     int
	Left, Width float64 // of what a divider divides
}

// TargetKind is the kind of a Target.
type TargetKind uint8

const (
	TargetTransfer  TargetKind = iota // Index = transfer on Channel
	TargetMap                         // the address map
	TargetDivider                     // between A and B of the address map
	TargetColour                      // Index = MapColour
	TargetThreshold                   // the line over the histogram
	TargetChannel                     // Channel's label
)

// Counts holds the numbers of marks in a scene, for tests and for screen readers.
type Counts struct{ Bursts, Saved, Approximated, Metadata, Refreshes, Dropped int }

// Scene is a picture.
type Scene struct {
	W, H    float64
	Shapes  []Shape
	Targets []Target
	Counts  Counts
	// Measure returns the width of a text. The drawing side sets it.
	Measure func(text string, size float64, bold bool) float64
}

// Reset empties s for a picture of w by h logical pixels.
func (s *Scene) Reset(w, h float64) {
	s.W, s.H = w, h
	s.Shapes = s.Shapes[:0]
	s.Targets = s.Targets[:0]
	s.Counts = Counts{}
}

// TextWidth returns the width of a text, or a fair guess when nobody can tell.
func (s *Scene) TextWidth(text string, size float64, bold bool) float64 {
	if s.Measure != nil {
		return s.Measure(text, size, bold)
	}
	return float64(len([]rune(text))) * size * 0.56
}

// Hit returns the topmost target under a point.
func (s *Scene) Hit(x, y float64) (Target, bool) {
	for i := len(s.Targets) - 1; i >= 0; i-- {
		t := &s.Targets[i]
		if x >= t.X && x < t.X+t.W && y >= t.Y && y < t.Y+t.H {
			return *t, true
		}
	}
	return Target{}, false
}

func (s *Scene) shape(k Kind, c Colour, x, y, w, h, alpha float64) *Shape {
	s.Shapes = append(s.Shapes, Shape{Kind: k, Colour: c, X: x, Y: y, W: w, H: h, Alpha: alpha, Stroke: 1})
	return &s.Shapes[len(s.Shapes)-1]
}

func (s *Scene) fill(c Colour, x, y, w, h, alpha float64) *Shape {
	return s.shape(Fill, c, x, y, w, h, alpha)
}

func (s *Scene) line(c Colour, x1, y1, x2, y2, stroke, alpha float64) {
	s.shape(Line, c, x1, y1, x2, y2, alpha).Stroke = stroke
}

// text writes a text with its baseline at y and returns its width.
func (s *Scene) text(c Colour, text string, x, y, size float64, a Align) float64 {
	p := s.shape(Words, c, x, y, 0, 0, 1)
	p.Text, p.Size, p.Align = text, size, a
	return s.TextWidth(text, size, false)
}

func (s *Scene) bold(c Colour, text string, x, y, size float64, a Align) float64 {
	s.text(c, text, x, y, size, a)
	s.Shapes[len(s.Shapes)-1].Bold = true
	return s.TextWidth(text, size, true)
}

// card is a panel with a thin border.
func (s *Scene) card(x, y, w, h, radius float64) {
	s.fill(Panel, x, y, w, h, 1).Radius = radius
	s.shape(Outline, Rule, x, y, w, h, 1).Radius = radius
}

// fitting returns the longest of the texts that is at most w wide, or "".
func (s *Scene) fitting(w, size float64, texts ...string) string {
	for _, t := range texts {
		if s.TextWidth(t, size, false) <= w {
			return t
		}
	}
	return ""
}

// narrowWidth is the width in pixels below which a picture is laid out for a phone.
const narrowWidth = 600

var sideName = [2]string{"A", "B"}

// axisSize is the smallest text of a chart, in pixels: less is hard to read.
const axisSize = 12

// rect is an area.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }
func (r rect) centre() (x, y float64) {
	return r.x + r.w/2, r.y + r.h/2
}

func clamp(v, low, high float64) float64 { return max(low, min(v, high)) }

func clampInt(v, low, high int) int { return max(low, min(v, high)) }
