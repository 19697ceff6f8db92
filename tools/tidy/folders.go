package main

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// pageRoot holds the sources of the page.
const pageRoot = "site/src"

// pageLayers is the table of allowed imports between the folders of the page, lowest
// first: a file imports from its own folder and from folders in rows above its own,
// never from another folder of its row. site/src/README.md says what each folder holds.
var pageLayers = [][]string{
	{"lib", "protocol"},
	{"drawing"},
	{"state"},
	{"links", "engine"},
	{"timeline", "explain", "sweep"},
	{"picture", "results", "inspector", "settings", "kernel", "lab", "l1", "buddy", "launches", "output", "lessons"},
	{"reproduction", "export"},
	{"embed"},
	{"page"},
}

// pageImport finds the path of a relative import or re-export. The list of names may
// span lines; a path in a comment does not start a line with import or export.
var pageImport = regexp.MustCompile(`(?m)^(?:import|export)\b(?:[^"';=()]*\bfrom)?\s*["'](\.[^"']*)["']|\bimport\(\s*["'](\.[^"']*)["']\s*\)`)

// pageLayer is the row of a folder of the page, or -1.
func pageLayer(folder string) int {
	return slices.IndexFunc(pageLayers, func(row []string) bool { return slices.Contains(row, folder) })
}

// checkFolders compares the imports of the page's sources with the table.
func checkFolders(tree *Tree) []Finding {
	var findings []Finding
	for i := range tree.Files {
		file := &tree.Files[i]
		name, ours := strings.CutPrefix(file.Path, pageRoot+"/")
		if !ours || path.Ext(name) != ".ts" {
			continue
		}
		folder := path.Dir(name)
		if pageLayer(folder) < 0 {
			findings = append(findings, Finding{file.Path, 0, "page folder",
				fmt.Sprintf("%s/%s has no row in the table of the page's folders (tools/tidy/folders.go)", pageRoot, folder)})
			continue
		}
		for _, m := range pageImport.FindAllSubmatchIndex(file.Data, -1) {
			at := m[2:4]
			if at[0] < 0 {
				at = m[4:6]
			}
			to := path.Dir(path.Join(path.Dir(file.Path), string(file.Data[at[0]:at[1]])))
			if text := judgeFolders(folder, to); text != "" {
				line := 1 + bytes.Count(file.Data[:at[0]], []byte("\n"))
				findings = append(findings, Finding{file.Path, line, "page folder", text})
			}
		}
	}
	return findings
}

// checkCycles finds files of the page that import one another in a circle, whether they
// import values or only types: such files cannot be read one after the other.
func checkCycles(tree *Tree) []Finding {
	imports := map[string][]string{}
	for i := range tree.Files {
		file := &tree.Files[i]
		if !strings.HasPrefix(file.Path, pageRoot+"/") || path.Ext(file.Path) != ".ts" {
			continue
		}
		imports[file.Path] = []string{}
		for _, m := range pageImport.FindAllSubmatch(file.Data, -1) {
			if m[1] != nil { // import() comes later, when both files are there
				imports[file.Path] = append(imports[file.Path], path.Join(path.Dir(file.Path), string(m[1]))+".ts")
			}
		}
	}
	var findings []Finding
	done := map[string]bool{}
	var visit func(name string, way []string)
	visit = func(name string, way []string) {
		if at := slices.Index(way, name); at >= 0 {
			findings = append(findings, Finding{name, 0, "page cycle", "imports itself by way of " + strings.Join(append(way[at+1:len(way):len(way)], name), ", ")})
			return
		}
		if done[name] {
			return
		}
		for _, next := range imports[name] {
			visit(next, append(way[:len(way):len(way)], name))
		}
		done[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		visit(name, nil)
	}
	return findings
}

// judgeFolders returns the breach of an import from a folder of the page to a folder of
// the repository, or "". Style sheets lie in site itself.
func judgeFolders(from, to string) string {
	to, ours := strings.CutPrefix(to, pageRoot+"/")
	switch {
	case !ours && to == path.Dir(pageRoot), to == from:
		return ""
	case !ours:
		return fmt.Sprintf("%s may not import %s: it lies outside the page", from, to)
	case pageLayer(to) < 0 || pageLayer(to) >= pageLayer(from):
		return fmt.Sprintf("%s may not import %s; imports go to lower folders only (tools/tidy/folders.go)", from, to)
	}
	return ""
}
