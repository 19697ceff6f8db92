package syntax

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd     tokenKind = iota
	tokenName              // identifier or opcode: %r1, $L__BB0_2, add
	tokenDot               // a word after a dot: .global is "global"
	tokenInteger           // value holds it
	tokenFloat             // value holds the bits of an f32 (single) or f64
	tokenString            // text without quotes
	tokenPunct             // text is the operator
)

type token struct {
	kind     tokenKind
	single   bool // tokenFloat: 0f form, value holds f32 bits
	unsigned bool // tokenInteger: U suffix, or too large for s64
	adjacent bool // no white space before it
	at, end  Position
	text     string
	value    uint64
}

// maxSourceBytes bounds a module. The largest modules that compilers make have some
// megabytes.
const maxSourceBytes = 16 << 20

type lexer struct {
	rep    *Reporter
	src    string
	pos    int
	line   int32
	start  int // offset of the current line
	ended  bool
	fixed  Position // if it has a line: where every token stands
	value  bool     // the last token is a value, so a % after it is an operator
	tokens []token  // the chunk under way
}

func newLexer(rep *Reporter, src string) *lexer {
	l := &lexer{rep: rep, src: src, line: 1}
	if len(src) > maxSourceBytes {
		rep.Broken, l.ended = true, true
		rep.Errorf(Position{1, 1}, "the text has %d bytes, but at most %d are accepted", len(src), maxSourceBytes)
	}
	return l
}

// chunkTokens is how many tokens are read at a time.
const chunkTokens = 512

// chunk returns the next tokens of the text. All tokens after the end are tokenEnd.
func (l *lexer) chunk() []token {
	l.tokens = make([]token, 0, chunkTokens)
	for !l.ended && len(l.tokens) < chunkTokens {
		l.ended = !l.next() || l.rep.Full()
	}
	for len(l.tokens) < chunkTokens {
		l.tokens = append(l.tokens, token{kind: tokenEnd, at: l.here()})
	}
	return l.tokens
}

// tokens holds the tokens around the parser's place: all tokens of a long text would
// take ten times its size. A chunk is never reused, so a pointer to a token stays
// valid.
type tokens struct {
	lexer  *lexer
	first  int // number of the first chunk kept
	chunks [][]token
}

// at returns token i of the text. The parser goes back one token at most. It is not
// inlined because the parser calls it in a hundred places.
//
//go:noinline
func (t *tokens) at(i int) *token {
	k := i / chunkTokens
	for k >= t.first+len(t.chunks) {
		if len(t.chunks) == 2 {
			t.chunks = append(t.chunks[:0], t.chunks[1])
			t.first++
		}
		t.chunks = append(t.chunks, t.lexer.chunk())
	}
	return &t.chunks[k-t.first][i%chunkTokens]
}

func (l *lexer) fail(at Position, format string, args ...any) {
	l.rep.Broken = true
	l.rep.Errorf(at, format, args...)
}

func (l *lexer) here() Position {
	if l.fixed.Line > 0 {
		return l.fixed
	}
	return Position{l.line, int32(l.pos-l.start) + 1}
}

func (l *lexer) newline() {
	l.line++
	l.start = l.pos
}

func isDigit(c byte) bool { return c-'0' < 10 }

func isLetter(c byte) bool {
	return c|0x20-'a' < 26 || c == '_' || c == '$'
}

func isNamePart(c byte) bool { return isLetter(c) || isDigit(c) }

// skipBlank passes white space and comments; it reports whether it moved.
func (l *lexer) skipBlank() bool {
	from := l.pos
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == '\n':
			l.pos++
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
		case c == 0 && strings.Trim(l.src[l.pos:], "\x00 \r\n") == "": // the end of a C string
			l.pos = len(l.src)
		case c == '/' && strings.HasPrefix(l.src[l.pos:], "//"):
			l.skipLine()
		case c == '/' && strings.HasPrefix(l.src[l.pos:], "/*"):
			at := l.here()
			l.pos += 2
			for !strings.HasPrefix(l.src[l.pos:], "*/") {
				if l.pos >= len(l.src) {
					l.fail(at, "comment does not end")
					return true
				}
				l.pos++
				if l.src[l.pos-1] == '\n' {
					l.newline()
				}
			}
			l.pos += 2
		case c == '#' && l.pos == l.start, // preprocessor line marks
			c == '@' && strings.HasPrefix(l.src[l.pos:], "@@"): // @@DWARF lines of PTX 1.x
			l.skipLine()
		default:
			return l.pos > from
		}
	}
	return true
}

func (l *lexer) skipLine() {
	for l.pos < len(l.src) && l.src[l.pos] != '\n' {
		l.pos++
	}
}

// next appends one token and reports whether there may be more.
func (l *lexer) next() bool {
	adjacent := !l.skipBlank()
	if l.pos >= len(l.src) {
		return false
	}
	t := token{at: l.here(), adjacent: adjacent}
	from := l.pos
	c := l.src[l.pos]
	switch {
	case isDigit(c):
		l.number(&t)
	case isLetter(c), c == '%' && l.pos+1 < len(l.src) && isNamePart(l.src[l.pos+1]) && !l.value:
		l.pos++
		l.name()
		t.kind, t.text = tokenName, l.src[from:l.pos]
	case c == '.' && l.pos+1 < len(l.src) && isNamePart(l.src[l.pos+1]):
		l.pos++
		l.name()
		// Qualified words: .shared::cta, .L2::128B
		for l.pos+2 < len(l.src) && l.src[l.pos] == ':' && l.src[l.pos+1] == ':' && isNamePart(l.src[l.pos+2]) {
			l.pos += 2
			l.name()
		}
		t.kind, t.text = tokenDot, l.src[from+1:l.pos]
	case c == '"':
		l.quoted(&t)
	case c >= utf8.RuneSelf:
		l.foreign(t.at)
		return true
	default:
		t.kind = tokenPunct
		n := 1
		if l.pos+1 < len(l.src) {
			switch l.src[l.pos : l.pos+2] {
			case "<<", ">>", "<=", ">=", "==", "!=", "&&", "||":
				n = 2
			}
		}
		if !strings.ContainsRune(",;:{}[]()<>+-*/%&|^~!=@?.", rune(c)) {
			if c < ' ' {
				l.fail(t.at, "unexpected character %U, which cannot be seen", rune(c))
			} else {
				l.fail(t.at, "unexpected character %q", c)
			}
			l.pos++
			return true
		}
		l.pos += n
		t.text = l.src[from:l.pos]
	}
	t.end = l.here()
	l.value = t.kind == tokenInteger || t.text == ")" || t.text == "WARP_SZ"
	l.tokens = append(l.tokens, t)
	return true
}

// foreign refuses characters that are not ASCII, which PTX has in comments and strings alone, and names the first of
// them: many cannot be seen.
func (l *lexer) foreign(at Position) {
	const rule = "PTX is ASCII outside of comments and strings"
	r, n := utf8.DecodeRuneInString(l.src[l.pos:])
	switch name := unseen(r); {
	case r == utf8.RuneError && n == 1:
		l.fail(at, "unexpected byte %#02x: %s", l.src[l.pos], rule)
	case name != "":
		l.fail(at, "unexpected character %U, a %s, which cannot be seen: %s", r, name, rule)
	case !strconv.IsPrint(r):
		l.fail(at, "unexpected character %U, which cannot be seen: %s", r, rule)
	default:
		l.fail(at, "unexpected character %q (%U): names are ASCII", r, r)
		defer l.name() // the rest of such a name
	}
	for l.pos < len(l.src) && l.src[l.pos] >= utf8.RuneSelf {
		l.pos++
	}
}

// unseen names the characters that editors and web pages put into a text unseen.
func unseen(r rune) string {
	switch r {
	case 0xa0, 0x202f, 0x2007:
		return "no-break space"
	case 0xad:
		return "soft hyphen"
	case 0x200b:
		return "zero-width space"
	case 0x200c, 0x200d, 0x2060:
		return "zero-width joiner"
	case 0x2028, 0x85:
		return "line separator"
	case 0xfeff:
		return "byte order mark"
	}
	return ""
}

func (l *lexer) name() {
	for l.pos < len(l.src) && isNamePart(l.src[l.pos]) {
		l.pos++
	}
}

func (l *lexer) quoted(t *token) {
	t.kind = tokenString
	l.pos++
	from := l.pos
	for l.pos < len(l.src) && l.src[l.pos] != '"' && l.src[l.pos] != '\n' {
		if l.src[l.pos] == '\\' && l.pos+1 < len(l.src) && l.src[l.pos+1] != '\n' {
			l.pos++
		}
		l.pos++
	}
	t.text = l.src[from:l.pos]
	if l.pos >= len(l.src) || l.src[l.pos] != '"' {
		l.fail(t.at, "string does not end on its line: a '\"' is missing")
		if rest := strings.TrimRight(l.src[from:l.pos], " \t\r"); strings.HasSuffix(rest, ";") {
			l.pos = from + len(rest) - 1 // the semicolon ends the statement
		}
		return
	}
	l.pos++
}

// number reads integers (decimal, hexadecimal, octal, binary, optional U) and
// floating-point constants (decimal, 0f and 0d with the bits in hexadecimal).
func (l *lexer) number(t *token) {
	from := l.pos
	l.name()
	word := l.src[from:l.pos]
	if bits, ok := exactFloat(word); ok {
		t.kind, t.value, t.single = tokenFloat, bits, len(word) == 10
		return
	}
	isHex := len(word) > 1 && word[1]|0x20 == 'x'
	if !isHex {
		// A decimal point, or an exponent with a sign.
		if l.pos < len(l.src) && l.src[l.pos] == '.' {
			l.pos++
			l.name()
		}
		if l.pos < len(l.src) && l.src[l.pos-1]|0x20 == 'e' && (l.src[l.pos] == '-' || l.src[l.pos] == '+') {
			l.pos++
			l.name()
		}
		word = l.src[from:l.pos]
		if strings.ContainsAny(word, ".eE") {
			f, err := strconv.ParseFloat(word, 64)
			if err != nil && !math.IsInf(f, 0) {
				l.fail(t.at, "bad number %q", word)
			}
			t.kind, t.value = tokenFloat, math.Float64bits(f)
			return
		}
	}
	v, unsigned, err := parseInteger(word)
	if err != nil {
		l.fail(t.at, "bad number %q: %v", word, err)
	}
	t.kind, t.value, t.unsigned = tokenInteger, v, unsigned
}

func exactFloat(word string) (bits uint64, ok bool) {
	if len(word) == 10 && (word[:2] == "0f" || word[:2] == "0F") ||
		len(word) == 18 && (word[:2] == "0d" || word[:2] == "0D") {
		v, err := strconv.ParseUint(word[2:], 16, 64)
		return v, err == nil
	}
	return 0, false
}

func parseInteger(word string) (v uint64, unsigned bool, err error) {
	if n := len(word); word[n-1]|0x20 == 'u' {
		word, unsigned = word[:n-1], true
	}
	base := 10
	if len(word) > 1 && word[0] == '0' {
		switch word[1] | 0x20 {
		case 'x':
			word, base = word[2:], 16
		case 'b':
			word, base = word[2:], 2
		default:
			word, base = word[1:], 8
		}
	}
	v, err = strconv.ParseUint(word, base, 64)
	if err != nil {
		return 0, unsigned, fmt.Errorf("want a 64-bit integer")
	}
	return v, unsigned || v > math.MaxInt64, nil
}
