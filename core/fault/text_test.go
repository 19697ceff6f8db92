package fault

import (
	"strings"
	"testing"
	"unicode"
)

// Texts may not hold invisible characters: control characters, and the twelve that set the
// direction of text. All others pass.
func TestProseRefusesWhatNobodySees(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r < 0xe000 { // no characters
			continue
		}
		text := "a" + string(r) + "b"
		var e Errors
		e.Prose("title", text, 100)
		unseen := unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)
		if want := unseen && r != '\n' && r != '\t'; (len(e.List) == 1) != want {
			t.Fatalf("%U: %v", r, e.List)
		}
		if (Visible(text) == text) == (unseen) {
			t.Fatalf("%U is shown as %q", r, Visible(text))
		}
	}
	var e Errors
	e.Prose("title", "a\u202egnp.exe", 100)
	if got := e.Error(); !strings.Contains(got, "title: control character U+202E") {
		t.Error(got)
	}
}
