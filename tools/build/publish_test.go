package main

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// stageOf writes files into a folder.
func stageOf(t *testing.T, files map[string]string) string {
	t.Helper()
	stage := t.TempDir()
	for name, text := range files {
		if err := writeFile(filepath.Join(stage, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return stage
}

func small() map[string]string {
	return map[string]string{
		"index.html": `<head><meta charset="utf-8"><link href="style.css"><script src="shell.js" defer></script><a href="view.html#x">` +
			`<img src="https://example.org/shell.js"></head><a href="lesson.html">`,
		"lesson.html":             `<head><meta charset="utf-8"></head>`,
		"view.html":               `<head><script src="view.js"></script></head>`,
		"shell.js":                "let shell",
		"view.js":                 "let view",
		"style.css":               "b{}",
		"scenarios/index.json":    "[]",
		"scenarios/dct.msgpack":   "x",
		"icon-192.png":            "png",
		"poster-approximated.png": "png too",
	}
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// listIn is the list of assets in a document.
func listIn(t *testing.T, page string) (list assetList) {
	t.Helper()
	found := regexp.MustCompile(`<script type="application/json" id="assets">(.*?)</script>`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no list of assets in %s", page)
	}
	if err := json.Unmarshal([]byte(found[1]), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPublishedLinksLead: whatever a document names, by link or by list, is there,
// seen from where the document lies, and is what the tree has under that name.
func TestPublishedLinksLead(t *testing.T) {
	files := small()
	dist := t.TempDir()
	made, err := publish(stageOf(t, files), dist, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	documents := []string{"index.html", "lesson.html", "v/1.2.3/index.html", "v/1.2.3/lesson.html", made.Files["view.html"]}
	for _, document := range documents {
		page := read(t, dist, document)
		list := listIn(t, page)
		if list.Version != "1.2.3" || list.Build != made.Build || path.Join(path.Dir(document), list.Home) != "." {
			t.Errorf("%s: version %s, build %s, home %s", document, list.Version, list.Build, list.Home)
		}
		for name, url := range list.Files {
			if got := read(t, dist, path.Dir(document), url); got != files[name] && name != "view.html" {
				t.Errorf("%s: %s holds %q, want %q", document, url, got, files[name])
			}
		}
		for _, found := range reference.FindAllStringSubmatch(page, -1) {
			if _, err := os.Stat(filepath.Join(dist, path.Dir(document), found[2])); err != nil {
				t.Errorf("%s links to %s, which is not there", document, found[2])
			}
		}
		if len(list.Files) < 5 {
			t.Errorf("%s knows only %v", document, list.Files)
		}
	}
	index := read(t, dist, "index.html")
	for _, want := range []string{`src="https://example.org/shell.js"`, `href="lesson.html"`, `data-run="v/1.2.3/assets/shell-`} {
		if !strings.Contains(index, want) {
			t.Errorf("%s is not in %s", want, index)
		}
	}
}

// TestNamesSayWhatIsInside: what changes gets another name, and nothing else does.
func TestNamesSayWhatIsInside(t *testing.T) {
	first, err := publish(stageOf(t, small()), t.TempDir(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	files := small()
	files["view.js"] = "let other"
	second, err := publish(stageOf(t, files), t.TempDir(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if first.Build == second.Build {
		t.Error("two builds, one name")
	}
	var changed []string
	for name := range first.Files {
		if first.Files[name] != second.Files[name] {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	if got := strings.Join(changed, " "); got != "view.html view.js" {
		t.Errorf("renamed: %s", got)
	}
	for _, name := range []string{"index.html", "lesson.html", "icon-192.png", "scenarios/dct.msgpack"} {
		if first.Files[name] != "" || first.pathOf(name) != name {
			t.Errorf("%s does not keep its name: %q", name, first.pathOf(name))
		}
	}
}

// TestOldVersionsStay: a build replaces its own version, leaves the others, and
// takes over those of an earlier site; everything else goes.
func TestOldVersionsStay(t *testing.T) {
	dist := stageOf(t, map[string]string{
		"old.js": "", "screenshots/idle.png": "", "scenarios/gone.msgpack": "",
		"v/0.9.0/build.json": "{}", "v/0.9.0/index.html": "nine", "v/1.2.3/stale.js": "", "v/nonsense/build.json": "{}",
	})
	earlier := stageOf(t, map[string]string{
		"v/0.10.0/build.json": "{}", "v/0.10.0/index.html": "ten", "v/0.9.0/build.json": "{}", "v/0.9.0/index.html": "another nine",
		"v/0.8.0/index.html": "half a version", "v/x/build.json": "{}",
	})
	if err := clean(dist, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	if _, err := publish(stageOf(t, small()), dist, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	if err := carry(earlier, dist); err != nil {
		t.Fatal(err)
	}
	if err := writeVersions(dist, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var list versionList
	if err := json.Unmarshal([]byte(read(t, dist, "versions.json")), &list); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(list.Versions, " "); got != "1.2.3 0.10.0 0.9.0" || list.Newest != "1.2.3" {
		t.Errorf("versions %s, newest %s", got, list.Newest)
	}
	if got := read(t, dist, "v/0.9.0/index.html"); got != "nine" {
		t.Errorf("a version was replaced: %s", got)
	}
	if got := read(t, dist, "v/0.10.0/index.html"); got != "ten" {
		t.Errorf("carried: %s", got)
	}
	for name, want := range map[string]bool{
		"old.js": false, "scenarios/gone.msgpack": false, "v/1.2.3/stale.js": false, "v/nonsense": false, "v/0.8.0": false, "v/x": false,
		"screenshots/idle.png": true, "v/1.2.3/index.html": true,
	} {
		if _, err := os.Stat(filepath.Join(dist, name)); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", name, err == nil, want)
		}
	}
	if err := carry(filepath.Join(earlier, "nosuch"), dist); err == nil || !strings.Contains(err.Error(), "-carry must name") {
		t.Errorf("a folder that is not there: %v", err)
	}
}
