package serve

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// serve prints the address of the page that the variable names, and the page is there. The server ends with this
// test's process.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BURSTSCOPE_SITE", dir)
	r, w := io.Pipe()
	go func() { w.CloseWithError(serveVerb([]string{"--port", "0", "--no-open", "--path", "course/gpu"}, w)) }()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(regexp.MustCompile(`http://\S+`).FindString(line))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if b, err := io.ReadAll(answer.Body); err != nil || string(b) != "the page" || !strings.Contains(line,
		"/course/gpu/") {
		t.Errorf("%s: %q %v", line, b, err)
	}
	for _, args := range [][]string{{"serve", t.TempDir()}, {"serve", "--port", "70000"}, {"serve", "a", "b"}} {
		if status, _, errs := call(args...); status == 0 || errs == "" {
			t.Errorf("%v: %d", args, status)
		}
	}
}
