package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestYAMLIsBundled: the editor's script holds the code of the yaml package and its licence.
func TestYAMLIsBundled(t *testing.T) {
	dist := t.TempDir()
	if err := bundle("../..", dist); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(dist, "kernel.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"/* yaml-2.9.1\nCopyright Eemeli Aro", "Permission to use, copy, modify",
		"BLOCK_AS_IMPLICIT_KEY"} {
		if !strings.Contains(string(script), part) {
			t.Errorf("the script of the editor lacks %q", part)
		}
	}
}
