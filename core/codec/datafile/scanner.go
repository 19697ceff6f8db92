package datafile

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads the text of headers: dictionaries of Python and JSON. It keeps the first
// error, and every later read returns nothing.
type scanner struct {
	text string
	at   int
	base int64 // of text in the file
	err  error
}

func (s *scanner) fail(format string, args ...any) {
	if s.err == nil {
		s.err = faultAt(s.base+int64(s.at), format, args...)
	}
}

// skip passes over blanks.
func (s *scanner) skip() {
	for s.at < len(s.text) && isSpace(s.text[s.at]) {
		s.at++
	}
}

func (s *scanner) accept(c byte) bool {
	s.skip()
	if s.err == nil && s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) want(c byte) {
	if !s.accept(c) {
		if s.at < len(s.text) {
			s.fail("want %q in the header, found %q", c, s.text[s.at])
			return
		}
		s.fail("the header ends where %q belongs", c)
	}
}

// maxName bounds names of arrays.
const maxName = 1 << 12

// quoted reads a string of Python in either kind of quotes. An escape stands for itself
// without its backslash, which is enough to tell names apart.
func (s *scanner) quoted() string {
	s.skip()
	if s.err != nil || s.at >= len(s.text) || s.text[s.at] != '"' && s.text[s.at] != '\'' {
		s.fail("want a name in quotes in the header")
		return ""
	}
	quote := s.text[s.at]
	var name []byte
	for s.at++; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == quote:
			s.at++
			return string(name)
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			c = s.text[s.at]
		}
		if len(name) == maxName {
			s.fail("a name of more than %d bytes in the header", maxName)
			return ""
		}
		name = append(name, c)
	}
	s.fail("the header ends inside a name")
	return ""
}

// jsonText reads a string of JSON (RFC 8259, section 7).
func (s *scanner) jsonText() string {
	if !s.accept('"') {
		s.fail("want a text in quotes in the header")
		return ""
	}
	var text []byte
	for s.err == nil && s.at < len(s.text) {
		if len(text) > maxName {
			s.fail("a name of more than %d bytes in the header", maxName)
			return ""
		}
		c := s.text[s.at]
		switch {
		case c == '"':
			if !utf8.Valid(text) {
				s.fail("the text that ends here is not UTF-8")
				return ""
			}
			s.at++
			return string(text)
		case c < ' ':
			s.fail("an unescaped control character %q in a text of the header", c)
		case c == '\\':
			text = s.escape(text)
		default:
			text = append(text, c)
			s.at++
		}
	}
	s.fail("the header ends inside a name")
	return ""
}

// escapes are what may follow a backslash beside u, and what it stands for.
var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape appends what the escape at s.at stands for.
func (s *scanner) escape(text []byte) []byte {
	if s.at+1 < len(s.text) {
		if c, ok := escapes[s.text[s.at+1]]; ok {
			s.at += 2
			return append(text, c)
		}
	}
	r := s.codeUnit()
	if utf16.IsSurrogate(r) {
		if r = utf16.DecodeRune(r, s.codeUnit()); r == utf8.RuneError {
			s.fail("half of a surrogate pair in a text of the header")
		}
	}
	return utf8.AppendRune(text, r)
}

// codeUnit reads \uXXXX.
func (s *scanner) codeUnit() rune {
	if s.err != nil {
		return 0
	}
	const length = len(`\uXXXX`)
	if rest := s.text[s.at:]; len(rest) >= length && rest[:2] == `\u` {
		if v, err := strconv.ParseUint(rest[2:length], 16, 16); err == nil {
			s.at += length
			return rune(v)
		}
	}
	s.fail(`an escape that JSON does not have: want \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits`)
	return 0
}

// number reads a whole number of at least 0.
func (s *scanner) number() int64 {
	s.skip()
	start, n := s.at, int64(0)
	for s.err == nil && s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		if n > (math.MaxInt64-9)/10 {
			s.fail("a number in the header is larger than any file")
			return 0
		}
		n = n*10 + int64(s.text[s.at]-'0')
		s.at++
	}
	if s.at == start {
		s.fail("want a whole number in the header")
	}
	return n
}

// word reads letters.
func (s *scanner) word() string {
	s.skip()
	start := s.at
	for s.at < len(s.text) && (s.text[s.at]|0x20 >= 'a' && s.text[s.at]|0x20 <= 'z') {
		s.at++
	}
	if s.at == start {
		s.fail("want a word in the header")
	}
	return s.text[start:s.at]
}
