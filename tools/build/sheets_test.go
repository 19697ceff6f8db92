package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUnderlinesByLonghands: WebKit has no style, colour or thickness in the shorthand, and then draws no line.
func TestUnderlinesByLonghands(t *testing.T) {
	shorthand := regexp.MustCompile(`text-decoration\s*:\s*([^;}"]*)`)
	sheets := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "site"), func(file string, e os.DirEntry, err error) error {
		if err != nil || e.Name() == "node_modules" {
			if e != nil && e.IsDir() && err == nil {
				return filepath.SkipDir
			}
			return err
		}
		switch filepath.Ext(file) {
		case ".css", ".html", ".ts":
		default:
			return nil
		}
		sheets++
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, found := range shorthand.FindAllSubmatch(data, -1) {
			if len(strings.Fields(string(found[1]))) > 1 {
				t.Errorf("%s: %q; write text-decoration-line, -style, -color and -thickness", file, found[0])
			}
		}
		return nil
	})
	if err != nil || sheets < 20 {
		t.Fatalf("%d files, %v", sheets, err)
	}
}
