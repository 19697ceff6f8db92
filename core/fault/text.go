package fault

import "strings"

// unseen reports whether a character is invisible and changes how the text around it
// reads: a control character, or one that sets the direction of text (Unicode Standard
// Annex 9, sections 2.1 to 2.6). Such characters can make a title look like another one.
func unseen(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f: // marks
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // embeddings, overrides, isolates
		return true
	}
	return false
}

// Visible returns a text on one line with every unseen character replaced. It is for texts
// that are shown without a check. The page does the same (visible in
// site/src/lib/format.ts).
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return '\ufffd'
		}
		return r
	}, text)
}
