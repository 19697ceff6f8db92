package draw

import "github.com/burstscope/burstscope/render/model"

// RGB is a colour, each part 0..1.
type RGB struct{ R, G, B float64 }

// Palette gives every meaning its colour.
type Palette struct {
	tokens [model.Magnitude]RGB
}

func hex(v uint32) RGB {
	return RGB{float64(v>>16&0xff) / 255, float64(v>>8&0xff) / 255, float64(v&0xff) / 255}
}

// The categories are those of Okabe and Ito, "Color Universal Design" (2008);
// paper, ink and rules are the page's own.
var (
	light = makePalette([model.Magnitude]uint32{
		model.Paper: 0xFBFBF8, model.Ink: 0x1B1F24, model.Muted: 0x676D73, model.Rule: 0xD8DAD3,
		model.Panel: 0xF4F4EF, model.Accent: 0x0B6E99,
		model.FetchedColour: 0x0072B2, model.ApproximatedColour: 0xD55E00, model.MetadataColour: 0xCC79A7,
		model.RawColour: 0x7F7F7F,
	})
	// On dark paper blue, vermilion and accent are lighter, so that they keep a
	// contrast of at least 4.5 to 1.
	dark = makePalette([model.Magnitude]uint32{
		model.Paper: 0x101418, model.Ink: 0xE6E8EA, model.Muted: 0x9AA1A8, model.Rule: 0x2C333A,
		model.Panel: 0x171C21, model.Accent: 0x56B4E0,
		model.FetchedColour: 0x3C9BDC, model.ApproximatedColour: 0xF0803C, model.MetadataColour: 0xDE93BC,
		model.RawColour: 0x949494,
	})
)

// PaletteFor returns the palette of a theme.
func PaletteFor(isDark bool) *Palette {
	if isDark {
		return &dark
	}
	return &light
}

func makePalette(tokens [model.Magnitude]uint32) Palette {
	var p Palette
	for i, v := range tokens {
		p.tokens[i] = hex(v)
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
