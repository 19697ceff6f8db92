package main

import (
	"os"
	"path/filepath"
	"slices"
)

// copied are the kinds of files of site/ that are copied unchanged.
var copied = []string{".html", ".svg", ".png", ".ico", ".webmanifest", ".txt"}

// copyPages copies the pages of site/.
func copyPages(root, dist string) error {
	entries, err := os.ReadDir(filepath.Join(root, "site"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !slices.Contains(copied, filepath.Ext(e.Name())) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, "site", e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dist, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
