package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The tests that have flags of their own exist.
func TestFlaggedTestsExist(t *testing.T) {
	folder := filepath.Join("..", "..", filepath.FromSlash(flagged.folder))
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	for _, test := range flagged.tests {
		if !strings.Contains(all.String(), "func "+test+"(") {
			t.Errorf("%s has no test %s: correct the table of main.go", flagged.folder, test)
		}
	}
}

// A test is found if it writes itself, by a function or by a method, at any depth; others are not.
func TestWriters(t *testing.T) {
	dir := t.TempDir()
	const text = `package a

import "github.com/burstscope/burstscope/tools/golden"

func TestDirect(t *testing.T)   { golden.File(t, "a", nil) }
func TestFunction(t *testing.T) { one(t) }
func TestMethod(t *testing.T)   { var k kind; k.keep(t) }
func TestNames(t *testing.T)    { t.Log(golden.Command) }
func TestOther(t *testing.T)    { other(t) }
func one(t *testing.T)          { two(t) }
func two(t *testing.T)          { if golden.Updating() { t.Log() } }
func other(t *testing.T)        {}
func (kind) keep(t *testing.T)  { one(t) }
`
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := writers(dir)
	if err != nil || !slices.Equal(got, []string{"TestDirect", "TestFunction", "TestMethod"}) {
		t.Errorf("%v, %v", got, err)
	}
}
