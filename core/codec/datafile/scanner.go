package datafile

import "math"

// scanner reads the little languages of headers: dictionaries of Python and JSON.
// The first fault stays, and every later read yields nothing.
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

// quoted reads a string in either kind of quotes. An escape stands for itself
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
