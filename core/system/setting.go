package system

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// words returns the words that a setting may be, nil if it is a number or a text.
func (f *Setting) words() []string {
	if f.Listed != nil {
		return f.Listed()
	}
	return f.Words
}

// number reports whether the setting is a whole number.
func (f *Setting) number() bool { return f.words() == nil && f.Check == nil }

// Value returns the default as a Part holds it.
func (f *Setting) Value() any {
	switch words := f.words(); {
	case words != nil:
		return words[0]
	case f.Check != nil:
		return ""
	}
	return int64(f.Default)
}

// span says what a setting takes.
func (f *Setting) span() string {
	mend := f.Mend
	switch {
	case mend != "":
	case f.words() != nil:
		mend = "use one of " + strings.Join(f.words(), ", ")
	case f.Numbers != nil:
		mend = "use one of " + fault.Join(f.Numbers)
	default:
		mend = strings.TrimSpace("use " + strconv.Itoa(f.Low) + " to " + strconv.Itoa(f.High) + " " + f.Unit)
	}
	if f.Optional {
		mend += ", or leave it out"
	}
	return mend
}

// Validate adds the fault of a value at path.
func (f *Setting) Validate(e *fault.Errors, path string, value any) {
	text, isText := value.(string)
	n, _ := value.(int64)
	switch {
	case f.Optional && (isText && text == "" || !isText && n == 0):
	case isText && f.number():
		e.Add(path, fault.Quote(text)+" is not a whole number", f.span())
	case !isText && !f.number():
		e.Add(path, fmt.Sprintf("want a word, not the number %d", n), f.span())
	case f.words() != nil:
		e.Word(path, text, f.words())
	case f.Check != nil:
		if err := f.Check(text); err != nil {
			e.Add(path, err.Error(), f.span())
		}
	case f.Numbers != nil && !slices.Contains(f.Numbers, int(n)), f.Numbers == nil && (n < int64(f.Low) || n > int64(f.High)):
		wrong := f.Wrong
		if wrong == "" {
			wrong = "%d is out of range"
		}
		e.Add(path, fmt.Sprintf(wrong, n), f.span())
	}
}
