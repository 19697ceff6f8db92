package model

// palette holds the colours of every meaning and the name of each in style sheets. The
// moving picture and the posters read it; tests hold the page's style sheets to it.
//
// The categories are those of Okabe and Ito, "Color Universal Design" (2008), with
// metadata darker, so that its text has a contrast of 3 to 1; paper, ink and rules are the
// page's own. On dark paper blue, vermilion, purple, green and accent are lighter, so that they
// keep a contrast of at least 4.5 to 1.
var palette = [Magnitude]struct {
	token       string
	light, dark uint32
}{
	Paper:              {"paper", 0xfbfbf8, 0x101418},
	Ink:                {"ink", 0x1b1f24, 0xe6e8ea},
	Muted:              {"muted", 0x5f656b, 0x9aa3ab},
	Rule:               {"rule", 0xd8dad3, 0x2c333a},
	Panel:              {"panel", 0xf4f4ef, 0x171c21},
	Accent:             {"accent", 0x0b6e99, 0x56b4dc},
	FetchedColour:      {"fetched", 0x0072b2, 0x3d9ad6},
	ApproximatedColour: {"approx", 0xd55e00, 0xf0803c},
	MetadataColour:     {"meta", 0xb8609a, 0xd88fba},
	RawColour:          {"raw", 0x7f7f7f, 0x8d9399},
	BuddyColour:        {"buddy", 0x009e73, 0x2fb98f},
}

// Token is the name of a colour in style sheets, without its two hyphens. Magnitudes have
// no name.
func (c Colour) Token() string { return palette[c].token }

// Hex is a colour as 0xRRGGBB in the light or the dark theme. Magnitudes have no fixed
// colour.
func (c Colour) Hex(dark bool) uint32 {
	if dark {
		return palette[c].dark
	}
	return palette[c].light
}
