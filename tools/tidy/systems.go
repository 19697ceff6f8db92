package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A system is named in its room (core/system) and in the table of systems. systems.txt lists every other file of core
// that names one, with a reason: a table, the source of a value, a program that a paper ran, a name that results or
// scenarios have for good, a codec that others take apart, a layer that asks a room by name, a test, a document. The
// list only shrinks.

const systemsFile = "tools/tidy/systems.txt"

// systemNames find the names of systems. TSLC is the model of SLC; "latter" and "slct" are other words.
var systemNames = []struct {
	name  string
	finds *regexp.Regexp
}{
	{"buddy", regexp.MustCompile(`(?i)buddy`)},
	{"latte", regexp.MustCompile(`(?i)latte([^r]|$)`)},
	{"rfvp", regexp.MustCompile(`(?i)rfvp`)},
	{"tslc", regexp.MustCompile(`(?i)tslc([^t]|$)`)},
}

// systemReasons are what the list may give for a program's file.
var systemReasons = []string{"table", "source", "program", "result", "codec", "layer"}

// listed is a line of the list.
type listed struct {
	reason string
	names  []string
}

// reasonOf is the reason that a file has by its kind; empty for a program, which needs one of systemReasons.
func reasonOf(name string) string {
	switch {
	case strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/"):
		return "test"
	case path.Ext(name) != ".go":
		return "document"
	}
	return ""
}

// systemsIn reads the list of a tree.
func systemsIn(tree *Tree) (map[string]listed, error) {
	list := map[string]listed{}
	for i := range tree.Files {
		if tree.Files[i].Path != systemsFile {
			continue
		}
		for line := range strings.Lines(string(tree.Files[i].Data)) {
			words := strings.Fields(line)
			if len(words) < 3 || reasonOf(words[0]) != words[1] && (reasonOf(words[0]) != "" ||
				!slices.Contains(systemReasons, words[1])) {
				return nil, fmt.Errorf("%q: want a path, a reason (test, document or one of %s) and names of systems",
					strings.TrimSpace(line), strings.Join(systemReasons, ", "))
			}
			list[words[0]] = listed{words[1], words[2:]}
		}
	}
	return list, nil
}

// namesIn returns the systems that files of core outside their rooms name. Golden files do not count: tests write them.
func namesIn(tree *Tree) map[string][]string {
	found := map[string][]string{}
	for i := range tree.Files {
		f := &tree.Files[i]
		if f.Binary() || path.Ext(f.Path) == ".golden" ||
			!strings.HasPrefix(f.Path, "core/") || strings.HasPrefix(f.Path, "core/system/") {
			continue
		}
		for _, s := range systemNames {
			if s.finds.Match(f.Data) {
				found[f.Path] = append(found[f.Path], s.name)
			}
		}
	}
	return found
}

// checkSystems refuses files of core that name a system and are not in the list.
func checkSystems(tree *Tree) []Finding {
	list, err := systemsIn(tree)
	if err != nil {
		return []Finding{{systemsFile, 0, "system name", err.Error()}}
	}
	found := namesIn(tree)
	var findings []Finding
	for i := range tree.Files {
		name := tree.Files[i].Path
		for _, system := range found[name] {
			if !slices.Contains(list[name].names, system) {
				findings = append(findings, Finding{name, 0, "system name",
					"names " + system + ": move it to core/system, or let the room hand it in by its row of scheme.Systems"})
			}
		}
	}
	return findings
}

// shrunkSystems is the list after a change of the files, without what they name no more.
func shrunkSystems(list map[string]listed, found map[string][]string) string {
	var lines []string
	for name, l := range list {
		names := slices.DeleteFunc(slices.Clone(l.names), func(s string) bool { return !slices.Contains(found[name], s) })
		if len(names) > 0 {
			lines = append(lines, fmt.Sprintf("%s %s %s\n", name, l.reason, strings.Join(names, " ")))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
