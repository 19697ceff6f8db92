package syntax

import (
	"fmt"
	"strings"
)

// Error is a fault of a PTX source text.
type Error struct {
	File         string
	Line, Column int
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors lists every fault found in a module, in source order.
type Errors []*Error

func (l Errors) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// maxErrors bounds the report on a hostile text.
const maxErrors = 200

// maxMessage bounds one message, in bytes.
const maxMessage = 400

// maxWord bounds what a message quotes: a name or a number of the text may have any length.
const maxWord = 40

// quoted cuts words that are much longer.
func quoted(message string) string {
	words := strings.Split(message, " ")
	for i, w := range words {
		if len(w) > maxWord*3/2 {
			words[i] = w[:maxWord] + "..."
		}
	}
	return strings.Join(words, " ")
}

// Reporter collects errors; at maxErrors it notes that it stopped.
type Reporter struct {
	File string
	List Errors
	// Broken says that the text breaks the grammar, so later passes cannot run. If it
	// is not set, they run, and one report names everything that is not supported.
	Broken bool
}

func (r *Reporter) Errorf(at Position, format string, args ...any) {
	switch {
	case len(r.List) < maxErrors:
		message := quoted(fmt.Sprintf(format, args...))
		if len(message) > maxMessage {
			message = message[:maxMessage] + " ..."
		}
		r.List = append(r.List, &Error{r.File, int(at.Line), int(at.Column), message})
	case len(r.List) == maxErrors:
		r.List = append(r.List, &Error{r.File, int(at.Line), int(at.Column), "too many errors; the rest is not shown"})
	}
}

// Full reports whether the report has reached maxErrors; then work may stop.
func (r *Reporter) Full() bool { return len(r.List) > maxErrors }

// Position is a place in a source text, counted from 1.
type Position struct{ Line, Column int32 }
