package fault

import "strings"

// unseen tells a character that nobody sees and that changes how the text around it
// reads: a control character, or one that sets the direction of text (Unicode Standard
// Annex 9, sections 2.1 to 2.6), with which a title seems to say something else.
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

// Visible is a text on one line as people may see it: every unseen character is replaced.
// It is for texts that are shown although no check has refused them. The page does the
// same (visible in site/src/lib/format.ts).
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unseen(r) {
			return '\ufffd'
		}
		return r
	}, text)
}
