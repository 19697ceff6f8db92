package scenario

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/fault"
)

// MaxTextBytes is the largest size of a scenario that people write or that the site's store takes as
// text. MaxJSONBytes is the limit of a text that a program writes, with its data: base64 takes a third more
// than the packed form, and the rest is room for escapes of a source.
const (
	MaxTextBytes = 1 << 20
	MaxJSONBytes = MaxMsgpackBytes / 2 * 3
)

// ParseJSON reads a scenario as strict JSON (RFC 8259), as the page writes it. file names
// it in messages. Faults carry file:line:column. authoring.ParseJSON also checks a
// lesson's texts.
func ParseJSON(file string, b []byte) (*Scenario, error) {
	v, err := ParseJSONText(file, b)
	if err != nil {
		return nil, err
	}
	return FromTree(v)
}

// ParseJSONText reads a scenario's JSON as a tree, and bounds its length.
func ParseJSONText(file string, b []byte) (*Value, error) {
	if len(b) > MaxJSONBytes {
		return nil, fault.Refuse(file, fmt.Sprintf("the scenario has %d bytes of text", len(b)), fmt.Sprintf("at most %d are read; `burstscope exec` takes larger data from files", MaxJSONBytes))
	}
	return ParseJSONTree(file, b)
}

// ParseJSONTree reads JSON of any schema within the limits of a scenario. Each value of
// the tree knows its place in the text. The caller bounds the length.
func ParseJSONTree(file string, b []byte) (*Value, error) {
	r := jsonReader{file: file, in: b, line: 1, column: 1}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.space(); r.at < len(r.in) {
		return nil, r.refuse(r.at, "text follows the scenario", "remove it")
	}
	return &v, nil
}

// jsonReader reads JSON into values. MaxNodes and the length of the input bound its
// memory, MaxDepth bounds its stack.
type jsonReader struct {
	file  string
	in    []byte
	at    int
	nodes int

	// The line and column of byte placed, which never moves back.
	placed, line, column int
}

// place returns file:line:column of a byte. Calls must go forward in the text. Columns
// count characters.
func (r *jsonReader) place(at int) string {
	for r.placed < at {
		if r.in[r.placed] == '\n' {
			r.placed, r.line, r.column = r.placed+1, r.line+1, 1
			continue
		}
		_, n := utf8.DecodeRune(r.in[r.placed:])
		r.placed, r.column = r.placed+n, r.column+1
	}
	return fmt.Sprintf("%s:%d:%d", r.file, r.line, r.column)
}

func (r *jsonReader) refuse(at int, message, mend string) error {
	return fault.Refuse(r.place(at), message, mend)
}

const mendJSON = "correct the JSON"

// unexpected refuses the character at r.at.
func (r *jsonReader) unexpected(want string) error {
	if r.at >= len(r.in) {
		return r.refuse(len(r.in), "the text ends where "+want+" should be", mendJSON)
	}
	c, _ := utf8.DecodeRune(r.in[r.at:])
	return r.refuse(r.at, fmt.Sprintf("%q where %s should be", c, want), mendJSON)
}

func (r *jsonReader) space() {
	for r.at < len(r.in) {
		switch r.in[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// next skips space and returns the byte that follows, 0 at the end.
func (r *jsonReader) next() byte {
	r.space()
	if r.at == len(r.in) {
		return 0
	}
	return r.in[r.at]
}

func (r *jsonReader) value(depth int) (Value, error) {
	c := r.next()
	v := Value{Where: r.place(r.at)}
	if r.nodes++; r.nodes > MaxNodes {
		return v, r.refuse(r.at, fmt.Sprintf("more than %d values", MaxNodes), "a scenario needs fewer")
	}
	if depth > MaxDepth {
		return v, r.refuse(r.at, fmt.Sprintf("nested more than %d deep", MaxDepth), "a scenario needs less nesting")
	}
	switch {
	case c == '{':
		v.Kind = IsMap
		return v, r.members('}', func() error { return r.member(&v, depth) })
	case c == '[':
		v.Kind = IsList
		return v, r.members(']', func() error {
			item, err := r.value(depth + 1)
			v.Items = append(v.Items, item)
			return err
		})
	case c == '"':
		text, err := r.text()
		v.Kind, v.Text = IsText, text
		return v, err
	case c == '-' || c >= '0' && c <= '9':
		return v, r.number(&v)
	}
	v.Kind = IsOther
	for _, word := range [...][2]string{{"null", "nothing"}, {"true", "a truth value"}, {"false", "a truth value"}} {
		if end := r.at + len(word[0]); end <= len(r.in) && string(r.in[r.at:end]) == word[0] {
			r.at, v.Text = end, word[1]
			return v, nil
		}
	}
	return v, r.unexpected("a value")
}

// members reads the values between the bracket at r.at and end; commas separate them.
func (r *jsonReader) members(end byte, member func() error) error {
	r.at++
	if r.next() == end {
		r.at++
		return nil
	}
	for {
		if err := member(); err != nil {
			return err
		}
		switch r.next() {
		case ',':
			r.at++
		case end:
			r.at++
			return nil
		default:
			return r.unexpected(fmt.Sprintf("a comma or %q", end))
		}
	}
}

// member reads a key and its value. The binder refuses a key that is given twice.
func (r *jsonReader) member(v *Value, depth int) error {
	if r.next() != '"' {
		return r.unexpected("a key in double quotes")
	}
	if r.nodes++; r.nodes > MaxNodes {
		return r.refuse(r.at, fmt.Sprintf("more than %d values", MaxNodes), "a scenario needs fewer")
	}
	key, err := r.text()
	if err != nil {
		return err
	}
	if r.next() != ':' {
		return r.unexpected("a colon")
	}
	r.at++
	item, err := r.value(depth + 1)
	v.Keys, v.Items = append(v.Keys, key), append(v.Items, item)
	return err
}

// number reads a number. A scenario has whole numbers only.
func (r *jsonReader) number(v *Value) error {
	start := r.at
	if r.in[r.at] == '-' {
		r.at++
	}
	first := r.at
	if r.digits() == 0 || r.in[first] == '0' && r.at > first+1 {
		r.at = first
		return r.unexpected("a number without leading zeros")
	}
	v.Kind = IsInteger
	if r.at < len(r.in) && r.in[r.at] == '.' {
		v.Kind = IsOther
		if r.at++; r.digits() == 0 {
			return r.unexpected("a digit")
		}
	}
	if r.at < len(r.in) && r.in[r.at]|0x20 == 'e' {
		v.Kind = IsOther
		if r.at++; r.at < len(r.in) && (r.in[r.at] == '+' || r.in[r.at] == '-') {
			r.at++
		}
		if r.digits() == 0 {
			return r.unexpected("a digit")
		}
	}
	v.Text = string(r.in[start:r.at])
	switch {
	case v.Kind == IsOther:
		v.Text = "the number " + QuoteNumber(v.Text)
	case v.Text == "-0":
		v.Text = "0"
	}
	return nil
}

func (r *jsonReader) digits() (n int) {
	for r.at < len(r.in) && r.in[r.at] >= '0' && r.in[r.at] <= '9' {
		r.at++
		n++
	}
	return n
}

// text reads the string at r.at.
func (r *jsonReader) text() (string, error) {
	r.at++
	start := r.at
	for r.at < len(r.in) && r.in[r.at] != '"' && r.in[r.at] != '\\' && r.in[r.at] >= ' ' {
		r.at++
	}
	out := r.in[start:r.at:r.at] // append copies it
	for r.at < len(r.in) {
		switch c := r.in[r.at]; {
		case c == '"':
			r.at++
			return string(out), nil
		case c < ' ':
			return "", r.refuse(r.at, fmt.Sprintf("control character %#02x in a text", c), "write it as an escape such as \\n")
		case c == '\\':
			char, err := r.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, char)
		default:
			out = append(out, c)
			r.at++
		}
	}
	return "", r.unexpected("the end of a text")
}

// escape reads the escape at r.at.
func (r *jsonReader) escape() (rune, error) {
	start := r.at
	if r.at++; r.at == len(r.in) {
		return 0, r.unexpected("an escape")
	}
	c := r.in[r.at]
	r.at++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		char, ok := r.unit()
		if utf16.IsSurrogate(char) && r.at+2 <= len(r.in) && r.in[r.at] == '\\' && r.in[r.at+1] == 'u' {
			r.at += 2
			var low rune
			low, ok = r.unit()
			char = utf16.DecodeRune(char, low)
			ok = ok && char != utf8.RuneError
		}
		if ok && !utf16.IsSurrogate(char) {
			return char, nil
		}
	}
	return 0, r.refuse(start, "the escape does not stand for a character", mendJSON)
}

// unit reads the four digits of \u.
func (r *jsonReader) unit() (rune, bool) {
	if len(r.in)-r.at < 4 {
		return 0, false
	}
	digits := r.in[r.at : r.at+4]
	n, err := strconv.ParseUint(string(digits), 16, 16)
	if err != nil {
		return 0, false
	}
	r.at += 4
	return rune(n), true
}
