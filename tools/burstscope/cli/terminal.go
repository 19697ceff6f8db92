package cli

import (
	"io"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/fault"
)

// visibleText writes text without the characters that a terminal obeys, or that turn the text around them: names of users' files, and names in them,
// reach faults, tables and lists. All that a verb prints goes through it.
type visibleText struct {
	to   io.Writer
	held []byte // the beginning of a character whose end comes with the next bytes
}

func (w *visibleText) Write(b []byte) (int, error) {
	text := b
	if len(w.held) > 0 {
		text = append(w.held, b...)
	}
	w.held = nil
	// A character has at most four bytes: is the last one whole?
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				w.held = append(w.held, text[i:]...)
				text = text[:i]
			}
			break
		}
	}
	if _, err := w.to.Write(visibleBytes(text)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end writes what is held: it is no character.
func (w *visibleText) end() {
	if len(w.held) > 0 {
		_, _ = io.WriteString(w.to, string(utf8.RuneError)) // the verb has ended
		w.held = nil
	}
}

// visibleBytes replaces unseen characters but the ends of lines and tabs. Plain text is returned as it is.
func visibleBytes(text []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(text); {
		if c := text[i]; c >= 0x20 && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if seen := fault.Visible(string(r)); seen != string(r) || r == utf8.RuneError && n == 1 {
			out = append(append(out, text[from:i]...), string(utf8.RuneError)...)
			from = i + n
		}
		i += n
	}
	if out == nil {
		return text
	}
	return append(out, text[from:]...)
}
