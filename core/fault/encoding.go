package fault

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// utf8Mark is the byte order mark that some editors and spreadsheets write before UTF-8.
var utf8Mark = []byte("\xef\xbb\xbf")

// Text returns what a file of text holds, without a mark before it. UTF-16 and UTF-32 are refused by name.
func Text(where string, b []byte) ([]byte, error) {
	b = bytes.TrimPrefix(b, utf8Mark)
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} {
		if bytes.HasPrefix(b, []byte(mark)) {
			return nil, notUTF8(where)
		}
	}
	// Without a mark, every second byte of the first two letters is 0.
	if len(b) >= 4 && ((b[0] == 0 && b[2] == 0 && b[1] != 0) || (b[1] == 0 && b[3] == 0 && b[0] != 0)) {
		return nil, notUTF8(where)
	}
	return b, nil
}

func notUTF8(where string) error {
	return Refuse(where, "the text is UTF-16 or UTF-32", "save it as UTF-8")
}

// Strict is Text for what is shown: other bytes than those of UTF-8, and characters that nobody sees, are refused with their line.
func Strict(where string, b []byte) ([]byte, error) {
	b, err := Text(where, b)
	if err != nil {
		return nil, err
	}
	line := 1
	for rest := b; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			return nil, Refuse(fmt.Sprintf("%s:%d", where, line), fmt.Sprintf("the byte %#02x is not UTF-8", rest[0]), "save the file as UTF-8")
		case r == '\n':
			line++
		case unseen(r) && r != '\t' && r != '\r':
			return nil, Refuse(fmt.Sprintf("%s:%d", where, line), fmt.Sprintf("the character %U is invisible", r), "remove it")
		}
		rest = rest[n:]
	}
	return b, nil
}
