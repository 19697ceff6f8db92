package datafile

import (
	"strings"
	"testing"
)

// TestSiblingsOfTensorFiles: files beside those that users have reported: other types of elements, other marks around
// the header, other texts in place of a file. Without a fault a file is read, and its type is counted as bytes.
func TestSiblingsOfTensorFiles(t *testing.T) {
	tensor := func(dtype, shape string) []byte {
		return tensorFile(`{"w":{"dtype":`+dtype+`,"shape":`+shape+`,"data_offsets":[0,12]}}`, ramp(12))
	}
	const good = `{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}`
	around := func(header string) []byte { return tensorFile(header, ramp(8)) }
	for _, c := range []struct {
		name string
		file []byte
		want string // the type that is counted as bytes, or the fault
		ok   bool
	}{
		{"F6_E3M2 in rows of three", tensor(`"F6_E3M2"`, "[4,4]"), "F6_E3M2", true},
		{"F6_E2M3 in four dimensions", tensor(`"F6_E2M3"`, "[2,2,2,2]"), "F6_E2M3", true},
		{"F4 whose rows end within a byte", tensor(`"F4"`, "[8,3]"), "F4", true},
		{"F8_E8M0 of one dimension", tensor(`"F8_E8M0"`, "[12]"), "F8_E8M0", true},
		{"F8_E4M3FNUZ", tensor(`"F8_E4M3FNUZ"`, "[3,4]"), "F8_E4M3FNUZ", true},
		{"a type of a later version", tensor(`"I4"`, "[24]"), "I4", true},
		{"F4 of 23 elements", tensor(`"F4"`, "[23]"), "has 12 bytes, but its shape needs another number", false},
		{"F8_E8M0 of 11 elements", tensor(`"F8_E8M0"`, "[11]"), "its shape needs another number", false},
		{"a type without a name", tensor(`""`, "[12]"), `tensor "w" lacks its type`, false},
		{"a type that is a number", tensor("8", "[12]"), "want a text in quotes", false},

		{"a bracket behind", around(good + "]"), "byte 61: ']' follows the last brace", false},
		{"a comment behind", around(good + "//"), "'/' follows the last brace", false},
		{"a form feed behind", around(good + "\f"), `'\f' follows the last brace`, false},
		{"a no-break space behind", around(good + "\u00a0"), `'\u00a0' (U+00A0) follows the last brace`, false},
		{"half a character behind", around(good + "\xc2"), "byte 0xc2 follows the last brace", false},
		{"a NUL before", around("\x00" + good), `want '{' in the header, found '\x00'`, false},

		{"UTF-16", around("\xff\xfe{\x00}\x00"), "the byte order mark of UTF-16", false},
		{"UTF-16, the other order", around("\xfe\xff\x00{\x00}"), "the byte order mark of UTF-16", false},
		{"digits", around("12345678"), "want '{' in the header, found '1'", false},
		{"a text", around(`"metadata"`), "want '{' in the header, found '\"'", false},
		{"a sentence", []byte("Access denied. Please log in."), `the file begins with the text "Access d"`, false},
		{"a header without bytes", around(""), "the header ends where '{' belongs", false},
	} {
		f, _, err := contents(c.file, Options{Name: "a.safetensors"})
		switch {
		case c.ok && (err != nil || f.Arrays[0].Counted != c.want || f.Arrays[0].Bytes != 12):
			t.Errorf("%s: %v, want %s counted as bytes", c.name, err, c.want)
		case !c.ok && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
