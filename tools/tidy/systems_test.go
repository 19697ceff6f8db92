package main

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/burstscope/burstscope/tools/golden"
)

// The list of files that name a system has none that names it no more.
func TestSystemsShrink(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadTree(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	list, err := systemsIn(all)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(root, systemsFile), []byte(shrunkSystems(list, namesIn(all))))
}

func TestSystemNames(t *testing.T) {
	tree := func(files ...string) *Tree {
		folder := fstest.MapFS{}
		for i := 0; i < len(files); i += 2 {
			folder[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
		}
		tree, err := ReadTree(folder)
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
	const file = "core/sm/a.go"
	text := "package sm\n\n// As in LATTE-CC, the latter.\n"
	expect(t, checkSystems(tree(file, text)), "names latte")
	expect(t, checkSystems(tree(file, text, systemsFile, file+" source latte\n")))
	expect(t, checkSystems(tree(file, text, systemsFile, file+" source buddy\n")), "names latte")
	expect(t, checkSystems(tree("core/system/latte/a.go", "package latte\n")))
	expect(t, checkSystems(tree(file, "package sm\n\nvar selectSlct, latter int\n")))
	expect(t, checkSystems(tree(file, "package sm\n\nfunc readTSLC() {}\n")), "names tslc")
	expect(t, checkSystems(tree(systemsFile, file+" because latte\n")), "want a path, a reason")
	expect(t, checkSystems(tree(systemsFile, "core/README.md source latte\n")), "want a path, a reason")
	list := map[string]listed{
		"core/a.go": {"source", []string{"buddy", "latte"}}, "core/b.go": {"table", []string{"rfvp"}},
	}
	got := shrunkSystems(list, map[string][]string{"core/a.go": {"latte", "tslc"}, "core/c.go": {"rfvp"}})
	if want := "core/a.go source latte\n"; got != want {
		t.Errorf("the list becomes %q, want %q", got, want)
	}
}
