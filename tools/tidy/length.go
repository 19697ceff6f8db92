package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A line of a program has at most maxColumns characters, a tab counted as one as golangci-lint's lll does, and a
// function of Go at most maxFunction lines. Older files have more: exceptions.txt says how many each may have. The list
// only shrinks; nothing writes a greater number into it.
const (
	maxColumns  = 120
	maxFunction = 80
)

const exceptionsFile = "tools/tidy/exceptions.txt"

// long counts the long lines and the long functions of a file.
type long struct{ lines, functions int }

// exceptionsIn reads the list of a tree: path, long lines, long functions.
func exceptionsIn(tree *Tree) (map[string]long, error) {
	list := map[string]long{}
	i := slices.IndexFunc(tree.Files, func(f File) bool { return f.Path == exceptionsFile })
	if i < 0 {
		return list, nil
	}
	number := 0
	for line := range strings.Lines(string(tree.Files[i].Data)) {
		number++
		var name string
		var l long
		if n, err := fmt.Sscanf(line, "%s %d %d\n", &name, &l.lines, &l.functions); n != 3 || err != nil {
			return nil, fmt.Errorf("%s:%d: want a path and two numbers", exceptionsFile, number)
		}
		list[name] = l
	}
	return list, nil
}

// measured returns the counts of all files that have long lines or functions.
func measured(tree *Tree) map[string]long {
	found := map[string]long{}
	for i := range tree.Files {
		file := &tree.Files[i]
		if file.Binary() || !isProgram(file) || generated.Match(file.Data) {
			continue
		}
		var l long
		for line := range bytes.Lines(file.Data) {
			if utf8.RuneCount(bytes.TrimRight(line, "\r\n")) > maxColumns {
				l.lines++
			}
		}
		if file.Syntax != nil {
			for _, d := range file.Syntax.Decls {
				first, last := tree.Fset.Position(d.Pos()).Line, tree.Fset.Position(d.End()).Line
				if _, ok := d.(*ast.FuncDecl); ok && last-first >= maxFunction {
					l.functions++
				}
			}
		}
		if l != (long{}) {
			found[file.Path] = l
		}
	}
	return found
}

// checkLength refuses more long lines and functions than the list of exceptions has.
func checkLength(tree *Tree) []Finding {
	exceptions, err := exceptionsIn(tree)
	if err != nil {
		return []Finding{{exceptionsFile, 0, "line length", err.Error()}}
	}
	found := measured(tree)
	var findings []Finding
	for i := range tree.Files {
		name := tree.Files[i].Path
		l, allowed := found[name], exceptions[name]
		if l.lines > allowed.lines {
			findings = append(findings, Finding{name, 0, "line length",
				fmt.Sprintf("%d lines of more than %d columns, %d allowed: break the new ones%s",
					l.lines, maxColumns, allowed.lines, ifMoved)})
		}
		if l.functions > allowed.functions {
			findings = append(findings, Finding{name, 0, "function length",
				fmt.Sprintf("%d functions of more than %d lines, %d allowed: look for the second idea in the new one%s",
					l.functions, maxFunction, allowed.functions, ifMoved)})
		}
	}
	return findings
}

const ifMoved = " (if the file was moved, ./build.sh update ./tools/tidy moves its exception)"

// shrunk is the list after a change of the files: no number is greater, and files without long lines and functions are
// gone. A moved file takes its numbers along, if one file of its name has gone.
func shrunk(exceptions, found map[string]long) map[string]long {
	gone := map[string][]long{} // by the last part of the path
	for name, l := range exceptions {
		if _, ok := found[name]; !ok {
			gone[path.Base(name)] = append(gone[path.Base(name)], l)
		}
	}
	list := map[string]long{}
	for name, l := range found {
		allowed, ok := exceptions[name]
		if moved := gone[path.Base(name)]; !ok && len(moved) == 1 {
			allowed = moved[0]
		}
		if kept := (long{min(l.lines, allowed.lines), min(l.functions, allowed.functions)}); kept != (long{}) {
			list[name] = kept
		}
	}
	return list
}

// exceptionsOf writes a list.
func exceptionsOf(list map[string]long) string {
	var lines []string
	for name, l := range list {
		lines = append(lines, fmt.Sprintf("%s %d %d\n", name, l.lines, l.functions))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
