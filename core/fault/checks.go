package fault

import (
	"fmt"
	"slices"
	"strings"
)

// Prose checks a text written by people: its length, and that all characters are visible.
func (e *Errors) Prose(path, text string, limit int) {
	if len(text) > limit {
		e.Add(path, fmt.Sprintf("%d bytes of text", len(text)), fmt.Sprintf("use at most %d", limit))
	}
	for _, r := range text {
		if unseen(r) && r != '\n' && r != '\t' {
			e.Add(path, fmt.Sprintf("control character %U", r), "remove it")
			return
		}
	}
}

// Word checks that got is one of the legal words.
func (e *Errors) Word(path, got string, legal []string) bool {
	if slices.Index(legal, got) >= 0 {
		return true
	}
	if got == "" {
		e.Add(path, "the value is missing", MendWord(got, legal))
	} else {
		e.Add(path, "unknown "+path[strings.LastIndexByte(path, '.')+1:]+" "+Quote(got), MendWord(got, legal))
	}
	return false
}

// Range checks that got is a number from low to high.
func (e *Errors) Range(path string, got, low, high int, unit string) {
	if got < low || got > high {
		e.Add(path, fmt.Sprintf("%d is out of range", got), fmt.Sprintf("use %d to %d%s", low, high, unit))
	}
}
