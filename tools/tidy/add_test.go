package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAddPage: every row of core/ADD.md has a model and tests, all files and packages that it names exist, and each
// pattern of tests finds one.
func TestAddPage(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "core", "ADD.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for row := range strings.Lines(string(b)) {
		if !strings.HasPrefix(row, "| ") || strings.HasPrefix(row, "| a new") {
			continue
		}
		rows++
		row = strings.ReplaceAll(row, `\|`, "\x00")
		cells := strings.Split(row, "|")
		if len(cells) != 8 || !strings.Contains(cells[3], "`") || !strings.Contains(cells[4], "`go test ") {
			t.Errorf("%s: %d cells, or no model, or no tests", cells[1], len(cells)-2)
			continue
		}
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row, -1) {
			checkQuoted(t, root, strings.ReplaceAll(quoted[1], "\x00", "|"))
		}
	}
	if rows != 14 {
		t.Errorf("%d rows, want 14", rows)
	}
}

// checkQuoted looks for what a quoted text names: a file, a folder, or the packages and tests of a command.
func checkQuoted(t *testing.T, root, text string) {
	t.Helper()
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, strings.TrimSuffix(name, "/...")))
		return err == nil
	}
	top, _, _ := strings.Cut(text, "/")
	switch {
	case strings.HasPrefix(text, "go ") || strings.HasPrefix(text, "./build.sh"):
		words := strings.Fields(text)
		var folders []string
		for _, word := range words {
			if folder, ok := strings.CutPrefix(word, "./"); ok {
				if !exists(folder) {
					t.Errorf("%q names %s, which does not exist", text, word)
				}
				folders = append(folders, folder)
			}
		}
		if _, pattern, ok := strings.Cut(text, "-run "); ok {
			checkPattern(t, root, folders, strings.Trim(pattern, "'"))
		}
	case strings.Contains(text, "/") && !strings.Contains(text, " ") && exists(top) && !exists(text):
		t.Errorf("%s does not exist", text)
	}
}

// checkPattern finds a test for every word of a pattern.
func checkPattern(t *testing.T, root string, folders []string, pattern string) {
	t.Helper()
	for _, word := range strings.Split(pattern, "|") {
		found := false
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				found = found || regexp.MustCompile(`func Test\w*`+word).Match(b)
			}
		}
		if !found {
			t.Errorf("no test of %v has %s in its name", folders, word)
		}
	}
}
