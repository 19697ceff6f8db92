package draw

import (
	"math"
	"testing"

	"github.com/burstscope/burstscope/render/model"
)

// luminance and contrast are those of WCAG 2.1.
func luminance(c RGB) float64 {
	part := func(v float64) float64 {
		if v <= 0.03928 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b RGB) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestTextAndShapesStandOutOnPaper(t *testing.T) {
	for name, p := range map[string]*Palette{"light": PaletteFor(false), "dark": PaletteFor(true)} {
		for _, ground := range []model.Colour{model.Paper, model.Panel} {
			for _, c := range []struct {
				colour model.Colour
				least  float64
			}{{model.Ink, 7}, {model.Muted, 4.5}, {model.Accent, 4.5}, {model.FetchedColour, 4.5}, {model.ApproximatedColour, 3}, {model.RawColour, 3}} {
				if got := contrast(p.Colour(c.colour, 0), p.Colour(ground, 0)); got < c.least {
					t.Errorf("%s: colour %d on ground %d has a contrast of %.2f, want %.1f", name, c.colour, ground, got, c.least)
				}
			}
		}
	}
}

func TestMagnitudesGrowBrighterAllTheWay(t *testing.T) {
	p := PaletteFor(false)
	last := -1.0
	for i := range 101 {
		l := luminance(p.Colour(model.Magnitude, float64(i)/100))
		if l <= last {
			t.Fatalf("level %d %% is no brighter than the one before", i)
		}
		last = l
	}
	if p.Colour(model.Magnitude, -3) != p.Colour(model.Magnitude, 0) || p.Colour(model.Magnitude, 7) != p.Colour(model.Magnitude, 1) {
		t.Error("levels beyond the ends are not held")
	}
}
