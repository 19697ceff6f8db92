package guides

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var linked = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// Every link of every page of this repository leads to a page, a picture or a heading that is there; the first page
// lists all; a second build has the same bytes.
func TestGuidesOfTheRepository(t *testing.T) {
	to, again := t.TempDir(), t.TempDir()
	for _, folder := range []string{to, again} {
		if err := Write("../..", folder); err != nil {
			t.Fatal(err)
		}
	}
	names, err := documents("../..")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d documents: %v", len(names), err)
	}
	front := readFile(t, to, "index.html")
	for _, name := range names {
		page := readFile(t, to, pageOf(name))
		if page != readFile(t, again, pageOf(name)) {
			t.Errorf("%s differs between two builds", name)
		}
		if !strings.Contains(front, `<a href="`+pageOf(name)+`">`) {
			t.Errorf("the first page does not list %s", name)
		}
		for _, m := range linked.FindAllStringSubmatch(page, -1) {
			checkTarget(t, to, pageOf(name), m[1])
		}
	}
}

// checkTarget follows a link of a page.
func checkTarget(t *testing.T, folder, from, link string) {
	t.Helper()
	above := strings.Repeat("../", 1+strings.Count(from, "/")) // the simulator, whose build checks these links
	if strings.Contains(link, "://") || link == above+"index.html" || link == above+"icon-192.png" {
		return
	}
	file, id, _ := strings.Cut(link, "#")
	at := from
	if file != "" {
		at = filepath.ToSlash(filepath.Join(filepath.Dir(from), file))
	}
	text := readFile(t, folder, at)
	if id != "" && !strings.Contains(text, ` id="`+id+`"`) {
		t.Errorf("%s: %s leads to no heading", from, link)
	}
}

func readFile(t *testing.T, folder, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// repository writes a small one; core/README.md has the text.
func repository(t *testing.T, text string) string {
	t.Helper()
	root := t.TempDir()
	for _, part := range parts {
		if err := os.MkdirAll(filepath.Join(root, part), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"README.md": "# All\n\n[core](core/)\n", "core/README.md": text, "core/a.go": "package core\n",
		"core/p.png":         "png",
		".github/CHANGES.md": "# Changes\n\n## One `two`, three_four!\n\n## 0.4.0\n\n## 0.4.0\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Links go to pages, files without a page stay as text, and a document cannot bring scripts along.
func TestGuideOfADocument(t *testing.T) {
	to := t.TempDir()
	if err := Write(repository(t, "# Core & more\n\n[c](../.github/CHANGES.md#one-two-three_four)\n"+
		"[v](../.github/CHANGES.md#040-1)\n"+
		"[*code*](a.go) [up](..) [own](#core--more) [out](https://example.org/)\n![p](p.png)\n"+
		"[bad](javascript:alert(1)) <script>alert(2)</script>\n\n"+
		"| | a |\n|---|--:|\n| b | 1 |\n\n| | |\n|---|---|\n| c | 2 |\n"), to); err != nil {
		t.Fatal(err)
	}
	page := readFile(t, to, "core/index.html")
	for _, want := range []string{
		"<title>Core &amp; more · Burstscope</title>", `href="../project/CHANGES.html#one-two-three_four"`,
		`href="../project/CHANGES.html#040-1"`, "<em>code</em>", `href="../index.html"`, `href="#core--more"`,
		`href="https://example.org/"`, `src="../core/p.png"`, `<table tabindex="0">`, `href="../guides.css"`,
		"<td></td>\n<th align=\"right\">a</th>", "<table tabindex=\"0\">\n<tbody>\n<tr>\n<td>c</td>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	for _, bad := range []string{"a.go", "<script", "javascript:", "<th></th>", "style="} {
		if strings.Contains(page, bad) {
			t.Errorf("%s is in\n%s", bad, page)
		}
	}
	if readFile(t, to, "core/p.png") != "png" {
		t.Error("the picture is another")
	}
}

// A link that leads nowhere stops the build, and names the document.
func TestBadGuides(t *testing.T) {
	for text, want := range map[string]string{
		"text":                         "core/README.md: it has no title",
		"# A\n[x](b.md)":               "core/README.md: a link to b.md, which is not there",
		"# A\n[x](#b)":                 "core/README.md: a link to #b, and core/README.md has no such heading",
		"# A\n[x](../README.md#core)":  "README.md has no such heading: use one of all",
		"# A\n![x](https://a.org/b)":   "a picture of another site",
		"# A\n![x](q.png)":             "q.png",
		"# A\n[x](../.github/NONE.md)": "which is not there",
	} {
		if err := Write(repository(t, text), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
