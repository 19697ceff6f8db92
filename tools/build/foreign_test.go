package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScriptsOfOtherPagesAreASCII: a page that names no charset reads other letters as two or three wrong ones.
func TestScriptsOfOtherPagesAreASCII(t *testing.T) {
	dist := t.TempDir()
	if err := bundle(filepath.Join("..", ".."), dist); err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if !keepsName(s.to + ".js") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dist, s.to+".js"))
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.IndexFunc(string(data), func(c rune) bool { return c > 0x7e }); at >= 0 {
			t.Errorf("%s.js has %q at byte %d", s.to, data[at:at+3], at)
		}
	}
	p := &embedPoster{Name: "a", Alt: `"é→" 16 × 2`}
	if code := p.snippet("", ""); !strings.Contains(code, `alt="&#34;&#233;&#8594;&#34; 16 &#215; 2"`) {
		t.Error(code)
	}
}
