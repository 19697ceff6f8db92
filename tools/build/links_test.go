package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumentsNameFilesThatAreThere: a link to a file that the build did not write stops the build.
func TestDocumentsNameFilesThatAreThere(t *testing.T) {
	dist := t.TempDir()
	for name, text := range map[string]string{
		"icon.png":   "",
		"a b.png":    "",
		"s.js":       "",
		"index.html": `<link href="icon.png"><img srcset="a b.png"><script src="s.js">"<a href='no'> href=\"no\""</script>`,
		"companion/at.html": `<a href="../#v=1&amp;s=dct"> <a href="https://example.org/x"> <a href="#top">` +
			`<img src="data:,x"> <a href="/icon.png?x=1">`,
	} {
		at := filepath.Join(dist, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := checkLinks(dist); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{`<link href="../icon.svg">`, `<img src="/no.png">`, `<source srcset="no.svg">`} {
		if err := os.WriteFile(filepath.Join(dist, "companion", "wrong.html"), []byte(wrong), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := checkLinks(dist); err == nil || !strings.Contains(err.Error(), "wrong.html names ") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
