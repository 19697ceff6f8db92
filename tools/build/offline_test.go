package main

import (
	"encoding/json"
	"path"
	"strings"
	"testing"
)

// keptBy is the list that a service worker was given.
func keptBy(t *testing.T, script string) (list struct {
	Version, Build string
	Files          []keptFile
}) {
	t.Helper()
	first, rest, _ := strings.Cut(script, "\n")
	data, ok := strings.CutPrefix(first, "const BUILD = ")
	if !ok || rest != "work()" {
		t.Fatalf("the service worker is %q", script)
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(data, ";")), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestServiceWorkerKeepsTheBuild: the list of either service worker leads, from where
// it lies, to every document, to all that documents and scripts ask for, and to
// nothing else; each hash is that of the file.
func TestServiceWorkerKeepsTheBuild(t *testing.T) {
	files := small()
	files["index.html"] = strings.Replace(files["index.html"], "</head>", `<link rel="manifest" href="manifest.webmanifest"></head>`, 1)
	files["sw.js"], files["single.js"], files[singleFile], files["manifest.webmanifest"] = "work()", "unpack()", "<p>", "{}"
	for _, poster := range []string{"posters/a.svg", "posters/b-narrow.svg", "posters/b-page.svg", "posters/index.json"} {
		files[poster] = poster
	}
	dist := t.TempDir()
	made, err := publish(stageOf(t, files), dist, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"", "v/1.2.3"} {
		list := keptBy(t, read(t, dist, folder, "sw.js"))
		if list.Version != "1.2.3" || list.Build != made.Build {
			t.Errorf("%s: %s, %s", folder, list.Version, list.Build)
		}
		kept := map[string]bool{}
		for _, file := range list.Files {
			data := read(t, dist, folder, file[0])
			if file[1] == "" && (path.Ext(file[0]) != ".html" || !strings.Contains(data, made.Build)) {
				t.Errorf("%s: %s is checked by nothing", folder, file[0])
			}
			if file[1] != "" && file[1] != integrityOf([]byte(data)) {
				t.Errorf("%s: %s is not what the list says", folder, file[0])
			}
			kept[file[0]] = true
		}
		for _, want := range []string{"index.html", "lesson.html", "manifest.webmanifest", "posters/a.svg", "posters/b-narrow.svg", "posters/b-page.svg", "posters/index.json"} {
			if !kept[want] {
				t.Errorf("%s: %s is not kept", folder, want)
			}
		}
		named := listIn(t, read(t, dist, folder, "index.html"))
		for name, url := range named.Files {
			if kept[url] != (name != "single.js") {
				t.Errorf("%s: %s, %s: kept %v", folder, name, url, kept[url])
			}
		}
		if want := len(named.Files) - 1 + 3 + 4; len(list.Files) != want {
			t.Errorf("%s: %d files are kept, want %d: %v", folder, len(list.Files), want, list.Files)
		}
	}
}
