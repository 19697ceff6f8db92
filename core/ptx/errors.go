package ptx

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

// maxErrors bounds a report: a hostile text must not make a huge one.
const maxErrors = 200

// maxMessage bounds one message, in bytes.
const maxMessage = 400

// reporter collects errors; at maxErrors it notes that it stopped.
type reporter struct {
	file string
	list Errors
	// broken says that the text is not PTX as we know it. Without it all passes
	// go on, so that one report names everything that is not supported.
	broken bool
}

func (r *reporter) errorf(at position, format string, args ...any) {
	switch {
	case len(r.list) < maxErrors:
		message := fmt.Sprintf(format, args...)
		if len(message) > maxMessage { // a name or a number of the text may have any length
			message = message[:maxMessage] + " ..."
		}
		r.list = append(r.list, &Error{r.file, int(at.line), int(at.column), message})
	case len(r.list) == maxErrors:
		r.list = append(r.list, &Error{r.file, int(at.line), int(at.column), "too many errors; the rest is not shown"})
	}
}

// full reports that nothing more will be shown, so work may stop.
func (r *reporter) full() bool { return len(r.list) > maxErrors }

// position is a place in a source text, counted from 1.
type position struct{ line, column int32 }
