package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Tree is what the rules look at: every file that could be committed.
type Tree struct {
	Files []File
	Fset  *token.FileSet
}

// File is one file; Go files are parsed.
type File struct {
	Path   string // slash-separated, relative to the root
	Data   []byte
	Syntax *ast.File // Go files only
	Test   bool      // *_test.go
	Built  bool      // a Go file that this machine's build would compile
}

// Binary is true for files that are not text.
func (f *File) Binary() bool { return bytes.IndexByte(f.Data, 0) >= 0 }

// Package is the import path of the folder a file lies in, without Module.
func (f *File) Package() string { return path.Dir(f.Path) }

// ignored mirrors .gitignore: what a build leaves in the tree.
func ignored(name string, dir bool) bool {
	if name == "wasm/edge/build" || name == "results" || name == "release" {
		return true
	}
	name = path.Base(name)
	if dir {
		return name == ".git" || name == "dist" || name == ".cache" || name == "node_modules" || name == ".wrangler" || name == "__pycache__"
	}
	// In a worktree of git .git is a file.
	return name == ".git" || strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".prof")
}

// ReadTree reads and parses everything below fsys that is not ignored.
func ReadTree(fsys fs.FS) (*Tree, error) {
	tree := &Tree{Fset: token.NewFileSet()}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && ignored(name, d.IsDir()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		file := File{Path: name, Data: data, Test: strings.HasSuffix(name, "_test.go")}
		if strings.HasSuffix(name, ".go") {
			file.Syntax, err = parser.ParseFile(tree.Fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return fmt.Errorf("cannot parse: %w", err)
			}
			file.Built = builtHere(name, data)
		}
		tree.Files = append(tree.Files, file)
		return nil
	})
	return tree, err
}

// builtHere answers whether build constraints and the file's name let the host
// compile the file.
func builtHere(name string, data []byte) bool {
	ctx := build.Default
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	match, err := ctx.MatchFile(path.Dir(name), path.Base(name))
	return err == nil && match
}
