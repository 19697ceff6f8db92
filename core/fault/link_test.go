package fault

import (
	"strings"
	"testing"
)

// A link out of a user's file opens a page or a letter, however its address is written.
func TestLinks(t *testing.T) {
	for _, address := range []string{"", "https://example.org/a:b?c#d", "HTTP://example.org", "mailto:a@example.org", "a.pdf", "../a/b.pdf", "/a", "#part", "?q=a:b", "//example.org/a", "./a:b", "https://example.org/é"} {
		if what := Link(address); what != "" {
			t.Errorf("%s: %s", address, what)
		}
	}
	for _, address := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x",
		"view-source:https://example.org", "ftp://example.org", "intent:x", ":", "a b", "https://example.org/\u202egnp.exe", "tel:1", "javascript\u200e:x", "about:blank", "ws://example.org",
	} {
		if Link(address) == "" {
			t.Errorf("%q may be a link", address)
		}
	}
}

// Text is UTF-8, with a mark before it or without.
func TestEncodings(t *testing.T) {
	for text, want := range map[string]string{"\xef\xbb\xbfid": "id", "id": "id", "": "", "µ": "µ", "a\x00": "a\x00"} {
		if got, err := Text("f", []byte(text)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"\xff\xfei\x00d\x00", "\xfe\xff\x00i\x00d", "i\x00d\x00", "\x00i\x00d", "\xff\xfe\x00\x00i\x00\x00\x00", "\x00\x00\xfe\xff\x00\x00\x00i"} {
		if _, err := Text("f", []byte(text)); err == nil || !strings.Contains(err.Error(), "f: the text is UTF-16 or UTF-32: save it as UTF-8") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{"a\nb\xb5": "f:2: the byte 0xb5 is not UTF-8", "a\n\n\x1b": "f:3: the character U+001B", "\u2066": "f:1: the character U+2066", "a\tb\r\n": ""} {
		if _, err := Strict("f", []byte(text)); want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
