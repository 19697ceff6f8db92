package static

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// page is a small built page beside a file that must stay out of reach.
func page(t *testing.T) *httptest.Server {
	t.Helper()
	above := t.TempDir()
	for name, text := range map[string]string{
		"secret.txt":           "secret",
		"dist/index.html":      "<p>start",
		"dist/engine.wasm":     "raw engine",
		"dist/engine.wasm.br":  "small engine",
		"dist/engine.wasm.gz":  "smaller engine",
		"dist/view.wasm":       "raw view",
		"dist/view.wasm.gz":    "small view",
		"dist/shell.js":        "let a",
		"dist/sub/index.html":  "<p>sub",
		"dist/empty/thing.bin": "x",
	} {
		file := filepath.Join(above, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(above, "secret.txt"), filepath.Join(above, "dist", "link.txt")); err != nil {
		t.Log("no symbolic links here:", err)
	}
	handler, err := Handler(filepath.Join(above, "dist"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// get asks as a browser that decodes nothing by itself.
func get(t *testing.T, method, url, acceptEncoding string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", acceptEncoding)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func TestTypesAndCompression(t *testing.T) {
	server := page(t)
	for _, c := range []struct{ path, accept, wantType, wantEncoding, wantBody string }{
		{"/", "", "text/html; charset=utf-8", "", "<p>start"},
		{"/sub/", "", "text/html; charset=utf-8", "", "<p>sub"},
		{"/shell.js", "br", "text/javascript; charset=utf-8", "", "let a"}, // no .br beside it
		{"/engine.wasm", "", "application/wasm", "", "raw engine"},
		{"/engine.wasm", "gzip", "application/wasm", "gzip", "smaller engine"},
		{"/engine.wasm", "gzip, br;q=0", "application/wasm", "gzip", "smaller engine"},
		{"/engine.wasm", "gzip;q=0, br; q=0", "application/wasm", "", "raw engine"},
		{"/engine.wasm", "identity, deflate, zstd", "application/wasm", "", "raw engine"},
		{"/engine.wasm", "*", "application/wasm", "br", "small engine"},
		{"/engine.wasm", "*, br;q=0", "application/wasm", "gzip", "smaller engine"},
		{"/view.wasm", "br, gzip", "application/wasm", "gzip", "small view"},
		{"/view.wasm", "br", "application/wasm", "", "raw view"},
		{"/engine.wasm", "gzip, deflate, br, zstd", "application/wasm", "br", "small engine"},
		{"/empty/thing.bin", "br", "application/octet-stream", "", "x"},
	} {
		response, body := get(t, "GET", server.URL+c.path, c.accept)
		header := response.Header
		if response.StatusCode != 200 || body != c.wantBody || header.Get("Content-Type") != c.wantType || header.Get("Content-Encoding") != c.wantEncoding {
			t.Errorf("%s accepting %q: %d %q as %s, encoded %q", c.path, c.accept, response.StatusCode, body, header.Get("Content-Type"), header.Get("Content-Encoding"))
		}
		if header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s may be cached: %q", c.path, header.Get("Cache-Control"))
		}
	}
}

// TestUnderAPath: the page may be a part of a site, and links lead inside it.
func TestUnderAPath(t *testing.T) {
	inside := page(t).Config.Handler
	server := httptest.NewServer(Under("/people/a b/", inside))
	t.Cleanup(server.Close)
	for path, want := range map[string]int{
		"/people/a%20b/": 200, "/people/a%20b/shell.js": 200, "/people/a%20b/sub/": 200,
		"/": 404, "/shell.js": 404, "/people/": 404, "/people/a%20b/../shell.js": 400, "/people/a%20b": 301,
	} {
		if response, _ := get(t, "GET", server.URL+path, ""); response.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, response.StatusCode, want)
		}
	}
	response, _ := get(t, "GET", server.URL+"/people/a%20b/sub?x=1", "")
	if to, err := response.Location(); err != nil || to.String() != server.URL+"/people/a%20b/sub/?x=1" {
		t.Errorf("a folder without its slash leads to %v, %v", to, err)
	}
	if response, body := get(t, "GET", server.URL+"/people/a%20b/", "br"); body != "<p>start" || response.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%q with %v", body, response.Header)
	}
}

// TestChangedFiles: a file that did not change costs a 304, one that did is sent,
// also if it is older than the one before.
func TestChangedFiles(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "sw.js")
	write := func(text string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	write("new", time.Now())
	handler, err := Handler(folder)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	first, _ := get(t, "GET", server.URL+"/sw.js", "")
	ask := func() (int, string) {
		t.Helper()
		request, err := http.NewRequest("GET", server.URL+"/sw.js", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("If-None-Match", first.Header.Get("ETag"))
		request.Header.Set("If-Modified-Since", first.Header.Get("Last-Modified"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	if status, _ := ask(); status != http.StatusNotModified {
		t.Errorf("unchanged: %d", status)
	}
	write("old", time.Now().Add(-time.Hour))
	if status, body := ask(); status != http.StatusOK || body != "old" {
		t.Errorf("replaced by an older file: %d %q", status, body)
	}
}

func TestFaults(t *testing.T) {
	server := page(t)
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/absent.js", 404},
		{"GET", "/empty/", 404},
		{"GET", "/sub", 301},
		{"POST", "/", 405},
		{"DELETE", "/shell.js", 405},
	} {
		if response, _ := get(t, c.method, server.URL+c.path, ""); response.StatusCode != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, response.StatusCode, c.want)
		}
	}
}

// TestNothingAboveThePage sends paths that no client library would send.
func TestNothingAboveThePage(t *testing.T) {
	server := page(t)
	for _, path := range []string{
		"/../secret.txt", "/sub/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt",
		"/./../secret.txt", "//../secret.txt", "/link.txt", "/sub%00/x",
	} {
		status, body := rawGet(t, server.Listener.Addr().String(), path)
		if strings.Contains(body, "secret\n") || strings.HasSuffix(body, "secret") || !strings.Contains(status, " 4") {
			t.Errorf("%s: %s %q", path, status, body)
		}
	}
}

func rawGet(t *testing.T, addr, path string) (status, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
	reader := bufio.NewReader(conn)
	status, err = reader.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(status), string(rest)
}
