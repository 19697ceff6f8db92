package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// writing are the functions of package golden that write, or that tell a test to.
var writing = []string{"File", "Section", "Table", "Rows", "Words", "Updating"}

// function is a function of a test file: the names in its body.
type function struct {
	test, writes       bool
	functions, methods map[string]bool
}

// writers lists the tests of a folder that reach a function of package golden, by any functions of its test files.
func writers(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	functions, methods := map[string]*function{}, map[string]*function{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			f := namesIn(d.Body)
			f.test = d.Recv == nil && strings.HasPrefix(d.Name.Name, "Test")
			if d.Recv == nil {
				functions[d.Name.Name] = f
			} else if old := methods[d.Name.Name]; old != nil { // of another type: it counts as one with this
				old.writes = old.writes || f.writes
				maps.Copy(old.functions, f.functions)
				maps.Copy(old.methods, f.methods)
			} else {
				methods[d.Name.Name] = f
			}
		}
	}
	if filepath.Base(folder) == "golden" {
		return nil, nil // its own tests set the variable themselves
	}
	for changed := true; changed; {
		changed = false
		for _, f := range slices.Concat(slices.Collect(maps.Values(functions)), slices.Collect(maps.Values(methods))) {
			if !f.writes && (reaches(f.functions, functions) || reaches(f.methods, methods)) {
				f.writes, changed = true, true
			}
		}
	}
	var tests []string
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if f := functions[name]; f.test && f.writes {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

func reaches(names map[string]bool, of map[string]*function) bool {
	for name := range names {
		if f := of[name]; f != nil && f.writes {
			return true
		}
	}
	return false
}

func namesIn(body *ast.BlockStmt) *function {
	f := &function{functions: map[string]bool{}, methods: map[string]bool{}}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "golden" && slices.Contains(writing, n.Sel.Name) {
				f.writes = true
			}
			f.methods[n.Sel.Name] = true
		case *ast.Ident:
			f.functions[n.Name] = true
		}
		return true
	})
	return f
}
