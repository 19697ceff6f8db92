package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// TestFillPage: index.html gets the default result as data and in words, and a table without numbers. A marker that
// is missing or stands twice is an error.
func TestFillPage(t *testing.T) {
	s, err := smallScenario()
	if err != nil {
		t.Fatal(err)
	}
	p, err := makeEmbedPoster("small", s)
	if err != nil {
		t.Fatal(err)
	}
	const controls = schemeMarker + schemeAMarker + schemeBMarker
	const page = "<head>" + builtMarker + "</head>" + withoutMarker + controls + "<table>" + rowsMarker + "</table>"
	got, err := fillPage(page, p, s)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(got, "</head>")
	words, table, _ := strings.Cut(rest, "<table><tr data")
	for _, want := range []string{`id="built">{"name":"small"`, p.Hashes["A"], `"stats":{`} {
		if !strings.Contains(head, want) {
			t.Errorf("%q is not in the data %.300s", want, head)
		}
	}
	for _, want := range []string{"Sums &lt;b&gt;: a result that Burstscope " + p.Version, p.Hashes["B"][:12], p.Headline, p.Rows[0].A} {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in the words %s", want, words)
		}
	}
	if regexp.MustCompile(`<td[^>]*>[^<]*\d`).MatchString(table) || !strings.Contains(table, `"cycles"><th`) {
		t.Errorf("the table has numbers, or no rows: %s", table)
	}
	for _, wrong := range []string{strings.Replace(page, rowsMarker, "", 1), page + builtMarker, strings.Replace(page, withoutMarker, "", 1)} {
		if _, err := fillPage(wrong, p, s); err == nil || !strings.Contains(err.Error(), "exactly once") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestDocumentsHoldNoNumbersOfAResult: what a document shows of a result comes from its object, never from its markup.
func TestDocumentsHoldNoNumbersOfAResult(t *testing.T) {
	page, err := os.ReadFile("../../site/index.html")
	if err != nil {
		t.Fatal(err)
	}
	result := regexp.MustCompile(`(?s)<section id="centre".*?<section id="time"|<aside id="result".*?</aside>`)
	found := result.FindAllString(string(page), -1)
	if len(found) != 2 {
		t.Fatalf("%d parts for results", len(found))
	}
	for _, part := range found {
		for _, text := range regexp.MustCompile(`>[^<]+<`).FindAllString(part, -1) {
			if regexp.MustCompile(`\d`).MatchString(strings.ReplaceAll(strings.ReplaceAll(text, "L1", ""), "L2", "")) {
				t.Errorf("index.html shows %s", text)
			}
		}
	}
}

// staged is a stage with every file that a form names, each holding its name.
func staged(t *testing.T) string {
	t.Helper()
	stage := t.TempDir()
	for _, form := range forms {
		for _, name := range form.files {
			text := strings.Repeat(name, 100)
			if strings.HasSuffix(name, ".html") {
				text = "<head>" + charset + "</head>" + text
			}
			if err := writeFile(filepath.Join(stage, filepath.FromSlash(name)), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return stage
}

func TestWeigh(t *testing.T) {
	dist, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	made, err := publish(staged(t), dist, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time from the cache
		report := &sizeReport{}
		if err := report.weigh(dist, cache, made, false); err != nil {
			t.Fatal(err)
		}
		if over := report.over(); over != "" {
			t.Error(over)
		}
		for _, form := range report.Forms {
			if form.Brotli <= 0 || form.Brotli >= form.Raw != (form.Name == "one file") {
				t.Errorf("%s: %d bytes became %d", form.Name, form.Raw, form.Brotli)
			}
		}
	}
	file := filepath.Join(dist, filepath.FromSlash(made.Files["shell.js"]))
	unpack := map[string]func(io.Reader) (io.Reader, error){
		".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	for ending, open := range unpack {
		small, err := os.ReadFile(file + ending)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := open(bytes.NewReader(small))
		if err != nil {
			t.Fatal(err)
		}
		if raw, err := io.ReadAll(reader); err != nil || string(raw) != strings.Repeat("shell.js", 100) {
			t.Errorf("shell.js%s holds %q, %v", ending, raw, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dist, "sizes.json")); err != nil {
		t.Error(err)
	}
}

// TestWeighQuickly: quick compression makes no form smaller than full compression, so nothing
// passes that would fail, and what it writes unpacks to the file.
func TestWeighQuickly(t *testing.T) {
	dist, stage := t.TempDir(), staged(t)
	view := make([]byte, 300_000)
	for i := range view {
		view[i] = byte(i * i >> 9)
	}
	if err := writeFile(filepath.Join(stage, "view.wasm"), view); err != nil {
		t.Fatal(err)
	}
	made, err := publish(stage, dist, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	weighed := func(quick bool) map[string]int {
		report := &sizeReport{}
		if err := report.weigh(dist, t.TempDir(), made, quick); err != nil {
			t.Fatal(err)
		}
		sizes := map[string]int{}
		for _, form := range report.Forms {
			sizes[form.Name] = form.Brotli
		}
		return sizes
	}
	full, quick := weighed(false), weighed(true)
	for name, size := range full {
		if name == "view" && quick[name] <= size || name != "view" && quick[name] != size {
			t.Errorf("%s: %d bytes quickly, %d at full compression", name, quick[name], size)
		}
	}
	small, err := os.Open(filepath.Join(dist, filepath.FromSlash(made.Files["view.wasm"])+".br"))
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close()
	if got, err := io.ReadAll(brotli.NewReader(small)); err != nil || !bytes.Equal(got, view) {
		t.Errorf("view.wasm.br holds %d bytes of %d, %v", len(got), len(view), err)
	}
}

// A form above its budget is a fault. How large a program is that was not patched depends on the Go that
// compiled it: that is no fault, and other forms keep their budgets.
func TestOverBudget(t *testing.T) {
	over := func(name, file string) formSize {
		return formSize{Name: name, Brotli: 100_001, Budget: 100_000, Files: []fileSize{{Path: file}}}
	}
	report := &sizeReport{Go: "go1.99", Patched: true, Forms: []formSize{
		over("shell", "index.html"), over("engine", "v/1/assets/engine-1.wasm"), over("one file", singleFile), {Name: "view", Brotli: 1, Budget: 2, Within: true},
	}}
	for _, c := range []struct {
		patched, enforced bool
		want              []string
	}{
		{true, true, []string{"shell", "engine", "one file"}},
		{false, false, []string{"shell"}}, {true, false, []string{"shell"}},
	} {
		patched, want := c.enforced, c.want
		report.Patched, report.Enforced = c.patched, c.enforced
		got := strings.Split(report.over(), "; ")
		if len(got) != len(want) {
			t.Errorf("patched %v: %q", patched, got)
			continue
		}
		for i, name := range want {
			if !strings.HasPrefix(got[i], "the "+name+" takes 100.0 kB") {
				t.Errorf("patched %v: %q", patched, got[i])
			}
		}
		if said := strings.Contains(report.String(), "not enforced"); said == patched || !strings.Contains(report.String(), "sizes with go1.99") {
			t.Errorf("patched %v: %s", patched, report)
		}
	}
}
