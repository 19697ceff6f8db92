package cli

import (
	"bytes"
	"testing"
)

// TestVisibleText: text passes as it is, however it is cut into writes; only what nobody sees is replaced.
func TestVisibleText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tµ–漢🙂\n": "a\tµ–漢🙂\n", "\x1b[31m": "\ufffd[31m", "\u2066x\r": "\ufffdx\ufffd", "\xe2\x82": "\ufffd", "a\xffb": "a\ufffdb", "\ufffd": "\ufffd", "": "",
	} {
		for step := 1; step <= 5; step++ {
			var b bytes.Buffer
			w := &visibleText{to: &b}
			for rest := text; rest != ""; {
				n := min(step, len(rest))
				if k, err := w.Write([]byte(rest[:n])); k != n || err != nil {
					t.Fatal(k, err)
				}
				rest = rest[n:]
			}
			if w.end(); b.String() != want {
				t.Errorf("%q by %d: %q, want %q", text, step, b.String(), want)
			}
		}
	}
}
