package main

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxLines is the length of a file above which it holds a second idea.
const maxLines = 600

// topLevel is the agreed top of the tree. Dot files are settings of tools.
var topLevel = []string{
	"core", "render", "wasm", "site", "assets", "tools",
	"build.sh", "README.md", "LICENSE", "go.mod", "go.sum",
}

// The words are assembled from parts so that the rule does not find this file.
var (
	openWork  = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX)\b`)
	withCause = regexp.MustCompile(`\bTO` + `DO\(issue \d+\): \S`)
	// A path on a developer's machine. A slash after a word or inside a URL does not
	// count.
	machinePath = regexp.MustCompile(`(^|[^\w.\-/*])/(work|root|home)/[\w.]`)
)

// checkFiles holds the rules about the text of single files.
func checkFiles(tree *Tree) []Finding {
	var findings []Finding
	for i := range tree.Files {
		file := &tree.Files[i]
		if file.Binary() {
			continue
		}
		if lines := bytes.Count(file.Data, []byte("\n")); lines > maxLines && isProgram(file) && !file.Test && !generated.Match(file.Data) {
			findings = append(findings, Finding{file.Path, 0, "file length",
				fmt.Sprintf("%d lines, more than %d: look for the second idea in it", lines, maxLines)})
		}
		number := 0
		for line := range bytes.Lines(file.Data) {
			number++
			if word := openWork.Find(line); word != nil && isSource(file) && !withCause.Match(line) {
				findings = append(findings, Finding{file.Path, number, "open work",
					fmt.Sprintf("%s without an issue; finish it, or write %s(issue N): why", word, "TO"+"DO")})
			}
			if machinePath.Match(line) {
				findings = append(findings, Finding{file.Path, number, "machine path", "names a folder of one machine"})
			}
		}
	}
	return findings
}

// generated is how the first line of a file says that a program wrote it.
var generated = regexp.MustCompile(`\A// Code generated .* DO NOT EDIT\.`)

// isProgram is true for files whose length is worth a rule.
func isProgram(file *File) bool {
	return slices.Contains([]string{".go", ".ts", ".js", ".sh"}, path.Ext(file.Path))
}

// isSource is true for what people write by hand.
func isSource(file *File) bool {
	return slices.Contains([]string{".go", ".ts", ".js", ".css", ".html", ".sh", ".cu", ".h", ".yaml", ".py"}, path.Ext(file.Path))
}

// checkTopLevel holds the tree to its agreed top.
func checkTopLevel(tree *Tree) []Finding {
	var findings []Finding
	var seen []string
	for i := range tree.Files {
		top, _, _ := strings.Cut(tree.Files[i].Path, "/")
		if strings.HasPrefix(top, ".") || slices.Contains(topLevel, top) || slices.Contains(seen, top) {
			continue
		}
		seen = append(seen, top)
		findings = append(findings, Finding{top, 0, "top level", "is not one of the agreed entries: " + strings.Join(topLevel, " ")})
	}
	return findings
}
