package draw

import "github.com/burstscope/burstscope/render/model"

// RGB is a colour, each part 0..1.
type RGB struct{ R, G, B float64 }

// Palette gives every meaning its colour.
type Palette struct {
	tokens [model.Magnitude]RGB
}

var light, dark = makePalette(false), makePalette(true)

// PaletteFor returns the palette of a theme.
func PaletteFor(isDark bool) *Palette {
	if isDark {
		return &dark
	}
	return &light
}

func makePalette(isDark bool) (p Palette) {
	for i := range p.tokens {
		v := model.Colour(i).Hex(isDark)
		p.tokens[i] = RGB{float64(v>>16&0xff) / 255, float64(v>>8&0xff) / 255, float64(v&0xff) / 255}
	}
	return p
}

// Colour returns the colour of a meaning; level counts for magnitudes.
func (p *Palette) Colour(c model.Colour, level float64) RGB {
	if c < model.Magnitude {
		return p.tokens[c]
	}
	r, g, b := model.Cividis(level)
	return RGB{r / 255, g / 255, b / 255}
}
