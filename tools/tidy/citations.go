package main

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// cited finds names of files that this repository could hold: a word with an ending that
// documents, tables and sources have here.
var cited = regexp.MustCompile(`[\w@./*{}<>$-]*\w\.(md|csv|go)\b`)

// checkCitations finds comments and documents that name a missing file. In documents, code
// blocks are examples and may name any file.
func checkCitations(tree *Tree) []Finding {
	known := map[string]bool{}
	for i := range tree.Files {
		// A file may be named by any end of its path.
		for p := tree.Files[i].Path; ; {
			known[p] = true
			_, rest, found := strings.Cut(p, "/")
			if !found {
				break
			}
			p = rest
		}
	}
	var findings []Finding
	for i := range tree.Files {
		file := &tree.Files[i]
		if file.Binary() {
			continue
		}
		for _, line := range prose(tree, file) {
			for _, at := range cited.FindAllStringIndex(line.text, -1) {
				name := line.text[at[0]:at[1]]
				before := line.text[:at[0]]
				if strings.ContainsAny(name, "*{}<>$") || strings.HasSuffix(before, "://") || strings.Contains(name, "//") {
					continue // a pattern, or a place in an address
				}
				if strings.HasPrefix(path.Base(name), "_") {
					continue // an ending, as in _test.go
				}
				// A folder's name may begin with a dot, as .github does.
				if clean := path.Clean(name); !known[clean] && !known[strings.TrimLeft(clean, "./")] {
					findings = append(findings, Finding{file.Path, line.number, "citation",
						fmt.Sprintf("names %s, which is not in the repository: say it here, or cite the paper", name)})
				}
			}
		}
	}
	return findings
}

// textLine is a line of a comment or a document.
type textLine struct {
	number int
	text   string
}

// lineComment is the beginning of a comment in sources that are not parsed.
var lineComment = regexp.MustCompile(`(^|\s)(//|#|/\*|\*) .*`)

// prose is the text of a file for readers: all lines of a document except code blocks, and
// the comments of a source.
func prose(tree *Tree, file *File) []textLine {
	var lines []textLine
	switch {
	case file.Syntax != nil:
		for _, group := range file.Syntax.Comments {
			for _, c := range group.List {
				first := tree.Fset.Position(c.Pos()).Line
				for i, text := range strings.Split(c.Text, "\n") {
					lines = append(lines, textLine{first + i, text})
				}
			}
		}
	case path.Ext(file.Path) == ".md":
		block := false
		for i, text := range strings.Split(string(file.Data), "\n") {
			if strings.HasPrefix(strings.TrimSpace(text), "```") {
				block = !block
			} else if !block {
				lines = append(lines, textLine{i + 1, text})
			}
		}
	case isSource(file):
		for i, text := range strings.Split(string(file.Data), "\n") {
			if comment := lineComment.FindString(text); comment != "" {
				lines = append(lines, textLine{i + 1, comment})
			}
		}
	}
	return lines
}
