package datafile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// windowBytes of a text are held at a time.
const windowBytes = 1 << 16

// scanner reads the text of headers: dictionaries of Python and JSON. It holds one window
// of the text, so that memory does not grow with a header. It keeps the first error, and
// every later read returns nothing.
type scanner struct {
	src    io.Reader // what follows the window; nil if nothing does
	window []byte
	at     int   // in the window
	base   int64 // of the window in the file
	what   string
	json   bool // no blanks and numbers but those of JSON (RFC 8259)
	err    error
}

// scanText reads a text that is at hand and starts at byte base of the file.
func scanText(text string, base int64) *scanner {
	return &scanner{window: []byte(text), base: base, what: "header"}
}

// scanJSON reads JSON from byte base to byte end of a file.
func scanJSON(src io.ReaderAt, base, end int64, what string) *scanner {
	s := &scanner{src: io.NewSectionReader(src, base, end-base), base: base, what: what, json: true}
	s.window = make([]byte, 0, min(windowBytes, end-base))
	switch s.peek() {
	case 0xef:
		s.fail("the %s begins with a byte order mark: save it as UTF-8 without one", what)
	case 0xff, 0xfe:
		s.fail("the %s begins with the byte order mark of UTF-16: save it as UTF-8 without one", what)
	}
	return s
}

// offset is the place of the next byte in the file.
func (s *scanner) offset() int64 { return s.base + int64(s.at) }

func (s *scanner) fail(format string, args ...any) { s.failAt(s.offset(), format, args...) }

func (s *scanner) failAt(offset int64, format string, args ...any) {
	if s.err == nil {
		s.err = faultAt(offset, format, args...)
	}
}

// textEnd marks the end of a text. It is NUL, which JSON and Python texts cannot contain.
const textEnd = 0

// peek returns the next byte, or textEnd after the last one.
func (s *scanner) peek() byte {
	if s.more() {
		return s.window[s.at]
	}
	return textEnd
}

// more reports whether a byte follows. It fills the window if necessary.
func (s *scanner) more() bool {
	for s.at == len(s.window) && s.src != nil {
		s.base += int64(s.at)
		n, err := s.src.Read(s.window[:cap(s.window)])
		s.window, s.at = s.window[:n], 0
		if err != nil {
			s.src = nil
			if !errors.Is(err, io.EOF) && s.err == nil {
				s.err = fmt.Errorf("reading the %s: %w", s.what, err)
			}
		}
	}
	return s.at < len(s.window)
}

func (s *scanner) isBlank(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || !s.json && isSpace(c)
}

// skip passes over blanks.
func (s *scanner) skip() {
	for s.more() && s.isBlank(s.window[s.at]) {
		s.at++
	}
}

func (s *scanner) accept(c byte) bool {
	s.skip()
	if s.err == nil && s.peek() == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) want(c byte) {
	if s.accept(c) {
		return
	}
	if s.more() {
		s.fail("want %q in the %s, found %s", c, s.what, s.character())
		return
	}
	s.fail("the %s ends where %q belongs", s.what, c)
}

// end refuses everything but blanks.
func (s *scanner) end() {
	if s.skip(); s.err == nil && s.more() {
		s.fail("%s follows the last brace of the %s: only blanks may", s.character(), s.what)
	}
}

// character names the next character: one outside of ASCII by its number too, since it may not be seen.
func (s *scanner) character() string {
	r, size := utf8.DecodeRune(s.window[s.at:])
	switch {
	case r < utf8.RuneSelf:
		return fmt.Sprintf("%q", r)
	case size == 1:
		return fmt.Sprintf("byte %#x", s.peek())
	}
	return fmt.Sprintf("%q (%U)", r, r)
}

// maxName bounds names of arrays.
const maxName = 1 << 12

// quoted reads a string of Python in either kind of quotes. An escape stands for itself
// without its backslash, which is enough to tell names apart.
func (s *scanner) quoted() string {
	s.skip()
	quote := s.peek()
	if s.err != nil || quote != '"' && quote != '\'' {
		s.fail("want a name in quotes in the %s", s.what)
		return ""
	}
	var name []byte
	for s.at++; s.more(); s.at++ {
		c := s.peek()
		if c == quote {
			s.at++
			return string(name)
		}
		if c == '\\' {
			if s.at++; !s.more() {
				break
			}
			c = s.peek()
		}
		if len(name) == maxName {
			s.fail("a name of more than %d bytes in the %s", maxName, s.what)
			return ""
		}
		name = append(name, c)
	}
	s.fail("the %s ends inside a name", s.what)
	return ""
}

// jsonText reads a string of JSON (RFC 8259, section 7).
func (s *scanner) jsonText() string {
	text, ok := s.jsonString(maxName, nil)
	if !ok {
		return ""
	}
	return string(text)
}

// passText passes over a string of JSON of any length.
func (s *scanner) passText() {
	var piece [256]byte
	s.jsonString(0, piece[:0])
}

// jsonString reads a string. With a most of 0 it keeps only its last bytes.
func (s *scanner) jsonString(most int, text []byte) ([]byte, bool) {
	if !s.accept('"') {
		s.fail("want a text in quotes in the %s", s.what)
		return nil, false
	}
	for s.err == nil && s.more() {
		switch {
		case most > 0 && len(text) > most:
			s.fail("a name of more than %d bytes in the %s", most, s.what)
			return nil, false
		case most == 0 && len(text) > cap(text)-utf8.UTFMax:
			text = s.drop(text)
		}
		c := s.peek()
		switch {
		case c == '"':
			if !utf8.Valid(text) {
				s.fail("the text that ends here is not UTF-8")
				return nil, false
			}
			s.at++
			return text, true
		case c < ' ':
			s.fail("an unescaped control character %q in a text of the %s", c, s.what)
			return nil, false
		case c == '\\':
			text = s.escape(text)
		default:
			text = append(text, c)
			s.at++
		}
	}
	s.fail("the %s ends inside a text", s.what)
	return nil, false
}

// drop checks a part of a text and keeps what may be half a character.
func (s *scanner) drop(text []byte) []byte {
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if utf8.RuneStart(text[len(text)-back]) {
			if !utf8.FullRune(text[len(text)-back:]) {
				whole = len(text) - back
			}
			break
		}
	}
	if !utf8.Valid(text[:whole]) {
		s.fail("the text before here is not UTF-8")
	}
	return append(text[:0], text[whole:]...)
}

// escapes are what may follow a backslash beside u, and what it stands for.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape appends what the escape at the backslash here stands for.
func (s *scanner) escape(text []byte) []byte {
	begin := s.offset()
	s.at++
	if c, ok := escapes[s.peek()]; ok {
		s.at++
		return append(text, c)
	}
	r := s.codeUnit(begin)
	if utf16.IsSurrogate(r) {
		low := s.offset()
		if s.peek() == '\\' {
			s.at++
		}
		if r = utf16.DecodeRune(r, s.codeUnit(low)); r == utf8.RuneError {
			s.fail("half of a surrogate pair in a text of the %s", s.what)
		}
	}
	return utf8.AppendRune(text, r)
}

// codeUnit reads uXXXX after the backslash at byte begin.
func (s *scanner) codeUnit(begin int64) rune {
	if s.err != nil {
		return 0
	}
	var digits [4]byte
	if s.peek() == 'u' {
		s.at++
		for i := range digits {
			if digits[i] = s.peek(); digits[i] != textEnd {
				s.at++
			}
		}
		if v, err := strconv.ParseUint(string(digits[:]), 16, 16); err == nil {
			return rune(v)
		}
	}
	s.failAt(begin, `an escape that JSON does not have: want \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits`)
	return 0
}

// number reads a whole number of at least 0.
func (s *scanner) number() int64 {
	s.skip()
	start, n := s.offset(), int64(0)
	first := s.peek()
	for s.err == nil && s.peek() >= '0' && s.peek() <= '9' {
		if n > (math.MaxInt64-9)/10 {
			s.fail("a number in the %s is larger than any file", s.what)
			return 0
		}
		n = n*10 + int64(s.peek()-'0')
		s.at++
	}
	switch digits := s.offset() - start; {
	case digits == 0:
		s.fail("want a whole number in the %s", s.what)
	case s.json && first == '0' && digits > 1:
		s.failAt(start, "a number with a leading zero in the %s", s.what)
	}
	return n
}

// maxWord is longer than any word of a header.
const maxWord = 16

// word reads letters.
func (s *scanner) word() string {
	s.skip()
	var word []byte
	for len(word) < maxWord && s.peek()|0x20 >= 'a' && s.peek()|0x20 <= 'z' {
		word = append(word, s.peek())
		s.at++
	}
	if len(word) == 0 {
		s.fail("want a word in the %s", s.what)
	}
	return string(word)
}

// maxList bounds shapes.
const maxList = 64

// list reads [1, 2, ..].
func (s *scanner) list() []int64 {
	s.want('[')
	if s.err != nil || s.accept(']') {
		return nil
	}
	list := make([]int64, 0, 4)
	for s.err == nil {
		if len(list) == maxList {
			s.fail("a list of more than %d numbers in the %s", maxList, s.what)
			break
		}
		list = append(list, s.number())
		if !s.accept(',') {
			s.want(']')
			break
		}
	}
	return list
}

// entries reads {"key": value, ..}: value reads what follows the colon.
func (s *scanner) entries(value func(key string, at int64)) {
	s.want('{')
	if s.err != nil || s.accept('}') {
		return
	}
	for s.err == nil {
		s.skip()
		at := s.offset()
		key := s.jsonText()
		s.want(':')
		if s.err == nil {
			value(key, at)
		}
		if !s.accept(',') {
			s.want('}')
			return
		}
	}
}

// maxDepth bounds nested values of JSON that nobody reads.
const maxDepth = 32

// passValue passes over any value.
func (s *scanner) passValue(depth int) {
	s.skip()
	switch c := s.peek(); {
	case depth > maxDepth:
		s.fail("more than %d values inside each other in the %s", maxDepth, s.what)
	case c == '"':
		s.passText()
	case c == '{':
		s.at++
		if s.accept('}') {
			return
		}
		for s.err == nil {
			s.passText()
			s.want(':')
			s.passValue(depth + 1)
			if !s.accept(',') {
				s.want('}')
				return
			}
		}
	case c == '[':
		s.at++
		if s.accept(']') {
			return
		}
		for s.err == nil {
			s.passValue(depth + 1)
			if !s.accept(',') {
				s.want(']')
				return
			}
		}
	case c == '-' || c >= '0' && c <= '9':
		s.passNumber()
	default:
		at := s.offset()
		if w := s.word(); s.err == nil && w != "true" && w != "false" && w != "null" {
			s.failAt(at, "%q is not a JSON value", w)
		}
	}
}

// passNumber passes over a number of JSON (RFC 8259, section 6).
func (s *scanner) passNumber() {
	s.acceptByte("-")
	if !s.acceptByte("0") {
		s.digits()
	}
	if s.acceptByte(".") {
		s.digits()
	}
	if s.acceptByte("eE") {
		s.acceptByte("+-")
		s.digits()
	}
}

// acceptByte passes over one of some bytes, without blanks before it.
func (s *scanner) acceptByte(list string) bool {
	for i := range len(list) {
		if s.err == nil && s.peek() == list[i] {
			s.at++
			return true
		}
	}
	return false
}

func (s *scanner) digits() {
	if !s.acceptByte("0123456789") {
		s.fail("want a digit in the %s", s.what)
	}
	for s.acceptByte("0123456789") {
	}
}
