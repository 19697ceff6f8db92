// Package setting describes a value that people choose: what it may be, its default, and when it has an effect. Systems
// and codecs have lists of settings; scenarios, the command line and the page read them.
package setting

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// Setting is one value of a system, of a codec, or of a group of them.
type Setting struct {
	Name  string
	Title string
	Unit  string
	About string
	// Words are the values of a word, the default first; Listed returns words that
	// stand in another table. A setting without words is a whole number from Low to
	// High, or one of Numbers, and Default is its default.
	Words     []string
	Listed    func() []string
	Numbers   []int
	Low, High int
	Default   int
	// Check says what is wrong with a text in a notation of its own; Mend says how to
	// write it. Pattern is a regular expression of that notation for programs that cannot call Check; empty is none.
	Check   func(text string) error
	Mend    string
	Pattern string
	// Binary settings hold bytes, which Check checks.
	Binary bool
	// Wrong is the message for a number that is not legal, with %d for the number; empty
	// is "%d is out of range".
	Wrong string
	// Ruled leaves the check of a number to a rule that knows the other settings too.
	Ruled bool
	// Optional settings may be left out: empty or 0. About says what happens then.
	Optional bool
	// Short is the title in a narrow column; empty is Title. Term is the word of the page's glossary that it is about.
	// Label tells two schemes apart that differ in the setting, with {} for the value, and Without if there is none;
	// empty is title, value and unit. Offer are the values that a sweep begins with; none = all words and numbers, or
	// both ends of a range.
	Short, Term, Label, Without string
	Offer                       []string
	// Needs are the conditions under which the setting has an effect: all of them. None = it always has one.
	Needs []Need
}

// Need is a condition on another setting of the same part, a word: one of Is, or, without Is, none of Not.
type Need struct {
	Of  string
	Is  func() []string
	Not []string
	// If decides for a word of Is for which the list does not; nil = the list decides for all.
	If func(values map[string]any) bool
}

// Holds reports whether the values of a part, by name, fulfil the condition.
func (n *Need) Holds(values map[string]any) bool {
	word, _ := values[n.Of].(string)
	if n.Is == nil {
		return !slices.Contains(n.Not, word)
	}
	return slices.Contains(n.Is(), word) && (n.If == nil || n.If(values))
}

// Effective reports whether the setting has an effect beside the other values of its part.
func (f *Setting) Effective(values map[string]any) bool {
	for i := range f.Needs {
		if !f.Needs[i].Holds(values) {
			return false
		}
	}
	return true
}

// Binary is a value that is bytes: bin in msgpack, base64 in YAML and JSON. It is a string because values are compared.
type Binary string

// MarshalText returns the bytes as base64 for the writers of YAML and JSON.
func (b Binary) MarshalText() ([]byte, error) { return []byte(b.Base64()), nil }

// Base64 returns the bytes as text.
func (b Binary) Base64() string { return base64.StdEncoding.EncodeToString([]byte(b)) }

// List returns the words that a setting may be, nil if it is a number or a text.
func (f *Setting) List() []string {
	if f.Listed != nil {
		return f.Listed()
	}
	return f.Words
}

// Number reports whether the setting is a whole number.
func (f *Setting) Number() bool { return f.List() == nil && f.Check == nil }

// Value returns the default as a part of a scheme holds it.
func (f *Setting) Value() any {
	switch words := f.List(); {
	case words != nil:
		return words[0]
	case f.Binary:
		return Binary("")
	case f.Check != nil:
		return ""
	}
	return int64(f.Default)
}

// Parse reads the text of a value at path.
func (f *Setting) Parse(path, text string) (any, error) {
	switch {
	case f.Binary:
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fault.At(path, "the text is not base64", "encode the bytes as base64")
		}
		return Binary(data), nil
	case f.Number():
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			return nil, fault.At(path, fault.Quote(text)+" is not a whole number", f.Span())
		}
		return n, nil
	}
	return text, nil
}

// Sparse reports whether an entry's part has the setting only with another value than its default: an optional word. So
// a word that an entry gets later changes no scenario.
func (f *Setting) Sparse() bool { return f.Optional && f.List() != nil }

// Empty reports whether a value stands for one that was left out.
func Empty(value any) bool { return value == "" || value == Binary("") || value == int64(0) }

// Span says what a setting takes.
func (f *Setting) Span() string {
	mend := f.Mend
	switch {
	case mend != "":
	case f.List() != nil:
		mend = "use one of " + strings.Join(f.List(), ", ")
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

// WrongType says that a value has another type than the setting's; empty if the types agree.
func (f *Setting) WrongType(value any) string {
	switch v := value.(type) {
	case string:
		if f.Number() {
			return fault.Quote(v) + " is not a whole number"
		}
	case int64:
		if !f.Number() {
			return fmt.Sprintf("want a word, not the number %d", v)
		}
	}
	return ""
}

// Validate adds the fault of a value at path.
func (f *Setting) Validate(e *fault.Errors, path string, value any) {
	text, _ := value.(string)
	if b, is := value.(Binary); is {
		text = string(b)
	}
	n, _ := value.(int64)
	wrongType := f.WrongType(value)
	switch {
	case f.Optional && Empty(value):
	case wrongType != "":
		e.Add(path, wrongType, f.Span())
	case f.List() != nil:
		e.Word(path, text, f.List())
	case f.Check != nil:
		if err := f.Check(text); err != nil {
			e.Add(path, err.Error(), f.Span())
		}
	case f.Ruled:
	case f.Numbers != nil && !slices.Contains(f.Numbers, int(n)),
		f.Numbers == nil && (n < int64(f.Low) || n > int64(f.High)):
		wrong := f.Wrong
		if wrong == "" {
			wrong = "%d is out of range"
		}
		e.Add(path, fmt.Sprintf(wrong, n), f.Span())
	}
}
